import type { ReportedHookContext, Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { progressLine } from '../support/progress.ts';

/** Makes vitest print a line whenever a file, a hook or a test begins or ends, for the runner to read. */
export default class ProgressReporter implements Reporter {
  onTestModuleQueued = (module: TestModule): void => report('began', nameOf(module));
  onTestModuleEnd = (module: TestModule): void => report('ended', nameOf(module));
  onTestCaseReady = (test: TestCase): void => report('began', nameOf(test));
  onTestCaseResult = (test: TestCase): void => report('ended', nameOf(test));
  onHookStart = ({ name, entity }: ReportedHookContext): void => report('began', `${nameOf(entity)} > ${name}`);
  onHookEnd = ({ name, entity }: ReportedHookContext): void => report('ended', `${nameOf(entity)} > ${name}`);
}

function nameOf(entity: TestModule | TestSuite | TestCase): string {
  return entity.type === 'module' ? entity.relativeModuleId : `${entity.module.relativeModuleId} > ${entity.fullName}`;
}

function report(event: 'began' | 'ended', name: string): void {
  process.stdout.write(`${progressLine(event, name)}\n`);
}
