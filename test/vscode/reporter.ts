import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { progressLine } from '../support/progress.ts';
import { describeFailure } from '../support/testCounts.ts';
import type { TestCounts } from '../support/testCounts.ts';
import { reportVariable, testLinePrefix, windowVariable } from '../support/vscodeTestRun.ts';
import { describeWindow } from './support/window.ts';

const {
  EVENT_HOOK_BEGIN,
  EVENT_HOOK_END,
  EVENT_RUN_END,
  EVENT_SUITE_BEGIN,
  EVENT_TEST_BEGIN,
  EVENT_TEST_END,
  EVENT_TEST_FAIL,
  EVENT_TEST_PASS,
  EVENT_TEST_PENDING,
} = Mocha.Runner.constants;

const where = process.env[windowVariable] ?? 'VS Code';

/**
 * Prints what happens, each line marked to distinguish it from VS Code's own output, and leaves the counts
 * in the file that the environment names.
 */
export class PrintingReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const counts: TestCounts = { passed: 0, failed: 0, skipped: 0, failures: [], titles: [] };
    runner.on(EVENT_SUITE_BEGIN, ({ title }) => title && print(title));
    for (const begin of [EVENT_TEST_BEGIN, EVENT_HOOK_BEGIN]) runner.on(begin, reportProgress('began'));
    for (const end of [EVENT_TEST_END, EVENT_HOOK_END]) runner.on(end, reportProgress('ended'));
    runner.on(EVENT_TEST_PASS, (test) => {
      counts.passed += 1;
      counts.titles.push(test.title);
      print(`  ✓ ${test.title} (${test.duration ?? 0} ms)`);
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      counts.skipped += 1;
      counts.titles.push(test.title);
      print(`  - ${test.title} (skipped)`);
    });
    runner.on(EVENT_TEST_FAIL, (test, error: Error) => {
      counts.failed += 1;
      counts.failures.push(describeFailure(`${where}: ${test.fullTitle()}`, error.message));
      print(`  ✗ ${test.title}`);
      print(error.stack ?? error.message);
      print(`The window showed:\n${describeWindow()}`);
    });
    runner.on(EVENT_RUN_END, () => {
      const file = process.env[reportVariable];
      if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
    });
  }
}

function reportProgress(event: 'began' | 'ended'): (runnable: Mocha.Runnable) => void {
  return (runnable) => mark(progressLine(event, `${where} > ${runnable.fullTitle()}`));
}

function print(text: string): void {
  for (const line of text.split('\n')) mark(`${where}: ${line}`);
}

function mark(line: string): void {
  process.stdout.write(`${testLinePrefix}${line}\n`);
}
