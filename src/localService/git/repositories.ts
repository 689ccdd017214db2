import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { realAddress, preferredRemote } from '../../core/git/remotes.ts';
import { parseGitRemote, repositoryWebUrl, sameRepository } from '../../core/git/remote.ts';
import { branchesOn } from './refs.ts';
import { findRepositoryRoot, isWithin } from './repositoryRoot.ts';
import { readRemotes } from '../../git/configuredRemotes.ts';
import { Git, GitError, GitMissingError } from '../../git/git.ts';
import type { GitProgram } from '../../git/git.ts';
import { SshHosts } from '../../git/ssh.ts';

/** A registered repository, described by its remote ("Repository record"). */
export interface LocalRepository {
  readonly id: number;
  readonly git: Git;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  /** The remote to deploy from; undefined without `origin` or a single remote. */
  readonly remote: string | undefined;
  /** The names of all remotes. */
  readonly remotes: readonly string[];
}

/** The folders to register and unregister. */
interface FolderOptions {
  /** From a command line; they stay registered. */
  readonly repositories?: readonly string[];
  /** From a trusted window; registered until a window in Restricted Mode takes them back. */
  readonly folders?: readonly string[];
  /** From a window in Restricted Mode, where git must not run. */
  readonly restricted?: readonly string[];
}

interface Registration {
  readonly id: number;
  /** Given on the command line, so no window can unregister it. */
  readonly stays: boolean;
}

/**
 * The repositories on this computer that may be deployed: only those of registered folders.
 * They are never stored, because trust in a folder can end while the service isn't running.
 */
export class RegisteredRepositories {
  readonly #git: Git;
  readonly #ssh: SshHosts;
  /** By top folder, the most recently registered last. */
  readonly #registered = new Map<string, Registration>();
  #lastId = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** @param signal ends git and ssh, also those of the repositories */
  constructor(program: GitProgram, signal?: AbortSignal) {
    this.#git = new Git(program, program.workingFolder, signal);
    this.#ssh = new SshHosts(program.workingFolder, signal);
  }

  /**
   * Registers and unregisters folders. Returns the reasons why some weren't registered.
   * Calls run one after another, so an earlier registration can't undo a later removal.
   */
  async update(options: FolderOptions): Promise<string[]> {
    const update = async () => this.#updateInTurn(options);
    const turn = this.#lastTurn.then(update, update);
    this.#lastTurn = turn;
    return turn;
  }

  /** The registered folders that exist, the most recently registered first. */
  folders(): string[] {
    return [...this.#registered.keys()].filter((folder) => existsSync(folder)).toReversed();
  }

  /**
   * Describes all registered repositories as they are now.
   * Of several clones of one repository, the most recently registered counts. Skips a folder that git can't read.
   * @param signal ends git, also that of the result
   * @throws {GitMissingError} git isn't installed or is too old
   */
  async list(signal?: AbortSignal): Promise<LocalRepository[]> {
    const repositories: LocalRepository[] = [];
    for (const repository of await this.#describeAll(signal)) {
      if (repository === undefined) continue;
      if (!repositories.some(({ url }) => sameRepository(url, repository.url))) repositories.push(repository);
    }
    return repositories;
  }

  /**
   * Finds the registered repository of a URL, however it is spelled. Without one, `isCertain` is false if git can't
   * read a registered folder now.
   * @throws {GitMissingError} git isn't installed or is too old
   */
  async find(
    url: string,
    signal?: AbortSignal,
  ): Promise<{ readonly repository: LocalRepository | undefined; readonly isCertain: boolean }> {
    const described = await this.#describeAll(signal);
    const repository = described.find((known) => known !== undefined && sameRepository(known.url, url));
    return { repository, isCertain: repository !== undefined || !described.includes(undefined) };
  }

  async #describeAll(signal?: AbortSignal): Promise<(LocalRepository | undefined)[]> {
    if (this.#registered.size > 0) await this.#git.checkVersion();
    const git = signal === undefined ? this.#git : this.#git.until(signal);
    const idOf = (folder: string): number => this.#registered.get(folder)?.id ?? 0;
    return Promise.all(this.folders().map(async (folder) => describe(idOf(folder), git.in(folder), this.#ssh)));
  }

  async #updateInTurn({ repositories = [], folders = [], restricted = [] }: FolderOptions): Promise<string[]> {
    for (const folder of restricted) await this.#unregister(folder);
    const problems: (string | undefined)[] = [];
    for (const folder of folders) problems.push(await this.#register(folder, false));
    for (const folder of repositories) problems.push(await this.#register(folder, true));
    return problems.filter((problem) => problem !== undefined);
  }

  /** Registers the whole repository that a folder belongs to. Returns the reason when it can't. */
  async #register(folder: string, stays: boolean): Promise<string | undefined> {
    if (!existsSync(folder)) return `${folder} doesn't exist.`;
    try {
      await this.#git.checkVersion();
      const root = await findRepositoryRoot(this.#git.in(folder));
      if (root === undefined) return `${folder} isn't in a git repository.`;
      this.#add(root, stays);
      return undefined;
    } catch (error) {
      // Register the folder anyway, so `list` reports the git that is missing or too old instead of an empty list.
      if (error instanceof GitMissingError) this.#add(await realpath(folder), stays);
      if (error instanceof GitError) return `${folder} can't be registered. ${error.message}`;
      throw error;
    }
  }

  /**
   * Unregisters the repositories that contain a folder or lie in it, without running git.
   * Repositories from the command line stay registered.
   */
  async #unregister(folder: string): Promise<void> {
    const place = await realPlace(folder);
    for (const [root, { stays }] of this.#registered) {
      if (!stays && (isWithin(place, root) || isWithin(root, place))) this.#registered.delete(root);
    }
  }

  #add(root: string, stays: boolean): void {
    const known = this.#registered.get(root);
    // Delete first, because setting an existing entry keeps its old place in the order.
    this.#registered.delete(root);
    this.#registered.set(root, { id: known?.id ?? (this.#lastId += 1), stays: stays || known?.stays === true });
  }
}

/** The real path of a folder. A deleted one has none, but lies in one that has. */
async function realPlace(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  const below = async (): Promise<string> => path.join(await realPlace(parent), path.basename(folder));
  return realpath(folder).catch(async () => (parent === folder ? folder : below()));
}

async function describe(id: number, git: Git, ssh: SshHosts): Promise<LocalRepository | undefined> {
  const { folder } = git;
  try {
    // The folder's content may have changed since it was registered.
    if ((await findRepositoryRoot(git)) !== folder) return undefined;
    const configured = await readRemotes(git);
    const remotes = configured.map(({ name }) => name);
    const remote = preferredRemote(configured, 'origin', undefined);
    // Like the extension, which sends this address.
    const address = remote === undefined ? folder : await realAddress(remote, async (host) => ssh.nameOf(host));
    const named = parseGitRemote(address);
    return {
      id,
      git,
      owner: named?.owner || 'local',
      name: named?.name ?? path.basename(folder),
      // Unlike a remote's URL, the web address never includes a user name or password.
      url: repositoryWebUrl(address) ?? folderAddress(address, folder),
      defaultBranch: await defaultBranch(git, remote?.name, remotes),
      remote: remote?.name,
      remotes,
    };
  } catch (error) {
    if (error instanceof GitError && !(error instanceof GitMissingError)) return undefined;
    throw error;
  }
}

/**
 * Addresses a repository without a web address.
 * A path is relative to the repository. A remote that git reads through a helper program gets the repository's folder.
 */
function folderAddress(address: string, folder: string): string {
  if (address.startsWith('file://')) return address;
  return parseGitRemote(address) === undefined ? folder : path.resolve(folder, address);
}

/**
 * Finds the default branch of the remote, according to the clone.
 * Falls back to `main`, `master`, another branch of the remote, and the branch that is checked out. Without a remote,
 * the local branches count.
 */
async function defaultBranch(git: Git, remote: string | undefined, remotes: readonly string[]): Promise<string> {
  const prefix = remote === undefined ? 'refs/heads/' : `refs/remotes/${remote}/`;
  const head = await symbolicRef(git, remote === undefined ? 'HEAD' : `${prefix}HEAD`);
  if (head?.startsWith(prefix)) return head.slice(prefix.length);
  const listed = await git.run(['for-each-ref', '--format=%(refname)', prefix]);
  const refs = listed.split('\n').filter((name) => name !== '' && name !== `${prefix}HEAD`);
  const own = remote === undefined ? refs : branchesOn(remote, remotes, refs);
  const branches = own.map((name) => name.slice(prefix.length));
  const usual = ['main', 'master'].find((name) => branches.includes(name)) ?? branches[0];
  if (usual !== undefined) return usual;
  const checkedOut = await symbolicRef(git, 'HEAD');
  return checkedOut?.replace(/^refs\/heads\//, '') ?? 'main';
}

async function symbolicRef(git: Git, name: string): Promise<string | undefined> {
  return (await git.find(['symbolic-ref', '--quiet', name]))?.trim();
}
