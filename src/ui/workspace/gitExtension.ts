import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import type { ListedCommit } from '../../core/git/comparison.ts';
import { editorRemedy, settingsRemedy, UserError, type Remedy } from '../window/errors.ts';

/** The part of the `vscode.git` API (version 1) that we use. */
export interface GitApi {
  readonly git: { readonly path: string };
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
  readonly repositories: readonly GitRepository[];
  getRepositoryRoot(uri: vscode.Uri): Promise<vscode.Uri | null>;
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
  /** The URI of a file at a ref, for diff editors. */
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: GitRepositoryState;
  status(): Promise<void>;
  log(options: { readonly range: string; readonly maxEntries: number }): Promise<readonly ListedCommit[]>;
  getCommit(ref: string): Promise<ListedCommit>;
  /** The files that differ between a ref and its common ancestor with another one, which comes first. */
  diffBetween(from: string, to: string): Promise<readonly GitDifference[]>;
  getRefs(query: GitRefQuery): Promise<readonly GitRef[]>;
  /** Fetches from a remote, or from the one of the checked-out branch. */
  fetch(remote?: string | { readonly all: boolean }): Promise<void>;
  push(remote: string, refspec: string, setUpstream: boolean): Promise<void>;
  /** Lets a local branch track one of a remote, such as `origin/main`. */
  setBranchUpstream(name: string, upstream: string): Promise<void>;
  /** Pulls from the upstream of the checked-out branch, as the user's settings say. */
  pull(): Promise<void>;
  /** Merges a ref into the branch that is checked out. */
  merge(ref: string): Promise<void>;
  /** A setting of git, from any of its files; empty if it isn't set. */
  getConfig(key: string): Promise<string>;
}

interface GitRepositoryState {
  readonly onDidChange: vscode.Event<void>;
  readonly HEAD: GitHead | undefined;
  readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string; readonly pushUrl?: string }[];
  readonly mergeChanges: readonly GitChange[];
  readonly indexChanges: readonly GitChange[];
  readonly workingTreeChanges: readonly GitChange[];
  /** Missing in older VS Code versions, which don't list untracked files separately. */
  readonly untrackedChanges?: readonly GitChange[];
}

export interface GitDifference {
  /** The kind of change, as git's number. */
  readonly status: number;
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
}

export interface GitRef {
  readonly type: (typeof gitRefType)[keyof typeof gitRefType];
  readonly name?: string;
  readonly commit?: string;
}

/** The kinds of refs that git tells apart. */
export const gitRefType = { branch: 0, remoteBranch: 1, tag: 2 } as const;

interface GitRefQuery {
  readonly sort?: 'committerdate';
  /** The beginning of full names, such as `refs/tags`. */
  readonly pattern?: string;
  /** A commit that the refs must contain. */
  readonly contains?: string;
}

/** What is checked out. For a detached HEAD, it has the name of a tag of its commit, or no name. */
interface GitHead extends GitRef {
  readonly ahead?: number;
  /** The branch that it tracks. The remote is `.` for a branch of this clone. */
  readonly upstream?: { readonly remote: string; readonly name: string };
}

interface GitChange {
  readonly uri: vscode.Uri;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/**
 * The API of the editor's Git extension, after its first scan.
 * @throws {UserError} Restricted Mode, or Git is disabled or not installed
 */
export async function openGit(): Promise<GitApi> {
  const git = await findGit();
  await initialized(git);
  return git;
}

/**
 * The API of the editor's Git extension, which may still scan the open folders.
 * @throws {UserError} Restricted Mode, or Git is disabled or not installed
 */
export async function findGit(): Promise<GitApi> {
  if (!vscode.workspace.isTrusted) {
    throw new UserError(
      vscode.l10n.t("This window is in Restricted Mode, where git doesn't run. Trust the folder to deploy it."),
      [editorRemedy(vscode.l10n.t('Manage Workspace Trust'), 'workbench.trust.manage')],
    );
  }
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) {
    throw new UserError(vscode.l10n.t('The built-in Git extension is disabled. Enable it to deploy a repository.'), [
      editorRemedy(vscode.l10n.t('Show Extension'), 'workbench.extensions.search', '@builtin git'),
    ]);
  }
  const exported = await extension.activate();
  if (!exported.enabled) {
    throw new UserError(vscode.l10n.t('Git is disabled or not installed. Enable it, or install git, and try again.'), [
      settingsRemedy('git.enabled git.path'),
      downloadGit(),
    ]);
  }
  return exported.getAPI(1);
}

/** Opens the page that has installers of git. */
export function downloadGit(): Remedy {
  return {
    title: vscode.l10n.t('Download Git'),
    run: () => vscode.env.openExternal(vscode.Uri.parse('https://git-scm.com/downloads')),
  };
}

/** The absolute path of the editor's git; undefined in Restricted Mode or if the editor doesn't know it. */
export async function knownGitPath(): Promise<string | undefined> {
  // A failing Git extension reports its own error, and the PATH remains as a fallback.
  const path = await findGit().then(
    ({ git }) => git.path,
    () => '',
  );
  return isAbsolute(path) ? path : undefined;
}

/**
 * What is checked out; a branch has the name that it has on the remote.
 * A detached HEAD is a tag of its commit, or else the commit. Undefined before git has read the repository.
 */
export function checkedOutRef({ state: { HEAD } }: GitRepository, remote: string): DeploymentRef | undefined {
  if (HEAD?.name === undefined) return HEAD?.commit === undefined ? undefined : { kind: 'commit', name: HEAD.commit };
  if (HEAD.type === gitRefType.tag) return { kind: 'tag', name: HEAD.name };
  return { kind: 'branch', name: HEAD.upstream?.remote === remote ? HEAD.upstream.name : HEAD.name };
}

/**
 * Calls back when the remotes of the open repositories change, or their HEADs with how far they are from what they
 * track. Git opens a repository before it reads them.
 */
export function watchFact(git: GitApi, fact: 'remotes' | 'HEAD', changed: () => void): vscode.Disposable {
  const present = (): string => JSON.stringify(git.repositories.map(({ state }) => state[fact]));
  let known = present();
  return watchRepositories(git, () => {
    const now = present();
    if (now === known) return;
    known = now;
    changed();
  });
}

/** Calls back when the state of an open repository changes, and when git opens or closes one. */
function watchRepositories(git: GitApi, changed: () => void): vscode.Disposable {
  const follow = (): vscode.Disposable =>
    vscode.Disposable.from(...git.repositories.map(({ state }) => state.onDidChange(changed)));
  let followed = follow();
  const followAgain = (): void => {
    followed.dispose();
    followed = follow();
    changed();
  };
  return vscode.Disposable.from(
    git.onDidOpenRepository(followAgain),
    git.onDidCloseRepository(followAgain),
    new vscode.Disposable(() => followed.dispose()),
  );
}

/** Calls back as `watchRepositories` does, or only when a fact changes, once git is there. In Restricted Mode, never. */
export function watchGit(changed: () => void, fact?: 'HEAD'): vscode.Disposable {
  const watching = findGit().then(
    (git) => (fact === undefined ? watchRepositories(git, changed) : watchFact(git, fact, changed)),
    () => undefined,
  );
  return new vscode.Disposable(() => void watching.then((each) => each?.dispose()));
}

/** Waits for git's first scan of the workspace; before it, no repository is known. */
export async function initialized(git: GitApi): Promise<void> {
  if (git.state === 'initialized') return;
  await new Promise<void>((resolve) => {
    const subscription = git.onDidChangeState((state) => {
      if (state !== 'initialized') return;
      subscription.dispose();
      resolve();
    });
  });
}
