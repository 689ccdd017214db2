import { MAX_ENTRY_LENGTH } from '../schema/limits.ts';
import { type Hide, hideInText, nameAndBorder } from './hideInText.ts';
import { MASK } from './redact.ts';
import { isSecretName, isSecretOption } from './secretNames.ts';

/** Maps whose values are all hidden. Their names stay visible. */
const valueMaps = new Set(['env', 'secrets', 'annotations', 'volumeAttributes', 'httpHeaders']);

/** Fields that hold commands: of a container and of a build. */
const commands = new Set(['args', 'command', 'install_command', 'build_command']);

/** Fields whose value is always hidden. A 422 response echoes the rejected value in `input`. */
const alwaysHidden = new Set(['value', 'input']);

/** Fields of Kubernetes whose value is the name of a key or a label. */
const namesOfKeys = new Set(['key', 'topologyKey']);

/** Deeper levels are cut off. No real resource is nested this deep, and callers can walk a copy safely. */
const deepestLevel = 64;
const tooDeep = '…';

/**
 * Copies a resource or a request and replaces each value that may be a secret. Names stay.
 * Hides the values of variables, annotations, headers and volume attributes, fields and arguments with a secret-looking
 * name, and the user name and password of addresses. Used for the log, error messages, documents and the form.
 */
export function hideValues(resource: unknown, hide: Hide): unknown {
  return hideBelow(resource, (value) => (value === '' ? value : hide(value)), 0);
}

/** Lists the values of a resource or a request that may be secrets, to mask them in text that quotes them. */
export function secretsIn(resource: unknown): string[] {
  const found = new Set<string>();
  hideValues(resource, (value) => {
    // Text that quotes a header may leave out the scheme before the key.
    for (const spelling of [value, value.replace(/^(?:bearer|basic|token)\s+/i, '')]) found.add(spelling);
    return value;
  });
  found.delete('');
  return [...found];
}

/** Formats a body for the log. */
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
  // Its fields hold the names of a Kubernetes secret and its key, not values.
  if (name === 'secret_references') return mapTexts(value, (text) => text, level);
  if (commands.has(name) && Array.isArray(value)) return hideArguments(value, hide, level);
  if (alwaysHidden.has(name)) return mapTexts(value, hide, level);
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain && isSecretName(name) && !namesOfKeys.has(name) ? hide(String(value)) : hideBelow(value, hide, level);
}

/** Hides named values in all their notations: `{name, value}`, `NAME=value`, and a map. */
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

/** Copies a value and replaces every text, number and boolean in it with text. */
function mapTexts(value: unknown, change: Hide, level: number): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return change(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (level >= deepestLevel) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, level + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change, level + 1)]));
}

/**
 * Hides the values of container arguments with a secret-looking name.
 * Covers "--api-key=…", "--token …" in one or two arguments, "PASSWORD=…" and "Authorization: Bearer …". The rest
 * stays, because without its arguments a container's purpose is unclear.
 */
function hideArguments(values: readonly unknown[], hide: Hide, level: number): unknown[] {
  const texts = values.map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
  return values.map((value, index) => {
    const option = texts[index - 1] ?? '';
    const before = texts.slice(Math.max(0, index - 12), index).map((text) => `${text.slice(-40)} `);
    const text = texts[index] ?? '';
    if (/^-p./.test(text) && isSecretOption('-p', text.slice(2), before.join(''))) return `-p${hide(text.slice(2))}`;
    const isAfterName = isOption.test(option) && !text.startsWith('-') && isSecretOption(option, text, before.join(''));
    if (typeof value !== 'string') return isAfterName ? mapTexts(value, hide, level) : hideBelow(value, hide, level);
    if (isAfterName && value !== '') return hide(value);
    // If an argument starts with a name, the rest is the value. Elsewhere, the value ends as in a shell.
    const shown = hideInText(value, hide);
    const [beginning = '', name = '', border = ''] = firstNamed.exec(shown) ?? [];
    const isNamed = isSecretName(name) && (/[=:]/.test(border) || /^[-_]/.test(name));
    return isNamed && beginning.length < shown.length ? beginning + hide(shown.slice(beginning.length)) : shown;
  });
}

const isOption = /^[-_][\w.-]+$/;
const firstNamed = new RegExp(String.raw`^["']?${nameAndBorder}`, 'i');
