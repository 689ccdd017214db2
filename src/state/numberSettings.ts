import { MAX_PAGE_SIZE } from '../api/schema/limits.ts';

/**
 * Bounds and default of each numeric setting, the same as in `package.json`.
 * The bounds of the intervals meet, so no two valid values contradict each other.
 */
export const numberSettings = {
  'network.timeoutSeconds': { default: 30, minimum: 1, maximum: 600 },
  pageSize: { default: 20, minimum: 1, maximum: MAX_PAGE_SIZE },
  'follow.minIntervalSeconds': { default: 2, minimum: 0.1, maximum: 2 },
  'follow.maxIntervalSeconds': { default: 30, minimum: 2, maximum: 300 },
  'follow.giveUpMinutes': { default: 60, minimum: 5, maximum: 1440 },
  'localService.stepMilliseconds': { default: 1000, minimum: 1, maximum: 600_000 },
} as const;
