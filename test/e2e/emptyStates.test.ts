import { beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { held, json } from '../support/faults.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { views } = words;
const sideViews = [views.listeners, views.repositories, views.agents] as const;
const none = { resources: [], offset: 0 };

describe('A view with nothing to show', () => {
  const resources = opened();
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    service = resources.use(await startLocalService({ stepMs: 1 }));
    relay = resources.use(await startFaultRelay(service.url));
    workbench = resources.use(
      await openWorkbench({
        folder: temporary.path,
        theme: 'Light Modern',
        settings: {
          'deploymentManager.connections': [
            { name: 'Test', baseUrl: relay.url },
            { name: 'Another', baseUrl: service.url },
          ],
        },
      }),
    );
    await workbench.openContainer(words.container);
  });

  stepsOfOneJourney(() => workbench);

  const header = (view: string) =>
    workbench.page.locator('.pane-header', { has: workbench.page.getByText(view, { exact: true }) });
  const pane = (view: string) => workbench.page.locator('.pane', { has: header(view) });
  const progress = (view: string) => pane(view).locator('.monaco-progress-container.active');

  /** What stands in a view in place of rows: its words and the names of what can be clicked. */
  async function welcomeOf(view: string): Promise<{ text: string; steps: string[] }> {
    const welcome = pane(view).locator('.welcome-view-content:visible');
    await welcome.first().waitFor();
    return { text: await welcome.innerText(), steps: await welcome.locator('a').allInnerTexts() };
  }

  async function expectWelcome(view: string, text: string, steps: readonly string[]): Promise<void> {
    await expect.poll(() => welcomeOf(view)).toEqual({ text: expect.stringContaining(text), steps });
  }

  it('offers the local service and a connection', async () => {
    await expect
      .poll(async () => (await welcomeOf(views.deployments)).text)
      .toMatch(new RegExp(`${words.useLocalService}[^]*${words.addConnection}`));
    for (const name of [words.useLocalService, words.addConnection]) {
      await pane(views.deployments).getByRole('button', { name, exact: true }).waitFor();
    }
  });

  it.each(sideViews)('is closed at first below the deployments, and says what it is for: %s', async (view) => {
    expect(await header(view).getAttribute('aria-expanded')).toBe('false');
    await header(view).click();
    await expectWelcome(view, words.shownHere[view], [words.chooseConnection]);
  });

  it('reports a missing key, asks for it, and sends nothing', async () => {
    await workbench.screenshot('empty-no-connection-light');
    await workbench.runCommand(words.command('switchConnection'));
    await workbench.quickInput.choose('Test');
    await expect.poll(async () => (await welcomeOf(views.deployments)).text).toContain(words.keyMissing);
    for (const view of sideViews) {
      await expectWelcome(view, `${words.keyMissing} ${words.setApiKey}`, [words.setApiKey]);
    }
    await workbench.screenshot('empty-key-missing-light');
    expect(relay.requests).toEqual([]);
  });

  it('shows progress while it loads, and no text about its content', async () => {
    const loads = [
      { asked: /^GET \/v2\/deployments\?/, answer: held(json(none)) },
      { asked: /listeners/, answer: held(json(none)) },
      { asked: /integrations/, answer: held(json([])) },
    ];
    for (const { asked, answer } of loads) relay.break(asked, answer.fault);
    await pane(views.deployments).getByRole('button', { name: words.setApiKey }).click();
    await workbench.quickInput.answer(words.setApiKey, service.apiKey);
    for (const view of [views.deployments, views.listeners, views.repositories]) await progress(view).first().waitFor();
    await expect
      .poll(() => loads.every(({ asked }) => relay.requests.some((request) => asked.test(request))))
      .toBe(true);
    await workbench.screenshot('empty-loading-light');
    for (const text of [words.nothingDeployed, words.noListeners, words.noRepositories]) {
      expect(await workbench.page.getByText(text).isVisible()).toBe(false);
    }
    for (const { answer } of loads) answer.release();
  });

  it('says why it is empty, and offers a next step', async () => {
    await expectWelcome(views.deployments, words.nothingDeployed, [words.deployCurrentRepository, words.createOne]);
    await expectWelcome(views.listeners, words.noListeners, [words.createListener]);
    expect((await welcomeOf(views.listeners)).text).toContain(words.installsNothing);
    await expectWelcome(views.repositories, words.noRepositories, [words.refresh]);
    await expectWelcome(views.agents, words.noAgents, [words.addAgent]);
    await workbench.screenshot('empty-light');
    relay.mend();
  });

  it('names a filter without matches, and offers to clear it', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('filterDeployments'));
    await quickInput.choose(words.filter.nameContains);
    await quickInput.answer(words.filter.nameContains, 'nothing-like-it');
    await expectWelcome(views.deployments, words.nothingFits, [words.clearFilters]);
    await workbench.screenshot('empty-nothing-fits-light');
    await pane(views.deployments).getByRole('button', { name: words.clearFilters }).last().click();
    await expectWelcome(views.deployments, words.nothingDeployed, [words.deployCurrentRepository, words.createOne]);
  });
});
