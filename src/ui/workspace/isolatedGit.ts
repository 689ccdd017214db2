import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { mostCommitsCounted, type CommitRelation } from '../../core/git/drift.ts';
import { commitOf } from '../../git/commits.ts';
import { Git, GitTooOldError, oldestGit } from '../../git/git.ts';
import { UserError } from '../window/errors.ts';
import { downloadGit, openGit, type GitApi, type GitRepository } from './gitExtension.ts';

/** Our own isolated git in a repository. It works in the editor's own folder, where no repository has a program. */
export function gitIn(git: GitApi, root: vscode.Uri): Git {
  return new Git({ path: git.git.path, workingFolder: dirname(process.execPath) }, root.fsPath);
}

/**
 * Checks the version of the editor's git.
 * @throws {UserError} it is too old
 */
export async function requireVersion(git: GitApi): Promise<void> {
  try {
    await gitIn(git, vscode.Uri.file(dirname(git.git.path))).checkVersion();
  } catch (error) {
    if (!(error instanceof GitTooOldError)) throw error;
    const message = vscode.l10n.t(
      'Git {0} is too old. Install Git {1} or newer, then reload the window.',
      error.version,
      oldestGit,
    );
    throw new UserError(message, [downloadGit()]);
  }
}

/** How a commit relates to HEAD in the local clone; fetches nothing. */
export async function relationOf(repository: GitRepository, commit: string): Promise<CommitRelation> {
  if (!(await hasCommit(repository, commit))) return { kind: 'unknownCommit', commit };
  const [ahead, behind, unpushed] = await Promise.all([
    countCommits(repository, `HEAD..${commit}`),
    countCommits(repository, `${commit}..HEAD`),
    // VS Code's own count may be older than its HEAD.
    repository.state.HEAD?.upstream === undefined ? 0 : countCommits(repository, '@{upstream}..HEAD'),
  ]);
  return { kind: 'known', commit, ahead, behind, unpushed };
}

/** Whether the clone has a commit. A service names it, so nothing but an id reaches git. */
export async function hasCommit(repository: GitRepository, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) return false;
  const git = gitIn(await openGit(), repository.rootUri);
  return (await commitOf(git, commit).catch(() => undefined)) !== undefined;
}

/** The number of commits in a range, at most `mostCommitsCounted`. */
export async function countCommits(repository: GitRepository, range: string): Promise<number> {
  return (await repository.log({ range, maxEntries: mostCommitsCounted })).length;
}
