import path from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../../host/browser.mts';
import { startCodeServer } from '../../host/codeServer.mts';
import type { Settings } from '../../host/codeServerFiles.mts';
import { hireJanitor } from '../../host/janitor.mts';
import type { Janitor } from '../../host/janitor.mts';
import { pack } from '../../host/packageExtension.mts';
import type { ReleaseName } from '../../host/releases.mts';
import { answerWhenStalled } from '../../host/stalledWindow.mts';
import { developmentPayload } from '../../host/workbenchAddress.mts';
import { wordsOn } from './failures.ts';
import { screenOf } from './screen.ts';
import type { Screen } from './screen.ts';

export interface WorkbenchOptions {
  /** The absolute path of the folder or of the `.code-workspace` file to open. */
  readonly folder: string;
  /** The extension's folder, loaded as F5 does it (this project unless told otherwise), or a packaged extension. */
  readonly extension?: { readonly folder: string } | { readonly vsix: string };
  /** Folders of further extensions; they are packed and installed, because VS Code loads only one from its folder. */
  readonly otherExtensions?: readonly string[];
  /** The person's settings. */
  readonly settings?: Settings;
  /** Settings with the scope `machine`, such as those of the local service. */
  readonly machineSettings?: Settings;
  /** Whether every folder is trusted without asking (it is unless told otherwise), or opens in Restricted Mode. */
  readonly trust?: boolean;
  /** The name of a color theme as VS Code shows it, for example `Dark Modern`. */
  readonly theme?: string;
  /** Added to the environment that the extension host sees. */
  readonly env?: Readonly<Record<string, string>>;
  readonly release?: ReleaseName;
}

/** One of several windows of a VS Code. */
export interface Window extends Screen {
  /** Gives the window the focus, or takes it away: to the browser, all pages have it. */
  focus(isFocused: boolean): Promise<void>;
}

/** A VS Code in a headless browser, used as a person would: by what is on the screen, the keyboard and the mouse. */
export interface Workbench extends Window, AsyncDisposable {
  /** Its data is here; removed at the end. */
  readonly janitor: Janitor;
  /** Loads the window again, and waits until it is usable. */
  reload(): Promise<void>;
  /** Reloads the window with the command, so VS Code first writes down what it keeps, and which tab was in front. */
  reloadByCommand(): Promise<void>;
  /** Opens another folder, also a virtual one, or `.code-workspace` file in the same window; settings and encrypted storage stay. */
  openFolder(folder: string): Promise<void>;
  /** Opens another window on the same folder, with an extension host of its own. */
  openWindow(): Promise<Window>;
  stop(): Promise<void>;
}

/** Starts VS Code with a folder open and waits until it can be used; the extension may still be starting. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const janitor = await hireJanitor();
  try {
    return await openIn(janitor, options);
  } catch (error) {
    await janitor.end();
    throw error;
  }
}

async function openIn(janitor: Janitor, options: WorkbenchOptions): Promise<Workbench> {
  const {
    folder,
    extension = { folder: path.resolve(import.meta.dirname, '../../..') },
    otherExtensions = [],
    theme,
    ...rest
  } = options;
  const others = otherExtensions.map((each) =>
    pack(janitor, each, path.join(janitor.folder, `${path.basename(each)}.vsix`)),
  );
  const server = await startCodeServer({
    ...rest,
    vsix: [...('vsix' in extension ? [extension.vsix] : []), ...(await Promise.all(others))],
    janitor,
    driver: 'test',
    settings: { ...(theme !== undefined && { 'workbench.colorTheme': theme }), ...options.settings },
  });
  const browser = await startBrowser({ janitor });
  const page = browser.pages()[0] ?? (await browser.newPage());
  // A window takes longer than the usual 30 s to load where many do at once.
  page.setDefaultTimeout(90_000);
  const screen = windowOf(page);
  const answers = answerWhenStalled(page, () => wordsOn(screen));
  let address = '';
  const reload = async () => {
    await page.goto(address);
    await screen.usable();
  };
  const reloadByCommand = async () => {
    const loaded = page.waitForEvent('load');
    await screen.runCommand('Developer: Reload Window');
    await loaded;
    await screen.usable();
  };
  const openFolder = async (opened: string) => {
    address = server.addressOf(opened, 'folder' in extension ? developmentPayload(extension.folder) : []);
    await reload();
    if (!opened.endsWith('.code-workspace')) return;
    // On a busy machine a reload can lose the same race again.
    for (let reloads = 0; reloads < 5 && (await opensNoFolder(page)); reloads += 1) await reload();
  };
  const openWindow = async () => {
    // Not a tab: an installed Chromium draws nothing in a tab behind another, so nothing there can be clicked.
    const opened = browser.waitForEvent('page');
    await page.evaluate(() => void window.open('about:blank', '_blank', 'popup,noopener'));
    const another = windowOf(await opened);
    await another.page.goto(address);
    await another.usable();
    return another;
  };
  const stop = async () => {
    answers[Symbol.dispose]();
    await browser.close();
    await janitor.end();
  };
  await openFolder(folder);
  return { ...screen, janitor, reload, reloadByCommand, openFolder, openWindow, stop, [Symbol.asyncDispose]: stop };
}

function windowOf(page: Page): Window {
  const focus = (isFocused: boolean) =>
    page.evaluate((isMeant) => {
      // VS Code hears only of a change, and may not know yet that it has the focus.
      for (const has of isMeant ? [true] : [true, false]) {
        document.hasFocus = () => has;
        window.dispatchEvent(new Event(has ? 'focus' : 'blur'));
      }
    }, isFocused);
  return { ...screenOf(page), focus };
}

/**
 * VS Code in a browser may read a workspace file before the connection to its server stands, and then opens no folder;
 * after a reload it does. A window that does not show the Explorer was open before.
 */
async function opensNoFolder(page: Page): Promise<boolean> {
  await page.locator('.part.sidebar .pane').first().waitFor();
  if (!(await page.locator('.explorer-viewlet').isVisible())) return false;
  const empty = page.locator('.part.sidebar .pane-header', { hasText: 'No Folder Opened' });
  await empty
    .or(page.getByRole('tree', { name: 'Files Explorer', exact: true }))
    .first()
    .waitFor();
  return empty.isVisible();
}
