import * as l10n from '@vscode/l10n';
import { shortened, shortenedName } from '../text/text.ts';
import { formatAge, formatDuration, formatMinutes, usualWords } from './duration.ts';
import { ageWords, answerWords, isOld, pauseView, spinner, unansweredIcon } from './freshness.ts';
import type { Freshness, PauseReason } from './freshness.ts';
import { verdictLabel, verdictLook } from './rowWords.ts';
import { revisionStatusView } from './status.ts';
import type { Verdict } from './verdict.ts';

export interface FollowFacts extends Freshness {
  readonly name: string;
  readonly connection: string;
  /** The verdict on the followed revision. */
  readonly verdict: Verdict;
  /** Milliseconds since the status was first seen. */
  readonly inPhase: number;
  /** How long earlier revisions of the deployment usually took in all, in milliseconds. */
  readonly usual?: number | undefined;
  /** Why the revision failed, if the service says so. */
  readonly reason?: string | undefined;
  /** The title of the active revision, if known. */
  readonly live?: string | undefined;
  /** The title of the skipped revision whose place this one took. */
  readonly skipped?: string | undefined;
  /** Why the service isn't asked. */
  readonly refusal?: PauseReason | undefined;
  readonly outcome?: 'ended' | 'gaveUp' | 'gone' | undefined;
  /** Whether the user has seen how it ended. */
  readonly isSeen?: boolean | undefined;
  /** Whether nobody follows it: it is one of the workspace's own deployments and isn't changing. */
  readonly rests?: boolean | undefined;
  /** Whether it is one of the workspace's own deployments, and whether it is the one to show while none changes. */
  readonly own?: 'main' | 'other' | undefined;
}

/** Names a followed deployment and describes it in one line. */
export function followLine(follow: FollowFacts): string {
  return `${shortened(follow.name)} (${follow.connection}): ${followDetails(follow)}`;
}

/** Describes a followed deployment in one line, with the time in its status and the failure reason. */
export function followDetails(follow: FollowFacts): string {
  const { verdict, outcome, refusal, skipped } = follow;
  const { words } = followState(follow);
  const isAsked = outcome === undefined && refusal === undefined;
  const missed = isAsked && follow.failures > 0 ? l10n.t("the service didn't answer the last check") : undefined;
  const checked = followAge(follow) ?? missed;
  // How long it lasts by now is known only from an answer that has just come.
  const isTimed = isAsked && verdict.status !== undefined && verdict.kind !== 'live' && checked === undefined;
  const parts = [
    isTimed ? l10n.t('{0} for {1}', words, formatDuration(follow.inPhase)) : words,
    isTimed && verdict.kind === 'working' && follow.usual !== undefined ? usualWords(follow.usual) : undefined,
    ...(outcome === 'gone' ? [] : detailsOf(follow)),
    skipped === undefined ? undefined : l10n.t('{0} was skipped', skipped),
    checked,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

export interface Ending {
  readonly facts: FollowFacts;
  /** Whether it ended before this window could see it. */
  readonly resumed: boolean;
}

/** The message to show when following ends, for one deployment or for several that ended together. */
export function notificationWords(endings: readonly Ending[]): {
  readonly message: string;
  readonly severity: 'information' | 'warning' | 'error';
} {
  const said = new Set<string>();
  const lines = endings.map(({ facts }) => {
    const { reason } = facts;
    if (reason === undefined || !isFailed(facts)) return followLine(facts);
    const isSaid = said.has(reason);
    said.add(reason);
    return followLine(isSaid ? { ...facts, reason: l10n.t('same reason') } : facts);
  });
  const all = lines.length === 1 ? lines.join('') : l10n.t('{0} deployments: {1}', lines.length, lines.join('; '));
  const message = endings.every(({ resumed }) => resumed) ? l10n.t('Ended while you were away: {0}', all) : all;
  if (endings.some(({ facts }) => isFailed(facts))) return { message, severity: 'error' };
  return { message, severity: endings.every(({ facts }) => isGood(facts)) ? 'information' : 'warning' };
}

function isGood({ outcome, verdict: { kind } }: FollowFacts): boolean {
  return outcome === 'ended' && ['live', 'deployed', 'notActive', 'replaced'].includes(kind);
}

/** How long "is live" stays true without a check, in milliseconds. The workspace's deployments are checked more often. */
const longestLive = 2 * 60_000;

/** Says when the service last answered, where that is too long ago to be left out. */
function followAge(follow: FollowFacts): string | undefined {
  const { verdict, refusal, outcome, sinceAnswer = outcome === undefined ? Infinity : 0 } = follow;
  if (!canChange(follow)) return undefined;
  if (verdict.kind !== 'live') return ageWords(follow);
  return refusal !== undefined || sinceAnswer >= longestLive ? answerWords(follow) : undefined;
}

/** Whether the next answer can be another one: while following lasts, after a reload, and for a live revision. */
function canChange({ verdict, outcome, refusal, storedStatus }: FollowFacts): boolean {
  if (outcome === undefined) return refusal === undefined;
  return outcome === 'ended' && (storedStatus !== undefined || verdict.kind === 'live');
}

/** Whether a follow ended with a failed revision. */
export function isFailed({ verdict, outcome }: Pick<FollowFacts, 'verdict' | 'outcome'>): boolean {
  return outcome === 'ended' && verdict.kind === 'failed';
}

/** Why a revision failed, and which revision serves instead. */
function detailsOf({ verdict: { kind, serving }, reason, live }: FollowFacts): readonly (string | undefined)[] {
  if (kind === 'notActive' || kind === 'replaced') {
    return [serving === 'another' && live !== undefined ? l10n.t('{0} is live', live) : undefined];
  }
  if (kind !== 'failed') return [];
  // Dots separate the parts of a line, so drop the reason's full stop.
  return [reason?.replace(/\.$/, '') ?? l10n.t('The service gives no reason'), stayingWords(serving, live)];
}

function stayingWords(serving: Verdict['serving'], live: string | undefined): string | undefined {
  if (serving === 'nothing') return l10n.t('nothing live yet');
  if (serving === 'notKnown') return undefined;
  if (live !== undefined) return l10n.t('{0} stays live', live);
  return serving === 'another' ? l10n.t('another revision stays live') : undefined;
}

/** The icon and the words for a follow. The icon spins only while the follow waits for an answer or is in progress. */
export function followState({ verdict, outcome, live, refusal, storedStatus }: FollowFacts): {
  readonly icon: string;
  readonly words: string;
} {
  if (outcome === 'gone') return { icon: 'question', words: l10n.t('no longer exists') };
  if (outcome === undefined && refusal !== undefined) return pauseView(refusal);
  const { kind, status } = verdict;
  if (outcome === 'gaveUp') {
    const words =
      status === undefined
        ? l10n.t('no answer when following stopped')
        : l10n.t('still {0} when following stopped', revisionStatusView(status).label);
    return { icon: 'eye-closed', words };
  }
  if (kind === 'notKnown') {
    return storedStatus === undefined
      ? { icon: spinner, words: l10n.t('Checking its status') }
      : { icon: 'history', words: revisionStatusView(storedStatus).label };
  }
  if (kind === 'live') {
    return { icon: 'rocket', words: live === undefined ? l10n.t('live') : l10n.t('{0} is live', live) };
  }
  return { icon: verdictLook(verdict).icon, words: verdictLabel(verdict) };
}

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
