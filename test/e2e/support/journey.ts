import { afterEach, beforeEach } from 'vitest';
import { failuresShowTheWindow } from './failures.ts';
import type { Workbench } from './workbench.ts';

/**
 * Makes the tests of a suite the steps of one journey through one workbench: a step that fails shows the window, and the
 * steps after it are skipped, because what they begin with is not there.
 */
export function stepsOfOneJourney(workbench: () => Workbench): void {
  let failed: string | undefined;
  failuresShowTheWindow(workbench);
  beforeEach(({ skip }) => skip(failed !== undefined, `"${failed}" failed`));
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failed = task.name;
  });
}
