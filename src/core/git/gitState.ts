import type { RemoteBranch } from './remotes.ts';

/** The working copy, and the last known state of the deployed ref on the remote. Nothing is fetched. */
export interface GitState {
  /** The branch that is checked out. Missing if HEAD is detached. */
  branch?: string | undefined;
  /** The commit that is checked out. Missing before the first one. */
  headCommit?: string | undefined;
  /** Whether the branch that is checked out tracks one of the remote, from which it can be pulled. */
  tracksRemote?: boolean;
  /** The remote to deploy from, such as `origin`. */
  remoteName: string;
  /** Whether the remote is known to have the branch to deploy, or a branch with the tag or commit. */
  remoteBranchExists: boolean;
  /** The remote's commit of that branch, or the commit of the tag. Missing if this clone doesn't have it. */
  remoteCommit?: string | undefined;
  /** That branch on all remotes. Empty for a tag or a commit. */
  remotes?: readonly RemoteBranch[];
  /** Commits that only the working copy has. Meaningful only if the deployed branch is checked out. */
  ahead: number;
  /** Whether git's settings make every push take annotated tags along. */
  followsTags?: boolean;
  /** Commits that only the remote has. Meaningful only if the deployed branch is checked out. */
  behind?: number;
  uncommittedFiles: number;
}

/** A commit, and the branch of a remote that it is on or will be on. */
export interface BranchCommit {
  readonly commit: string;
  readonly branch: string;
}

/** When a clone last heard of a remote's branch: by a fetch, or by moving its own record of it, as a push does. */
export interface RemoteContact {
  readonly kind: 'fetched' | 'updated';
  /** In milliseconds since 1970. */
  readonly time: number;
}

/** How old the known state of a remote's branch is. */
export interface RemoteAge extends Pick<RemoteContact, 'kind'> {
  /** Such as "3 hours ago". */
  readonly age: string;
}

/** A file that the build needs, or a place where a module of its graphs may be. */
export interface BuildFile {
  /** Relative to the repository's root. */
  path: string;
  /** Whether git ignores the working copy's file. Not asked if the commit has it. */
  isIgnored: boolean;
  /** What the commit to deploy has there, as of the last fetch. Undefined if this clone can't tell. */
  inRemote: 'file' | 'folder' | 'nothing' | undefined;
}
