import * as vscode from 'vscode';
import { dirname } from 'node:path';
import { shownAddress } from '../../core/git/address.ts';
import { mostCommitsCounted, type CommitRelation } from '../../core/git/drift.ts';
import { realAddress } from '../../core/git/remotes.ts';
import { commitOf } from '../../git/commits.ts';
import { readRemotes } from '../../git/configuredRemotes.ts';
import { Git, GitTooOldError, oldestGit } from '../../git/git.ts';
import { SshHosts } from '../../git/ssh.ts';
import { UserError } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import {
  downloadGit,
  findGit,
  gitRefType,
  initialized,
  openGit,
  type GitApi,
  type GitRepository,
} from './gitExtension.ts';
import type { GitRemoteAddress } from './openRemotes.ts';

/** Our own isolated git in a repository. It works in the editor's own folder, where no repository has a program. */
export function gitIn(git: GitApi, root: vscode.Uri): Git {
  return new Git({ path: git.git.path, workingFolder: dirname(process.execPath) }, root.fsPath);
}

/**
 * The API of the editor's Git extension for a command, with a prompt while it scans the open folders.
 * @throws {UserError} Restricted Mode, or Git is disabled, not installed or too old
 * @throws {vscode.CancellationError} the user canceled the wait
 */
export async function openGitFor(title: string): Promise<GitApi> {
  const git = await findGit();
  try {
    await gitIn(git, vscode.Uri.file(dirname(git.git.path))).checkVersion();
  } catch (error) {
    if (!(error instanceof GitTooOldError)) throw error;
    const { version } = error;
    throw new UserError(
      vscode.l10n.t('Git {0} is too old. Install Git {1} or newer, then reload the window.', version, oldestGit),
      [downloadGit()],
    );
  }
  if (git.state !== 'initialized') {
    const words = vscode.l10n.t('Waiting for Git to scan the open folders…');
    await whileWaiting({ title, words }, (signal) => unlessAborted(initialized(git), signal));
  }
  return git;
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
  return { kind: 'known', ahead, behind, unpushed };
}

/** Whether the clone has a commit. A service names it, so nothing but an id reaches git. */
export async function hasCommit(repository: GitRepository, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) return false;
  const git = gitIn(await openGit(), repository.rootUri);
  return (await commitOf(git, commit).catch(() => undefined)) !== undefined;
}

/** The files with uncommitted changes, as the editor last read them. */
export function changedFiles({ state }: GitRepository): readonly vscode.Uri[] {
  const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  const changes = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  return [...new Map(changes.map(({ uri }) => [uri.toString(), uri])).values()];
}

/**
 * Lets VS Code's git read a repository again if it doesn't know yet what is checked out.
 * Git itself is asked first, because VS Code also looks for changed files, which takes long in a large repository.
 */
export async function readHead(git: Git, repository: GitRepository): Promise<void> {
  const { commit, type, name, upstream } = repository.state.HEAD ?? {};
  const isBranch = type === gitRefType.branch && name !== undefined;
  const tracked =
    upstream && `refs/${upstream.remote === '.' ? 'heads' : `remotes/${upstream.remote}`}/${upstream.name}`;
  const format = '--format=%(HEAD)%(objectname) %(refname) %(upstream)';
  const branches = await git.run(['for-each-ref', '--points-at=HEAD', format, 'refs/heads']).catch(() => '');
  const current = branches.split('\n').find((line) => line.startsWith('*'));
  const isKnown =
    current === undefined
      ? !isBranch && commit !== undefined && (await commitOf(git, 'HEAD').catch(() => undefined)) === commit
      : isBranch && current === `*${commit} refs/heads/${name} ${tracked ?? ''}`;
  if (isKnown) return;
  // What needs more than HEAD says why git can't be read.
  await repository.status().catch(() => undefined);
}

/** The number of commits in a range, at most `mostCommitsCounted`. */
export async function countCommits(repository: GitRepository, range: string): Promise<number> {
  return (await repository.log({ range, maxEntries: mostCommitsCounted })).length;
}

/** Asks git and ssh for the addresses of remotes. */
export class RealRemotes {
  readonly #ssh: SshHosts;

  /** @param workingFolder a folder without programs */
  constructor(workingFolder: string) {
    this.#ssh = new SshHosts(workingFolder);
  }

  /**
   * The addresses of a repository's remotes.
   * @throws {GitError} git can't read the configuration
   */
  async of(root: vscode.Uri): Promise<readonly GitRemoteAddress[]> {
    const configured = await readRemotes(gitIn(await openGit(), root));
    return Promise.all(
      configured.map(async ({ name, fetchUrl, url }) => {
        const real = await realAddress({ url, fetchUrl }, async (host) => this.#ssh.nameOf(host));
        return { name, url: real, fetchUrl: shownAddress(fetchUrl) };
      }),
    );
  }
}
