import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { parseGitRemote, sameRepository } from '../../core/git/remote.ts';
import type { SearchedRepository } from '../../state/following/ownDeployments.ts';
import type { Log } from '../window/log.ts';
import { openGit, remoteUrlsOf, watchRemotes, type GitRepository } from './gitExtension.ts';

/** The open repositories, and how to recognize their deployments. None in Restricted Mode or without git. */
export async function searchedRepositories(): Promise<readonly SearchedRepository[]> {
  const repositories = await openRepositories().catch(() => []);
  // Loaded when it's needed, to keep the start of VS Code fast.
  const { suggestDeploymentName } = await import('../../core/draft/deploymentName.ts');
  return repositories.flatMap((repository): SearchedRepository[] => {
    const urls = remoteUrlsOf(repository);
    const names = urls.flatMap((url) => parseGitRemote(url)?.name ?? []);
    const isWanted = ({ source_config: config }: Deployment): boolean =>
      urls.some((url) => config?.repo_url !== undefined && sameRepository(url, config.repo_url));
    // Names that are suggested for a folder of the repository contain the one without a folder.
    return urls.length === 0 ? [] : [{ usualNames: names.map((name) => suggestDeploymentName(name, '')), isWanted }];
  });
}

async function openRepositories(): Promise<readonly GitRepository[]> {
  const isOnDisk = (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');
  return vscode.workspace.isTrusted && isOnDisk ? (await openGit()).repositories : [];
}

/**
 * The remotes of the repositories that are open in this window.
 * They are read when a list needs them, never in Restricted Mode, and without a fetch or a prompt.
 */
export class OpenRemotes {
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  #urls: readonly string[] = [];
  #remotes: vscode.Disposable | undefined;

  /** Fires when the open remotes change. */
  readonly onDidChange = this.#changed.event;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether a repository with this URL is open here and has been read. */
  has(url: string): boolean {
    return this.#urls.some((open) => sameRepository(open, url));
  }

  /** Reads the open repositories now, and again whenever they change. */
  async read(): Promise<void> {
    const urls = await this.#readUrls();
    if (JSON.stringify(urls) === JSON.stringify(this.#urls)) return;
    this.#urls = urls;
    this.#changed.fire();
  }

  dispose(): void {
    this.#remotes?.dispose();
    this.#changed.dispose();
  }

  async #readUrls(): Promise<readonly string[]> {
    const isOnDisk = (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');
    if (!vscode.workspace.isTrusted || !isOnDisk) return [];
    try {
      const git = await openGit();
      this.#remotes ??= watchRemotes(git, () => void this.read());
      return git.repositories.flatMap(remoteUrlsOf);
    } catch (error) {
      // Without git, the list is complete but has no marks.
      this.#log.debug('The open repositories cannot be read.', error);
      return [];
    }
  }
}
