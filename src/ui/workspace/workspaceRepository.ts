import * as vscode from 'vscode';
import { largestConfig } from '../../core/appConfig/appConfig.ts';
import { subjectOf } from '../../core/git/comparison.ts';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import type { BranchCommit, BuildFile, GitState } from '../../core/git/gitState.ts';
import { branchOn, type RemoteBranch } from '../../core/git/remotes.ts';
import { commitOf, createEmptyCommit, moveBranch } from '../../git/commits.ts';
import { ignoredFiles } from '../../git/ignoredFiles.ts';
import { GitError, type Git } from '../../git/git.ts';
import { readKinds, readText } from '../../git/tree.ts';
import { UserError } from '../window/errors.ts';
import { readFileText } from '../window/fileText.ts';
import { exists } from '../window/files.ts';
import { specName } from '../window/specNames.ts';
import { checkedOutRef, gitRefType, type GitRef, type GitRepository } from './gitExtension.ts';
import { changedFiles, countCommits } from './isolatedGit.ts';
import type { GitRemoteAddress } from './openRemotes.ts';

/** How git's settings say yes. */
const trueWords = /^(?:true|yes|on|1)$/i;

/** The settings that tell git how to pull where both sides have new commits; without any, it refuses. */
const pullSettings = ['pull.rebase', 'pull.ff'];

/** A clone that is open in the editor. */
export interface Clone {
  readonly repository: GitRepository;
  readonly git: Git;
  readonly remotes: readonly GitRemoteAddress[];
  readonly configPaths: readonly string[];
}

/** The repository that is open in the editor, as a deployment from one of its remotes needs it. */
export class WorkspaceRepository {
  readonly #clone: Clone;
  readonly #address: GitRemoteAddress;
  readonly root: vscode.Uri;
  readonly remote: string;
  readonly remoteUrl: string;
  /** Where git says that it fetched from. */
  readonly fetchUrl: string;
  /** All remotes, for `through`. */
  readonly remotes: readonly GitRemoteAddress[];
  /** Application config files, the likeliest first; relative to the root, with forward slashes. */
  readonly configPaths: readonly string[];

  constructor(clone: Clone, remote: GitRemoteAddress) {
    this.#clone = clone;
    this.#address = remote;
    this.root = clone.repository.rootUri;
    this.remote = remote.name;
    this.remoteUrl = remote.url;
    this.fetchUrl = remote.fetchUrl;
    this.remotes = clone.remotes;
    this.configPaths = clone.configPaths;
  }

  /** What is checked out now, as the remote calls it; undefined if git doesn't know. */
  get checkedOut(): DeploymentRef | undefined {
    return checkedOutRef(this.#clone.repository, this.remote);
  }

  /** The same repository with another of its remotes. */
  through(remote: GitRemoteAddress): WorkspaceRepository {
    return new WorkspaceRepository(this.#clone, remote);
  }

  /** The same repository, read for something that a signal ends. */
  until(signal: AbortSignal): WorkspaceRepository {
    return new WorkspaceRepository({ ...this.#clone, git: this.#clone.git.until(signal) }, this.#address);
  }

  /** Lets VS Code's git look for changed files, which takes long in a large repository. */
  async readAgain(): Promise<void> {
    await this.#clone.repository.status();
  }

  /** The last known state of a ref on the remote, and of the working copy. Fetches nothing. */
  async stateOf(ref: DeploymentRef): Promise<GitState> {
    const { remote, checkedOut } = this;
    const { repository, git } = this.#clone;
    const { HEAD } = repository.state;
    // VS Code's own HEAD may be older than git's.
    const head = await commitOf(git, 'HEAD');
    const state = {
      branch: checkedOut?.kind === 'branch' ? checkedOut.name : undefined,
      headCommit: head,
      tracksRemote: HEAD?.upstream?.remote === remote,
      remoteName: remote,
      // A deployment file isn't part of what it deploys.
      uncommittedFiles: changedFiles(repository).filter(({ path }) => specName('deployment-spec', path) === undefined)
        .length,
      followsTags: trueWords.test(await this.#settingOf('push.followTags')),
    } satisfies Partial<GitState>;
    if (ref.kind !== 'branch') {
      const remoteCommit = await commitOf(git, ref.kind === 'tag' ? `refs/tags/${ref.name}` : ref.name);
      return { ...state, remoteCommit, remoteBranchExists: await this.#isPushed(remoteCommit), ahead: 0 };
    }
    const isCheckedOut = state.branch === ref.name;
    const remotes = await Promise.all(
      this.remotes.map((address) => this.#readRemoteBranch(address, ref.name, isCheckedOut ? head : undefined)),
    );
    const { commit: remoteCommit, unpushed: ahead = 0 } = remotes.find((branch) => branch.remote === remote) ?? {};
    const remoteBranchExists = remoteCommit !== undefined;
    const isCompared = isCheckedOut && remoteBranchExists && head !== undefined;
    const behind = isCompared ? await countCommits(repository, `${head}..${remoteCommit}`) : 0;
    return { ...state, remoteCommit, remoteBranchExists, remotes, ahead, behind };
  }

  /**
   * The refs of the remote that this clone knows and can deploy.
   * A detached HEAD comes first, with its tags. Then the branches and the other tags follow, each the newest first.
   */
  async refs(): Promise<readonly DeploymentRef[]> {
    const { repository } = this.#clone;
    const refs = await repository.getRefs({ sort: 'committerdate' });
    const branches = this.#branchesOf(refs).map((name): DeploymentRef => ({ kind: 'branch', name }));
    const isOnBranch = checkedOutRef(repository, this.remote)?.kind === 'branch';
    const head = isOnBranch ? undefined : repository.state.HEAD?.commit;
    const tagsOf = (isOfHead: boolean): DeploymentRef[] =>
      refs.flatMap(({ type, name, commit }) =>
        type === gitRefType.tag && name !== undefined && isOfHead === (head !== undefined && commit === head)
          ? [{ kind: 'tag', name }]
          : [],
      );
    const detached: DeploymentRef[] = head === undefined ? [] : [{ kind: 'commit', name: head }];
    return [...tagsOf(true), ...detached, ...branches, ...tagsOf(false)];
  }

  /** Where the files are that a build needs; the commit is the one to deploy, if this clone has it. */
  async buildFiles(commit: string | undefined, paths: readonly string[]): Promise<readonly BuildFile[]> {
    const { git } = this.#clone;
    const own = await withoutInnerRepositories(this.root, paths);
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

  /** The first line of a commit's message; undefined if this clone lacks the commit. */
  async subjectOf(commit: string): Promise<string | undefined> {
    return this.#clone.repository.getCommit(commit).then(subjectOf, () => undefined);
  }

  /** The text of a file at a commit; undefined if it is too large. Rejects if there is none. Fetches nothing. */
  async textAt(commit: string, path: string): Promise<string | undefined> {
    const entry = await readText(this.#clone.git, commit, path, largestConfig);
    if (entry?.kind !== 'file') throw new GitError(`${path} is no file of ${commit}.`);
    return entry.text;
  }

  /** The text of a file in the working copy; undefined if it is too large. Rejects if none is in the repository. */
  async textHere(path: string): Promise<string | undefined> {
    return readFileText(vscode.Uri.joinPath(this.root, path), largestConfig, this.root);
  }

  /** Fetches from the remote; `stateOf` and `refs` are as current as the last fetch. */
  async fetch(): Promise<void> {
    await this.#clone.repository.fetch(this.remote);
  }

  /** Brings the remote's commits of a branch into the one that is checked out: as the user's settings say, else by a merge. */
  async pull(branch: string): Promise<void> {
    const { repository } = this.#clone;
    const settings = await Promise.all(pullSettings.map((key) => this.#settingOf(key)));
    if (settings.some((value) => value !== '')) return repository.pull();
    await this.fetch();
    return repository.merge(`refs/remotes/${this.remote}/${branch}`);
  }

  /**
   * Pushes exactly one commit to a branch of the remote, whatever is committed or checked out meanwhile.
   * A branch that is checked out and has no upstream yet tracks the remote's from now on, so that it can be pulled.
   */
  async push({ commit, branch }: BranchCommit): Promise<void> {
    const { repository } = this.#clone;
    await repository.push(this.remote, `${commit}:refs/heads/${branch}`, false);
    const { HEAD } = repository.state;
    if (HEAD?.name === branch && HEAD.upstream === undefined) {
      await repository.setBranchUpstream(branch, `${this.remote}/${branch}`).catch(() => undefined);
    }
  }

  /**
   * Pushes one empty commit on top of what the remote has, and returns its ID. Commits that only this clone has stay
   * here. The local branch moves along if it is where the remote's is. After a failed push, nothing is left behind.
   * @throws {UserError} git knows no author
   */
  async pushEmptyCommit({ branch, commit: parent }: BranchCommit, message: string): Promise<string> {
    const { repository, git } = this.#clone;
    const [name, email] = [await this.#settingOf('user.name'), await this.#settingOf('user.email')];
    if (name === '' || email === '') {
      throw new UserError(vscode.l10n.t("Git doesn't know who you are. Set user.name and user.email, then try again."));
    }
    const commit = await createEmptyCommit(git, { parent, message, author: { name, email } });
    await this.push({ commit, branch });
    const { HEAD } = repository.state;
    const isCheckedOut = checkedOutRef(repository, this.remote)?.name === branch;
    // A branch that is elsewhere, or doesn't exist, stays as it is.
    await moveBranch(git, (isCheckedOut ? HEAD?.name : undefined) ?? branch, parent, commit).catch(() => undefined);
    await repository.status();
    return commit;
  }

  get #remoteNames(): readonly string[] {
    return this.remotes.map(({ name }) => name);
  }

  /** One of git's settings; empty if it isn't set. */
  async #settingOf(key: string): Promise<string> {
    return this.#clone.repository.getConfig(key).catch(() => '');
  }

  /** @param head undefined unless the branch is checked out */
  async #readRemoteBranch(
    { name: remote }: GitRemoteAddress,
    wanted: string,
    head: string | undefined,
  ): Promise<RemoteBranch> {
    const { repository, git } = this.#clone;
    const branch = (head === undefined ? undefined : checkedOutRef(repository, remote)?.name) ?? wanted;
    const isOfRemote = branchOn(remote, `${remote}/${branch}`, this.#remoteNames) !== undefined;
    const commit = isOfRemote ? await commitOf(git, `refs/remotes/${remote}/${branch}`) : undefined;
    const isCompared = head !== undefined && commit !== undefined;
    const unpushed = isCompared ? await countCommits(repository, `${commit}..${head}`) : undefined;
    return { remote, commit, unpushed };
  }

  /** Whether a branch of the remote has a commit, as of the last fetch. */
  async #isPushed(commit: string | undefined): Promise<boolean> {
    if (commit === undefined) return false;
    const pattern = `refs/remotes/${this.remote}`;
    return this.#branchesOf(await this.#clone.repository.getRefs({ pattern, contains: commit })).length > 0;
  }

  /** The branches of the remote among refs. Its HEAD is one of them under another name. */
  #branchesOf(refs: readonly GitRef[]): readonly string[] {
    const remotes = this.#remoteNames;
    return refs.flatMap(({ type, name = '' }) => {
      const branch = type === gitRefType.remoteBranch ? branchOn(this.remote, name, remotes) : undefined;
      return branch === undefined || branch === 'HEAD' ? [] : [branch];
    });
  }
}

/** Leaves out the files of repositories inside this one, such as submodules and worktrees. */
async function withoutInnerRepositories(root: vscode.Uri, paths: readonly string[]): Promise<readonly string[]> {
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
