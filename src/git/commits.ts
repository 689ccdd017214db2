import type { Git } from './git.ts';

/**
 * The commit that a revision names; undefined if this clone doesn't have it. Fetches nothing.
 * @throws {GitError} git failed
 */
export async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return (await git.find(args))?.trim();
}

/**
 * Whether every commit of the current branch that changed a file is on some remote, as far as this clone knows.
 * @throws {GitError} git failed, as in a repository without commits
 */
export async function isOnRemote(git: Git, file: string): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', 'HEAD', '--not', '--remotes', '--', file];
  return (await git.run(args)).trim() === '';
}

/** Who makes a commit, as git's settings `user.name` and `user.email` say. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/**
 * Makes a commit without changes on top of another one, which no branch has yet, and returns its ID.
 * Runs no hook, and doesn't sign.
 * @throws {GitError} git failed, as in a clone that lacks the commit
 */
export async function createEmptyCommit(
  git: Git,
  { parent, message, author }: { readonly parent: string; readonly message: string; readonly author: Author },
): Promise<string> {
  const { name, email } = author;
  const variables = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  const args = ['commit-tree', '-p', parent, '-m', message, `${parent}^{tree}`];
  return (await git.run(args, { variables })).trim();
}

/**
 * Moves a local branch from one commit to another, with the same files. Leaves a branch that is elsewhere alone.
 * @throws {GitError} the branch isn't at the first commit, or doesn't exist
 */
export async function moveBranch(git: Git, branch: string, from: string, to: string): Promise<void> {
  await git.run(['update-ref', '-m', 'rebuild', `refs/heads/${branch}`, to, from]);
}
