import { isFinal } from './status.ts';
import type { Phase } from './status.ts';

export interface PollSituation {
  phase: Phase;
  /** How long the revision has been in this phase, in milliseconds. */
  millisecondsInPhase: number;
  /** Polls in a row that brought no answer. */
  failures: number;
  /** What the service asked for in `Retry-After`, in milliseconds. */
  retryAfterMs?: number;
  /** Whether the window has the focus. */
  focused: boolean;
  /** Whether something shows the revision: a tree row on screen, the status bar, an open document. */
  visible: boolean;
  minMilliseconds: number;
  maxMilliseconds: number;
}

/**
 * Milliseconds until the next poll of a revision, or undefined when there is nothing to ask now:
 * it has ended, or nobody looks and nothing moves.
 *
 * A poll comes quickly after a change and later as a phase lasts. Failures slow it down, and the service's own
 * `Retry-After` wins over both.
 */
export function nextPollDelay(situation: PollSituation): number | undefined {
  const slowest = Math.max(situation.minMilliseconds, situation.maxMilliseconds);
  const watched = situation.focused && situation.visible;
  if (hasEnded(situation.phase, situation.millisecondsInPhase)) {
    return undefined;
  }
  if (!watched && situation.phase !== 'working') {
    return undefined;
  }
  if (situation.retryAfterMs !== undefined && Number.isFinite(situation.retryAfterMs)) {
    const earliest = watched ? situation.minMilliseconds : slowest;
    return clamp(situation.retryAfterMs, earliest, Math.max(earliest, longestRetryAfterMilliseconds));
  }
  if (!watched || situation.phase !== 'working') {
    return slowest;
  }
  const pace = Math.max(situation.minMilliseconds, situation.millisecondsInPhase * shareOfPhase);
  const backoff = situation.minMilliseconds * 2 ** situation.failures;
  return clamp(Math.max(pace, backoff), situation.minMilliseconds, slowest);
}

/**
 * True when following has come to its end: the phase is final, or the revision was stopped and stayed so.
 * A stopped revision may still go on, so it is watched for five minutes.
 */
export function hasEnded(phase: Phase, millisecondsInPhase: number): boolean {
  return isFinal(phase) || (phase === 'stopped' && millisecondsInPhase >= stoppedWatchMilliseconds);
}

/** What is shown is late by at most a tenth of the time that the phase has lasted. */
const shareOfPhase = 0.1;

const stoppedWatchMilliseconds = 5 * 60_000;

/** A timer cannot count further than 24 days, and a service that asks for days has most likely sent nonsense. */
const longestRetryAfterMilliseconds = 60 * 60_000;

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
