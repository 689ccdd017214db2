import * as l10n from '@vscode/l10n';
import { isMap, isNode, isScalar } from 'yaml';
import type { ErrorCode, ScalarTag, Tags, YAMLError, YAMLMap } from 'yaml';
import { isSpecMap } from '../value.ts';
import type { SpecMap, SpecValue } from '../value.ts';
import { positionsIn } from './lines.ts';
import type { LinePosition } from './lines.ts';
import { composeYaml, nestingWords, readNode, scalarKey } from './node.ts';
import type { RangeProblem } from './node.ts';

/** Explains a YAML error. Falls back to the library's own message. */
function yamlErrorWords({ code, message }: YAMLError): string {
  if (code === 'MISSING_CHAR' && message.includes('quote')) return l10n.t('The closing quote of a text is missing.');
  const mixedUp = l10n.t('This key and its value are mixed up: look for a missing line break, space or quote.');
  const noTags = l10n.t('Tags (words that begin with "!") are not supported here. Remove the tag.');
  const words: Partial<Record<ErrorCode, string>> = {
    TAB_AS_INDENT: l10n.t('Indent with spaces: YAML does not allow tabs here.'),
    BAD_INDENT: l10n.t('The indentation of this line does not fit the lines around it.'),
    BLOCK_AS_IMPLICIT_KEY: mixedUp,
    MULTILINE_IMPLICIT_KEY: mixedUp,
    TAG_RESOLVE_FAILED: noTags,
    BAD_COLLECTION_TYPE: noTags,
    BAD_SCALAR_START: l10n.t('This value begins with a character that YAML reserves. Put it in quotes.'),
    BAD_DIRECTIVE: l10n.t('Lines that begin with "%" are not supported here. Remove the line.'),
    MULTIPLE_DOCS: l10n.t('Only one document is allowed here. Remove the line "---" and what does not belong to it.'),
    // The library ran out of stack.
    RESOURCE_EXHAUSTION: nestingWords(),
    MISSING_CHAR: l10n.t('Something is missing here, such as a colon, a quote, a bracket, a comma or a line break.'),
  };
  return words[code] ?? l10n.t('This is not valid YAML: {0}', sentence(message));
}

function sentence(message: string): string {
  const [line = ''] = message.split('\n', 1);
  const text = line.trim().slice(0, 120);
  return text.endsWith('.') ? text : `${text}.`;
}

/** Longer texts are rejected before parsing. 256 kB, counting each UTF-16 unit as one byte. */
export const longestSpecText = 256 * 1024;

/** A problem in a text, with its offsets, line and column. */
export interface TextProblem extends RangeProblem, LinePosition {}

/** A top-level key of a spec and the offsets of its parts. */
export interface SpecEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The value without its tag and anchor. Start and end are equal if nothing follows the colon. */
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly node: unknown;
  /** The name of the alias through which this key shares a value with another key. */
  readonly sharedAs: string | undefined;
}

/** A text with valid, unambiguous YAML. The rules check its meaning. */
export interface ReadableSpec {
  readonly kind: 'readable';
  readonly text: string;
  readonly spec: SpecMap;
  readonly entries: ReadonlyMap<string, SpecEntry>;
  /** The top-level map. Undefined if the text is empty or has only comments. */
  readonly root: YAMLMap | undefined;
  /** Converts an offset in the text to a line and column. */
  readonly positionAt: (offset: number) => LinePosition;
}

/** The spec of an empty text. */
export const emptySpec: ReadableSpec = {
  kind: 'readable',
  text: '',
  spec: {},
  entries: new Map(),
  root: undefined,
  positionAt: positionsIn(''),
};

export interface UnreadableSpec {
  readonly kind: 'unreadable';
  readonly text: string;
  readonly problems: readonly [TextProblem, ...TextProblem[]];
}

export type SpecDocument = ReadableSpec | UnreadableSpec;

/** Parses the text of a whole resource spec. Never throws: problems come back with line and column. */
export function readSpecText(text: string): SpecDocument {
  const parsed = parseSpecYaml(text);
  if (parsed.kind === 'unreadable') return parsed;
  const { value, contents, shared } = parsed;
  const positionAt = positionsIn(text);
  if (value === null) return { ...emptySpec, text, positionAt };
  if (!isSpecMap(value) || !isMap(contents)) {
    return refused(text, l10n.t('A resource spec is made of lines such as "cpu: 1.5": a key, a colon and a value.'));
  }
  const entries = new Map<string, SpecEntry>();
  for (const pair of contents.items) {
    const entry = entryOf(pair.key, pair.value, shared);
    if (entry !== undefined) entries.set(entry.key, entry);
  }
  return { kind: 'readable', text, spec: value, entries, root: contents, positionAt };
}

/** A parsed text of any shape: the whole spec, or the part of it in one form field. */
export interface ParsedYaml {
  readonly kind: 'parsed';
  readonly text: string;
  readonly value: SpecValue;
  readonly contents: unknown;
  readonly shared: ReadonlyMap<string, string>;
}

/** Parses YAML with the core schema, but reads numbers such as 0644 like Kubernetes. Never throws. */
export function parseSpecYaml(text: string): ParsedYaml | UnreadableSpec {
  if (text.length > longestSpecText) {
    return refused(text, l10n.t('This text is longer than 256 kB. A resource spec is much shorter.'));
  }
  const document = composeYaml(text, specYamlOptions);
  if (document === undefined) return refused(text, nestingWords());
  const problems = [...document.errors, ...document.warnings]
    .slice(0, 100)
    .map((error): RangeProblem => ({ message: yamlErrorWords(error), start: error.pos[0], end: error.pos[1] }));
  if (document.directives.yaml.explicit === true) {
    problems.push({ message: l10n.t('Remove the line that begins with "%YAML".'), start: 0, end: 1 });
  }
  if (problems.length > 0) return unreadable(text, problems);
  const { contents } = document;
  const read = readNode(contents);
  return read.problems.length > 0 ? unreadable(text, read.problems) : { kind: 'parsed', text, contents, ...read };
}

/** Kubernetes reads 0644 as an octal number, such as a file mode. The core schema would read 644. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  format: 'K8S_OCT',
  default: true,
  identify: () => false,
  test: /^0[0-7]+$/,
  resolve: (source) => Number.parseInt(source, 8),
};

/** The options for reading and writing all texts of a spec. */
export const specYamlOptions = {
  schema: 'core',
  customTags: (tags: Tags) => [octal, ...tags],
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const;

function entryOf(key: unknown, value: unknown, shared: ReadonlyMap<string, string>): SpecEntry | undefined {
  if (!isScalar(key)) return undefined;
  const name = scalarKey(key);
  const [keyStart, keyEnd] = key.range ?? [0, 0];
  const [valueStart, valueEnd] = (isNode(value) ? value.range : undefined) ?? [keyEnd + 1, keyEnd + 1];
  return { key: name, keyStart, keyEnd, valueStart, valueEnd, node: value, sharedAs: shared.get(name) };
}

function refused(text: string, message: string): UnreadableSpec {
  return unreadable(text, [{ message, start: 0, end: 0 }]);
}

function unreadable(text: string, problems: readonly RangeProblem[]): UnreadableSpec {
  const positionAt = positionsIn(text);
  const place = (problem: RangeProblem): TextProblem => ({ ...problem, ...positionAt(problem.start) });
  const [first = { message: '', start: 0, end: 0 }, ...rest] = problems.toSorted(
    (left, right) => left.start - right.start,
  );
  return { kind: 'unreadable', text, problems: [place(first), ...rest.map(place)] };
}
