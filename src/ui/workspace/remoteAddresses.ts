import * as vscode from 'vscode';
import { shownAddress } from '../../core/git/address.ts';
import { realAddress } from '../../core/git/realAddress.ts';
import { readRemotes, type ConfiguredRemote } from '../../git/configuredRemotes.ts';
import type { SshHosts } from '../../git/ssh.ts';
import { gitIn, openGit, type GitRepository } from './gitExtension.ts';

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
  readonly #ssh: SshHosts;
  readonly #known = new Map<string, { readonly spelled: string; readonly remotes: Promise<GitRemoteAddress[]> }>();

  constructor(ssh: SshHosts) {
    this.#ssh = ssh;
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

  async #read({ rootUri, state }: GitRepository): Promise<GitRemoteAddress[]> {
    const spelled = state.remotes.flatMap(({ name, fetchUrl, pushUrl }): ConfiguredRemote[] => {
      const url = fetchUrl ?? pushUrl;
      return url === undefined ? [] : [{ name, url, fetchUrl: url }];
    });
    if (spelled.length === 0 || !vscode.workspace.isTrusted) return spelled.map(asSpelled);
    const configured = await readRemotes(gitIn(await openGit(), rootUri)).catch(() => []);
    return Promise.all(
      spelled.map(async (remote) => {
        const { name, fetchUrl, url } = configured.find((other) => other.name === remote.name) ?? remote;
        const real = await realAddress({ url, fetchUrl }, async (host) => this.#ssh.nameOf(host));
        return { name, url: real, fetchUrl: shownAddress(fetchUrl) };
      }),
    );
  }
}

function spelling({ state }: GitRepository): string {
  return JSON.stringify(state.remotes);
}

function asSpelled({ name, url }: ConfiguredRemote): GitRemoteAddress {
  return { name, url: shownAddress(url), fetchUrl: shownAddress(url) };
}
