import * as l10n from '@vscode/l10n';
import { shortened, shortenedName } from '../text/text.ts';
import { formatAge, formatDuration, formatMinutes } from './duration.ts';
import { canChange, followAge, followState, isFailed, type FollowFacts } from './followWords.ts';
import { isOld, pauseView, spinner, unansweredIcon } from './freshness.ts';

export interface StatusBarWords {
  /** The name of a product icon. */
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
  const counted = {
    deploying: follows.filter(({ outcome, refusal }) => outcome === undefined && refusal === undefined),
    failed: follows.filter(isUnseenFailure),
  };
  const value = counted.deploying.length + counted.failed.length;
  return value === 0 ? undefined : { value, tooltip: countWords(counted) };
}

interface Counted {
  readonly deploying?: readonly FollowFacts[];
  readonly paused?: readonly FollowFacts[];
  readonly failed?: readonly FollowFacts[];
  readonly live?: readonly FollowFacts[];
}

/**
 * The status bar entry for all followed deployments. Undefined if there are none.
 * Deployments in progress and new failures come first. Otherwise it shows the workspace's main deployment, or counts the
 * workspace's deployments. Without any, it shows a failure or the newest follow.
 */
export function statusBarWords(follows: readonly FollowFacts[], isFocused: boolean): StatusBarWords | undefined {
  const followed = follows.filter(({ rests }) => rests !== true);
  const [newest] = [...followed, ...follows];
  if (newest === undefined) return undefined;
  const running = follows.filter(({ outcome }) => outcome === undefined);
  const own = follows.filter((follow) => follow.outcome !== undefined && (follow.own ?? follow.rests));
  const counted = {
    deploying: running.filter(({ refusal }) => refusal === undefined),
    paused: running.filter(({ refusal }) => refusal !== undefined),
    failed: followed.filter(own.length > 0 ? isUnseenFailure : isFailed),
  };
  const [first, another] = [...counted.deploying, ...counted.paused, ...counted.failed];
  const resting = first === undefined ? restWords(own, newest, isFocused) : undefined;
  const several = another === undefined ? undefined : severalWords(counted, isFocused);
  const words = resting ?? several ?? oneWords(first ?? newest, isFocused);
  const isFailure = counted.failed.some(isUnseenFailure);
  return { ...words, spoken: l10n.t('Deployments: {0}', words.spoken), isFailure };
}

/** What is shown while nothing changes. */
function restWords(own: readonly FollowFacts[], newest: FollowFacts, isFocused: boolean): Words {
  const main = own.find((follow) => follow.own === 'main');
  const [first, second] = own;
  if (main !== undefined || first === undefined || second === undefined) {
    return oneWords(main ?? first ?? newest, isFocused);
  }
  // An earlier window saw a status, but not which revision was live.
  const isKnown = own.every(({ verdict }) => verdict.kind !== 'notKnown');
  const counted = {
    failed: own.filter(isFailed),
    live: own.filter(({ outcome, verdict }) => outcome === 'ended' && verdict.kind === 'live'),
  };
  const words = isKnown ? countWords(counted) : '';
  const { sinceAnswer = 0, ...old } = own.find((each) => followAge(each) !== undefined) ?? first;
  const age = followAge({ ...old, sinceAnswer });
  const count = words === '' ? l10n.t('{0} deployments', own.length) : words;
  const spoken = age === undefined ? count : `${count} · ${age}`;
  const short = (): string => formatAge(-sinceAnswer, 0, 'narrow');
  const text = spoken.length > longestText ? spoken.replace(formatAge(-sinceAnswer, 0), short) : spoken;
  const icon = words === '' ? 'history' : severalIcon(counted);
  return { icon, text, spoken, lasts: untilOlder(own, isFocused) };
}

function isUnseenFailure(follow: FollowFacts): boolean {
  return isFailed(follow) && follow.isSeen !== true;
}

type Words = Omit<StatusBarWords, 'isFailure'>;

function oneWords(follow: FollowFacts, isFocused: boolean): Words {
  const { verdict, outcome, refusal, inPhase } = follow;
  const { icon, words } = followState(follow);
  const isAsked = outcome === undefined && refusal === undefined;
  const age = followAge(follow);
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
  return { icon: severalIcon(counted), text, spoken, lasts: untilOlder(counted.deploying ?? [], isFocused) };
}

function countWords({ deploying = [], paused = [], failed = [], live = [] }: Counted, isShort = false): string {
  const parts = [
    deploying.length === 0 ? undefined : l10n.t('{0} deploying', deploying.length),
    paused.length === 0 ? undefined : pausedWords(paused, isShort),
    failed.length === 0 ? undefined : l10n.t('{0} failed', failed.length),
    live.length === 0 ? undefined : l10n.t('{0} live', live.length),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function pausedWords(paused: readonly FollowFacts[], isShort: boolean): string {
  return !isShort && paused.some(({ refusal }) => refusal === 'stopped')
    ? l10n.t('{0} paused (the local service is stopped)', paused.length)
    : l10n.t('{0} paused', paused.length);
}

function severalIcon({ deploying = [], paused = [], failed = [] }: Counted): string {
  const moving = deploying.filter(({ verdict: { kind } }) => kind === 'working' || kind === 'notKnown');
  if (!moving.every(isOld)) return spinner;
  if (moving.length > 0) return unansweredIcon;
  const [still] = deploying;
  if (still !== undefined) return followState(still).icon;
  const [refusal] = paused.flatMap((follow) => follow.refusal ?? []);
  if (refusal !== undefined) return pauseView(refusal).icon;
  return failed.length > 0 ? 'error' : 'rocket';
}

/** The seconds run only while the user is there to see them. */
function elapsedWords(milliseconds: number, isFocused: boolean): string | undefined {
  if (!isFocused) return formatMinutes(milliseconds);
  return milliseconds < 1000 ? undefined : formatDuration(milliseconds);
}

/** How long the words hold before the age of the last answer appears or changes. Undefined if none will. */
function untilOlder(follows: readonly FollowFacts[], isFocused: boolean): number | undefined {
  const changing = follows.filter(canChange);
  if (isFocused && changing.some(({ verdict }) => verdict.kind !== 'live')) return 10_000;
  return changing.some(({ verdict: { kind } }) => kind === 'working' || kind === 'live') ? 60_000 : undefined;
}
