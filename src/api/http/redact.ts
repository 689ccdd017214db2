import { inspect, stripVTControlCharacters } from 'node:util';
import { MAX_ENTRY_LENGTH, MAX_TEXT_LENGTH } from '../schema/limits.ts';

/** Returns the replacement for a value that may be a secret. */
export type Hide = (value: string) => string;

/**
 * Removes the user name, password and signature from the addresses in a text.
 * A lone user name stays for ssh: it's no secret, and the address needs it.
 */
export function withoutCredentials(text: string): string {
  return replaceCredentials(text, () => '');
}

/**
 * Replaces the user name and password of each address in a text, and what may be secret in its query.
 * Finds addresses by the end of their scheme, because matching schemes takes quadratic time on hostile text.
 */
export function replaceCredentials(text: string, hide: Hide, hideInQuery: Hide = hide): string {
  const shownLogin = (login: string): string => {
    const user = login.slice(0, -1);
    const shown = hide(user);
    const password = user.slice(user.indexOf(':') + 1);
    // Text that quotes the password may quote it without the user name, and without what may be a host after it.
    for (const part of new Set([password, ...password.split('@', 1)])) hide(part);
    return shown === '' ? '' : `${shown}@`;
  };
  const withoutUsers = text.replaceAll(beforeAt, (found: string, rest: string, offset: number) => {
    const scheme = text.slice(Math.max(0, offset - 5), offset);
    const login = loginOf(rest);
    const isPlain = !login.includes(':') && (/(?:^|[^a-z0-9+.-])ssh:$/i.test(scheme) || !scheme.endsWith(':'));
    return login === '' || isPlain ? found : `//${shownLogin(login)}${rest.slice(login.length)}`;
  });
  return withoutUsers
    .replaceAll(shortLogin, shownLogin)
    .replaceAll(inQuery, (_found, name: string, value: string) => name + hideInQuery(value));
}

/** A digest, such as an image's, follows an "@" too. */
const at = String.raw`@(?!\w+:[0-9a-f]{32})`;

/** What follows "//", up to the last "@" of the line. */
const beforeAt = new RegExp(String.raw`//((?:(?!//)[^\r\n]){0,2000}${at})`, 'gi');

/** A password in `user:password@host:path`. */
const shortLogin = new RegExp(String.raw`(?<![^\s'"])[^\s'"@/:]+:(?!/)[^\s'"]*${at}(?=[\w.-]+:)`, 'gi');

/**
 * The beginning of an address up to the "@" after its user name and password; empty without them.
 * A password that should have been escaped may contain an "@", a space, or what ends a host's name.
 */
function loginOf(text: string): string {
  const [authority = ''] = /^[^\s/?#]*/.exec(text) ?? [];
  const [word = ''] = /^\S*@/.exec(text) ?? [];
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hasPassword = authority.includes(':');
  if (hasPassword && word.length > login.length) return word;
  const isComplete = login === text || login.length < authority.length;
  if (login !== '' && isComplete) return login;
  if (!hasPassword || hostAndPort.test(authority)) return login;
  return login + (/^[^@]*@(?:\S*@)?/.exec(text.slice(login.length))?.[0] ?? '');
}

const hostAndPort = /^(?:\[[^\]]*\]|[^:]*)(?::\d{0,5})?$/;

/** Words that mark a secret at the end of a name, or anywhere in a header's name. "max-tokens" isn't a secret. */
const secretWords =
  'secret|passw(?:or)?d|passphrase|token|credentials?|authorization|bearer|jwt|(?:api|access|account|private|secret|signing|encryption)[._-]?key';

/** Words that mark a secret only after a separator or at the start: "bypass" isn't "pass". */
const wholeWords = 'auth|authn|authentication|pass|pwd|cookie|session|signature|otp';

/** Regular expression source for names of secrets: options, variables, headers and fields. */
export const secretNameSource = String.raw`(?:[\w.-]*(?:${secretWords})|(?:[\w.-]*[._-])?(?:${wholeWords}))`;

/** The names in the query of a signed address that no word marks: its signature, and the key that made it. */
const signedQueryNames = 'sig|AWSAccessKeyId|Key-Pair-Id|GoogleAccessId|OSSAccessKeyId';

const inQuery = new RegExp(String.raw`([?&](?:${secretNameSource}|${signedQueryNames})=)([^\s&#"']+)`, 'gi');

const secretName = new RegExp(`^${secretNameSource}$`, 'i');
const keyHeader = new RegExp(
  String.raw`${secretWords}|cookie|(?:^|[._-])(?:${wholeWords}|authz|authenticate)(?:$|[._-])|(?:^|[._-])key$`,
  'i',
);

/** A longer name counts as a secret without being checked. */
const longestName = 200;

/** Whether the name of a field or variable marks a secret, in any spelling, such as `apiKey` or `API_KEY`. */
export function isSecretName(name: string): boolean {
  return name.length > longestName || secretName.test(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_'));
}

/** Whether a header's name says that it carries a key, such as `X-Auth` or `X_Api_Key`. */
export function isKeyHeader(name: string): boolean {
  return name.length > longestName || keyHeader.test(name);
}

/**
 * Whether text entered as a name may be a pasted key.
 * Header names consist of a few short words, while keys are long or contain digits.
 */
export function looksLikeKey(text: string): boolean {
  return text.length > 50 || /[a-z0-9]{21}/i.test(text) || (text.match(/\d/g)?.length ?? 0) > 3;
}

export const MASK = '•••';

/** How many characters of a foreign text to scan: far more than are shown, to leave enough after masking. */
const MAX_READ_LENGTH = 20 * MAX_TEXT_LENGTH;

/**
 * Makes foreign text safe to show and log.
 * Masks the given secrets in every likely spelling, removes credentials, control characters and terminal colors, and
 * shortens the text.
 */
export function safeText(text: string, secrets: readonly string[] = []): string {
  const spellings = [...new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf))];
  // Mask again: removing colors can join the parts of a secret.
  const redacted = maskAll(stripVTControlCharacters(maskedBeginning(text, spellings)), spellings);
  const plain = replaceCredentials(
    redacted,
    () => '',
    () => MASK,
  )
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH)}…` : plain;
}

/** Masks a text. Shortens a long one, and drops the end, where a secret may be cut in two. */
function maskedBeginning(text: string, spellings: readonly string[]): string {
  if (text.length <= MAX_READ_LENGTH) return maskAll(text, spellings);
  const longest = spellings.reduce((most, spelling) => Math.max(most, spelling.length), 0);
  const masked = maskAll(text.slice(0, MAX_READ_LENGTH + longest), spellings);
  return masked.slice(0, Math.max(masked.length - longest, 0));
}

/** Masks longer secrets first, in case one contains another. */
function maskAll(text: string, spellings: readonly string[]): string {
  return spellings.toSorted((a, b) => b.length - a.length).reduce(maskOne, text);
}

function spellingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString()), base64];
}

/** Masks one secret. A very short one must be a whole word: masking every "1" would ruin the text. */
function maskOne(text: string, secret: string): string {
  if (secret.length >= 4) return text.replaceAll(secret, MASK);
  const literal = secret.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<!\w)${literal}(?!\w)`, 'g'), MASK);
}

/** The client's log; VS Code's LogOutputChannel fits. Messages are already redacted. */
export interface Logger {
  trace(message: string, ...args: unknown[]): void;
  debug(message: string, ...args: unknown[]): void;
  info(message: string, ...args: unknown[]): void;
  warn(message: string, ...args: unknown[]): void;
  error(message: string, ...args: unknown[]): void;
}

/** Formats a log entry from a message and the output of a library or git, without passwords in addresses. */
export function logEntry(message: string, details: readonly unknown[]): string {
  const texts = details.map((detail) => inspect(detail, { depth: 3 }));
  return withoutCredentials([message, ...texts].join(' ')).slice(0, MAX_ENTRY_LENGTH);
}
