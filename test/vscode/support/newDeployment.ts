import { readFile, stat } from 'node:fs/promises';
import { words } from '../../support/words.ts';
import type { Page } from './pages.ts';
import { expect, pages, quickInput, run, told } from './window.ts';

/**
 * Runs a command that leads to the page of a new deployment, and waits until that was checked. Where the branch is
 * deployed already, asks for a new one. What was left in the draft is still there.
 */
export async function openDraft(command = 'deployCurrentRepository', argument?: unknown): Promise<Page> {
  let isOpen = false;
  const ended = run(command, argument).then(() => (isOpen = true));
  const isOffered = (): boolean => quickInput.rows().some((row) => row.startsWith(words.deployed.deployNew));
  await expect.poll(() => isOpen || isOffered()).toBe(true);
  if (isOffered()) await quickInput.choose(words.deployed.deployNew);
  await ended;
  return pages.inFront();
}

/** Opens the page of a new deployment of the current repository, without what another test has left in its draft. */
export async function openNewDraft(): Promise<Page> {
  const page = await openDraft();
  if (!isTouched(page) && page.state().deployments.length === 1) return page;
  await discard(page);
  return openDraft();
}

/** Works in the page of a new deployment of the current repository, as it is begun now, and discards it. */
export async function inNewDeployment<T>(work: (page: Page) => T | Promise<T>): Promise<T> {
  const page = await openNewDraft();
  const result = await work(page);
  await discard(page);
  return result;
}

/** Discards a draft, confirms that if it is asked, and waits until it is gone. */
export async function discard(page: Page): Promise<void> {
  const isAsked = isTouched(page);
  const pressed = page.press('Discard');
  if (isAsked) (await told.message('Discard this draft?')).press('Discard');
  expect(await pressed).toMatchObject({ failed: false });
  await gone(page);
}

/** Closes the page of a draft that is deployed, which removes it. */
export async function finish(page: Page): Promise<void> {
  await page.close();
  await gone(page);
}

/** Waits until the file of a draft is removed. */
async function gone({ document }: Page): Promise<void> {
  await expect.poll(() => stat(document.uri.fsPath).catch(() => 'gone')).toBe('gone');
}

/** Closes the page of a draft, which stays as it is. VS Code closes an unsaved file of a test without saving it. */
export async function leave(page: Page): Promise<void> {
  const { document } = page;
  const written = (): Promise<string> => readFile(document.uri.fsPath, 'utf8');
  await expect.poll(async () => [document.isDirty, await written()]).toEqual([false, document.getText()]);
  await page.close();
}

/** Deploys a new deployment, also with warnings, and closes its page. */
export async function deployAndClose(page: Page): Promise<void> {
  await page.press(/^Deploy(?: with \d+ Warnings?)?$/);
  await expect.poll(() => page.deployment().progress).toBeDefined();
  await page.close();
}

/** Adds a secret whose value is typed. */
export async function addSecret(page: Page, name: string, value: string, index = 0): Promise<void> {
  const added = page.press('Add Secret…', index);
  await quickInput.answer('Add Secret', name);
  await quickInput.answer(`Value of ${name}`, value);
  await added;
}

function isTouched(page: Page): boolean {
  return page.state().buttons.some(({ label }) => label === 'Start Over');
}
