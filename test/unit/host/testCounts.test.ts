import { describe, expect, it } from 'vitest';
import { countsOfMocha, countsOfVitest, describeCounts } from '../../support/testCounts.ts';

describe('The counts of a test run', () => {
  it('are taken from vitest’s report, with a file that could not be loaded as one failure', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [{ status: 'passed', title: 'opens' }] },
        {
          status: 'failed',
          assertionResults: [
            { status: 'passed', title: 'closes' },
            {
              fullName: 'A form saves',
              status: 'failed',
              failureMessages: ['Error: no file\nReceived: 2\n    at save'],
            },
          ],
        },
        { name: 'broken.test.ts', status: 'failed', message: 'No such module\n', assertionResults: [] },
      ],
    };
    expect(countsOfVitest(JSON.stringify(report))).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      failures: ['A form saves: Error: no file Received: 2', 'broken.test.ts: No such module'],
      titles: ['opens', 'closes'],
    });
  });

  it('are taken from what the tests inside VS Code leave', () => {
    const counts = { passed: 2, failed: 1, skipped: 0, failures: ['newest: A form saves: no file'], titles: ['opens'] };
    expect(countsOfMocha(JSON.stringify(counts))).toEqual(counts);
  });

  it('are one line, with the skipped ones only if there are any', () => {
    expect(describeCounts({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
    expect(describeCounts({ passed: 2, failed: 1, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped');
  });
});
