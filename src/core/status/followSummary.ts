import * as l10n from '@vscode/l10n';
import { shortened } from '../text/text.ts';
import { formatDuration } from './duration.ts';
import { revisionStatusView, type Phase } from './status.ts';

/** A followed deployment, as far as a summary needs it. */
export interface FollowFacts {
  readonly name: string;
  readonly connection: string;
  /** The revision's status in the service's word; undefined until the first answer. */
  readonly status?: string | undefined;
  readonly phase: Phase;
  /** Milliseconds since the status was first seen. */
  readonly inPhase: number;
  /** Why it failed, where the service says so. */
  readonly reason?: string | undefined;
  /** What is live now, shortened. */
  readonly live?: string | undefined;
  readonly failures: number;
  /** Why nothing is asked: the key is not accepted, or it is and what is asked is not allowed with it. */
  readonly refusal?: 'unauthorized' | 'forbidden' | undefined;
  readonly outcome?: 'ended' | 'gaveUp' | 'gone' | undefined;
}

export interface FollowSummary {
  /** A product icon's name; one that spins only while something is asked for or moves. */
  readonly icon: string;
  /** A few words. */
  readonly text: string;
  /** A line for each followed deployment. */
  readonly lines: readonly string[];
  readonly isFailure: boolean;
}

/** What one status-bar entry says about everything that is followed; undefined when that is nothing. */
export function summarizeFollows(follows: readonly FollowFacts[]): FollowSummary | undefined {
  const [newest] = follows;
  if (newest === undefined) return undefined;
  const working = follows.filter(({ outcome }) => outcome === undefined);
  const failed = follows.find(isFailed);
  const lines = follows.map(describeFollow);
  const moving = working.filter(({ refusal }) => refusal === undefined);
  if (moving.length > 1) {
    return {
      icon: 'loading~spin',
      text: l10n.t('{0} deployments in progress', moving.length),
      lines,
      isFailure: false,
    };
  }
  // What moves comes before what waits for the person, that before what failed, and that before what is well.
  const shown = moving[0] ?? working[0] ?? failed ?? newest;
  const view = viewOf(shown);
  return {
    icon: view.icon,
    text: `${shortened(shown.name)}: ${view.words}`,
    lines,
    isFailure: working.length === 0 && isFailed(shown),
  };
}

/** One followed deployment in a sentence, with how long its status lasts and why it failed. */
export function describeFollow(follow: FollowFacts): string {
  const { words } = viewOf(follow);
  const elapsed =
    follow.outcome === undefined && follow.refusal === undefined && follow.status !== undefined
      ? formatDuration(follow.inPhase)
      : undefined;
  const parts = [
    elapsed === undefined ? words : l10n.t('{0} for {1}', words, elapsed),
    follow.phase === 'failed' ? reasonOf(follow) : undefined,
    follow.phase === 'failed' && follow.live !== undefined ? l10n.t('{0} stays live', follow.live) : undefined,
    follow.outcome === undefined && follow.refusal === undefined && follow.failures > 0
      ? l10n.t('the service did not answer the last time')
      : undefined,
  ];
  return `${shortened(follow.name)} (${follow.connection}): ${parts.filter((part) => part !== undefined).join(' · ')}`;
}

/** The parts of a description are set apart by dots, beside which the full stop of a reason would be one too many. */
function reasonOf({ reason }: FollowFacts): string {
  return reason?.replace(/\.$/, '') ?? l10n.t('The service gives no reason');
}

function isFailed({ phase, outcome }: FollowFacts): boolean {
  return outcome === 'ended' && phase === 'failed';
}

function viewOf({ status, phase, outcome, live, refusal }: FollowFacts): {
  readonly icon: string;
  readonly words: string;
} {
  if (outcome === 'gone') return { icon: 'question', words: l10n.t('no longer there') };
  if (outcome === undefined && refusal === 'unauthorized') {
    return { icon: 'key', words: l10n.t('paused: the API key was refused') };
  }
  if (outcome === undefined && refusal === 'forbidden') {
    return { icon: 'lock', words: l10n.t('paused: not allowed with the API key in use') };
  }
  if (status === undefined && outcome === 'gaveUp') {
    return { icon: 'eye-closed', words: l10n.t('no answer when I stopped watching') };
  }
  if (status === undefined) return { icon: 'loading~spin', words: l10n.t('Asking for its status') };
  const view = revisionStatusView(status);
  if (outcome === 'gaveUp') {
    return { icon: 'eye-closed', words: l10n.t('still {0} when I stopped watching', view.label) };
  }
  if (outcome === 'ended' && phase === 'success') {
    return { icon: 'rocket', words: live === undefined ? l10n.t('live') : l10n.t('{0} is live', live) };
  }
  return { icon: view.icon, words: view.label };
}
