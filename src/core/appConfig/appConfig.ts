import * as l10n from '@vscode/l10n';
import type { Document, ErrorCode } from 'yaml';
import { asSentence } from '../text/text.ts';
import { composeYaml, positionAt, readNode } from '../yaml/document.ts';
import type { RangeFinding } from '../yaml/document.ts';
import { rangeAt } from '../yaml/placement.ts';
import type { SpecValue } from '../yaml/value.ts';
import { hasGraphMap, namesGraphCode, readAppConfig } from './config.ts';
import type { AppConfig, AppConfigFinding } from './config.ts';
import { findJsonError } from './jsonSyntax.ts';
import { configProblems, type ConfigProblem } from './rules.ts';

/** A finding about one place of a config file, in a sentence. Only what a build refuses is an error. */
export interface ConfigFinding extends RangeFinding, ConfigProblem {}

/** What a config file means, without errors, and all findings about its text. */
interface CheckedConfig {
  readonly config: AppConfig | undefined;
  readonly findings: readonly ConfigFinding[];
}

/**
 * Reads an application config file: as YAML if the path ends in `.yaml` or `.yml`, otherwise as JSON.
 * The path is relative to the repository's root. Files that the config names are resolved against it.
 *
 * Never throws. The first error comes back as a finding, with a full sentence and the location.
 */
export function parseAppConfig(text: string, path: string): AppConfig | AppConfigFinding {
  const { config, findings } = checkAppConfig(text, path);
  const [first] = findings;
  if (config !== undefined || first === undefined) return config ?? tooLargeConfig(path);
  const { line, column } = positionAt(withoutMark(text), first.start);
  const message = l10n.t("{0} can't be used: {1} (line {2}, column {3}).", path, first.words, line, column);
  return { kind: 'finding', path, message, line, column };
}

/** Checks a config file like `parseAppConfig`, and finds everything that is wrong with it. Silent about too large ones. */
export function checkAppConfig(text: string, path: string): CheckedConfig {
  const source = withoutMark(text);
  const read = readSource(source, path);
  if (read === undefined) return { config: undefined, findings: [] };
  if (read.kind === 'unreadable') {
    const { words, start, end } = read;
    const problem = { severity: 'error', path: [], at: 'value', words, isSyntax: true } as const;
    return { config: undefined, findings: [located(problem, [start, end])] };
  }
  const problems = configProblems(read.content, path);
  const findings = locatedIn(source, read, problems);
  const config = problems.some(({ severity }) => severity === 'error') ? undefined : readAppConfig(read.content, path);
  const warnings = findings
    .slice(0, mostWarnings)
    .map(({ message, start }) => l10n.t('{0}, line {1}: {2}', path, positionAt(source, start).line, message));
  return { config: config && { ...config, warnings }, findings };
}

/** The problems of a config as findings, at their places in its text. */
export function locateProblems<Problem extends ConfigProblem>(
  text: string,
  path: string,
  problems: readonly Problem[],
): readonly (Problem & ConfigFinding)[] {
  const read = readSource(text, path);
  return read?.kind === 'read' ? locatedIn(text, read, problems) : [];
}

function locatedIn<Problem extends ConfigProblem>(
  text: string,
  { tree }: Readable,
  problems: readonly Problem[],
): readonly (Problem & ConfigFinding)[] {
  const root = problems.length === 0 ? undefined : tree()?.contents;
  return problems.map((problem) => located(problem, rangeAt(text, root, problem.path, problem.at)));
}

/** More would hide what else a page says. The editor shows all of them. */
const mostWarnings = 3;

function located<Problem extends ConfigProblem>(
  problem: Problem,
  [start, end]: readonly [number, number],
): Problem & ConfigFinding {
  return { ...problem, message: asSentence(problem.words), start, end };
}

/** The finding about a file that is too large to be read. */
export function tooLargeConfig(path: string): AppConfigFinding {
  const message = l10n.t('{0} is larger than {1} kB, too large for an application config.', path, sizeLimitKilobytes);
  return { kind: 'finding', path, message };
}

/** Whether a file has a map of graphs, which only application configs have. The rest of it may still be wrong. */
export function hasGraphs(text: string, path: string): boolean {
  const read = readSource(withoutMark(text), path);
  return read?.kind === 'read' && hasGraphMap(read.content);
}

/** Whether a file has the code of a graph, which is written in application configs only. */
export function hasGraphCode(text: string, path: string): boolean {
  const read = readSource(withoutMark(text), path);
  return read?.kind === 'read' && namesGraphCode(read.content);
}

/** Whether a file can be read and has no map of graphs, so it's something else. */
export function isNoAppConfig(text: string, path: string): boolean {
  const read = readSource(withoutMark(text), path);
  return read?.kind === 'read' && !hasGraphMap(read.content);
}

/** The text without a byte order mark, which editors don't count. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Undefined if the text is too large. */
function readSource(source: string, path: string): Read | undefined {
  if (source.length > largestConfig || new TextEncoder().encode(source).length > largestConfig) return undefined;
  return isYamlPath(path) ? readYaml(source) : readJson(source);
}

/** Whether a config file is read as YAML. */
export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

interface Readable {
  kind: 'read';
  content: SpecValue;
  /** Locates the keys. Undefined if the file is nested too deeply. */
  tree: () => Document | undefined;
}

type Read = Readable | { kind: 'unreadable'; words: string; start: number; end: number };

function readJson(text: string): Read {
  const error = findJsonError(text);
  if (error !== undefined) {
    const { expected, offset } = error;
    return {
      kind: 'unreadable',
      words: l10n.t('not valid JSON: expected {0}', expected),
      start: offset,
      end: offset + 1,
    };
  }
  const content: SpecValue = JSON.parse(text);
  // JSON is also YAML, so the YAML tree has the location of each key.
  return { kind: 'read', content, tree: () => composeYaml(text, yamlOptions) };
}

function readYaml(text: string): Read {
  const document = composeYaml(text, yamlOptions);
  if (document === undefined) return { kind: 'unreadable', words: tooDeep(), start: 0, end: 0 };
  const error = document.errors[0];
  if (error !== undefined) {
    const [start, end] = error.pos;
    return { kind: 'unreadable', words: knownYamlErrors.get(error.code)?.() ?? l10n.t('not valid YAML'), start, end };
  }
  const { value, findings } = readNode(document.contents);
  const [finding] = findings;
  if (finding !== undefined) {
    const { message, start, end } = finding;
    return { kind: 'unreadable', words: message.replace(/\.$/, ''), start, end };
  }
  return { kind: 'read', content: value, tree: () => document };
}

/** The library's check for duplicate keys is off, because it compares every key with every other key. */
const yamlOptions = { uniqueKeys: false, stringKeys: true, prettyErrors: false } as const;

function tooDeep(): string {
  return l10n.t('it is nested too deeply');
}

/** Keyed by error code, because the library's messages quote the file, which may hold secret values. */
const knownYamlErrors: ReadonlyMap<ErrorCode, () => string> = new Map([
  ['TAB_AS_INDENT', () => l10n.t('YAML is indented with spaces, not with tabs')],
  ['BAD_INDENT', () => l10n.t("not valid YAML: the indentation doesn't match, or a bracket above isn't closed")],
  ['MISSING_CHAR', () => l10n.t('not valid YAML: a closing quote, bracket, colon or comma is missing')],
  ['NON_STRING_KEY', () => l10n.t('a key must be plain text')],
  ['MULTIPLE_DOCS', () => l10n.t('it holds more than one YAML document')],
  ['RESOURCE_EXHAUSTION', tooDeep],
]);

const sizeLimitKilobytes = 256;

/** The size of the largest config file to read, in bytes. */
export const largestConfig = sizeLimitKilobytes * 1024;
