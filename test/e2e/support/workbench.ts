import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { startBrowser } from '../../host/browser.mts';
import { startCodeServer } from '../../host/codeServer.mts';
import type { Settings } from '../../host/codeServerFiles.mts';
import { hireJanitor } from '../../host/janitor.mts';
import type { Janitor } from '../../host/janitor.mts';
import type { ReleaseName } from '../../host/releases.mts';
import { developmentPayload } from '../../host/workbenchAddress.mts';
import { quickInput } from './quickInput.ts';
import type { QuickInput } from './quickInput.ts';
import { treePicture } from './treePicture.ts';

export interface WorkbenchOptions {
  /** The absolute path of the folder to open. */
  readonly folder: string;
  /** The extension's folder, loaded as F5 does it (this project unless told otherwise), or a packaged extension. */
  readonly extension?: { readonly folder: string } | { readonly vsix: string };
  /** The person's settings. */
  readonly settings?: Settings;
  /** Settings with the scope `machine`, such as those of the local service. */
  readonly machineSettings?: Settings;
  /** Whether every folder is trusted without asking (it is unless told otherwise), or opens in Restricted Mode. */
  readonly trust?: boolean;
  /** The name of a colour theme as VS Code shows it, for example `Dark Modern`. */
  readonly theme?: string;
  /** Added to the environment that the extension host sees. */
  readonly env?: Readonly<Record<string, string>>;
  readonly release?: ReleaseName;
}

/** A VS Code in a headless browser, used as a person would: by what is on the screen, the keyboard and the mouse. */
export interface Workbench extends AsyncDisposable {
  readonly page: Page;
  /** Its data is here; removed at the end. */
  readonly janitor: Janitor;
  readonly quickInput: QuickInput;
  /** Runs a command through the palette. `title` is the whole row, for example `Git: Fetch`. */
  runCommand(title: string): Promise<void>;
  /** Opens a view container by the name of its icon in the activity bar; does nothing when it is open. */
  openContainer(name: string): Promise<void>;
  /** The rows of a view as text: see `treePicture`. */
  tree(viewName: string): Promise<string>;
  /** A row by its label, for clicking. Rows that are scrolled out of sight do not exist. */
  row(viewName: string, label: string | RegExp): Locator;
  /** The texts of the entries of the status bar; those that are only an icon are left out. */
  statusBar(): Promise<string[]>;
  statusBarEntry(text: string | RegExp): Locator;
  /** The notifications on the screen, with their buttons inside. */
  notifications(): Locator;
  /** The document inside the webview that is on the screen. */
  webview(): Promise<Frame>;
  /** Writes what is on the screen to `test-results/screenshots/NAME.png`. */
  screenshot(name: string): Promise<void>;
  /** Reloads the window, as the command Developer: Reload Window does, and waits until it is usable. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../../..');
const screenshots = path.join(root, 'test-results/screenshots');

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
  const { folder, extension = { folder: root }, theme, ...rest } = options;
  const server = await startCodeServer({
    ...rest,
    ...('vsix' in extension && { vsix: extension.vsix }),
    janitor,
    driver: 'test',
    settings: { ...(theme !== undefined && { 'workbench.colorTheme': theme }), ...options.settings },
  });
  const browser = await startBrowser({ janitor });
  const page = browser.pages()[0] ?? (await browser.newPage());
  const address = server.addressOf(folder, 'folder' in extension ? developmentPayload(extension.folder) : []);
  await page.goto(address);
  await usable(page);

  const tree = (viewName: string) => page.getByRole('tree', { name: viewName, exact: true });
  const statusBar = page.locator('.part.statusbar .statusbar-item:visible');
  const input = quickInput(page);
  const stop = async () => {
    await browser.close();
    await janitor.end();
  };
  return {
    page,
    janitor,
    quickInput: input,
    runCommand: (title) => input.runCommand(title),
    async openContainer(name) {
      const icon = page.locator('.part.activitybar').getByRole('tab', { name });
      if ((await icon.getAttribute('aria-expanded')) !== 'true') await icon.click();
    },
    tree: (viewName) => treePicture(tree(viewName)),
    row: (viewName, label) => tree(viewName).getByRole('treeitem').filter({ hasText: label }).first(),
    statusBar: async () =>
      (await statusBar.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean),
    statusBarEntry: (text) => statusBar.filter({ hasText: text }),
    notifications: () => page.locator('.notifications-toasts .notification-toast'),
    webview: () => webviewFrame(page),
    async screenshot(name) {
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
    async reload() {
      await page.goto(address);
      await usable(page);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The status bar is filled last, when the workbench has been put together. */
async function usable(page: Page): Promise<void> {
  await page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
}

/** A webview is a frame in a frame: the outer one belongs to VS Code, the inner one to the extension. */
async function webviewFrame(page: Page): Promise<Frame> {
  const inner = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await inner.locator('body').waitFor();
  const handle = await page.frameLocator('iframe.webview.ready').locator('#active-frame').elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('There is no webview on the screen.');
  return frame;
}
