import * as l10n from '@vscode/l10n';
import { sameRepository, parseGitRemote } from './remote.ts';
import type { ConfiguredRemote } from '../../git/configuredRemotes.ts';
import { shownAddress, splitAddress } from './address.ts';
import { isAliasOf, isKnownHost } from './codeHosts.ts';

/** A remote of an open repository, and its copy of a branch as of the last fetch. */
export interface RemoteBranch {
  /** The remote's name, such as `origin`. */
  readonly remote: string;
  /** Undefined if the remote has no such branch. */
  readonly commit?: string | undefined;
  /** Local commits that the remote's branch lacks. Undefined unless the branch is checked out and on the remote. */
  readonly unpushed?: number | undefined;
}

/**
 * Picks the remote to deploy from: the configured one, else the upstream's, else the only one.
 * Undefined if there are several others, so the user has to choose.
 */
export function preferredRemote<T extends { readonly name: string }>(
  remotes: readonly T[],
  configured: string,
  upstream: string | undefined,
): T | undefined {
  const named = (wanted: string | undefined): T | undefined => remotes.find(({ name }) => name === wanted);
  return named(configured) ?? named(upstream) ?? (remotes.length === 1 ? remotes[0] : undefined);
}

/**
 * The branch of a remote that a ref such as `origin/main` is. Undefined for another remote's.
 * A remote's name can contain slashes and begin with another's: then the longer one has the ref.
 */
export function branchOn(remote: string, ref: string, remotes: readonly string[]): string | undefined {
  const isIn = (name: string): boolean => ref.startsWith(`${name}/`);
  const isOther = remotes.some((other) => other.length > remote.length && isIn(other));
  return isIn(remote) && !isOther ? ref.slice(remote.length + 1) : undefined;
}

/** A phrase for local commits that only other remotes have. Undefined if the remote has them, or none has. */
export function pushedElsewhere(remote: string, branches: readonly RemoteBranch[]): string | undefined {
  const pushed = branches.filter(({ unpushed }) => unpushed === 0).map((branch) => branch.remote);
  if (pushed.length === 0 || pushed.includes(remote)) return undefined;
  return l10n.t('pushed to {0}, not to {1}', pushed.join(', '), remote);
}

/**
 * Whether git's list of what it fetched last, `FETCH_HEAD`, names a branch of a remote.
 * All remotes share that list, and each fetch replaces it.
 */
export function namesBranch(fetchHead: string, remoteUrl: string, branch: string): boolean {
  const source = `\tbranch '${branch}' of `;
  return fetchHead.split('\n').some((line) => {
    const start = line.indexOf(source);
    return start >= 0 && sameRepository(line.slice(start + source.length), remoteUrl);
  });
}

/** The commits that a reflog of a remote's branch says were pushed from its clone. */
export function pushedCommits(reflog: string): readonly string[] {
  return reflog.split('\n').flatMap((line) => {
    const [, commit] = /^[0-9a-f]{4,64} ([0-9a-f]{4,64}) .*\tupdate by push$/.exec(line) ?? [];
    return commit === undefined ? [] : [commit];
  });
}

/** The time of the last line of a reflog, in milliseconds since 1970. */
export function lastLoggedTime(reflog: string): number | undefined {
  // Only a tab separates the time from the message.
  const [entry = ''] = (reflog.trimEnd().split('\n').at(-1) ?? '').split('\t');
  const seconds = /> (\d{1,12}) [+-]\d{4}$/.exec(entry)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/**
 * The address of a remote for everyone, without user name and password: after git's rewrites and ssh's aliases.
 * @param hostBehind the host that ssh connects to for a name; undefined if that's unknown
 */
export async function realAddress(
  { url, fetchUrl }: Pick<ConfiguredRemote, 'url' | 'fetchUrl'>,
  hostBehind: (name: string) => Promise<string | undefined>,
): Promise<string> {
  // No other computer can fetch from this one, such as from a copy of the remote in a folder.
  const isElsewhere = !/^(?:|localhost|127\..*|\[?::1\]?)$/.test(parseGitRemote(fetchUrl)?.host ?? '');
  const address = shownAddress(isElsewhere ? fetchUrl : url);
  const parts = splitAddress(address);
  if (parts?.kind !== 'host' || !parts.scheme.includes('ssh') || isKnownHost(parts.host)) return address;
  const behind = await hostBehind(parts.host);
  if (behind === undefined || !isAliasOf(parts.host, behind)) return address;
  return address.replace(beforeHost, (start) => start.slice(0, -parts.host.length) + behind);
}

/** The beginning of an address of ssh, up to the host. */
const beforeHost = /^(?:[\w+.-]+:\/\/)?(?:[^@/:[]+@)?\[?(?:[^@/:[]+@)?[^/:\]]+/;
