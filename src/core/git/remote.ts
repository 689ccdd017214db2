/** A repository as its remote names it. `owner` holds every folder above the name, so nested groups are "group/sub". */
export interface GitRemote {
  host: string;
  owner: string;
  name: string;
}

interface Location extends GitRemote {
  /** The origin of the repository's web page, such as `https://code.example`; absent for a folder. */
  webOrigin?: string;
  /** Where a folder lies, for telling two folders of one name apart. */
  folder?: string;
}

/**
 * Reads a git remote: https, ssh and git URLs, `user@host:path`, and folders. User names, passwords, ports, `.git`
 * and trailing slashes are dropped and the host is in lower case.
 *
 * A folder has no host; its owner is `local` and its name the folder's. Undefined when the text names no repository.
 */
export function parseGitRemote(url: string): GitRemote | undefined {
  const location = locate(url);
  return location === undefined ? undefined : { host: location.host, owner: location.owner, name: location.name };
}

/**
 * True when two remotes name the same repository, however they reach it. Code hosts ignore the case of owners and
 * names, so this does too; folders must be the same folder.
 */
export function sameRepository(a: string, b: string): boolean {
  const key = repositoryKey(a);
  return key !== undefined && key === repositoryKey(b);
}

/** A text that remotes have in common exactly when they name the same repository. */
export function repositoryKey(url: string): string | undefined {
  const location = locate(url);
  if (location?.folder !== undefined) {
    return location.folder;
  }
  return location && `${location.host}/${location.owner}/${location.name}`.toLowerCase();
}

/**
 * The address of a repository's page for a browser, without user name and password; undefined for a folder.
 * An http remote stays http, as its host may serve nothing else.
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
  // "helper::address" is handed to a helper program; only that program knows what it names.
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

/** The folders of a path, without what git adds to the last one: `app.git` and `app/.git` are both `app`. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.pop();
  if (last === undefined || (last === '.git' && segments.length > 0)) {
    return segments;
  }
  return [...segments, last.length > '.git'.length ? last.replace(/\.git$/i, '') : last];
}

/** Some hosts answer ssh under a second name, for networks that let only port 443 through. */
function knownHost(host: string): string {
  const lower = host.toLowerCase();
  return sshAliases.get(lower) ?? lower;
}

/** Half a character, which nothing can be encoded with, becomes the one that stands for such. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\uFFFD'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone "%" is a legal character of a folder's name.
    return text;
  }
}

/** Longer texts name no repository. */
const longestUrl = 4096;

const hasControlCharacter = /\p{Cc}/u;

const sshAliases = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);
