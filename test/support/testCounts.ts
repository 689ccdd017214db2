/** How many tests did what. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests, each with what its error says. */
  failures: string[];
  /** The titles of those that passed, or that say what they need and were skipped without it. */
  titles: string[];
}

/** The counts of a tier that did not get as far as running a test, or that is not made of tests. */
export const failedTier: Readonly<TestCounts> = { passed: 0, failed: 1, skipped: 0, failures: [], titles: [] };

/** A test file in the report of vitest's JSON reporter. */
interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly title: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** Reads the report of vitest's JSON reporter. A file that could not be loaded has no tests and counts as one failure. */
export function countsOfVitest(report: string): TestCounts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report);
  const files: VitestFile[] = testResults;
  const failures: string[] = [];
  let unloadable = 0;
  for (const { name, status, message, assertionResults } of files) {
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    failures.push(...failed.map(({ fullName, failureMessages }) => describeFailure(fullName, failureMessages[0])));
    if (status !== 'failed' || failed.length > 0) continue;
    unloadable += 1;
    failures.push(describeFailure(name, message));
  }
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloadable,
    skipped: numPendingTests + numTodoTests,
    failures,
    titles: files.flatMap(({ assertionResults }) =>
      assertionResults.flatMap((assertion) => (assertion.status === 'failed' ? [] : [assertion.title])),
    ),
  };
}

/** Reads the report that the tests inside VS Code leave. */
export function countsOfMocha(report: string): TestCounts {
  const { passed, failed, skipped, failures, titles } = JSON.parse(report);
  return { passed, failed, skipped, failures, titles };
}

/** A line about a failed test: its name, and what its error says, which CI may show nowhere else. */
export function describeFailure(name: string, error = ''): string {
  const said = error.trim().split(/\n\s*at /, 1)[0] ?? '';
  return `${name}: ${said.replaceAll(/\s+/g, ' ').slice(0, 600)}`;
}

export function sumOf(counts: readonly TestCounts[]): TestCounts {
  const total: TestCounts = { passed: 0, failed: 0, skipped: 0, failures: [], titles: [] };
  for (const { passed, failed, skipped, failures, titles } of counts) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.failures.push(...failures);
    for (const title of titles) total.titles.push(title);
  }
  return total;
}

/** `3 passed, 0 failed`, and how many were skipped if any were. */
export function describeCounts({ passed, failed, skipped }: Omit<TestCounts, 'failures' | 'titles'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
