import * as l10n from '@vscode/l10n';
import { shortened, shortenedName } from '../text/text.ts';
import { formatAge, formatDuration, formatMinutes } from './duration.ts';
import { followState, isAwaited, isFailed, type FollowFacts } from './followWords.ts';
import { ageWords, isOld, pauseView, spinner, unansweredIcon } from './freshness.ts';

export interface StatusBarWords {
  /** The name of a product icon. It spins only while something is being checked or in progress. */
  readonly icon: string;
  /** A short phrase. */
  readonly text: string;
  /** The text for a screen reader, without the running time. */
  readonly spoken: string;
  /** Whether something failed that the user hasn't seen yet. */
  readonly isFailure: boolean;
  /** How long the text stays true without an answer, in milliseconds. Undefined if nothing counts the time. */
  readonly lasts: number | undefined;
}

/** How many followed deployments need attention, for the icon of the views. Undefined if none does. */
export function badgeWords(
  follows: readonly FollowFacts[],
): { readonly value: number; readonly tooltip: string } | undefined {
  const counted: Counted = {
    deploying: follows.filter(({ outcome, refusal }) => outcome === undefined && refusal === undefined),
    paused: [],
    failed: follows.filter(isUnseenFailure),
  };
  const value = counted.deploying.length + counted.failed.length;
  return value === 0 ? undefined : { value, tooltip: countWords(counted) };
}

interface Counted {
  readonly deploying: readonly FollowFacts[];
  readonly paused: readonly FollowFacts[];
  readonly failed: readonly FollowFacts[];
}

/**
 * The status bar entry for all followed deployments. Undefined if there are none.
 * Shows one of them with its name, and how many deploy, are paused or failed if several do.
 */
export function statusBarWords(follows: readonly FollowFacts[], isFocused: boolean): StatusBarWords | undefined {
  const followed = follows.filter(({ isQuiet }) => isQuiet !== true);
  const [newest] = [...followed, ...follows];
  if (newest === undefined) return undefined;
  const running = follows.filter(({ outcome }) => outcome === undefined);
  const counted: Counted = {
    deploying: running.filter(({ refusal }) => refusal === undefined),
    paused: running.filter(({ refusal }) => refusal !== undefined),
    failed: followed.filter(isFailed),
  };
  // Something that is live or was given up is shown only if nothing else is to be said.
  const [only = newest, another] = [...counted.deploying, ...counted.paused, ...counted.failed];
  const words = another === undefined ? oneWords(only, isFocused) : severalWords(counted, isFocused);
  const isFailure = (another === undefined ? [only] : counted.failed).some(isUnseenFailure);
  return { ...words, spoken: l10n.t('Deployments: {0}', words.spoken), isFailure };
}

function isUnseenFailure(follow: FollowFacts): boolean {
  return isFailed(follow) && follow.isSeen !== true;
}

type Words = Omit<StatusBarWords, 'isFailure'>;

function oneWords(follow: FollowFacts, isFocused: boolean): Words {
  const { verdict, outcome, refusal, inPhase } = follow;
  const { icon, words } = followState(follow);
  const isAsked = outcome === undefined && refusal === undefined;
  const age = isAwaited(follow) ? ageWords(follow) : undefined;
  const isTimed = isAsked && verdict.kind === 'working' && age === undefined;
  const elapsed = isTimed ? elapsedWords(inPhase, isFocused) : undefined;
  const spoken = [`${shortened(follow.name)}: ${words}`, age].filter((part) => part !== undefined).join(' · ');
  return {
    icon: age !== undefined && icon === spinner ? unansweredIcon : icon,
    text: fitted(follow, elapsed === undefined ? spoken : `${spoken} ${elapsed}`),
    spoken,
    lasts: isTimed && isFocused ? 1000 - (inPhase % 1000) : untilOlder([follow], isFocused),
  };
}

/** In characters. The tooltip has the whole text. */
const longestText = 40;

/** Shortens what one deployment says, step by step until it fits. */
function fitted({ name, live = '', sinceAnswer = 0 }: FollowFacts, text: string): string {
  if (text.length <= longestText) return text;
  const title = shortenedName(live, 16);
  const steps: readonly (readonly [whole: string, short: string])[] = [
    [formatAge(-sinceAnswer, 0), formatAge(-sinceAnswer, 0, 'narrow')],
    [pauseView('stopped').words, l10n.t('paused: local service stopped')],
    [pauseView('forbidden').words, l10n.t('paused: API key not allowed')],
    [live, title],
    [l10n.t('{0} is live', title), l10n.t('live')],
  ];
  let rest = text.slice(shortened(name).length);
  const isLong = (): boolean => Math.min(name.length, 12) + rest.length > longestText;
  for (const [whole, short] of steps) if (isLong()) rest = rest.replace(whole, () => short);
  const room = longestText - rest.length;
  const shown = shortenedName(name, room < 8 ? 12 : room) + rest;
  return shown.length > longestText ? shortened(shown, longestText - 1) : shown;
}

function severalWords(counted: Counted, isFocused: boolean): Words {
  const spoken = countWords(counted);
  const text = countWords(counted, spoken.length > longestText);
  return { icon: severalIcon(counted), text, spoken, lasts: untilOlder(counted.deploying, isFocused) };
}

function countWords({ deploying, paused, failed }: Counted, isShort = false): string {
  const parts = [
    deploying.length === 0 ? undefined : l10n.t('{0} deploying', deploying.length),
    paused.length === 0 ? undefined : pausedWords(paused, isShort),
    failed.length === 0 ? undefined : l10n.t('{0} failed', failed.length),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function pausedWords(paused: readonly FollowFacts[], isShort: boolean): string {
  return !isShort && paused.some(({ refusal }) => refusal === 'stopped')
    ? l10n.t('{0} paused (the local service is stopped)', paused.length)
    : l10n.t('{0} paused', paused.length);
}

function severalIcon({ deploying, paused }: Counted): string {
  const moving = deploying.filter(({ verdict: { kind } }) => kind === 'working' || kind === 'notKnown');
  if (!moving.every(isOld)) return spinner;
  if (moving.length > 0) return unansweredIcon;
  const [still] = deploying;
  if (still !== undefined) return followState(still).icon;
  const [refusal] = paused.flatMap((follow) => follow.refusal ?? []);
  return refusal === undefined ? 'error' : pauseView(refusal).icon;
}

/** The seconds run only while the user is there to see them. */
function elapsedWords(milliseconds: number, isFocused: boolean): string | undefined {
  if (!isFocused) return formatMinutes(milliseconds);
  return milliseconds < 1000 ? undefined : formatDuration(milliseconds);
}

/** Until the age of the last answer may have to be shown, or reads differently. Nothing counts it while nobody looks. */
function untilOlder(follows: readonly FollowFacts[], isFocused: boolean): number | undefined {
  const isCounted = follows.some((follow) => isAwaited(follow) && (isFocused || follow.verdict.kind === 'working'));
  if (!isCounted) return undefined;
  return isFocused ? 10_000 : 60_000;
}
