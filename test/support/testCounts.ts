/** How many tests did what. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The counts of a tier that did not get as far as running a test, or that is not made of tests. */
export const failedTier: Readonly<TestCounts> = { passed: 0, failed: 1, skipped: 0 };

/** Reads the report of vitest's JSON reporter. A file that could not be loaded has no tests and counts as one failure. */
export function countsOfVitest(report: string): TestCounts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report);
  const files: { status: string; assertionResults: { status: string }[] }[] = testResults;
  const unloadable = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloadable.length,
    skipped: numPendingTests + numTodoTests,
  };
}

/** Reads the report that the tests inside VS Code leave. */
export function countsOfMocha(report: string): TestCounts {
  const { passed, failed, skipped } = JSON.parse(report);
  return { passed, failed, skipped };
}

export function sumOf(counts: readonly TestCounts[]): TestCounts {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of counts) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** `3 passed, 0 failed`, and how many were skipped if any were. */
export function describeCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
