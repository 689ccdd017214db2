import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startBrowser } from './browser.mts';
import { startCodeServer } from './codeServer.mts';
import type { Settings } from './codeServerFiles.mts';
import { hireJanitor } from './janitor.mts';
import { answerWhenStalled } from './stalledWindow.mts';
import { developmentPayload } from './workbenchAddress.mts';

/**
 * Runs a test script inside the extension host of a VS Code in a headless browser, told by the same command line that
 * `@vscode/test-electron` gives a desktop VS Code, and gives the exit code. `--release=oldest` chooses the VS Code.
 * Settings are read from `User/settings.json` in the `--user-data-dir`.
 */
export async function runExtensionTests(commandLine: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...commandLine],
    allowPositionals: true,
    strict: false,
    options: {
      extensionDevelopmentPath: { type: 'string' },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      release: { type: 'string' },
    },
  });
  const { extensionDevelopmentPath: extension, extensionTestsPath: tests, 'user-data-dir': userData, release } = values;
  const [folder] = positionals;
  if (typeof extension !== 'string' || typeof tests !== 'string' || folder === undefined) {
    throw new Error('A folder to open, --extensionDevelopmentPath and --extensionTestsPath are needed.');
  }

  await using janitor = await hireJanitor();
  const settings = typeof userData === 'string' ? await readSettings(userData) : {};
  const server = await startCodeServer({
    janitor,
    driver: 'test',
    release: release === 'oldest' ? 'oldest' : 'newest',
    settings,
    machineSettings: settings,
  });
  // The tests see the window through VS Code's interface, and a small one is drawn faster.
  await using browser = await startBrowser({ janitor, viewport: { width: 640, height: 480 } });
  const page = await browser.newPage();
  using _answers = answerWhenStalled(page, () => page.locator('.monaco-workbench').allInnerTexts());
  const exitCode = new Promise<number>((resolve, reject) => {
    page.on('crash', () => reject(new Error('The page of the workbench crashed.')));
    void page.exposeFunction('codeAutomationExit', resolve);
  });
  await page.exposeFunction('codeAutomationLog', printConsole);
  const address = server.addressOf(path.resolve(folder), developmentPayload(extension, tests));
  const [code] = await Promise.all([exitCode, page.goto(address)]);
  return code;
}

async function readSettings(userData: string): Promise<Settings> {
  const text = await readFile(path.join(userData, 'User/settings.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}

/** Receives what the extension host prints: a message with its format specifiers still in it, then their values. */
function printConsole(kind: string, parameters: readonly unknown[]): void {
  if (kind === 'error') console.error(...parameters);
  else console.log(...parameters);
}
