import { decoded, encodeStep } from '../../api/http/baseUrl.ts';
import { splitAddress } from './address.ts';
import { onCodeHost } from './codeHosts.ts';

/** A repository as its remote names it. `owner` holds all folders above the name, such as "group/sub". */
export interface GitRemote {
  host: string;
  owner: string;
  name: string;
}

interface Location extends GitRemote {
  /** The URL of the repository's web page. Missing for a folder. */
  page?: string;
  /** The path from that page to those of commits, where it is known. */
  commits?: readonly string[] | undefined;
  /** The path of a folder, to distinguish folders with the same name. */
  folder?: string;
  /** The port that an http address names; empty for the usual one, and over ssh, whose port is that of another server. */
  webPort: string;
}

/**
 * Parses a git remote: https, ssh and git URLs, `user@host:path`, and folders.
 * Drops user names, passwords, ports, `.git` and trailing slashes, and lowercases the host.
 *
 * A folder has no host, the owner `local` and its own name. Undefined if the text names no repository.
 */
export function parseGitRemote(url: string): GitRemote | undefined {
  const location = locate(url);
  return location === undefined ? undefined : { host: location.host, owner: location.owner, name: location.name };
}

/**
 * Whether two remotes name the same repository, over any protocol.
 * Ignores the case of owners and names, as code hosts do. Folders must be the same folder. Two addresses of the web with
 * a port each must have the same: other ports of a host may be other servers.
 */
export function sameRepository(a: string, b: string): boolean {
  const [one, other] = [locate(a), locate(b)];
  if (one === undefined || other === undefined || keyOf(one) !== keyOf(other)) return false;
  return one.webPort === other.webPort || one.webPort === '' || other.webPort === '';
}

/** A key that two remotes share if they name the same repository, but for their ports; see `sameRepository`. */
export function repositoryKey(url: string): string | undefined {
  const location = locate(url);
  return location && keyOf(location);
}

function keyOf({ host, owner, name, folder }: Location): string {
  return folder ?? `${host}/${owner}/${name}`.toLowerCase();
}

/**
 * The URL of a repository's web page, without user name and password. Undefined for a folder.
 * An http remote stays http, because its host may serve nothing else.
 */
export function repositoryWebUrl(url: string): string | undefined {
  return locate(url)?.page;
}

/** The URL of a commit's web page. Undefined where the host's pages aren't known, and for a text that is no commit. */
export function commitWebUrl(url: string, commit: string): string | undefined {
  const { page, commits } = locate(url) ?? {};
  if (page === undefined || commits === undefined || !/^[0-9a-f]{7,64}$/i.test(commit)) return undefined;
  return [page, ...commits, commit].join('/');
}

function locate(text: string): Location | undefined {
  const address = splitAddress(text);
  if (address === undefined) return undefined;
  if (address.kind === 'folder') return folderLocation(address.path);
  const { scheme, host, port, path } = address;
  const hosted =
    host === '' ? undefined : onCodeHost(host, scheme === 'ssh' ? port : '', segmentsOf(path).map(decoded));
  if (hosted === undefined) return undefined;
  const isWeb = scheme === 'http' || scheme === 'https';
  // Hosts with several names have their pages at the main one.
  const origin = isWeb && hosted.host === host ? new URL(address.text).origin : `https://${hosted.host}`;
  const page = hosted.page.filter((segment) => segment !== '').map(encodeStep);
  const webPort = isWeb ? new URL(address.text).port : '';
  return { ...hosted, owner: hosted.owner.join('/'), page: `${origin}/${page.join('/')}`, webPort };
}

function folderLocation(path: string): Location | undefined {
  const slashed = path.replaceAll('\\', '/').replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  const segments = segmentsOf(slashed);
  const name = segments.at(-1);
  if (name === undefined || name === '.' || name === '..') {
    return undefined;
  }
  const folder = `${slashed.startsWith('/') ? '/' : ''}${segments.join('/')}`;
  return { host: '', owner: 'local', name, folder, webPort: '' };
}

/** Splits a path into its segments, without git's suffix: `app.git` and `app/.git` are both `app`. */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.pop();
  if (last === undefined || (last === '.git' && segments.length > 0)) {
    return segments;
  }
  return [...segments, last.length > '.git'.length ? last.replace(/\.git$/i, '') : last];
}
