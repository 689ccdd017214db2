import type * as vscode from 'vscode';
import { shownAddress } from '../../core/git/address.ts';
import { realAddress } from '../../core/git/realAddress.ts';
import { readRemotes, type ConfiguredRemote } from '../../git/configuredRemotes.ts';
import { SshHosts } from '../../git/ssh.ts';
import { openGit } from './gitExtension.ts';
import { gitIn } from './isolatedGit.ts';
import type { GitRemoteAddress } from './remoteAddresses.ts';

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
  async of(root: vscode.Uri, spelled: readonly ConfiguredRemote[]): Promise<readonly GitRemoteAddress[]> {
    const configured = await readRemotes(gitIn(await openGit(), root));
    return Promise.all(
      spelled.map(async (remote) => {
        const { name, fetchUrl, url } = configured.find((other) => other.name === remote.name) ?? remote;
        const real = await realAddress({ url, fetchUrl }, async (host) => this.#ssh.nameOf(host));
        return { name, url: real, fetchUrl: shownAddress(fetchUrl) };
      }),
    );
  }
}
