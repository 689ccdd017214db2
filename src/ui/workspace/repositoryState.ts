import * as vscode from 'vscode';
import { largestConfig } from '../../core/appConfig/appConfig.ts';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import type { BranchCommit, BuildFile, GitState } from '../../core/git/gitState.ts';
import { branchOn, type RemoteBranch } from '../../core/git/remotes.ts';
import { commitOf, createEmptyCommit, moveBranch } from '../../git/commits.ts';
import { ignoredFiles } from '../../git/files.ts';
import { GitError, type Git } from '../../git/git.ts';
import { readKinds, readText } from '../../git/tree.ts';
import { UserError } from '../window/errors.ts';
import { exists } from '../window/files.ts';
import { checkedOutRef, gitRefType, type GitRef, type GitRepository } from './gitExtension.ts';
import { countCommits } from './isolatedGit.ts';
import type { GitRemoteAddress } from './openRemotes.ts';

/** How git's settings say yes. */
const trueWords = /^(?:true|yes|on|1)$/i;

/** The last known state of a ref on a remote, and of the working copy. Fetches nothing. */
export async function readState(
  repository: GitRepository,
  git: Git,
  { remotes: addresses, remote }: { readonly remotes: readonly GitRemoteAddress[]; readonly remote: string },
  ref: DeploymentRef,
): Promise<GitState> {
  const { HEAD, mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const checkedOut = checkedOutRef(repository, remote);
  // VS Code's own HEAD may be older than git's.
  const head = await commitOf(git, 'HEAD');
  const changed = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  const state = {
    branch: checkedOut?.kind === 'branch' ? checkedOut.name : undefined,
    headCommit: head,
    tracksRemote: HEAD?.upstream?.remote === remote,
    remoteName: remote,
    uncommittedFiles: new Set(changed.map(({ uri }) => uri.toString())).size,
    followsTags: trueWords.test(await settingOf(repository, 'push.followTags')),
  } satisfies Partial<GitState>;
  if (ref.kind !== 'branch') {
    const remoteCommit = await commitOf(git, ref.kind === 'tag' ? `refs/tags/${ref.name}` : ref.name);
    const remoteBranchExists = await isPushed(repository, remote, remoteCommit);
    return { ...state, remoteCommit, remoteBranchExists, ahead: 0 };
  }
  const isCheckedOut = state.branch === ref.name;
  const remotes = await Promise.all(
    addresses.map((address) => readRemoteBranch(repository, git, address, ref.name, isCheckedOut ? head : undefined)),
  );
  const { commit: remoteCommit, unpushed: ahead = 0 } = remotes.find((branch) => branch.remote === remote) ?? {};
  const remoteBranchExists = remoteCommit !== undefined;
  const isCompared = isCheckedOut && remoteBranchExists && head !== undefined;
  const behind = isCompared ? await countCommits(repository, `${head}..${remoteCommit}`) : 0;
  return { ...state, remoteCommit, remoteBranchExists, remotes, ahead, behind };
}

/**
 * The refs of a remote that this clone knows and can deploy.
 * A detached HEAD comes first, with its tags. Then the branches and the other tags follow, each the newest first.
 */
export async function readRefs(repository: GitRepository, remote: string): Promise<readonly DeploymentRef[]> {
  const refs = await repository.getRefs({ sort: 'committerdate' });
  const branches = branchesOf(repository, remote, refs).map((name): DeploymentRef => ({ kind: 'branch', name }));
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

/** The settings that tell git how to pull where both sides have new commits; without any, it refuses. */
const pullSettings = ['pull.rebase', 'pull.ff'];

/** Brings a remote's commits of a branch into the one that is checked out: as the user's settings say, else by a merge. */
export async function pullBranch(repository: GitRepository, remote: string, branch: string): Promise<void> {
  const settings = await Promise.all(pullSettings.map((key) => settingOf(repository, key)));
  if (settings.some((value) => value !== '')) return repository.pull();
  await repository.fetch(remote);
  return repository.merge(`refs/remotes/${remote}/${branch}`);
}

/** One of git's settings; empty if it isn't set. */
function settingOf(repository: GitRepository, key: string): Promise<string> {
  return repository.getConfig(key).catch(() => '');
}

/**
 * Pushes exactly one commit to a branch of a remote, whatever is committed or checked out meanwhile.
 * A branch that is checked out and has no upstream yet tracks the remote's from now on, so that it can be pulled.
 */
export async function pushCommit(
  repository: GitRepository,
  remote: string,
  { commit, branch }: BranchCommit,
): Promise<void> {
  await repository.push(remote, `${commit}:refs/heads/${branch}`, false);
  const { HEAD } = repository.state;
  if (HEAD?.name === branch && HEAD.upstream === undefined) {
    await repository.setBranchUpstream(branch, `${remote}/${branch}`).catch(() => undefined);
  }
}

/**
 * Pushes one empty commit on top of what the remote has, and returns its ID. Commits that only this clone has stay here.
 * The local branch moves along if it is where the remote's is. After a failed push, nothing is left behind.
 * @throws {UserError} git knows no author
 */
export async function pushEmptyCommit(
  repository: GitRepository,
  git: Git,
  { remote, branch, commit: parent, message }: BranchCommit & { readonly remote: string; readonly message: string },
): Promise<string> {
  const [name, email] = [await settingOf(repository, 'user.name'), await settingOf(repository, 'user.email')];
  if (name === '' || email === '') {
    throw new UserError(vscode.l10n.t("Git doesn't know who you are. Set user.name and user.email, then try again."));
  }
  const commit = await createEmptyCommit(git, { parent, message, author: { name, email } });
  await pushCommit(repository, remote, { commit, branch });
  const { HEAD } = repository.state;
  const isCheckedOut = checkedOutRef(repository, remote)?.name === branch;
  // A branch that is elsewhere, or doesn't exist, stays as it is.
  await moveBranch(git, (isCheckedOut ? HEAD?.name : undefined) ?? branch, parent, commit).catch(() => undefined);
  await repository.status();
  return commit;
}

async function readRemoteBranch(
  repository: GitRepository,
  git: Git,
  { name: remote }: GitRemoteAddress,
  wanted: string,
  /** Undefined unless the branch is checked out. */
  head: string | undefined,
): Promise<RemoteBranch> {
  const branch = (head === undefined ? undefined : checkedOutRef(repository, remote)?.name) ?? wanted;
  const isOwn = branchOn(remote, `${remote}/${branch}`, namesOf(repository)) !== undefined;
  const commit = isOwn ? await commitOf(git, `refs/remotes/${remote}/${branch}`) : undefined;
  const isCompared = head !== undefined && commit !== undefined;
  return {
    remote,
    commit,
    unpushed: isCompared ? await countCommits(repository, `${commit}..${head}`) : undefined,
  };
}

/** Whether a branch of the remote has a commit, as of the last fetch. */
async function isPushed(repository: GitRepository, remote: string, commit: string | undefined): Promise<boolean> {
  if (commit === undefined) return false;
  const refs = await repository.getRefs({ pattern: `refs/remotes/${remote}`, contains: commit });
  return branchesOf(repository, remote, refs).length > 0;
}

/** The branches of a remote among refs. Its HEAD is one of them under another name. */
function branchesOf(repository: GitRepository, remote: string, refs: readonly GitRef[]): readonly string[] {
  const remotes = namesOf(repository);
  return refs.flatMap(({ type, name = '' }) => {
    const branch = type === gitRefType.remoteBranch ? branchOn(remote, name, remotes) : undefined;
    return branch === undefined || branch === 'HEAD' ? [] : [branch];
  });
}

function namesOf({ state }: GitRepository): readonly string[] {
  return state.remotes.map(({ name }) => name);
}

/** Where the files are that a build needs; the commit is the one to deploy, if this clone has it. */
export async function readBuildFiles(
  repository: GitRepository,
  git: Git,
  commit: string | undefined,
  paths: readonly string[],
): Promise<readonly BuildFile[]> {
  const own = await ownPaths(repository.rootUri, paths);
  const kinds = commit === undefined ? undefined : await readKinds(git, commit, own);
  // Whether git ignores a file matters only if the commit lacks it.
  const missing = own.filter((path) => kinds?.has(path) !== true);
  const ignored = await ignoredFiles(git, missing);
  return own.map((path) => ({
    path,
    isIgnored: ignored.has(path),
    inRemote: kinds && (kinds.get(path) ?? 'nothing'),
  }));
}

/** The text of a file at a commit; undefined if it is too large. Rejects if there is none. Fetches nothing. */
export async function textAt(git: Git, commit: string, path: string): Promise<string | undefined> {
  const entry = await readText(git, commit, path, largestConfig);
  if (entry?.kind !== 'file') throw new GitError(`${path} is no file of ${commit}.`);
  return entry.text;
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

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
