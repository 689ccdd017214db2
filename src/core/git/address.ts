import { decoded } from '../../api/http/baseUrl.ts';
import { withoutCredentials } from '../../api/redaction/hideInText.ts';
import { MASK } from '../../api/redaction/redact.ts';

/** The parts of a remote's address; `text` is the whole of it without user name and password. */
export type GitAddress =
  | {
      readonly kind: 'host';
      readonly text: string;
      /** Lowercase; `ssh` for `user@host:path`. */
      readonly scheme: string;
      readonly host: string;
      readonly port: string;
      readonly path: string;
    }
  | { readonly kind: 'folder'; readonly text: string; readonly path: string };

/**
 * Splits a remote's address like git: a URL, `user@host:path`, `[user@host:port]:path`, or a folder.
 * Undefined for other texts, and for one with an "@" where git expects none: what stands before it may be a password.
 */
export function splitAddress(text: string): GitAddress | undefined {
  const address = text.trim();
  // Git passes "helper::address" to a helper program, and only that program understands the address.
  if (address === '' || address.length > longestUrl || unusable.test(address) || helper.test(address)) return undefined;
  const [, scheme, authority = '', path = ''] = url.exec(address) ?? [];
  if (scheme === undefined) return shortAddress(address) ?? folderAddress(address);
  return scheme.toLowerCase() === 'file' ? fileAddress(address) : urlAddress(scheme, authority, path);
}

/**
 * A remote's address without user name and password, to show and to send.
 * A plain user name stays for ssh: it's no secret, and the address needs it. Hides an address that can't be read.
 */
export function shownAddress(text: string): string {
  const address = text.trim();
  const [prefix] = helper.exec(address) ?? [];
  if (prefix !== undefined && address.length <= longestUrl) return prefix + shownAddress(address.slice(prefix.length));
  const known = splitAddress(address);
  if (known === undefined && (at.test(address) || url.test(address))) return MASK;
  return withoutCredentials(known?.text ?? address);
}

function urlAddress(scheme: string, authority: string, path: string): GitAddress | undefined {
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const user = authority.slice(0, authority.length - place.length);
  const [, host, port = ''] = hostAndPort.exec(place) ?? [];
  // A code host needs no query, which may hold a token.
  const plain = path.replace(/[?#].*/s, '');
  const text = `${scheme}://${scheme.toLowerCase() === 'ssh' ? sshUser(user) : ''}${place}${plain}`;
  if (host === undefined || at.test(path) || !URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  return { kind: 'host', text, scheme: scheme.toLowerCase(), host: hostname, port, path: pathname };
}

function shortAddress(address: string): GitAddress | undefined {
  const { user, inner, bracketed, v6, host = bracketed, port = '', path } = short.exec(address)?.groups ?? {};
  if (path === undefined || at.test(path)) return undefined;
  const shown = sshUser(user ?? inner ?? '');
  const place = v6 === undefined ? host : `[${v6}]`;
  if (place === undefined) return undefined;
  const text = port === '' ? `${shown}${place}:${path}` : `[${shown}${place}:${port}]:${path}`;
  return { kind: 'host', text, scheme: 'ssh', host: place, port, path };
}

function fileAddress(address: string): GitAddress | undefined {
  const path = decoded(address.replace(/^file:\/\/(localhost(?=\/))?/i, '').replace(/^\/(?=[a-z]:)/i, ''));
  return /^file:\/\/[^/]*@/i.test(address) ? undefined : folderAddress(path, address);
}

function folderAddress(path: string, text = path): GitAddress | undefined {
  return at.test(path) && !folderWithAt.test(path) ? undefined : { kind: 'folder', text, path };
}

/** The user name of ssh, with its "@". Leaves out a text that may contain a password. */
function sshUser(user: string): string {
  return /^[\w.+-]+@$/.test(user) ? user : '';
}

/** The longest URL to parse, in characters. */
const longestUrl = 4096;

/** Control characters, and the sign of a hidden address. */
const unusable = new RegExp(String.raw`\p{Cc}|${MASK}`, 'u');

/** Also the full-width sign, which a browser takes for the other. */
const at = /@|%40|\uFF20|%EF%BC%A0/i;
const helper = /^[\w+.-]+::/;
const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\\s]*)(.*)$/is;
const hostAndPort = /^(\[[\da-f:.]+\]|[^:[\]%]+)(?::(\d*))?$/i;

/** A folder's name may contain an "@" if the text can't be anything but a path. */
const folderWithAt = /^(?:[a-z]:[/\\]|\.{0,2}\/(?!\/)|~|\\\\)[^:]*$/i;

/** One letter before a colon is a drive of Windows. In brackets, git allows a port, and expects one for IPv6. */
const short = new RegExp(
  String.raw`^(?:(?<user>[^@:/\\\s[]+@)?(?:(?<host>[^:/\\@[\]%\s]{2,})|\[(?<inner>[^@:/\\\s[\]]+@)?` +
    String.raw`(?:(?:(?<v6>[\da-f]*:[\da-f:.]*:[\da-f.]*)|(?<bracketed>[^:/\\@[\]%\s]+)(?::(?<port>\d+))?)\]))):(?<path>.+)$`,
  'is',
);
