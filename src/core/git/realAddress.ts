import type { ConfiguredRemote } from '../../git/configuredRemotes.ts';
import { shownAddress, splitAddress } from './address.ts';
import { isAliasOf, isKnownHost } from './codeHosts.ts';
import { parseGitRemote } from './remote.ts';

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
