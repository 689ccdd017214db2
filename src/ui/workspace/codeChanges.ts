import * as vscode from 'vscode';
import { joinChanges, type ChangedFile, mostCommitsListed, type ListedCommit } from '../../core/git/comparison.ts';
import { openGit, type GitDifference, type GitRepository } from './gitExtension.ts';
import { hasCommit } from './isolatedGit.ts';

/** A file as VS Code's multi-file diff editor takes it. A side is missing where the file doesn't exist. */
export type DiffEntry = readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

interface CommitChanges {
  /** Commits that only the second side has, and those that only the first one has; one more than is listed. */
  readonly ahead: readonly ListedCommit[];
  readonly behind: readonly ListedCommit[];
}

export interface CodeChanges extends CommitChanges {
  readonly files: readonly DiffEntry[];
  /** How many files differ, even beyond those in `files`. */
  readonly fileCount: number;
}

/** The most files to compare, because the editor opens each of them. */
const mostFiles = 500;

/** The commits that a clone lacks. */
export interface MissingCommits {
  readonly missing: readonly string[];
}

/** What differs between a commit and another one or HEAD, or the commits that have to be fetched first. */
export async function codeBetween(
  repository: GitRepository,
  from: string,
  to: string,
): Promise<CodeChanges | MissingCommits> {
  const missing: string[] = [];
  for (const ref of [from, to]) if (ref !== 'HEAD' && !(await hasCommit(repository, ref))) missing.push(ref);
  if (missing.length > 0) return { missing };
  const [git, changedAhead, changedBehind, commits] = await Promise.all([
    openGit(),
    repository.diffBetween(from, to),
    repository.diffBetween(to, from),
    listCommits(repository, from, to),
  ]);
  const changed = joinChanges(changedAhead.map(changedFile), changedBehind.map(changedFile));
  const sideOf = (uri: string | undefined, ref: string): vscode.Uri | undefined =>
    uri === undefined ? undefined : git.toGitUri(vscode.Uri.parse(uri, true), ref);
  const files = changed.slice(0, mostFiles).map(({ before, after }): DiffEntry => {
    return [vscode.Uri.parse(after ?? before ?? '', true), sideOf(before, from), sideOf(after, to)];
  });
  return { files, fileCount: changed.length, ...commits };
}

/** The commits between two commits, with what the clone says of each; undefined if it lacks one. */
export async function commitsBetween(
  repository: GitRepository,
  from: string,
  to: string,
): Promise<(CommitChanges & { readonly from: ListedCommit; readonly to: ListedCommit }) | undefined> {
  const isKnown = await Promise.all([from, to].map(async (commit) => hasCommit(repository, commit)));
  if (isKnown.includes(false)) return undefined;
  const [commits, first, second] = await Promise.all([
    listCommits(repository, from, to),
    repository.getCommit(from),
    repository.getCommit(to),
  ]);
  return { ...commits, from: first, to: second };
}

async function listCommits(repository: GitRepository, from: string, to: string): Promise<CommitChanges> {
  const maxEntries = mostCommitsListed + 1;
  const [ahead, behind] = await Promise.all([
    repository.log({ range: `${from}..${to}`, maxEntries }),
    repository.log({ range: `${to}..${from}`, maxEntries }),
  ]);
  return { ahead, behind };
}

/** Git's statuses for files where one side of the difference doesn't exist. */
const gitStatus = { added: 1, deletedInIndex: 2, deleted: 6, untracked: 7 } as const;

function changedFile({ status, uri, originalUri, renameUri }: GitDifference): ChangedFile {
  const isNew = status === gitStatus.added || status === gitStatus.untracked;
  const isGone = status === gitStatus.deleted || status === gitStatus.deletedInIndex;
  return {
    before: isNew ? undefined : originalUri.toString(),
    after: isGone ? undefined : (renameUri ?? uri).toString(),
  };
}
