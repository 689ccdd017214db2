import * as vscode from 'vscode';
import { shownAddress } from '../../core/git/address.ts';
import type { ConfiguredRemote } from '../../git/configuredRemotes.ts';
import type { GitRepository } from './gitExtension.ts';
import type { RealRemotes } from './realRemotes.ts';

export interface GitRemoteAddress {
  readonly name: string;
  /** After git's rewrites and ssh's aliases, without user name and password: it is compared, shown and sent. */
  readonly url: string;
  /** Where git says that it fetched from. */
  readonly fetchUrl: string;
}

/**
 * The remotes of the open repositories, as everyone else knows them.
 * VS Code's git has them as they are spelled in the configuration of a repository.
 */
export class RemoteAddresses {
  readonly #workingFolder: string;
  readonly #known = new Map<
    string,
    { readonly spelled: string; readonly remotes: Promise<readonly GitRemoteAddress[]> }
  >();
  #real: RealRemotes | undefined;

  /** @param workingFolder a folder without programs, in which ssh is asked */
  constructor(workingFolder: string) {
    this.#workingFolder = workingFolder;
  }

  /** The remotes of a repository; empty until VS Code's git has read it. */
  async of(repository: GitRepository): Promise<readonly GitRemoteAddress[]> {
    const known = this.#known.get(repository.rootUri.toString());
    return known?.spelled === spelling(repository) ? known.remotes : this.read(repository);
  }

  /** Reads the remotes again, because the user's own configuration may have changed. */
  async read(repository: GitRepository): Promise<readonly GitRemoteAddress[]> {
    const remotes = this.#read(repository);
    this.#known.set(repository.rootUri.toString(), { spelled: spelling(repository), remotes });
    return remotes;
  }

  /** The URLs of a repository's remotes. */
  async urlsOf(repository: GitRepository): Promise<readonly string[]> {
    return (await this.of(repository)).map(({ url }) => url);
  }

  async #read({ rootUri, state }: GitRepository): Promise<readonly GitRemoteAddress[]> {
    const spelled = state.remotes.flatMap(({ name, fetchUrl, pushUrl }): ConfiguredRemote[] => {
      const url = fetchUrl ?? pushUrl;
      // Git itself would take a name such as "--mirror" for an option.
      return url === undefined || name.startsWith('-') ? [] : [{ name, url, fetchUrl: url }];
    });
    if (spelled.length === 0 || !vscode.workspace.isTrusted) return spelled.map(asSpelled);
    try {
      // Loaded with the first repository, to keep the start of VS Code fast.
      const { RealRemotes } = await import('./realRemotes.ts');
      this.#real ??= new RealRemotes(this.#workingFolder);
      return await this.#real.of(rootUri, spelled);
    } catch {
      // The next time may be better.
      this.#known.delete(rootUri.toString());
      return spelled.map(asSpelled);
    }
  }
}

function spelling({ state }: GitRepository): string {
  return JSON.stringify(state.remotes);
}

function asSpelled({ name, url }: ConfiguredRemote): GitRemoteAddress {
  return { name, url: shownAddress(url), fetchUrl: shownAddress(url) };
}
