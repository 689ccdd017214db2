import { isFinal } from './status.ts';
import type { Phase } from './status.ts';

export interface PollSituation {
  phase: Phase;
  millisecondsInPhase: number;
  /** Number of failed polls in a row. */
  failures: number;
  /** The service's `Retry-After`, in milliseconds. */
  retryAfterMs?: number | undefined;
  focused: boolean;
  minMilliseconds: number;
  maxMilliseconds: number;
}

/**
 * Milliseconds until the next poll of a revision. Undefined if no poll is needed now.
 * No poll is needed after the revision has ended, or while it isn't in progress and the window isn't focused.
 *
 * Polls come quickly after a change and slow down as a phase lasts. Failures slow them down too, and the service's
 * `Retry-After` overrides both.
 */
export function nextPollDelay(situation: PollSituation): number | undefined {
  const slowest = Math.max(situation.minMilliseconds, situation.maxMilliseconds);
  if (hasEnded(situation.phase, situation.millisecondsInPhase)) return undefined;
  if (!situation.focused && situation.phase !== 'working') return undefined;
  if (situation.retryAfterMs !== undefined && Number.isFinite(situation.retryAfterMs)) {
    const earliest = situation.focused ? situation.minMilliseconds : slowest;
    return clamp(situation.retryAfterMs, earliest, Math.max(earliest, longestRetryAfterMilliseconds));
  }
  if (!situation.focused || situation.phase !== 'working') return slowest;
  const pace = Math.max(situation.minMilliseconds, situation.millisecondsInPhase * shareOfPhase);
  const backoff = situation.minMilliseconds * 2 ** situation.failures;
  return clamp(Math.max(pace, backoff), situation.minMilliseconds, slowest);
}

/**
 * Whether watching ends: the phase is final, or has lasted long enough.
 * A stopped revision may still continue, so it's watched for five minutes, and one of unknown status for an hour.
 */
export function hasEnded(phase: Phase, millisecondsInPhase: number): boolean {
  if (phase === 'stopped') return millisecondsInPhase >= stoppedWatchMilliseconds;
  return isFinal(phase) || (phase === 'unknown' && millisecondsInPhase >= unknownWatchMilliseconds);
}

/** How long a record may take to name what follows from the end of a revision. */
export const settlingMilliseconds = 2 * 60_000;

/**
 * The wait between polls, as a share of the time in the phase.
 * A deployment of 14 minutes takes about 50 polls, and half of its changes are seen within 5 seconds.
 */
const shareOfPhase = 0.5;

const stoppedWatchMilliseconds = 5 * 60_000;
const unknownWatchMilliseconds = 60 * 60_000;

/** Timers can't exceed 24 days, and a service that asks for days has most likely sent nonsense. */
const longestRetryAfterMilliseconds = 60 * 60_000;

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
