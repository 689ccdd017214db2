import * as l10n from '@vscode/l10n';
import type { Revision } from '../../api/resources/revisions.ts';
import { commitLines, type ListedCommit } from '../git/comparison.ts';
import { shortened } from '../text/text.ts';
import { revisionTitle } from './rowWords.ts';
import { revisionStatusView, statusOf } from './status.ts';

/** A revision, and the message of its commit if the clone has it. */
export interface NamedRevision {
  readonly revision: Revision;
  readonly message?: string | undefined;
}

/** What deploying a revision again does. */
export interface Redeployment {
  readonly kind: 'deployAgain' | 'rollBack';
  readonly deployment: string;
  readonly connection: string;
  /** What is live now; undefined if nothing is or the service doesn't say. */
  readonly live: NamedRevision | undefined;
  readonly target: NamedRevision;
  /** The latest revision while it is in progress. */
  readonly moving?: Revision | undefined;
  /** The commits that only the target has, and those that only the live one has; undefined if git can't tell. */
  readonly commits?: { readonly ahead: readonly ListedCommit[]; readonly behind: readonly ListedCommit[] } | undefined;
}

/** How many commits a dialog lists in each direction. */
const mostCommits = 10;

/** The question before a revision is deployed again: where, from which revision to which, and the commits between. */
export function redeployQuestion(redeployment: Redeployment): {
  readonly question: string;
  readonly detail: string;
  readonly button: string;
} {
  const { kind, deployment, connection, live, target, moving, commits } = redeployment;
  const isLive = live?.revision.id === target.revision.id;
  const title = revisionTitle(target.revision);
  const names = [
    live === undefined ? l10n.t('Nothing is live now.') : l10n.t('Live now: {0}', nameOf(live)),
    ...(isLive ? [] : [l10n.t('To deploy: {0}', nameOf(target))]),
  ];
  const paragraphs = [
    names.join('\n'),
    ...(commits === undefined ? [] : commitLines(l10n.t('Undone commits:'), commits.behind, mostCommits)),
    ...(commits === undefined ? [] : commitLines(l10n.t('Added:'), commits.ahead, mostCommits)),
    ...(moving === undefined ? [] : [movingWords(moving)]),
    live === undefined
      ? l10n.t('The service makes a new revision with the settings of this one.')
      : l10n.t('The service makes a new revision with the settings of this one. Until it is live, nothing changes.'),
  ];
  const detail = paragraphs.join('\n\n');
  if (kind === 'rollBack') {
    return {
      question: l10n.t('Roll back {0} on {1} to {2}?', deployment, connection, title),
      detail,
      button: l10n.t('Roll Back'),
    };
  }
  return {
    question: l10n.t('Deploy {0} again as {1} on {2}?', title, deployment, connection),
    detail,
    button: l10n.t('Deploy Again'),
  };
}

/** A revision's title with the first line of its commit's message. */
function nameOf({ revision, message = '' }: NamedRevision): string {
  const [subject = ''] = message.trimStart().split('\n');
  return [revisionTitle(revision), shortened(subject)].filter((part) => part !== '').join(' ');
}

function movingWords(moving: Revision): string {
  const { label } = revisionStatusView(statusOf(moving));
  return l10n.t('{0} is in progress: {1}. The service may finish it first.', revisionTitle(moving), label);
}
