import * as l10n from '@vscode/l10n';
import { shortCommit } from '../git/drift.ts';
import { formatMoment } from '../status/duration.ts';

/** Where an uploaded revision came from. */
interface UploadNote {
  /** The name of the machine. */
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** What was checked out; missing if that wasn't known. */
  readonly checkout?: UploadedCheckout | undefined;
}

/** A commit, and how many files of the folder differed from it. */
export interface UploadedCheckout {
  readonly commit: string;
  readonly changes: number;
}

/** Says where an uploaded revision came from, such as "uploaded from HOST at TIME, 3f2a9c1 + 2 changes". */
export function uploadNoteWords({ host, at, checkout }: UploadNote): string {
  const words = l10n.t('uploaded from {0} at {1}', host, formatMoment(at));
  return checkout === undefined ? words : l10n.t('{0}, {1}', words, checkoutWords(checkout));
}

/** A commit and the changes on top of it, such as "3f2a9c1 + 2 changes". */
export function checkoutWords({ commit, changes }: UploadedCheckout): string {
  const short = shortCommit(commit);
  if (changes === 0) return short;
  return changes === 1 ? l10n.t('{0} + 1 change', short) : l10n.t('{0} + {1} changes', short, changes);
}
