import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { quickInput } from './quickInput.ts';
import type { QuickInput } from './quickInput.ts';
import { treePicture } from './treePicture.ts';

/** What a person sees of a VS Code, and what they can do with it. */
export interface Screen {
  readonly page: Page;
  readonly quickInput: QuickInput;
  /** Runs a command through the palette. `title` is the whole row, for example `Git: Fetch`. */
  runCommand(title: string): Promise<void>;
  /** Opens a view container by the name of its icon in the activity bar; does nothing when it is open. */
  openContainer(name: string): Promise<void>;
  /** The rows of a view as text: see `treePicture`. */
  tree(viewName: string): Promise<string>;
  /** A row by its label, for clicking. Rows that are scrolled out of sight do not exist. */
  row(viewName: string, label: string | RegExp): Locator;
  /**
   * Rests the mouse on a row until its hover says this. VS Code ends the hover of a row that it redraws, and shows it
   * again only when the mouse comes back.
   */
  hover(row: Locator, text: string): Promise<void>;
  /**
   * Chooses an entry of the menu that is open, or is about to open. A menu that has just opened ignores the mouse button,
   * but not the key.
   */
  chooseFromMenu(entry: string): Promise<void>;
  /** The texts of the entries of the status bar; those that are only an icon are left out. */
  statusBar(): Promise<string[]>;
  statusBarEntry(text: string | RegExp): Locator;
  /**
   * Waits for the notification that says this and opens the notification center, which shows it with its buttons. A VS
   * Code with the smoke-test driver never shows toasts, so this is the only place where a test finds them.
   */
  notification(text: string | RegExp): Promise<Locator>;
  /** The texts of all notifications that were not dismissed, from the notification center, which it opens. */
  pastNotifications(): Promise<string[]>;
  /** The document inside the webview that is on the screen. */
  webview(): Promise<Frame>;
  /** Writes what is on the screen to `test-results/screenshots/NAME.png`. */
  screenshot(name: string): Promise<void>;
  /** Changes the color theme; `theme` is its name in the list of themes. */
  useTheme(theme: string): Promise<void>;
  /** Waits until the workbench can be used; extensions may still be starting. */
  usable(): Promise<void>;
}

const screenshots = path.resolve(import.meta.dirname, '../../../test-results/screenshots');

export function screenOf(page: Page): Screen {
  const tree = (viewName: string) => page.getByRole('tree', { name: viewName, exact: true });
  const statusBar = page.locator('.part.statusbar .statusbar-item:visible');
  const input = quickInput(page);
  return {
    page,
    quickInput: input,
    runCommand: (title) => input.runCommand(title),
    openContainer: (name) => openContainer(page, name),
    tree: (viewName) => treePicture(tree(viewName)),
    row: (viewName, label) => tree(viewName).getByRole('treeitem').filter({ hasText: label }).first(),
    hover: (row, text) => hoverOver(page, row, text),
    async chooseFromMenu(entry) {
      const item = page.getByRole('menuitem', { name: entry });
      await item.hover();
      await page.locator('.monaco-menu .action-item.focused > .action-menu-item').and(item).waitFor();
      await page.keyboard.press('Enter');
    },
    statusBar: async () =>
      (await statusBar.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean),
    statusBarEntry: (text) => statusBar.filter({ hasText: text }),
    notification: (text) => notificationWith(page, text),
    pastNotifications: () => pastNotifications(page),
    webview: () => webviewFrame(page),
    async screenshot(name) {
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
    async useTheme(theme) {
      await input.runCommand('Preferences: Color Theme');
      await input.fill(theme);
      await input.choose(theme);
      await input.box.waitFor({ state: 'hidden' });
    },
    // The status bar is filled last.
    usable: () => statusBar.first().waitFor({ timeout: 180_000 }),
  };
}

/** Clicks until the icon says that its container is open: a workbench that is still starting may toggle it too. */
async function openContainer(page: Page, name: string): Promise<void> {
  const icon = page.locator('.part.activitybar').getByRole('tab', { name });
  const open = page.locator('.part.activitybar [role=tab][aria-expanded=true]').and(icon);
  while (!(await open.isVisible())) {
    await icon.click();
    await appears(open);
  }
}

async function hoverOver(page: Page, row: Locator, text: string): Promise<void> {
  const hover = page.locator('.workbench-hover:visible', { hasText: text });
  const deadline = Date.now() + 90_000;
  do {
    if (Date.now() > deadline) throw new Error(`No hover says ${text}.`);
    await page.mouse.move(0, 0);
    await row.hover();
  } while (!(await appears(hover, 5_000)));
}

async function notificationWith(page: Page, text: string | RegExp): Promise<Locator> {
  const { center, open } = notificationCenter(page);
  const notification = center.locator('.notification-list-item').filter({ hasText: text });
  const deadline = Date.now() + 90_000;
  // The center closes when it becomes empty, or when the focus goes elsewhere.
  while (!(await appears(notification))) {
    if (Date.now() > deadline) throw new Error(`There is no notification that says ${String(text)}.`);
    await open();
  }
  return notification;
}

async function pastNotifications(page: Page): Promise<string[]> {
  const { center, open } = notificationCenter(page);
  await open();
  // VS Code asks its extensions first, so the center of a window that is still starting may stay closed.
  await appears(center);
  return center.locator('.notification-list-item-message').allInnerTexts();
}

function notificationCenter(page: Page): { readonly center: Locator; readonly open: () => Promise<void> } {
  const center = page.locator('.notifications-center.visible');
  return {
    center,
    open: async () => {
      if (await center.isVisible()) return;
      await page
        .locator('.part.statusbar')
        .getByRole('button', { name: /notification/i })
        .click();
      // The tooltip of the bell would cover the buttons of a notification.
      await page.mouse.move(0, 0);
    },
  };
}

async function appears(element: Locator, timeout = 1_000): Promise<boolean> {
  return element.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** A webview is a frame in a frame: the outer one belongs to VS Code, the inner one to the extension. */
async function webviewFrame(page: Page): Promise<Frame> {
  const outer = page.frameLocator('iframe.webview.ready');
  await outer.frameLocator('#active-frame').locator('body').waitFor();
  const handle = await outer.locator('#active-frame').elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('There is no webview on the screen.');
  return frame;
}
