import * as vscode from 'vscode';
import { shownAddress } from '../../core/git/address.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { foldersOnDisk } from '../window/files.ts';
import type { Log } from '../window/log.ts';
import { openGit, watchFact, type GitRepository } from './gitExtension.ts';
import type { RealRemotes } from './isolatedGit.ts';

export interface GitRemoteAddress {
  readonly name: string;
  /** After git's rewrites and ssh's aliases, without user name and password: it is compared, shown and sent. */
  readonly url: string;
  /** Where git says that it fetched from. */
  readonly fetchUrl: string;
}

export interface RepositoryRemotes {
  readonly repository: GitRepository;
  readonly remoteUrls: readonly string[];
}

/**
 * The remotes of the repositories that are open in this window, as everyone else knows them.
 * VS Code's git has them as they are spelled in the configuration of a repository. They are read when something needs
 * them, without a fetch or a prompt.
 */
export class RemoteAddresses {
  readonly #load: () => Promise<RealRemotes>;
  readonly #log: Pick<Log, 'debug'>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #known = new Map<
    string,
    { readonly spelled: string; readonly remotes: Promise<readonly GitRemoteAddress[]> }
  >();
  #real: Promise<RealRemotes> | undefined;
  /** Undefined until something needs them. */
  #urls: readonly string[] | undefined;
  #watching: vscode.Disposable | undefined;

  /** Fires when the remotes of the open repositories change, once something has asked for them. */
  readonly onDidChange = this.#changed.event;

  /** @param load what asks git and ssh, needed with the first repository */
  constructor(load: () => Promise<RealRemotes>, log: Pick<Log, 'debug'>) {
    this.#load = load;
    this.#log = log;
  }

  /** Whether a repository with this URL is open here and `readUrls` has found it. */
  has(url: string): boolean {
    return this.#urls?.some((open) => sameRepository(open, url)) === true;
  }

  /** Reads the URLs of the open repositories for `has` now, and again whenever they change. */
  async readUrls(): Promise<void> {
    let urls: readonly string[] = [];
    try {
      if (vscode.workspace.isTrusted && foldersOnDisk().length > 0) {
        urls = (await this.ofOpen()).flatMap(({ remoteUrls }) => remoteUrls);
      }
    } catch (error) {
      // Without git, the list is complete but has no marks.
      this.#log.debug('The open repositories cannot be read.', error);
    }
    if (JSON.stringify(urls) === JSON.stringify(this.#urls)) return;
    this.#urls = urls;
    this.#changed.fire();
  }

  dispose(): void {
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  /** The remotes of a repository; empty until VS Code's git has read it. */
  async of(repository: GitRepository): Promise<readonly GitRemoteAddress[]> {
    if (repository.state.remotes.length === 0) return [];
    const known = this.#known.get(repository.rootUri.toString());
    return known?.spelled === spelling(repository) ? known.remotes : this.read(repository);
  }

  /** Reads the remotes again, because the user's own configuration may have changed. */
  async read(repository: GitRepository): Promise<readonly GitRemoteAddress[]> {
    const remotes = this.#read(repository);
    this.#known.set(repository.rootUri.toString(), { spelled: spelling(repository), remotes });
    return remotes;
  }

  /**
   * The URLs of the remotes of each open repository.
   * @throws {UserError} Restricted Mode, or Git is disabled or not installed
   */
  async ofOpen(): Promise<readonly RepositoryRemotes[]> {
    const git = await openGit();
    this.#watching ??= watchFact(git, 'remotes', () => {
      if (this.#urls === undefined) this.#changed.fire();
      else void this.readUrls();
    });
    return Promise.all(
      git.repositories.map(async (repository) => {
        return { repository, remoteUrls: (await this.of(repository)).map(({ url }) => url) };
      }),
    );
  }

  async #read(repository: GitRepository): Promise<readonly GitRemoteAddress[]> {
    const remotes = await this.#realOrSpelled(repository);
    // Git itself would take a name such as "--mirror" for an option.
    return remotes.filter(({ name }) => !name.startsWith('-'));
  }

  async #realOrSpelled({ rootUri, state }: GitRepository): Promise<readonly GitRemoteAddress[]> {
    if (!vscode.workspace.isTrusted) return state.remotes.flatMap(asSpelled);
    try {
      this.#real ??= this.#load();
      return await (await this.#real).of(rootUri);
    } catch {
      // The next time may be better.
      this.#known.delete(rootUri.toString());
      return state.remotes.flatMap(asSpelled);
    }
  }
}

function spelling({ state }: GitRepository): string {
  return JSON.stringify(state.remotes);
}

function asSpelled({ name, fetchUrl, pushUrl }: GitRepository['state']['remotes'][number]): GitRemoteAddress[] {
  const url = fetchUrl ?? pushUrl;
  return url === undefined ? [] : [{ name, url: shownAddress(url), fetchUrl: shownAddress(url) }];
}
