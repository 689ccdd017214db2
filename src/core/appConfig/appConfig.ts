import * as l10n from '@vscode/l10n';
import { isNode } from 'yaml';
import type { Document, ErrorCode } from 'yaml';
import { composeYaml, readNode } from '../yaml/document.ts';
import { findJsonError } from './jsonSyntax.ts';
import { hasGraphMap, readAppConfigShape } from './shape.ts';
import type { AppConfig, AppConfigFinding } from './shape.ts';

/**
 * Reads an application config file: as YAML if the path ends in `.yaml` or `.yml`, otherwise as JSON.
 * The path is relative to the repository's root. Files that the config names are resolved against it.
 *
 * Never throws. A problem comes back as a finding, with a full sentence and, if known, the location. The message names
 * keys but never quotes a value, because an inline `env` holds secrets.
 */
export function parseAppConfig(text: string, path: string): AppConfig | AppConfigFinding {
  const source = text.replace(/^\uFEFF/, '');
  const read = readSource(source, path);
  if (read === undefined) return tooLargeConfig(path);
  if (read.kind === 'unreadable') {
    return findingAt(source, path, read.message, read.offset);
  }
  const config = readAppConfigShape(read.content, path);
  return config.kind === 'config' ? config : findingAt(source, path, config.message, offsetOf(read.tree(), config.at));
}

/** The finding about a file that is too large to be read. */
export function tooLargeConfig(path: string): AppConfigFinding {
  const message = l10n.t('{0} is larger than {1} kB, too large for an application config.', path, sizeLimitKilobytes);
  return { kind: 'finding', path, message };
}

/** Whether a file has a map of graphs, which only application configs have. The rest of it may still be wrong. */
export function hasGraphs(text: string, path: string): boolean {
  const read = readSource(text.replace(/^\uFEFF/, ''), path);
  return read?.kind === 'read' && hasGraphMap(read.content);
}

/** Undefined if the text is too large. */
function readSource(source: string, path: string): Read | undefined {
  if (new TextEncoder().encode(source).length > largestConfig) return undefined;
  return /\.ya?ml$/i.test(path) ? readYaml(source) : readJson(source);
}

type Read =
  /** `tree` locates the keys. It returns undefined if the file is nested too deeply. */
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
  // JSON is also YAML, so the YAML tree has the location of each key.
  return { kind: 'read', content, tree: () => composeYaml(text, yamlOptions) };
}

function readYaml(text: string): Read {
  const document = composeYaml(text, yamlOptions);
  if (document === undefined) return { kind: 'unreadable', message: tooDeep() };
  const error = document.errors[0];
  if (error !== undefined) {
    const message = knownYamlErrors.get(error.code)?.() ?? l10n.t('not valid YAML');
    return { kind: 'unreadable', message, offset: error.pos[0] };
  }
  const { value, findings } = readNode(document.contents);
  const [finding] = findings;
  if (finding !== undefined) {
    return { kind: 'unreadable', message: finding.message.replace(/\.$/, ''), offset: finding.start };
  }
  return { kind: 'read', content: value, tree: () => document };
}

/** The library's check for duplicate keys is off, because it compares every key with every other key. */
const yamlOptions = { uniqueKeys: false, stringKeys: true, prettyErrors: false } as const;

function offsetOf(tree: Document | undefined, at: readonly string[]): number | undefined {
  const node: unknown = tree?.getIn(at, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function findingAt(text: string, path: string, what: string, offset: number | undefined): AppConfigFinding {
  if (offset === undefined) {
    return { kind: 'finding', path, message: l10n.t("{0} can't be used: {1}.", path, what) };
  }
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const message = l10n.t("{0} can't be used: {1} (line {2}, column {3}).", path, what, line, column);
  return { kind: 'finding', path, message, line, column };
}

function tooDeep(): string {
  return l10n.t('it is nested too deeply');
}

/** Keyed by error code, because the library's messages quote the file, which may hold secret values. */
const knownYamlErrors: ReadonlyMap<ErrorCode, () => string> = new Map([
  ['TAB_AS_INDENT', () => l10n.t('YAML is indented with spaces, not with tabs')],
  ['BAD_INDENT', () => l10n.t("not valid YAML: the indentation doesn't match")],
  ['MISSING_CHAR', () => l10n.t('not valid YAML: a closing quote, bracket, colon or comma is missing')],
  ['NON_STRING_KEY', () => l10n.t('a key must be plain text')],
  ['MULTIPLE_DOCS', () => l10n.t('it holds more than one YAML document')],
  ['RESOURCE_EXHAUSTION', tooDeep],
]);

const sizeLimitKilobytes = 256;

/** The size of the largest config file to read, in bytes. */
export const largestConfig = sizeLimitKilobytes * 1024;
