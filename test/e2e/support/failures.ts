import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach } from 'vitest';
import { focused } from './form.ts';
import type { Screen } from './screen.ts';
import type { Workbench } from './workbench.ts';

/** Makes each test of a suite that fails leave a screenshot and say in its error what the window showed. */
export function failuresShowTheWindow(workbench: () => Workbench): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const failedIn = workbench();
    await failedIn.screenshot('failed');
    const keyboard = await focused(failedIn.page.mainFrame());
    const words = [...(await wordsOn(failedIn)), `The keyboard was in "${keyboard.name}".`];
    const log = await readFile(path.join(failedIn.janitor.folder, 'vscode.log'), 'utf8');
    // When it took connections and started the extensions; what else is there has no time before it.
    const timed = log.split('\n').filter((line) => /^\[\d\d:/.test(line));
    words.push("VS Code's server said last:", ...timed.slice(-15));
    for (const error of task.result.errors ?? []) error.message += `\nThe window showed:\n${words.join('\n')}\n`;
  });
}

/** What is asked, the notifications and the status bar. The notifications come to the front, which ends a question. */
export async function wordsOn(screen: Screen): Promise<string[]> {
  // A dialog covers everything else.
  const dialog = await screen.page.locator('.monaco-dialog-box').allInnerTexts();
  if (dialog.length > 0) return dialog;
  const asked = await screen.quickInput.box.allInnerTexts();
  return [...asked, ...(await screen.pastNotifications()), (await screen.statusBar()).join(' | ')];
}
