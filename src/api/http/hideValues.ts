import { MAX_ENTRY_LENGTH } from '../schema/limits.ts';
import { isSecretName, MASK, replaceCredentials, secretNameSource } from './redact.ts';

/** Gives what takes the place of a value that may be a secret. */
export type Hide = (value: string) => string;

/** Members in which every value is hidden and the names are kept. */
const valueMaps = new Set(['env', 'secrets', 'annotations', 'volumeAttributes', 'httpHeaders']);

/** Members whose texts are run: those of a container, and the commands of a build. */
const commands = new Set(['args', 'command', 'install_command', 'build_command']);

/** Members whose value may be a secret wherever they are; `input` is what a 422 echoes. */
const alwaysHidden = new Set(['value', 'input']);

/** Levels below this one are left out: no honest resource has them, and whoever walks through a copy gets to its end. */
const deepestLevel = 64;
const tooDeep = '…';

/** Longer texts of a command are hidden as a whole. */
const longestCommand = 100_000;

/**
 * A copy of a resource or a request in which each value that may be a secret is replaced; names stay. Hidden are the
 * values of variables, annotations, headers and volume attributes, members and arguments whose names say that they are
 * secret, and user name and password of addresses. The log, error texts, documents and the form all use this.
 */
export function hideValues(resource: unknown, hide: Hide): unknown {
  return hideBelow(resource, (value) => (value === '' ? value : hide(value)), 0);
}

/** The values of a resource or a request that may be secrets, so that a text that quotes one of them can be masked. */
export function secretsIn(resource: unknown): string[] {
  const found = new Set<string>();
  hideValues(resource, (value) => {
    // A text that quotes a header may leave the scheme before its key out.
    for (const spelling of [value, value.replace(/^(?:bearer|basic|token)\s+/i, '')]) found.add(spelling);
    return value;
  });
  found.delete('');
  return [...found];
}

/** A body as text for the log. */
export function redactBody(body: unknown): string {
  return (JSON.stringify(hideValues(body, () => MASK)) ?? '').slice(0, MAX_ENTRY_LENGTH);
}

function hideBelow(value: unknown, hide: Hide, level: number): unknown {
  if (typeof value === 'string') return hideInText(value, hide);
  if (typeof value !== 'object' || value === null) return value;
  if (level >= deepestLevel) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => hideBelow(item, hide, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, hideMember(name, member, hide, level + 1)]),
  );
}

function hideMember(name: string, value: unknown, hide: Hide, level: number): unknown {
  if (valueMaps.has(name)) return hideEntries(value, hide, level);
  // Its members name a secret of Kubernetes and a key in it.
  if (name === 'secret_references') return mapTexts(value, (text) => text, level);
  if (commands.has(name)) {
    if (typeof value === 'string') return hideInCommand(value, hide);
    if (Array.isArray(value)) return hideArguments(value, hide, level);
  }
  if (alwaysHidden.has(name)) return mapTexts(value, hide, level);
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain && isSecretName(name) ? hide(String(value)) : hideBelow(value, hide, level);
}

/** Named values in each of the ways in which they are written: `{name, value}`, `NAME=value`, and a map. */
function hideEntries(values: unknown, hide: Hide, level: number): unknown {
  if (!Array.isArray(values)) return mapTexts(values, hide, level);
  return values.map((entry: unknown) => {
    if (typeof entry === 'string') {
      const border = entry.indexOf('=') + 1;
      return entry.slice(0, border) + hide(entry.slice(border));
    }
    const isNamed = typeof entry === 'object' && entry !== null && !Array.isArray(entry) && 'name' in entry;
    return isNamed ? hideBelow(entry, hide, level + 1) : mapTexts(entry, hide, level + 1);
  });
}

/** A copy in which each text and number is replaced by a text. */
function mapTexts(value: unknown, change: Hide, level: number): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return change(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (level >= deepestLevel) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, level + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change, level + 1)]));
}

/**
 * Replaces the values in the arguments of a container whose names say that they are secret: "--api-key=…",
 * "--token …" in one argument or in two, "PASSWORD=…" and "Authorization: Bearer …". Everything else stays: without
 * its arguments, nobody knows what a container does.
 */
function hideArguments(values: readonly unknown[], hide: Hide, level: number): unknown[] {
  return values.map((value, index) => {
    const before = values[index - 1];
    const isAfterName = typeof before === 'string' && optionAlone.test(before);
    if (typeof value !== 'string') return isAfterName ? mapTexts(value, hide, level) : hideBelow(value, hide, level);
    if (isAfterName && !value.startsWith('-') && value !== '') return hide(value);
    // An argument that begins with a name is the value to its end; elsewhere, a shell ends the value.
    return hideInCommand(value, hide).replace(toItsEnd, (_found, name: string, rest: string) => name + hide(rest));
  });
}

const name = String.raw`(?:${secretNameSource}["']?\s*[=:]\s*|--?${secretNameSource}\s+)(?:(?:bearer|basic|token)\s+)?`;
const optionAlone = new RegExp(`^--?${secretNameSource}$`, 'i');
const toItsEnd = new RegExp(String.raw`^(${name})([^]+)$`, 'i');
/** A header in quotes, as command-line tools take it, which may hold blanks. */
const inQuotes = new RegExp(String.raw`(["']${secretNameSource}\s*[=:]\s*)([^"']+)(?=["'])`, 'gi');
const inside = new RegExp(String.raw`((?<![\w.-])${name})("[^"]*"|'[^']*'|[^\s"';&|]+)`, 'gi');
const inQuery = new RegExp(String.raw`([?&]${secretNameSource}=)([^\s&#"']+)`, 'gi');

function hideInCommand(text: string, hide: Hide): string {
  if (text.length > longestCommand) return hide(text);
  const replace = (_found: string, name: string, value: string): string => name + hide(unquoted(value));
  return hideInText(text.replaceAll(inQuotes, replace).replaceAll(inside, replace), hide);
}

function unquoted(text: string): string {
  return /^(["'])[^]*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** What can be a secret in a text that is about something else: credentials in addresses and in their queries. */
function hideInText(text: string, hide: Hide): string {
  const replace = (_found: string, name: string, value: string): string => name + hide(value);
  return replaceCredentials(text, hide).replaceAll(inQuery, replace);
}
