import * as vscode from 'vscode';
import { sameRepository } from '../../core/git/remote.ts';
import { foldersOnDisk } from '../window/files.ts';
import type { Log } from '../window/log.ts';
import { openGit, watchRemotes } from './gitExtension.ts';
import type { RemoteAddresses } from './remoteAddresses.ts';

/**
 * The remotes of the repositories that are open in this window.
 * They are read when a list needs them, never in Restricted Mode, and without a fetch or a prompt.
 */
export class OpenRemotes {
  readonly #log: Log;
  readonly #addresses: RemoteAddresses;
  readonly #changed = new vscode.EventEmitter<void>();
  #urls: readonly string[] = [];
  #remotes: vscode.Disposable | undefined;

  /** Fires when the open remotes change. */
  readonly onDidChange = this.#changed.event;

  constructor({ log, remoteAddresses }: { readonly log: Log; readonly remoteAddresses: RemoteAddresses }) {
    this.#log = log;
    this.#addresses = remoteAddresses;
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
    if (!vscode.workspace.isTrusted || foldersOnDisk().length === 0) return [];
    try {
      const git = await openGit();
      this.#remotes ??= watchRemotes(git, () => void this.read());
      return (await Promise.all(git.repositories.map((repository) => this.#addresses.urlsOf(repository)))).flat();
    } catch (error) {
      // Without git, the list is complete but has no marks.
      this.#log.debug('The open repositories cannot be read.', error);
      return [];
    }
  }
}
