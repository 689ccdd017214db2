import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseGitRemote, repositoryWebUrl, sameRepository } from '../../core/git/remote.ts';
import { defaultBranch, listRemotes, publishedRemote } from './remotes.ts';
import { findRepositoryRoot, isWithin } from './repositoryRoot.ts';
import { Git, GitError, GitMissingError } from './run.ts';
import type { GitProgram } from './run.ts';

/** A registered repository as its remote names it ("Repository record"). */
export interface LocalRepository {
  readonly id: number;
  readonly git: Git;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  /** The remote whose branches are deployed; undefined where there is no single one. */
  readonly remote: string | undefined;
}

interface Registration {
  readonly id: number;
  /** Given on the command line, so that no window takes it back. */
  readonly stays: boolean;
}

/**
 * The repositories on this computer that may be deployed: the registered folders and nothing else. They are forgotten
 * when the service ends, because trust in a folder can end meanwhile.
 */
export class RegisteredRepositories {
  readonly #program: GitProgram;
  /** By the top folders of the repositories, the most recently registered last. */
  readonly #registered = new Map<string, Registration>();
  #lastId = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(program: GitProgram) {
    this.#program = program;
  }

  /** Runs one task after the other, so that a folder that is taken back is not registered by an earlier one. */
  async inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(task, task);
    this.#lastTurn = turn;
    return turn;
  }

  /**
   * Registers the repository that a folder belongs to, with all of it even where the folder lies below its top.
   * Gives the reason when the folder cannot be registered.
   */
  async register(folder: string, { stays }: { readonly stays: boolean }): Promise<string | undefined> {
    if (!existsSync(folder)) return `${folder} does not exist.`;
    try {
      const root = await findRepositoryRoot(new Git(this.#program, folder));
      if (root === undefined) return `${folder} is not in a git repository.`;
      this.#add(root, stays);
      return undefined;
    } catch (error) {
      // Who asks for the list reads then that git is missing, instead of finding it empty.
      if (error instanceof GitMissingError) this.#add(await realpath(folder), stays);
      if (error instanceof GitError) return `${folder} cannot be registered. ${error.message}`;
      throw error;
    }
  }

  /** Takes back every repository that a folder lies in or holds, without running git. */
  async unregister(folder: string): Promise<void> {
    // A folder that is gone has no other name.
    const place = await realpath(folder).catch(() => folder);
    for (const [root, { stays }] of this.#registered) {
      if (!stays && (isWithin(place, root) || isWithin(root, place))) this.#registered.delete(root);
    }
  }

  /** The folders that are registered now, the most recently registered first. */
  folders(): string[] {
    return [...this.#registered.keys()].toReversed();
  }

  /**
   * Describes every registered repository as it is now. Of several clones of one repository the most recently
   * registered counts. A folder that git cannot read is left out.
   * @throws {GitMissingError} git is not installed
   */
  async list(): Promise<LocalRepository[]> {
    const registered = [...this.#registered].toReversed();
    const described = await Promise.all(
      registered.map(async ([folder, { id }]) => describe(id, new Git(this.#program, folder))),
    );
    const repositories: LocalRepository[] = [];
    for (const repository of described) {
      if (repository === undefined) continue;
      if (!repositories.some(({ url }) => sameRepository(url, repository.url))) repositories.push(repository);
    }
    return repositories;
  }

  /**
   * The registered repository that a URL names, however it is spelt.
   * @throws {GitMissingError} git is not installed
   */
  async find(url: string): Promise<LocalRepository | undefined> {
    const repositories = await this.list();
    return repositories.find((repository) => sameRepository(repository.url, url));
  }

  #add(root: string, stays: boolean): void {
    const known = this.#registered.get(root);
    // Delete first: an entry that is set again would keep its old place in the order.
    this.#registered.delete(root);
    this.#registered.set(root, { id: known?.id ?? (this.#lastId += 1), stays: stays || known?.stays === true });
  }
}

async function describe(id: number, git: Git): Promise<LocalRepository | undefined> {
  const { folder } = git;
  try {
    // What the folder holds may have changed since it was registered.
    if (!existsSync(folder) || (await findRepositoryRoot(git)) !== folder) return undefined;
    const remote = publishedRemote(await listRemotes(git));
    const address = remote?.url ?? folder;
    const named = parseGitRemote(address);
    return {
      id,
      git,
      owner: named?.owner || 'local',
      name: named?.name ?? path.basename(folder),
      // The web address carries no user name and no password, which a remote may.
      url: repositoryWebUrl(address) ?? folderAddress(address, folder),
      defaultBranch: await defaultBranch(git, remote?.name),
      remote: remote?.name,
    };
  } catch (error) {
    if (error instanceof GitError && !(error instanceof GitMissingError)) return undefined;
    throw error;
  }
}

/** A remote that is a path is relative to the repository; one that a helper program reads is nothing we could name. */
function folderAddress(address: string, folder: string): string {
  if (address.startsWith('file://')) return address;
  return parseGitRemote(address) === undefined ? folder : path.resolve(folder, address);
}
