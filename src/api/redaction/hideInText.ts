import { isSecretName, isSecretOption, isSecretQuery, knownKey } from './secretNames.ts';

/** Returns the replacement for a value that may be a secret. */
export type Hide = (value: string) => string;

/**
 * Removes the user names and passwords of addresses. A lone user name stays for ssh, whose addresses need it.
 * Names don't matter: an address is also sent, and a host or a folder may be called like a secret.
 */
export function withoutCredentials(text: string): string {
  return hideLogins(text, () => '');
}

/** Replaces what looks secret in a text: user names and passwords of addresses, known keys, and values by their names. */
export function hideInText(text: string, hide: Hide, hideLogin = hide): string {
  if (text.length > longestText) return hide(text);
  const shown = hideLogins(text, hideLogin)
    .replaceAll(knownKey, (found) => hide(found))
    .replaceAll(restOfOption, (found, option: string, value: string, offset: number) =>
      isSecretOption(option, unquoted(value), textBefore(text, offset)) ? option + hide(unquoted(value)) : found,
    )
    .replaceAll(dockerVariable, (found, beginning: string, name: string, value: string) =>
      isSecretName(name) ? beginning + hide(value) : found,
    );
  return hideNamed(shown, hide);
}

/** In characters. A longer text is hidden as a whole. */
export const longestText = 100_000;

/** What stands before a name, far enough to reach the command of an option. */
function textBefore(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - 400), offset);
}

/** A value that follows an option without a space. */
const restOfOption = /(?<![^\s"'])(-[pu])("[^"]*"|'[^']*'|[^\s"']+)/g;

/** A variable of a Dockerfile without "=". In a log, a line may begin after an escaped line break. */
const dockerVariable = /(?<=^|["']|\\n)([ \t]*(?:ENV|ARG)[ \t]+([\w.-]+)[ \t]+)(.+?)(?=\\n|["'`]?$)/gm;

/** A name, and what may stand between it and its value, with a scheme or a YAML tag that isn't part of the value. */
export const nameAndBorder = String.raw`([\w.-]+)((?:\\{0,8}["'])?[^\S\r\n]*[=:]=?>?[^\S\r\n]*|[^\S\r\n]+)((?:bearer|basic|token|!!?\w+)[^\S\r\n]+)?`;
const named = new RegExp(String.raw`(?<![\w.-])(?=[-_]|[\w.-]+\\{0,8}[\"']?[^\S\r\n]*[=:])${nameAndBorder}`, 'gi');

/** Hides the values of secret names: `NAME=value`, `--name value`, `X-Name: value`, `"name": "value"`, `?name=value`. */
function hideNamed(text: string, hide: Hide): string {
  let shown = '';
  let end = 0;
  for (const { 0: found, 1: name = '', 2: border = '', 3: scheme, index } of text.matchAll(named)) {
    if (index < end) continue;
    const start = index + found.length;
    const place = { name, border: border.trimStart(), scheme, before: textBefore(text, index) };
    // Long values are read only if they are hidden, because the values of names in a row may overlap.
    if (!isSecretIn(place, text.slice(start, start + 200))) continue;
    const value = valueAt(text, start, place);
    if (value === '') continue;
    shown += text.slice(end, start) + hide(unquoted(value));
    end = start + value.length;
  }
  return shown + text.slice(end);
}

/** Where a value stands: after its name and border, which follow a part of the text. */
interface NamePlace {
  readonly name: string;
  readonly border: string;
  readonly scheme: string | undefined;
  readonly before: string;
}

/** The value at a place; empty if there is none. It ends as in a shell, in a query, in YAML, or with a header. */
function valueAt(text: string, start: number, place: NamePlace): string {
  const rule = valueRule(place);
  rule.lastIndex = start;
  const [value = ''] = rule.exec(text) ?? [];
  return rule === plainValue && /^\$?[[{(]/.test(value) ? bracketed(text, start, place) : value;
}

function valueRule({ name, border, before }: NamePlace): RegExp {
  if (isQuery(before)) return /"[^"]*"|'[^']*'|[^\s&#"'<>]+/y;
  if (!/^[=:]/.test(border)) return plainValue;
  const [quote] = /(?<!\\)\\*["']$/.exec(before) ?? [];
  if (quote !== undefined) {
    return new RegExp(String.raw`[^]+?(?=(?<!\\)${quote.replaceAll('\\', String.raw`\\`)}|$)`, 'y');
  }
  return header.test(name) && !name.startsWith('-') ? restOfHeader : plainValue;
}

/** Headers whose values have several parts. */
const header = /(?:authorization|cookie)$/i;

/**
 * A value in quotes, which may be escaped, up to the same quote or the end of a text that was cut off.
 * A quote after a backslash ends no value: a log doubles backslashes, so how many there are tells nothing.
 */
const quoted = String.raw`"(?:[^"]|(?<=\\)")*"?|'(?:[^']|(?<=\\)')*'?|(\\{1,8})(["'])[^]*?(?:(?<!\\)\1\2|$)`;
const word = String.raw`[^\s"';&|]`;

/** A block of YAML: all lines that are indented like its first one. In a log, line breaks may be escaped. */
const block = String.raw`[|>][-+\d]{0,2}(?:\\.*|[ \t]*(?:#.{0,99})?[\r\n](?:\s*[\r\n])?(?<indent> +).*(?:\s*[\r\n]\k<indent>.*)*)`;

const plainValue = new RegExp(`${quoted}|${block}|${word}+`, 'y');
const restOfHeader = new RegExp(`${quoted}|.+`, 'y');
const bracketOrQuoted = new RegExp(String.raw`${quoted}|[{}[\]()]`, 'g');
const restOfWord = new RegExp(`${word}*`, 'y');

/** A value in brackets, also a shell's `$(…)`, up to the one that ends it or the end of a text that was cut off. */
function bracketed(text: string, start: number, { border }: NamePlace): string {
  let depth = 0;
  bracketOrQuoted.lastIndex = start;
  for (const { 0: found, index } of text.matchAll(bracketOrQuoted)) {
    if ('[{('.includes(found)) depth += 1;
    if (!']})'.includes(found)) continue;
    depth -= 1;
    if (depth > 0) continue;
    // After a name without quotes, brackets may be a part of a password.
    restOfWord.lastIndex = index + 1;
    const [rest = ''] = /^\\*["']/.test(border) ? [] : (restOfWord.exec(text) ?? []);
    return text.slice(start, index + 1) + rest;
  }
  return text.slice(start);
}

function isQuery(before: string): boolean {
  return /[?&#]$|&amp;$/.test(before);
}

/** Whether a named value is a secret; of a long value, its beginning tells. */
function isSecretIn({ name, border, scheme, before }: NamePlace, beginning: string): boolean {
  const [, quote = '', value = ''] = /^(\\{0,8}["'])?([^\s"']*)/.exec(beginning) ?? [];
  if (border === '' && value.startsWith('-')) return false;
  if (border === '' || name.startsWith('-')) return isSecretOption(name, value, before);
  if (!(isQuery(before) ? isSecretQuery(name) : isSecretName(name))) return false;
  if (/^[^:]|=/.test(border) || quote !== '' || scheme !== undefined) return true;
  const isEnclosed = /["']$/.test(before);
  // An image's name may end with the word before its tag, and in prose a sentence may follow "The API key:".
  if (border === ':' && !isEnclosed)
    return !before.endsWith('/') && /[A-Z]|secret|pass|token|key|authoriz|cred|cookie|jwt/.test(name);
  if (commitPrefix.test(name) || quantity.test(beginning)) return false;
  if (isEnclosed || name.includes('-') || header.test(name) || /^[|>]/.test(value)) return true;
  return /\d/.test(value) && !variable.test(beginning);
}

/** What begins the subject of a commit, as in "fix-token: 3bdd46e". */
const commitPrefix = /^(?:fix|add|remove|rename|update|use)-/;

/** What follows "auth:" or "session:" in prose: a status code, or a number with its unit. */
const quantity = /^(?:\d{1,3}(?!\S*\w)|\d{1,6} ?(?:m?s|(?:second|minute|hour|day|byte)s?)\b)/;

/** What follows "Missing secret:" in prose. */
const variable = /^[A-Z]+\d{0,2}(?:_[A-Z]+\d{0,2})+[.,;:!?)]*(?:\s|$)/;

/** A value without its quotes, which may be escaped. */
function unquoted(text: string): string {
  return /^(\\{0,8}["'])([^]*)\1$/.exec(text)?.[2] ?? text;
}

/**
 * Replaces the user name and password of each address in a text.
 * Finds addresses by the end of their scheme, because matching schemes takes quadratic time on hostile text.
 */
function hideLogins(text: string, hide: Hide): string {
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
  return withoutUsers.replaceAll(shortLogin, shownLogin);
}

/** A digest, such as an image's, follows an "@" too. */
const at = String.raw`@(?!\w+:[0-9a-f]{32})`;

/** What follows "//", up to the last "@" of the line. */
const beforeAt = new RegExp(String.raw`//((?:(?!//)[^\r\n]){0,2000}${at})`, 'gi');

/** A password in `user:password@host:path`. */
const shortLogin = new RegExp(String.raw`(?<![^\s'"])[^\s'"@/:]+:(?!/)[^\s'"]*${at}(?=[\w.-]+[:(])`, 'gi');

/**
 * The beginning of an address up to the "@" after its user name and password; empty without them.
 * A password that should have been escaped may contain an "@", a space, or what ends a host's name.
 */
function loginOf(text: string): string {
  const [authority = ''] = /^[^\s/?#]*/.exec(text) ?? [];
  const [word = ''] = /^\S*@/.exec(text) ?? [];
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  if (!authority.includes(':') || hostAndPort.test(authority)) return login;
  if (word.length > login.length) return word;
  if (login !== '' && (login === text || login.length < authority.length)) return login;
  return login + (/^[^@]*@(?:\S*@)?/.exec(text.slice(login.length))?.[0] ?? '');
}

/** A user name may stand before it. What looks like a port isn't taken for the beginning of a password. */
const hostAndPort = /^(?:[^:@]*@)?(?:\[[^\]]*\](?::\d{1,5})?|[^:@[]+:\d{1,5})$/;
