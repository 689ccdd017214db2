import type { Workbench } from '../e2e/support/workbench.ts';
import { createRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { median } from './extensionHost.mts';
import { openOnLocalService } from './localServiceWindow.mts';

export const name = 'newDeployment';

const rounds = 10;
const configText = '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n';

/** What a person waits for, in milliseconds since the click on Deploy. */
interface Wait {
  /** The extension has asked VS Code for the page. */
  readonly opened: number;
  /** The page is on the screen, and its fields can be changed. */
  readonly shown: number;
  /** It is checked, and can be sent. */
  readonly checked: number;
}

/** When things were first on the screen of a page, in milliseconds since 1970. */
interface FrameTimes {
  shown?: number;
  checked?: number;
}

/**
 * Notes the times in VS Code's frame around a page. Playwright's own waits would look again after up to half a second,
 * and what runs in the page's own frame from its beginning ends when VS Code writes the page into it.
 */
function noteTimes(): void {
  const times = window as Window & FrameTimes;
  const look = (): void => {
    for (const { contentDocument: page } of document.querySelectorAll('iframe')) {
      if (page === null) continue;
      if (page.querySelector('h1') !== null) times.shown ??= Date.now();
      const buttons = [...page.querySelectorAll('footer button')];
      if (buttons.some(({ textContent }) => /^Deploy(?: with |$)/.test(textContent))) times.checked ??= Date.now();
    }
    if (times.checked === undefined) requestAnimationFrame(look);
  };
  look();
}

/** Prints how long a person waits for the page of a new deployment, in a small repository and in a large one. */
export async function run(print: (line: string) => void): Promise<void> {
  print(`from the click on Deploy to the page, ${rounds} times on the local service, in ms`);
  for (const { folders, target } of [
    { folders: 1, target: 500 },
    { folders: 2_000, target: 900 },
  ]) {
    const waits = await measure(folders);
    const line = (times: readonly number[]): string =>
      `median ${median(times).toFixed(0).padStart(5)}, slowest ${Math.max(...times)
        .toFixed(0)
        .padStart(5)}`;
    print(`  ${folders} folders with a config file each`);
    print(`    asked for      ${line(waits.map(({ opened }) => opened))}`);
    print(`    on the screen  ${line(waits.map(({ shown }) => shown))} (target for the median: ${target})`);
    print(`    checked        ${line(waits.map(({ checked }) => checked))}`);
  }
}

async function measure(folders: number): Promise<readonly Wait[]> {
  await using temporary = await temporaryFolder();
  const apps = Array.from({ length: folders }, (_, index) => `teams/team-${index % 40}/app-${index}`);
  const files = Object.fromEntries(
    apps.flatMap((app) => [
      [`${app}/graph.json`, configText],
      [`${app}/agent.py`, 'graph = None\n'],
    ]),
  );
  const url = 'https://code.example/acme/monorepo';
  const { folder } = await createRepository(temporary.path, { name: 'monorepo', url, files });
  const workbench = await openOnLocalService(folder);
  try {
    await workbench.page.addInitScript(noteTimes);
    const waits: Wait[] = [];
    for (let round = 0; round < rounds; round += 1) waits.push(await openPage(workbench));
    return waits;
  } finally {
    await workbench.stop();
  }
}

/** Opens the page of a new deployment with the button of the view, and leaves it. */
async function openPage(workbench: Workbench): Promise<Wait> {
  const { page } = workbench;
  const clicking = page.evaluate(
    async () =>
      new Promise<number>((resolve) => {
        document.addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
      }),
  );
  const opening = page.waitForFunction(() => document.querySelector('.tabs-container .tab') && Date.now());
  await page.getByRole('button', { name: words.deployCurrentRepository, exact: true }).click();
  const [begin, tab] = await Promise.all([clicking, opening]);
  const frame = await workbench.webview();
  const button = frame.locator('footer').getByRole('button', { name: /^Deploy(?: with |$)/ });
  await button.waitFor();
  const { shown = NaN, checked = NaN } =
    (await frame.parentFrame()?.evaluate((): FrameTimes => {
      const times = window as Window & FrameTimes;
      return { ...(times.shown && { shown: times.shown }), ...(times.checked && { checked: times.checked }) };
    })) ?? {};
  const opened = (await tab.jsonValue()) ?? NaN;
  await workbench.runCommand('View: Close Editor');
  await page.locator('.tabs-container .tab').waitFor({ state: 'detached' });
  return { opened: opened - begin, shown: shown - begin, checked: checked - begin };
}
