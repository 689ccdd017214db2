import * as vscode from 'vscode';
import { largestConfig } from '../../core/appConfig/appConfig.ts';
import type { DeploymentRef } from '../../core/draft/draft.ts';
import type { BuildFile, GitState } from '../../core/git/gitState.ts';
import type { RemoteBranch } from '../../core/git/remotes.ts';
import { UserError } from '../window/errors.ts';
import { exists } from '../window/files.ts';
import {
  checkedOutRef,
  countCommits,
  gitRefType,
  remotesOf,
  type GitRemoteAddress,
  type GitRepository,
} from './gitExtension.ts';

/** The last known state of a ref on a remote, and of the working copy. Fetches nothing. */
export async function readState(repository: GitRepository, remote: string, ref: DeploymentRef): Promise<GitState> {
  const { HEAD, mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const checkedOut = checkedOutRef(repository, remote);
  const changed = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  const state = {
    ...(checkedOut?.kind === 'branch' ? { kind: 'branch', branch: checkedOut.name } : { kind: 'detached' }),
    ...(HEAD?.commit === undefined ? {} : { headCommit: HEAD.commit }),
    remoteName: remote,
    uncommittedFiles: new Set(changed.map(({ uri }) => uri.toString())).size,
    stagedFiles: mergeChanges.length + indexChanges.length,
  } satisfies Partial<GitState>;
  if (ref.kind !== 'branch') {
    const commit = await commitOf(repository, ref.kind === 'tag' ? `refs/tags/${ref.name}^{commit}` : ref.name);
    return { ...state, ...known(commit), remoteBranchExists: await isPushed(repository, remote, commit), ahead: 0 };
  }
  const isCheckedOut = checkedOut?.kind === 'branch' && checkedOut.name === ref.name;
  const remotes = await Promise.all(
    remotesOf(repository).map((address) => readRemoteBranch(repository, address, ref.name, isCheckedOut)),
  );
  const { commit, unpushed = 0 } = remotes.find((branch) => branch.remote === remote) ?? {};
  const behind = isCheckedOut && commit !== undefined ? await countCommits(repository, `HEAD..${commit}`) : 0;
  return { ...state, ...known(commit), remoteBranchExists: commit !== undefined, remotes, ahead: unpushed, behind };
}

/**
 * The refs of a remote that this clone knows and can deploy.
 * A detached HEAD comes first, with its tags. Then the branches and the other tags follow, each the newest first.
 */
export async function readRefs(repository: GitRepository, remote: string): Promise<readonly DeploymentRef[]> {
  const refs = await repository.getRefs({ sort: 'committerdate' });
  const prefix = `${remote}/`;
  const branches = refs.flatMap(({ type, name }): DeploymentRef[] =>
    type === gitRefType.remoteBranch && name?.startsWith(prefix) === true && name !== `${prefix}HEAD`
      ? [{ kind: 'branch', name: name.slice(prefix.length) }]
      : [],
  );
  const head = checkedOutRef(repository, remote)?.kind === 'branch' ? undefined : repository.state.HEAD?.commit;
  const tagsOf = (isOfHead: boolean): DeploymentRef[] =>
    refs.flatMap(({ type, name, commit }) =>
      type === gitRefType.tag && name !== undefined && isOfHead === (head !== undefined && commit === head)
        ? [{ kind: 'tag', name }]
        : [],
    );
  const detached: DeploymentRef[] = head === undefined ? [] : [{ kind: 'commit', name: head }];
  return [...tagsOf(true), ...detached, ...branches, ...tagsOf(false)];
}

/** Pushes a branch to a remote, from the checked-out branch if that tracks it under another name. */
export async function pushBranch(repository: GitRepository, remote: string, branch: string): Promise<void> {
  const { HEAD } = repository.state;
  const isRenamed = HEAD?.upstream?.remote === remote && HEAD.upstream.name === branch && HEAD.name !== branch;
  await repository.push(remote, isRenamed ? `${HEAD.name}:refs/heads/${branch}` : branch, false);
}

/**
 * Creates a commit without changes on a branch. The message that the user has begun to type stays.
 * @throws {UserError} another branch was checked out or something was staged meanwhile
 */
export async function commitNothing(
  repository: GitRepository,
  { remote, branch, message }: { readonly remote: string; readonly branch: string; readonly message: string },
): Promise<void> {
  await repository.status();
  const { indexChanges, mergeChanges } = repository.state;
  const checkedOut = checkedOutRef(repository, remote);
  if (checkedOut?.kind !== 'branch' || checkedOut.name !== branch || indexChanges.length + mergeChanges.length > 0) {
    throw new UserError(vscode.l10n.t('The clone changed meanwhile, so nothing was committed.'));
  }
  const { inputBox } = repository;
  const typed = inputBox.value;
  try {
    await repository.commit(message, { empty: true });
  } finally {
    inputBox.value = typed;
  }
}

async function readRemoteBranch(
  repository: GitRepository,
  { name: remote, url }: GitRemoteAddress,
  wanted: string,
  isCheckedOut: boolean,
): Promise<RemoteBranch> {
  const branch = (isCheckedOut ? checkedOutRef(repository, remote)?.name : undefined) ?? wanted;
  const commit = await commitOf(repository, `refs/remotes/${remote}/${branch}`);
  const isCompared = isCheckedOut && commit !== undefined;
  return {
    remote,
    url,
    commit,
    unpushed: isCompared ? await countCommits(repository, `${commit}..HEAD`) : undefined,
  };
}

/** Whether a branch of the remote has a commit, as of the last fetch. */
async function isPushed(repository: GitRepository, remote: string, commit: string | undefined): Promise<boolean> {
  if (commit === undefined) return false;
  return (await repository.getRefs({ pattern: `refs/remotes/${remote}`, contains: commit })).length > 0;
}

/** The commit of a name; undefined if this clone doesn't have it, which git reports as an error. */
async function commitOf(repository: GitRepository, name: string): Promise<string | undefined> {
  return repository.getCommit(name).then(
    ({ hash }) => hash,
    () => undefined,
  );
}

function known(commit: string | undefined): { readonly remoteCommit?: string } {
  return commit === undefined ? {} : { remoteCommit: commit };
}

/** Where the files are that a build needs; the commit is the one to deploy, if this clone has it. */
export async function readBuildFiles(
  repository: GitRepository,
  commit: string | undefined,
  paths: readonly string[],
): Promise<readonly BuildFile[]> {
  const own = await ownPaths(repository.rootUri, paths);
  const ignored = await ignoredPaths(repository, own);
  const files: BuildFile[] = [];
  // One at a time, because each is a process.
  for (const path of own) {
    const isInRemote = commit === undefined ? undefined : await hasFile(repository, commit, path);
    files.push({ path, isIgnored: ignored.has(path), isInRemote });
  }
  return files;
}

/** The text of a file at a commit; undefined if it is too large. Rejects if there is none. */
export async function textAt(repository: GitRepository, commit: string, path: string): Promise<string | undefined> {
  const file = vscode.Uri.joinPath(repository.rootUri, path).fsPath;
  const { size } = await repository.getObjectDetails(commit, file);
  return size > largestConfig ? undefined : repository.show(commit, file);
}

/** Leaves out the files of repositories inside this one, such as submodules and worktrees. */
async function ownPaths(root: vscode.Uri, paths: readonly string[]): Promise<readonly string[]> {
  const known = new Map<string, Promise<boolean>>([['', Promise.resolve(false)]]);
  const isInOther = (folder: string): Promise<boolean> => {
    const answer =
      known.get(folder) ??
      isInOther(parentOf(folder)).then((isIn) => isIn || exists(vscode.Uri.joinPath(root, folder, '.git')));
    known.set(folder, answer);
    return answer;
  };
  const answers = await Promise.all(paths.map((path) => isInOther(parentOf(path))));
  return paths.filter((_, place) => answers[place] === false);
}

/** Those of the paths that git ignores. Nothing is known about files of a submodule that isn't checked out. */
export async function ignoredPaths(repository: GitRepository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const byFile = new Map(paths.map((path) => [vscode.Uri.joinPath(repository.rootUri, path).fsPath, path]));
  const ignored = await repository.checkIgnore([...byFile.keys()]).catch(() => []);
  return new Set([...ignored].flatMap((file) => byFile.get(file) ?? []));
}

async function hasFile(repository: GitRepository, commit: string, path: string): Promise<boolean> {
  return repository.getObjectDetails(commit, vscode.Uri.joinPath(repository.rootUri, path).fsPath).then(
    () => true,
    () => false,
  );
}

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
