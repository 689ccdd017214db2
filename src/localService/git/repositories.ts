import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseGitRemote, repositoryWebUrl, sameRepository } from '../../core/git/remote.ts';
import { defaultBranch, listRemotes, publishedRemote } from './remotes.ts';
import { findRepositoryRoot, isWithin } from './repositoryRoot.ts';
import { Git, GitError, GitMissingError } from './run.ts';
import type { GitProgram } from './run.ts';

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
  readonly #program: GitProgram;
  /** By top folder, the most recently registered last. */
  readonly #registered = new Map<string, Registration>();
  #lastId = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(program: GitProgram) {
    this.#program = program;
  }

  /** Runs one task after another, so an earlier registration can't undo a later removal. */
  async inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(task, task);
    this.#lastTurn = turn;
    return turn;
  }

  /** Registers the whole repository that a folder belongs to. Returns the reason when it can't. */
  async register(folder: string, { stays }: { readonly stays: boolean }): Promise<string | undefined> {
    if (!existsSync(folder)) return `${folder} does not exist.`;
    try {
      const root = await findRepositoryRoot(new Git(this.#program, folder));
      if (root === undefined) return `${folder} is not in a git repository.`;
      this.#add(root, stays);
      return undefined;
    } catch (error) {
      // Register the folder anyway, so `list` reports the missing git instead of an empty list.
      if (error instanceof GitMissingError) this.#add(await realpath(folder), stays);
      if (error instanceof GitError) return `${folder} cannot be registered. ${error.message}`;
      throw error;
    }
  }

  /**
   * Unregisters the repositories that contain a folder or lie in it, without running git.
   * Repositories from the command line stay registered.
   */
  async unregister(folder: string): Promise<void> {
    // A deleted folder has no real path.
    const place = await realpath(folder).catch(() => folder);
    for (const [root, { stays }] of this.#registered) {
      if (!stays && (isWithin(place, root) || isWithin(root, place))) this.#registered.delete(root);
    }
  }

  /** The registered folders, the most recently registered first. */
  folders(): string[] {
    return [...this.#registered.keys()].toReversed();
  }

  /**
   * Describes all registered repositories as they are now.
   * Of several clones of one repository, the most recently registered counts. Skips a folder that git can't read.
   * @throws {GitMissingError} git isn't installed
   */
  async list(): Promise<LocalRepository[]> {
    const repositories: LocalRepository[] = [];
    for (const repository of await this.#describeAll()) {
      if (repository === undefined) continue;
      if (!repositories.some(({ url }) => sameRepository(url, repository.url))) repositories.push(repository);
    }
    return repositories;
  }

  /**
   * Finds the registered repository of a URL, however it is spelled.
   * @throws {GitMissingError} git isn't installed
   */
  async find(url: string): Promise<LocalRepository | undefined> {
    return (await this.search(url)).repository;
  }

  /**
   * Finds a repository like `find`. Without one, `isCertain` is false if git can't read a registered folder now.
   * @throws {GitMissingError} git isn't installed
   */
  async search(
    url: string,
  ): Promise<{ readonly repository: LocalRepository | undefined; readonly isCertain: boolean }> {
    const described = await this.#describeAll();
    const repository = described.find((known) => known !== undefined && sameRepository(known.url, url));
    return { repository, isCertain: repository !== undefined || !described.includes(undefined) };
  }

  async #describeAll(): Promise<(LocalRepository | undefined)[]> {
    const registered = [...this.#registered].toReversed();
    return Promise.all(registered.map(async ([folder, { id }]) => describe(id, new Git(this.#program, folder))));
  }

  #add(root: string, stays: boolean): void {
    const known = this.#registered.get(root);
    // Delete first, because setting an existing entry keeps its old place in the order.
    this.#registered.delete(root);
    this.#registered.set(root, { id: known?.id ?? (this.#lastId += 1), stays: stays || known?.stays === true });
  }
}

async function describe(id: number, git: Git): Promise<LocalRepository | undefined> {
  const { folder } = git;
  try {
    // The folder's content may have changed since it was registered.
    if (!existsSync(folder) || (await findRepositoryRoot(git)) !== folder) return undefined;
    const remote = publishedRemote(await listRemotes(git));
    const address = remote?.url ?? folder;
    const named = parseGitRemote(address);
    return {
      id,
      git,
      owner: named?.owner || 'local',
      name: named?.name ?? path.basename(folder),
      // Unlike a remote's URL, the web address never includes a user name or password.
      url: repositoryWebUrl(address) ?? folderAddress(address, folder),
      defaultBranch: await defaultBranch(git, remote?.name),
      remote: remote?.name,
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
