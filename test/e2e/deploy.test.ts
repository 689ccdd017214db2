import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const { fields, from, row } = words.review;
const secretValue = 'canary-9f1c-secret-value';

describe('The deployment of the open repository', () => {
  let temporary: TemporaryFolder;
  let workbench: Workbench;
  let folder: string;
  let remoteCommit: string;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    remoteCommit = (await git(folder, 'rev-parse', 'origin/main')).slice(0, 7);
    await commitFiles(folder, { 'src/agent/tools.py': 'tools = []\n' }, 'Add tools');
    await commitFiles(folder, { 'src/agent/tools.py': 'tools = ["search"]\n' }, 'Add a search');
    for (const name of ['README.md', 'pyproject.toml', 'notes.md'])
      await writeFile(path.join(folder, name), '# Draft\n');
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      // Often enough to see each state that the service passes through.
      settings: {
        'deploymentManager.follow.minIntervalSeconds': 0.2,
        'deploymentManager.follow.maxIntervalSeconds': 2,
      },
      machineSettings: {
        'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
        'deploymentManager.localService.stepMilliseconds': 1500,
      },
    });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  it('begins with a welcome that offers the local service and a connection', async () => {
    await workbench.openContainer(words.container);
    const { page } = workbench;
    await page.getByRole('button', { name: words.addConnection }).waitFor();
    await workbench.screenshot('deploy-welcome');
    await page.getByRole('button', { name: words.useLocalService }).click();
    await page.getByRole('button', { name: words.deployCurrentRepository, exact: true }).waitFor();
    await workbench.screenshot('deploy-empty');
  });

  it('gets one review with everything that will happen and will be sent', async () => {
    await clickDeployInTitle();
    await workbench.quickInput.row(words.review.deploy('sample-agent', words.localService)).waitFor();
    expect(await workbench.quickInput.title()).toBe(words.review.title);
    const rows = await workbench.quickInput.rows();
    expect(rows).toEqual(expect.arrayContaining(expectedFields));
    const sentences = rows.join(' ');
    expect(sentences).toContain(words.review.notDeployed('origin/main', remoteCommit));
    expect(sentences).toContain(words.review.addsProject);
    expect(rows).toContain(words.review.pushFirst);
    await workbench.screenshot('deploy-review');
  });

  it('takes a new name, another type and secrets, whose values are never shown', async () => {
    const { quickInput, page } = workbench;
    await quickInput.choose(fields.name);
    await quickInput.answer(words.deployCurrentRepository, 'greeter');
    await edit(fields.type);
    await quickInput.choose('prod');
    await edit(fields.secrets);
    await quickInput.choose(words.secrets.add);
    await quickInput.answer(words.secrets.nameTitle, 'PATH');
    await expect.poll(() => quickInput.message()).toContain(words.secrets.isReserved('PATH'));
    await quickInput.answer(words.secrets.nameTitle, 'MODEL_API_KEY');
    await page.locator('.quick-input-title', { hasText: words.secrets.valueTitle('MODEL_API_KEY') }).waitFor();
    expect(await quickInput.box.locator('input.input').getAttribute('type')).toBe('password');
    await quickInput.answer(words.secrets.valueTitle('MODEL_API_KEY'), secretValue);
    await quickInput.row('MODEL_API_KEY').waitFor();
    await workbench.screenshot('deploy-secrets');
    await quickInput.choose(words.secrets.done);
    await checked();
    for (const [field, value] of [
      [fields.name, 'greeter'],
      [fields.type, 'prod'],
      [fields.secrets, words.secrets.one],
    ] as const) {
      await quickInput.fill(field);
      await expect.poll(() => quickInput.rows()).toContain(row(field, value, from.you));
    }
    expect(await page.content()).not.toContain(secretValue);
  });

  it("goes through the service's states until it is live", async () => {
    const { status, following } = words;
    await edit(words.review.deploy('greeter', words.localService));
    await workbench.quickInput.choose(words.review.deployAnyway);
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const entry = (await workbench.statusBar()).find((text) => text.startsWith('greeter:')) ?? '';
          seen.add(entry.replace(/(?: \d+ [dhms])+$/, ''));
          return entry;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(following.isLive(`greeter: main @ ${remoteCommit}`));
    expect([...seen]).toEqual(
      expect.arrayContaining([status.creating, status.building, status.deploying].map((word) => `greeter: ${word}`)),
    );
    await expect
      .poll(() => workbench.tree(view))
      .toMatch(new RegExp(`^▾ ${words.row.workspaceGroup}\\n {2}▸ greeter .*${words.row.live('[0-9a-f]{7}')} · `));
    const notification = await workbench.notification(
      following.isLive(`greeter (${words.localService}): main @ ${remoteCommit}`),
    );
    expect(await notification.locator('.monaco-button').allInnerTexts()).toEqual([
      following.openDetails,
      following.doNotShowAgain,
    ]);
    await workbench.page.getByRole('button', { name: 'Clear All Notifications' }).click();
  });

  it('has its revision below it, marked active and latest', async () => {
    const { active, latest } = words.row;
    await workbench.row(view, 'greeter').locator('.monaco-tl-twistie').click();
    await expect
      .poll(() => workbench.tree(view))
      .toMatch(
        new RegExp(
          `\\n {2}▾ greeter .*\\n {4}- main @ ${remoteCommit} ${words.status.deployed} · ${active} · ${latest}`,
        ),
      );
    expect(await workbench.page.content()).not.toContain(secretValue);
  });

  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'])(
    'is readable in the tree, what is offered next, a second review and the status bar in %s',
    async (theme) => {
      const { quickInput } = workbench;
      await workbench.useTheme(theme);
      await clickDeployInTitle();
      await quickInput.row(words.deployed.push('2 commits', 'greeter')).waitFor();
      await workbench.screenshot(`deployed-${theme.toLowerCase().replaceAll(' ', '-')}`);
      await quickInput.choose(words.deployed.deployNew);
      await quickInput.row(words.review.isDeployed('greeter')).waitFor();
      // The value of the secret was sent once, so the new deployment needs it again.
      await quickInput.row(words.review.cannotBeDeployed).waitFor();
      await workbench.screenshot(`deploy-${theme.toLowerCase().replaceAll(' ', '-')}`);
      await quickInput.cancel();
      await quickInput.box.waitFor({ state: 'hidden' });
    },
  );

  it('is brought live with the key and Enter', async () => {
    const { quickInput, page } = workbench;
    await page.keyboard.press('ControlOrMeta+Shift+F8');
    await quickInput.row(words.deployed.push('2 commits', 'greeter')).waitFor();
    await page.keyboard.press('Enter');
    const pushed = (await git(folder, 'rev-parse', 'HEAD')).slice(0, 7);
    await workbench.statusBarEntry(words.following.isLive(`greeter: main @ ${pushed}`)).waitFor();
    expect((await git(folder, 'rev-parse', 'origin/main')).slice(0, 7)).toBe(pushed);
  });

  /** Waits until the review has been checked: its rows do not move any more. The first may be out of sight. */
  async function checked(): Promise<void> {
    await workbench.page.locator('.quick-input-title', { hasText: words.review.title }).waitFor();
    await workbench.quickInput.fill(words.review.deployPrefix(''));
    await workbench.quickInput.row(new RegExp(`^\\s*${words.review.deployPrefix('')}`)).waitFor();
  }

  /** Chooses a row of the review, also one that is out of sight. */
  async function edit(row: string): Promise<void> {
    await checked();
    await workbench.quickInput.fill(row);
    await workbench.quickInput.choose(row);
  }

  async function clickDeployInTitle(): Promise<void> {
    await workbench.page.getByRole('button', { name: words.titles.deployCurrentRepository }).first().click();
  }
});

const expectedFields = [
  `${fields.connection} ${words.localService}`,
  row(fields.name, 'sample-agent', from.suggested),
  row(fields.repository, 'https://code.example/acme/sample-agent', from.remote),
  row(fields.branch, 'main', from.checkedOut),
  row(fields.configFile, 'graph.json', from.found),
  row(fields.type, `dev · ${words.review.notForProduction}`, from.default),
];
