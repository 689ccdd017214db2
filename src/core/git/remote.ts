/** A repository as its remote names it. `owner` holds all folders above the name, such as "group/sub". */
export interface GitRemote {
  host: string;
  owner: string;
  name: string;
}

interface Location extends GitRemote {
  /** The origin of the repository's web page, such as `https://code.example`. Missing for a folder. */
  webOrigin?: string;
  /** The path of a folder, to distinguish folders with the same name. */
  folder?: string;
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
 * Ignores the case of owners and names, as code hosts do. Folders must be the same folder.
 */
export function sameRepository(a: string, b: string): boolean {
  const key = repositoryKey(a);
  return key !== undefined && key === repositoryKey(b);
}

/** A key that two remotes share only if they name the same repository. */
export function repositoryKey(url: string): string | undefined {
  const location = locate(url);
  if (location?.folder !== undefined) {
    return location.folder;
  }
  return location && `${location.host}/${location.owner}/${location.name}`.toLowerCase();
}

/**
 * The URL of a repository's web page, without user name and password. Undefined for a folder.
 * An http remote stays http, because its host may serve nothing else.
 */
export function repositoryWebUrl(url: string): string | undefined {
  const location = locate(url);
  if (location?.webOrigin === undefined) {
    return undefined;
  }
  const segments = [...location.owner.split('/'), location.name].filter((segment) => segment !== '');
  return `${location.webOrigin}/${segments.map(encoded).join('/')}`;
}

function locate(text: string): Location | undefined {
  const url = text.trim();
  // Git passes "helper::address" to a helper program, and only that program understands the address.
  if (url === '' || url.length > longestUrl || hasControlCharacter.test(url) || /^[\w+.-]+::/.test(url)) {
    return undefined;
  }
  if (/^file:\/\//i.test(url)) {
    return folderLocation(decoded(url.replace(/^file:\/\/(localhost(?=\/))?/i, '').replace(/^\/(?=[a-z]:)/i, '')));
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    return urlLocation(url);
  }
  const short = /^(?:[^@/\\]+@)?(\[[^\]]+\]|[^:/\\@]{2,}):(.+)$/.exec(url);
  if (short?.[1] !== undefined && short[2] !== undefined) {
    const host = knownHost(short[1]);
    return hostLocation(host, short[2], `https://${host}`);
  }
  return folderLocation(url);
}

function urlLocation(text: string): Location | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const host = knownHost(url.hostname);
  if (host === '') {
    return undefined;
  }
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  return hostLocation(host, url.pathname, web ? `${url.protocol}//${url.host}` : `https://${host}`);
}

function hostLocation(host: string, path: string, webOrigin: string): Location | undefined {
  const segments = segmentsOf(path).map(decoded);
  const name = segments.pop();
  return name === undefined ? undefined : { host, owner: segments.join('/'), name, webOrigin };
}

function folderLocation(path: string): Location | undefined {
  const slashed = path.replaceAll('\\', '/').replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  const segments = segmentsOf(slashed);
  const name = segments.at(-1);
  if (name === undefined || name === '.' || name === '..') {
    return undefined;
  }
  return { host: '', owner: 'local', name, folder: `${slashed.startsWith('/') ? '/' : ''}${segments.join('/')}` };
}

/** Splits a path into its segments, without git's suffix: `app.git` and `app/.git` are both `app`. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.pop();
  if (last === undefined || (last === '.git' && segments.length > 0)) {
    return segments;
  }
  return [...segments, last.length > '.git'.length ? last.replace(/\.git$/i, '') : last];
}

/** The main name of a host. Some hosts serve ssh under a second name, for networks that only allow port 443. */
function knownHost(host: string): string {
  const lower = host.toLowerCase();
  return sshAliases.get(lower) ?? lower;
}

/** Encodes a path segment. Half a surrogate pair can't be encoded and becomes the replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone "%" is valid in a folder's name.
    return text;
  }
}

/** The longest URL to parse, in characters. */
const longestUrl = 4096;

const hasControlCharacter = /\p{Cc}/u;

const sshAliases = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);
