import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseGitRemote, repositoryWebUrl, sameRepository } from '../core/gitRemote.ts';
import { defaultBranch, findRepositoryRoot, listRemotes, publishedRemote } from './git/remotes.ts';
import { GitError, GitMissingError } from './git/run.ts';
import type { Clock } from './clock.ts';
import type { Folders, RegisteredFolder } from './store/folders.ts';

/** A registered repository as its remote names it ("Repository record"). */
export interface LocalRepository {
  readonly id: number;
  readonly folder: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
  /** The remote whose branches are deployed; undefined where there is no single one. */
  readonly remote: string | undefined;
}

/** The repositories on this computer that may be deployed: the registered folders and nothing else. */
export class Repositories {
  readonly #folders: Folders;
  readonly #clock: Clock;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
  }

  /**
   * Registers the repository that a folder belongs to, with all of it even where the folder lies below its top.
   * Gives the reason when the folder cannot be registered.
   */
  async register(folder: string): Promise<string | undefined> {
    if (!existsSync(folder)) return `${folder} does not exist.`;
    try {
      const root = await findRepositoryRoot(folder);
      if (root === undefined) return `${folder} is not in a git repository.`;
      this.#folders.register(await realpath(root), this.#clock.now());
      return undefined;
    } catch (error) {
      if (error instanceof GitError) return `${folder} cannot be registered. ${error.message}`;
      throw error;
    }
  }

  /** The folders that are registered now. */
  folders(): string[] {
    return this.#folders.list().map(({ folder }) => folder);
  }

  /** Forgets the folders that were deleted since they were registered. */
  forgetMissing(): void {
    for (const folder of this.folders()) {
      if (!existsSync(folder)) this.#folders.remove(folder);
    }
  }

  /**
   * Describes every registered repository as it is now. Of several clones of one repository the most recently
   * registered counts. A folder that git cannot read is left out.
   * @throws {GitMissingError} git is not installed
   */
  async list(): Promise<LocalRepository[]> {
    const described = await Promise.all(this.#folders.list().map(describe));
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
}

async function describe({ id, folder }: RegisteredFolder): Promise<LocalRepository | undefined> {
  try {
    const remote = publishedRemote(await listRemotes(folder));
    const address = remote?.url ?? folder;
    const named = parseGitRemote(address);
    return {
      id,
      folder,
      owner: named?.owner || 'local',
      name: named?.name ?? path.basename(folder),
      // The web address carries no user name and no password, which a remote may.
      url: repositoryWebUrl(address) ?? folderAddress(address, folder),
      defaultBranch: await defaultBranch(folder, remote?.name),
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
