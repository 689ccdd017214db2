import * as l10n from '@vscode/l10n';

/** A remote of an open repository, and its copy of a branch as of the last fetch. */
export interface RemoteBranch {
  /** The remote's name, such as `origin`. */
  readonly remote: string;
  /** Without user name and password, because it is shown and sent. */
  readonly url: string;
  /** Undefined if the remote has no such branch. */
  readonly commit?: string | undefined;
  /** Local commits that the remote's branch lacks. Undefined unless the branch is checked out and on the remote. */
  readonly unpushed?: number | undefined;
}

/**
 * Picks the remote to deploy from: the configured one, else the upstream's, else the only one.
 * Undefined if there are several others, so the user has to choose.
 */
export function preferredRemote<T extends { readonly name: string }>(
  remotes: readonly T[],
  configured: string,
  upstream: string | undefined,
): T | undefined {
  const named = (wanted: string | undefined): T | undefined => remotes.find(({ name }) => name === wanted);
  return named(configured) ?? named(upstream) ?? (remotes.length === 1 ? remotes[0] : undefined);
}

/**
 * The branch of a remote that a ref such as `origin/main` is. Undefined for another remote's.
 * A remote's name can contain slashes and begin with another's: then the longer one has the ref.
 */
export function branchOn(remote: string, ref: string, remotes: readonly string[]): string | undefined {
  const isIn = (name: string): boolean => ref.startsWith(`${name}/`);
  const isOther = remotes.some((other) => other.length > remote.length && isIn(other));
  return isIn(remote) && !isOther ? ref.slice(remote.length + 1) : undefined;
}

/** A phrase for local commits that only other remotes have. Undefined if the remote has them, or none has. */
export function pushedElsewhere(remote: string, branches: readonly RemoteBranch[]): string | undefined {
  const pushed = branches.filter(({ unpushed }) => unpushed === 0).map((branch) => branch.remote);
  if (pushed.length === 0 || pushed.includes(remote)) return undefined;
  return l10n.t('pushed to {0}, not to {1}', pushed.join(', '), remote);
}
