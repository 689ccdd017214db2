import * as l10n from '@vscode/l10n';
import { shortCommit } from '../git/drift.ts';
import { shortened } from '../text/text.ts';
import { formatDuration, usualWords } from './duration.ts';
import { ageWords, answerWords, pauseView, spinner, type Freshness, type PauseReason } from './freshness.ts';
import { verdictLabel, verdictLook } from './rowWords.ts';
import { revisionStatusView } from './status.ts';
import type { Verdict } from './verdict.ts';

export interface FollowFacts extends Freshness {
  readonly name: string;
  readonly connection: string;
  readonly verdict: Verdict;
  /** Milliseconds since the status was first seen. */
  readonly inPhase: number;
  /** How long earlier revisions of the deployment usually took in all, in milliseconds. */
  readonly usual?: number | undefined;
  /** Why the revision failed, if the service says so. */
  readonly reason?: string | undefined;
  /** The active revision's ref, image or archive, if it has one. */
  readonly live?: string | undefined;
  /** The title of the skipped revision whose place this one took. */
  readonly skipped?: string | undefined;
  /** The commit that it was promised to be built from, and the one that it is built from, if known. */
  readonly promised?: string | undefined;
  readonly built?: string | undefined;
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

/**
 * Describes a followed deployment in one line, with the time in its status and the failure reason.
 * @param isReasonShown whether the reason is shown beside that line, which then leaves it out
 */
export function followDetails(follow: FollowFacts, isReasonShown?: boolean): string {
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
    ...(outcome === 'gone' ? [] : detailsOf(follow, isReasonShown)),
    skipped === undefined ? undefined : l10n.t('{0} was skipped', skipped),
    outcome === 'gone' ? undefined : otherCommitWords(follow),
    checked,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/**
 * The message to show when following ends, for one deployment or for several that ended together.
 * `resumed` says that it ended before this window could see it.
 */
export function notificationWords(endings: readonly { readonly facts: FollowFacts; readonly resumed: boolean }[]): {
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

function isGood(follow: FollowFacts): boolean {
  const isDeployed = ['live', 'deployed', 'notActive', 'replaced'].includes(follow.verdict.kind);
  return follow.outcome === 'ended' && isDeployed && otherCommitWords(follow) === undefined;
}

/** Says that the service builds another commit than the user was told. */
function otherCommitWords({ promised, built }: FollowFacts): string | undefined {
  if (promised === undefined || built === undefined || promised === built) return undefined;
  return l10n.t('built from {0} instead of {1}', shortCommit(built), shortCommit(promised));
}

/** How long "is live" stays true without a check, in milliseconds. The workspace's deployments are checked more often. */
const longestLive = 2 * 60_000;

/** Says when the service last answered, where that is too long ago to be left out. */
export function followAge(follow: FollowFacts): string | undefined {
  const { verdict, refusal, outcome, sinceAnswer = outcome === undefined ? Infinity : 0 } = follow;
  if (!canChange(follow)) return undefined;
  if (verdict.kind !== 'live') return ageWords(follow);
  return refusal !== undefined || sinceAnswer >= longestLive ? answerWords(follow) : undefined;
}

/** Whether the next answer can be another one: while following lasts, after a reload, and for a live revision. */
export function canChange({ verdict, outcome, refusal, storedStatus }: FollowFacts): boolean {
  if (outcome === undefined) return refusal === undefined;
  return outcome === 'ended' && (storedStatus !== undefined || verdict.kind === 'live');
}

export function isFailed({ verdict, outcome }: Pick<FollowFacts, 'verdict' | 'outcome'>): boolean {
  return outcome === 'ended' && verdict.kind === 'failed';
}

/** Why a revision failed, and which revision serves instead of one that isn't live. */
function detailsOf(
  { verdict: { kind, serving }, reason, live }: FollowFacts,
  isReasonShown?: boolean,
): readonly (string | undefined)[] {
  if (kind === 'notActive' || kind === 'replaced') {
    return [serving === 'another' && live !== undefined ? l10n.t('{0} is live', live) : undefined];
  }
  if (kind === 'stopped') return [stayingWords(serving, live)];
  if (kind !== 'failed') return [];
  // Dots separate the parts of a line, so drop the reason's full stop.
  const why = isReasonShown ? undefined : (reason?.replace(/\.$/, '') ?? l10n.t('The service gives no reason'));
  return [why, stayingWords(serving, live)];
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
    return { icon: 'eye-closed', words: gaveUpWords(status) };
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

/** Says what was known when following gave up. */
export function gaveUpWords(status: string | undefined): string {
  return status === undefined
    ? l10n.t('no answer when following stopped')
    : l10n.t('still {0} when following stopped', revisionStatusView(status).label);
}
