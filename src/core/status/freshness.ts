import * as l10n from '@vscode/l10n';
import { formatAge, formatClock } from './duration.ts';

/** Why a service isn't asked until the user acts: the key is rejected, doesn't allow it, or the local service is stopped. */
export type PauseReason = 'unauthorized' | 'forbidden' | 'stopped';

/** What is known about how recent a status is. */
export interface Freshness {
  /** Number of consecutive failed polls. */
  readonly failures: number;
  /** Milliseconds since the last answer about the revision, also to an earlier window; undefined before the first one. */
  readonly sinceAnswer?: number | undefined;
  /** The status that an earlier window saw; set until the first answer to this one. */
  readonly storedStatus?: string | undefined;
}

/** Says when the service last answered, if its answer is old; undefined after a recent one. */
export function ageWords(freshness: Freshness): string | undefined {
  return isOld(freshness) ? answerWords(freshness) : undefined;
}

export function answerWords({ sinceAnswer }: Pick<Freshness, 'sinceAnswer'>): string {
  if (sinceAnswer === undefined) return l10n.t("the service hasn't answered yet");
  return l10n.t('last checked {0}', formatAge(-sinceAnswer, 0));
}

/** Says when the service last answered, as a time of day: nothing redraws an age while no more checks are made. */
export function lastCheckWords(at: number): string {
  return l10n.t('last checked at {0}', formatClock(at));
}

/** Whether the last answer is old: from an earlier window, 10 seconds old after a failed check, or else a minute. */
export function isOld({ failures, sinceAnswer, storedStatus }: Freshness): boolean {
  if (storedStatus !== undefined) return true;
  return sinceAnswer === undefined ? failures > 0 : sinceAnswer >= (failures > 0 ? 10_000 : 60_000);
}

/** The icon and the words for a status that isn't checked until the user acts. */
export function pauseView(refusal: PauseReason): { readonly icon: string; readonly words: string } {
  switch (refusal) {
    case 'unauthorized':
      return { icon: 'key', words: l10n.t('paused: API key rejected') };
    case 'forbidden':
      return { icon: 'lock', words: l10n.t("paused: the API key doesn't allow this") };
    case 'stopped':
      return { icon: unansweredIcon, words: l10n.t('paused: the local service is stopped') };
  }
}

export const spinner = 'loading~spin';

/** The icon of something that was in progress when the service last answered. */
export const unansweredIcon = 'debug-disconnect';
