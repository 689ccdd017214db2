import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { advanceClock, createFromImage, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import type { DeploymentPage } from './support/deploymentPage.ts';
import { filesWith, folderOfDrafts } from './support/files.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { extensionHostsOf } from './support/processes.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Window, Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const name = 'sample-agent';
const stepMs = 600_000;

/** The second one sleeps while the first one works, which only a machine with signals can do. */
describe.skipIf(process.platform === 'win32')('Two windows on one workspace', () => {
  const resources = opened();
  let sample: SampleRepository;
  let service: RunningLocalService;
  let ofSecond: SeededDeployment;
  let first: Workbench;
  let second: Window;
  let secondHost = 0;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    sample = await createSampleRepository(temporary.path);
    service = resources.use(await startLocalService({ repositories: [sample.folder], stepMs, devControls: true }));
    ofSecond = await createFromImage(service, 'of-second');
    first = resources.use(
      await openWorkbench({
        folder: sample.folder,
        settings: {
          'deploymentManager.follow.minIntervalSeconds': 0.2,
          'deploymentManager.follow.maxIntervalSeconds': 2,
        },
      }),
    );
    // A window that sleeps couldn't end.
    resources.defer(() => void (secondHost > 0 && process.kill(secondHost, 'SIGCONT')));
    await addConnection(first, { name: 'Test', url: service.url, apiKey: service.apiKey });
  });

  stepsOfOneJourney(() => first);

  it('use the same connection', async () => {
    await expect.poll(() => storedState(first.page)).toMatch(/\bconnection[\\"]*:[\\"]*Test/);
    const hosts = new Set(await extensionHostsOf(first.janitor.folder));
    second = await first.openWindow();
    await second.openContainer(words.container);
    await second.row(view, 'of-second').waitFor();
    secondHost = (await extensionHostsOf(first.janitor.folder)).find((id) => !hosts.has(id)) ?? 0;
    expect(secondHost).toBeGreaterThan(0);
  });

  it('show what the other one deploys when they come into focus', async () => {
    await second.focus(false);
    await deploy();
    await first.row(view, name).waitFor();
    expect(await second.tree(view)).not.toContain(name);
    await second.focus(true);
    await second.row(view, name).waitFor();
  });

  it('go on where the service is by now after a sleep', async () => {
    // It is this workspace's own, so the second window follows it without a command.
    await entry(second, `${name}: ${words.status.creating}`);
    process.kill(secondHost, 'SIGSTOP');
    await advanceClock(service, 3 * stepMs);
    await entry(first, `${name}: ${words.status.building}`);
    await entry(second, `${name}: ${words.status.creating}`);
    process.kill(secondHost, 'SIGCONT');
    await entry(second, `${name}: ${words.status.building}`);
  });

  it('announce an end once, also if one of them slept through it', async () => {
    process.kill(secondHost, 'SIGSTOP');
    await advanceClock(service, 10 * stepMs);
    const live = words.following.isLive(`main @ ${(await git(sample.folder, 'rev-parse', 'origin/main')).slice(0, 7)}`);
    await entry(first, `${name}: ${live}`);
    await first.notification(live);
    process.kill(secondHost, 'SIGCONT');
    await entry(second, `${name}: ${live}`);
    // What ends later is announced later, so nothing is awaited then.
    await follow(second, 'of-second');
    await holdRevision(service, ofSecond.latest_revision_id, 'DEPLOYED');
    await second.notification('of-second');
    expect((await second.pastNotifications()).filter((text) => text.includes(name))).toEqual([]);
    expect((await first.pastNotifications()).filter((text) => text.includes(name))).toHaveLength(1);
  });

  it('leave a draft with what was typed to the next window when one of them is killed', async () => {
    const drafts = await folderOfDrafts(first, 'deployment-spec');
    await first.runCommand('View: Close Editor');
    await expect.poll(() => readdir(drafts)).toEqual([]);
    await (await newDraft(second, `${name}-2`)).field(words.page.fields.name).fill('typed');
    await expect.poll(() => filesWith(drafts, 'name: typed')).not.toEqual([]);
    process.kill(secondHost, 'SIGKILL');
    secondHost = 0;
    await second.page.close();
    const page = await newDraft(await first.openWindow(), 'typed');
    await page.frame.getByText(words.page.yourDraft).waitFor();
    expect(await page.field(words.page.fields.name).inputValue()).toBe('typed');
    await page.deploy.waitFor();
  });

  async function newDraft(window: Window, shown: string): Promise<DeploymentPage> {
    await window.runCommand(words.command('deployCurrentRepository'));
    await window.quickInput.choose(words.deployed.deployNew);
    return deploymentPage(window, words.page.titleOf(shown));
  }

  async function deploy(): Promise<void> {
    await first.runCommand(words.command('deployCurrentRepository'));
    await (await deploymentPage(first, words.page.titleOf(name))).deploy.click();
    await entry(first, `${name}: ${words.status.creating}`);
  }

  async function follow(window: Window, deployment: string): Promise<void> {
    await window.runCommand(words.command('followDeployment'));
    await window.quickInput.choose(deployment);
    await window.quickInput.box.waitFor({ state: 'hidden' });
  }

  /** Waits for an entry of the status bar; what is in progress also has its running time. */
  async function entry(window: Window, text: string): Promise<void> {
    const entries = async (): Promise<string[]> =>
      (await window.statusBar()).map((each) => each.replace(/(?: \d+ [dhms])+$/, ''));
    await expect.poll(entries).toContain(text);
  }
});
