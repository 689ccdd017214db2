import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Timers and folders must be left clean: a worker that hangs is a failed run.
    teardownTimeout: 5_000,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 10_000 } },
      { test: { name: 'service', include: ['test/service/**/*.test.ts'], testTimeout: 30_000 } },
    ],
  },
});
