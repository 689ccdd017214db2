import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { passTo, startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { held } from '../support/faults.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { advanceClock } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const { fields, from } = words.page;
const name = 'sample-agent';
const creating = `${name}: ${words.status.creating}`;
const stepMs = 600_000;
/** Only what is followed now is stored. */
const storedFollow = /follows\W+connection/;

describe('A followed deployment', () => {
  const resources = opened();
  let sample: SampleRepository;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    sample = await createSampleRepository(temporary.path);
    // Steps this long are only ever taken by advancing the clock: nothing depends on how fast this machine is.
    service = resources.use(await startLocalService({ repositories: [sample.folder], stepMs, devControls: true }));
    relay = resources.use(await startFaultRelay(service.url));
    workbench = resources.use(
      await openWorkbench({
        folder: sample.folder,
        theme: 'Dark Modern',
        settings: {
          'deploymentManager.follow.minIntervalSeconds': 0.2,
          'deploymentManager.follow.maxIntervalSeconds': 2,
        },
      }),
    );
    await addConnection(workbench, { name: 'Test', url: relay.url, apiKey: service.apiKey });
  });

  stepsOfOneJourney(() => workbench);

  it('has its page at a click in the title of the view, and is followed from its creation on', async () => {
    const { page } = workbench;
    await page.getByRole('button', { name: words.deployCurrentRepository, exact: true }).waitFor();
    const header = page.locator('.pane-header', { hasText: view }).first();
    await header.hover();
    await header.getByRole('button', { name: words.titles.deployCurrentRepository }).click();
    const { field, origin, deploy, frame } = await deploymentPage(workbench, words.page.titleOf(name));
    await frame.locator('footer').getByText(`${name} to Test`).waitFor();
    for (const [label, value, source] of [
      [fields.name, name, from.made],
      [fields.repository, sample.url, from.remote],
      [fields.branch, 'main', from.checkedOut],
      [fields.configFile, 'graph.json', from.found],
    ] as const) {
      expect([await field(label).inputValue(), await origin(label)]).toEqual([value, source]);
    }
    expect(await origin(fields.type)).toBe(from.default);
    expect(await field(fields.type).locator('option:checked').innerText()).toBe(`dev · ${words.page.notForProduction}`);
    await workbench.screenshot('follow-page');
    await deploy.click();
    await entry(creating);
  });

  it('is listed with a click on the status bar, where following stops and starts', async () => {
    await workbench.statusBarEntry(creating).click();
    const item = workbench.quickInput.row(name);
    await item.waitFor();
    expect((await workbench.quickInput.rows())[0]).toMatch(
      new RegExp(`^sample-agent .*\\(Test\\): ${words.status.creating}`),
    );
    await workbench.screenshot('follow-list');
    await item.hover();
    await item.getByRole('button', { name: words.titles.stopFollowing }).click();
    await workbench.statusBarEntry(name).waitFor({ state: 'hidden' });
    await workbench.quickInput.cancel();
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
    await workbench.row(view, name).hover();
    await workbench.row(view, name).getByRole('button', { name: words.titles.followDeployment }).click();
    await entry(creating);
  });

  it('is as of the last answer after the window reloads, and followed on', async () => {
    await untilStored();
    await expect.poll(() => storedState(workbench.page)).toContain('CREATING');
    const { fault, release } = held(passTo(service.url));
    relay.break(/^GET/, fault);
    await workbench.reload();
    // The name is shortened beside a longer time.
    const outdated = new RegExp(`sa\\S*agent: ${words.status.creating} · ${words.following.lastChecked} `);
    await expect.poll(entries).toContainEqual(expect.stringMatching(outdated));
    await workbench.statusBarEntry(outdated).locator('.codicon-history').waitFor();
    relay.mend();
    release();
    await entry(creating);
    await advanceClock(service, 3 * stepMs);
    await entry(`${name}: ${words.status.building}`);
    await advanceClock(service, 10 * stepMs);
    await entry(words.following.isLive(`sample-agent: main @ ${await remoteCommit()}`));
  });

  it('is announced once if it ended while the window was closed', async () => {
    await push('Change something');
    await seesNewRevision();
    await untilStored();
    await workbench.page.goto('about:blank');
    await advanceClock(service, 10 * stepMs);
    await workbench.reload();
    await workbench.notification(
      words.following.endedAway(words.following.isLive(`sample-agent (Test): main @ ${await remoteCommit()}`)),
    );
    await workbench.screenshot('follow-away');
    await expect.poll(() => storedState(workbench.page)).not.toMatch(storedFollow);
  });

  it('is followed from a push on that the service notices after the window reloads, and announces nothing again', async () => {
    await commitFiles(sample.folder, { 'more.md': 'More\n' }, 'Change more');
    const push = words.deployed.push('1 commit', name);
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await workbench.quickInput.row(push).waitFor();
    // The service notices a push by itself too, but its answers wait.
    const { fault, release } = held(passTo(service.url));
    relay.break(/^GET/, fault);
    await workbench.quickInput.choose(push);
    const awaited = () =>
      expect.poll(entries).toContainEqual(expect.stringContaining(`Waiting for a build of ${name}…`));
    await awaited();
    await expect.poll(() => storedState(workbench.page)).toContain('awaitedBuilds');
    await workbench.reload();
    await awaited();
    relay.mend();
    release();
    await advanceClock(service, 0);
    await entry(creating);
    expect(await workbench.page.getByRole('button', { name: /new notification/i }).count()).toBe(0);
  });

  /** Commits what has changed, with a note, pushes it, and lets the service see the push. */
  async function push(message: string): Promise<void> {
    await commitFiles(sample.folder, { 'notes.md': `${message}\n` }, message);
    await git(sample.folder, 'push', '--quiet');
    await advanceClock(service, 0);
  }

  /** A follow that ended continues when the list learns of a newer revision. */
  async function seesNewRevision(): Promise<void> {
    await workbench.runCommand(words.command('refresh'));
    await entry(creating);
  }

  async function untilStored(): Promise<void> {
    await expect.poll(() => storedState(workbench.page)).toMatch(storedFollow);
  }

  async function remoteCommit(): Promise<string> {
    return (await git(sample.folder, 'rev-parse', 'origin/main')).slice(0, 7);
  }

  /** The entries of the status bar; what is in progress also has its running time. */
  async function entries(): Promise<string[]> {
    return (await workbench.statusBar()).map((each) => each.replace(/(?: \d+ [dhms])+$/, ''));
  }

  async function entry(text: string): Promise<void> {
    await expect.poll(entries).toContain(text);
  }
});
