import { defineConfig } from 'vitest/config';

const globalSetup = './test/support/temporaryFiles.ts';

/** Vitest itself leaves one processor free, which on a machine with two would be half of it. */
const maxWorkers = '100%';

export default defineConfig({
  test: {
    // Timers and folders must be left clean: a worker that hangs is a failed run.
    teardownTimeout: 5_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          globalSetup,
          maxWorkers,
          // The source keeps no state in its modules, so its files can share a process: that takes a third less time.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          globalSetup,
          maxWorkers,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup,
          // Each file starts a VS Code and a browser, which often wait: two at once take two thirds of the time of one
          // after the other on two cores, and more would run into the limits of their tests.
          maxWorkers: 2,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { interval: 100, timeout: 90_000 } },
        },
      },
    ],
  },
});
