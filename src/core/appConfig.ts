import * as l10n from '@vscode/l10n';
import { isAlias, isCollection, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Document, ErrorCode, YAMLMap } from 'yaml';
import { readAppConfigShape } from './appConfigShape.ts';
import type { AppConfig, AppConfigProblem } from './appConfigShape.ts';
import { findJsonError } from './jsonSyntax.ts';

export type { AppConfig, AppConfigProblem } from './appConfigShape.ts';

/**
 * Reads an application config file. A path that ends in `.yaml` or `.yml` is read as YAML, any other as JSON.
 * The path is relative to the repository's root; files that the config names are resolved against it.
 *
 * Never throws: whatever is wrong comes back as a problem whose message is a whole sentence with the place. It names
 * keys but never quotes a value, because an inline `env` holds secrets.
 */
export function parseAppConfig(text: string, path: string): AppConfig | AppConfigProblem {
  const source = text.replace(/^\uFEFF/, '');
  if (new TextEncoder().encode(source).length > sizeLimitKilobytes * 1024) {
    const message = l10n.t('{0} is larger than {1} kB, too large for an application config.', path, sizeLimitKilobytes);
    return { kind: 'problem', path, message };
  }
  const read = /\.ya?ml$/i.test(path) ? readYaml(source) : readJson(source);
  if (read.kind === 'unreadable') {
    return problemAt(source, path, read.message, read.offset);
  }
  const config = readAppConfigShape(read.content, path);
  return config.kind === 'config' ? config : problemAt(source, path, config.message, offsetOf(read.tree(), config.at));
}

type Read =
  /** `tree` gives the places of the keys; undefined when the file is too deep for it. */
  | { kind: 'read'; content: unknown; tree: () => Document | undefined }
  | { kind: 'unreadable'; message: string; offset?: number | undefined };

function readJson(text: string): Read {
  const error = findJsonError(text);
  if (error !== undefined) {
    return {
      kind: 'unreadable',
      message: l10n.t('not valid JSON: expected {0}', error.expected),
      offset: error.offset,
    };
  }
  const content: unknown = JSON.parse(text);
  // JSON is YAML too, so the YAML tree knows where each key stands.
  return { kind: 'read', content, tree: () => composeYaml(text) };
}

function readYaml(text: string): Read {
  const document = composeYaml(text);
  if (document === undefined) {
    return { kind: 'unreadable', message: l10n.t('it is nested too deeply') };
  }
  const error = document.errors[0];
  if (error !== undefined) {
    return { kind: 'unreadable', message: yamlErrorWords(error.code), offset: error.pos[0] };
  }
  const mistake = findMistake(document);
  if (mistake !== undefined) {
    return { kind: 'unreadable', ...mistake };
  }
  try {
    const content: unknown = document.toJS({ maxAliasCount: aliasLimit });
    return { kind: 'read', content, tree: () => document };
  } catch {
    // The only thing toJS refuses in a document without errors is what its aliases grow to.
    return { kind: 'unreadable', message: l10n.t('its aliases (*name) repeat too much') };
  }
}

/** Gives undefined when the text is nested deeper than the recursive parser can follow. */
function composeYaml(text: string): Document | undefined {
  try {
    // The library's own check for duplicate keys compares every key with every other one.
    return parseDocument(text, { uniqueKeys: false, stringKeys: true, prettyErrors: false });
  } catch {
    return undefined;
  }
}

/** Finds what the library would refuse only later, with words of its own, or not at all. */
function findMistake(document: Document): { message: string; offset: number | undefined } | undefined {
  const anchors = new Set<string>();
  let mistake: { message: string; offset: number | undefined } | undefined;
  visit(document, (_, node) => {
    if (isAlias(node) && !anchors.has(node.source)) {
      mistake = { message: l10n.t('an alias (*name) has no anchor (&name)'), offset: node.range?.[0] };
    }
    if (isMap(node)) {
      mistake = findDuplicateKey(node);
    }
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) {
      anchors.add(node.anchor);
    }
    return mistake === undefined ? undefined : visit.BREAK;
  });
  return mistake;
}

function findDuplicateKey(map: YAMLMap): { message: string; offset: number | undefined } | undefined {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (isScalar(key)) {
      const name = String(key.value);
      if (seen.has(name)) {
        return { message: l10n.t('the key "{0}" comes twice', name), offset: key.range?.[0] };
      }
      seen.add(name);
    }
  }
  return undefined;
}

function offsetOf(tree: Document | undefined, at: readonly string[]): number | undefined {
  const node: unknown = tree?.getIn(at, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function problemAt(text: string, path: string, what: string, offset: number | undefined): AppConfigProblem {
  if (offset === undefined) {
    return { kind: 'problem', path, message: l10n.t('{0} cannot be used: {1}.', path, what) };
  }
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const message = l10n.t('{0} cannot be used: {1} (line {2}, column {3}).', path, what, line, column);
  return { kind: 'problem', path, message, line, column };
}

function yamlErrorWords(code: ErrorCode): string {
  return knownYamlErrors.get(code)?.() ?? l10n.t('not valid YAML');
}

/** The library's own messages quote the file, which may hold secret values, so only its codes are used. */
const knownYamlErrors: ReadonlyMap<ErrorCode, () => string> = new Map([
  ['MULTIPLE_DOCS', () => l10n.t('it holds more than one YAML document')],
  ['TAB_AS_INDENT', () => l10n.t('YAML is indented with spaces, not with tabs')],
  ['BAD_INDENT', () => l10n.t('not valid YAML: the indentation does not fit')],
  ['MISSING_CHAR', () => l10n.t('not valid YAML: a closing quote, bracket, colon or comma is missing')],
  ['NON_STRING_KEY', () => l10n.t('a key must be plain text')],
  ['RESOURCE_EXHAUSTION', () => l10n.t('it is nested too deeply')],
]);

const sizeLimitKilobytes = 256;

/** How many values aliases may stand for, counted with everything that those contain. */
const aliasLimit = 100;
