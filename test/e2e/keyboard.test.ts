import { beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { enterKey } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import { CountingKeyboard, focused } from './support/form.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const anHour = 3_600_000;
const { row, status, views } = words;
const brokenSpoken = `broken-agent, ${status.buildFailed}, ${row.nothingLive}, ${row.now}`;

describe('The views by keyboard and in words', () => {
  const resources = opened();
  let sample: SampleRepository;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    sample = await createSampleRepository(temporary.path);
    service = resources.use(await startLocalService({ repositories: [sample.folder], stepMs: 1, devControls: true }));
    // Ahead of the editor's clock, so every age is "now".
    await callService(service, 'POST', '/_dev/clock', { advanceMs: anHour });
    await untilEnded(service, [
      await createFromImage(service, 'weather-agent'),
      await createFromImage(service, 'broken-agent', { source_revision_config: { image_uri: 'Not an image' } }),
      await createFromRepository(service, 'sample-agent'),
    ]);
    await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'production-cluster',
      compute_config: { k8s_namespaces: ['agents', 'billing'] },
    });
    await callService(service, 'PUT', '/_dev/agents/helper/connections', {
      data: [{ provider_id: 'github', provider_account_label: 'octo@acme.example', scopes: ['repo'] }],
    });
    relay = resources.use(await startFaultRelay(service.url));
    workbench = resources.use(
      await openWorkbench({
        folder: sample.folder,
        theme: 'Dark Modern',
        settings: {
          'deploymentManager.pageSize': 2,
          'deploymentManager.connections': [{ name: 'Test', baseUrl: relay.url }],
        },
      }),
    );
    await enterKey(workbench, service.apiKey);
  });

  stepsOfOneJourney(() => workbench);

  const press = (key: string) => workbench.page.keyboard.press(key);

  /** Brings the keyboard into a view, as a person does who has no mouse, and onto its first row. */
  async function focus(view: string): Promise<void> {
    const tree = workbench.page.getByRole('tree', { name: view, exact: true });
    const isFocused = () => tree.evaluate((element) => element.contains(document.activeElement));
    // A view that is opened by this gets its rows later, and the keyboard can enter it only then.
    do {
      await workbench.runCommand(`${words.container}: Focus on ${view} View`);
      await workbench.quickInput.box.waitFor({ state: 'hidden' });
      await rows(view).first().waitFor();
    } while (!(await isFocused()));
    await press('Home');
    await tree.locator('.monaco-list-rows > [role=treeitem][data-index="0"].focused').waitFor();
  }

  function rows(view: string) {
    return workbench.page.getByRole('tree', { name: view, exact: true }).locator('.monaco-list-rows > [role=treeitem]');
  }

  /** What a screen reader says of the row that has the focus. */
  async function spoken(view: string): Promise<string> {
    const tree = workbench.page.getByRole('tree', { name: view, exact: true });
    const labels = await tree
      .locator('.monaco-list-rows > [role=treeitem].focused')
      .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label') ?? ''));
    return labels.join('; ').replaceAll(/\b[0-9a-f]{7}\b/g, 'COMMIT');
  }

  async function says(view: string, sentence: string | RegExp): Promise<void> {
    const expectation = expect.poll(() => spoken(view));
    await (typeof sentence === 'string' ? expectation.toBe(sentence) : expectation.toMatch(sentence));
  }

  const detailsOf = (title: string | RegExp) => workbench.page.getByRole('tab', { name: title }).waitFor();

  it("speak a deployment's status, its live revision and its relation to the open branch", async () => {
    // The group comes after the first rows, and the focus would stay on the row below it.
    await workbench.openContainer(words.container);
    await workbench.row(views.deployments, row.workspaceGroup).waitFor();
    await focus(views.deployments);
    await says(views.deployments, row.workspaceGroup);
    await press('ArrowDown');
    await says(views.deployments, `sample-agent, ${row.liveIsHead}, ${row.live('COMMIT')}, ${row.now}, dev`);
    await press('ArrowDown');
    await says(views.deployments, brokenSpoken);
    await press('ArrowDown');
    await says(views.deployments, `${row.loadMore}…`);
  });

  it('load more with the Enter key', async () => {
    await press('Enter');
    await expect.poll(() => workbench.tree(views.deployments)).toMatch(/\n▸ weather-agent .*$/);
  });

  it('open the revisions with the right arrow, and the details of one with the Enter key', async () => {
    await focus(views.deployments);
    await press('ArrowDown');
    await press('ArrowRight');
    await expect
      .poll(() => workbench.tree(views.deployments))
      .toContain(`${status.deployed} · ${row.active} · ${row.latest}`);
    await press('ArrowRight');
    // On a busy machine the deployment took a while, which the row says too.
    const spokenRevision = `main @ COMMIT, ${status.deployed}, ${row.active}, ${row.latest}, ${row.now}`;
    await says(views.deployments, new RegExp(`^${spokenRevision}(?:, took \\d+s)?$`));
    await workbench.screenshot('keyboard-revision');
    await press('Enter');
    await detailsOf(/^main @ [0-9a-f]{7}\.yaml/);
  });

  it('close a row with the left arrow', async () => {
    await focus(views.deployments);
    await press('ArrowDown');
    await press('ArrowLeft');
    await expect.poll(() => workbench.tree(views.deployments)).toMatch(/\n {2}▸ sample-agent .*\n▸ broken-agent/);
  });

  it("open a row's menu at a key, and the details of a deployment from it", async () => {
    await press('ArrowDown');
    await says(views.deployments, brokenSpoken);
    await press('Shift+F10');
    const entry = workbench.page.getByRole('menuitem', { name: words.titles.openDetails });
    await entry.waitFor();
    await workbench.screenshot('keyboard-menu');
    // The keyboard alone brings the entry up, wherever it stands.
    await expect
      .poll(async () => {
        await press('ArrowDown');
        return workbench.page.locator('.monaco-menu .action-item.focused').innerText();
      })
      .toContain(words.titles.openDetails);
    await press('Enter');
    await detailsOf(/^broken-agent\.yaml/);
  });

  it("speak a list's error, and retry with the Enter key", async () => {
    relay.break(/^GET \/v2\/deployments\?/, json({ detail: 'The database is away.' }, 500));
    await workbench.runCommand(words.command('refresh'));
    await workbench.row(views.deployments, row.couldNotLoad).waitFor();
    await focus(views.deployments);
    await press('ArrowDown');
    await press('ArrowDown');
    await says(
      views.deployments,
      new RegExp(
        `^${row.couldNotLoad}\\. ${row.clickToRetry}, ${row.asOf} \\d?\\d:\\d\\d(?:\\s[AP]M)?, ` +
          `http://\\S+ ${row.couldNotDoThis} \\(500\\): The database is away\\.`,
      ),
    );
    relay.mend();
    await press('Enter');
    await expect.poll(() => workbench.tree(views.deployments)).toMatch(/\n {2}▸ sample-agent /);
  });

  it("speak a listener's place and namespaces, and show it", async () => {
    await focus(views.listeners);
    await says(views.listeners, `production-cluster, k8s, ${row.namespaces('agents, billing')}, ${row.now}`);
    await press('Enter');
    await detailsOf(/^production-cluster\.yaml/);
  });

  it('speak an agent and its connections, and show one', async () => {
    await workbench.runCommand(words.command('addAgent'));
    await workbench.quickInput.answer(words.addAgent, 'helper');
    await expect.poll(() => workbench.tree(views.agents)).toContain('octo@acme.example');
    await focus(views.agents);
    await says(views.agents, `helper, ${row.oneConnection}`);
    await press('ArrowDown');
    await says(views.agents, /^octo@acme\.example, .*github, repo/);
    await press('Enter');
    await detailsOf(/^octo@acme\.example\.yaml/);
    await workbench.screenshot('keyboard-all');
  });

  it('deploy a new branch with two keys, because its page has nothing to correct', async () => {
    await git(sample.folder, 'checkout', '--quiet', '-b', 'two-keys');
    await git(sample.folder, 'push', '--quiet', '-u', 'origin', 'two-keys');
    const keyboard = new CountingKeyboard(workbench.page);
    await keyboard.press('ControlOrMeta+Shift+F8');
    const { frame } = await deploymentPage(workbench, words.page.titleOf('sample-agent-2'));
    await expect.poll(() => focused(frame)).toMatchObject({ name: words.page.deploy, isMarked: true, isInSight: true });
    await keyboard.press('Enter');
    await frame.getByText(new RegExp(words.following.isLive('two-keys @ [0-9a-f]{7}'))).waitFor();
    expect(keyboard.presses).toBe(2);
  });

  it('deploy what was just typed with Ctrl+Enter', async () => {
    await press('Control+w');
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await workbench.quickInput.choose(words.deployed.deployNew);
    const { field } = await deploymentPage(workbench, words.page.titleOf('sample-agent-3'));
    await field(words.page.fields.name).fill('typed');
    await press('ControlOrMeta+Enter');
    const { frame } = await deploymentPage(workbench, words.page.titleOf('typed'));
    await frame.getByText(new RegExp(words.following.isLive('two-keys @ [0-9a-f]{7}'))).waitFor();
    await workbench.row(views.deployments, 'typed').waitFor();
  });
});
