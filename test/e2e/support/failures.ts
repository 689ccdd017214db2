import { afterEach } from 'vitest';
import type { Screen } from './screen.ts';
import type { Workbench } from './workbench.ts';

/** Makes each test of a suite that fails leave a screenshot and say in its error what the window showed. */
export function failuresShowTheWindow(workbench: () => Workbench): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const failedIn = workbench();
    await failedIn.screenshot('failed');
    const words = await wordsOn(failedIn);
    for (const error of task.result.errors ?? []) error.message += `\nThe window showed:\n${words.join('\n')}\n`;
  });
}

/** The notifications and the status bar. */
export async function wordsOn(screen: Screen): Promise<readonly string[]> {
  return [...(await screen.pastNotifications()), (await screen.statusBar()).join(' | ')];
}
