import { afterEach, beforeEach } from 'vitest';
import type { Workbench } from './workbench.ts';

/**
 * Makes the tests of a suite the steps of one journey through one workbench: a step that fails leaves a screenshot and
 * says what the window showed, and the steps after it are skipped, because what they begin with is not there.
 */
export function stepsOfOneJourney(workbench: () => Workbench): void {
  let failed: string | undefined;
  beforeEach(({ skip }) => skip(failed !== undefined, `"${failed}" failed`));
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    failed = task.name;
    const failedIn = workbench();
    await failedIn.screenshot('failed');
    const words = [...(await failedIn.pastNotifications()), (await failedIn.statusBar()).join(' | ')];
    for (const error of task.result.errors ?? []) error.message += `\nThe window showed:\n${words.join('\n')}\n`;
  });
}
