import * as l10n from '@vscode/l10n';
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Alias, Document, DocumentOptions, ErrorCode, ParseOptions, Scalar, SchemaOptions } from 'yaml';
import type { ScalarTag, Tags, YAMLError, YAMLMap } from 'yaml';
import { shortened } from '../text/text.ts';
import { isSpecList, isSpecMap } from './value.ts';
import type { SpecMap, SpecPath, SpecValue } from './value.ts';

/** Longer texts are rejected before parsing. 256 kB, counting each UTF-16 unit as one byte. */
export const longestSpecText = 256 * 1024;

/** A pair of a map or an item of a list, with the offsets of its parts. */
export interface Member {
  /** The key, or the dash of an item in a block list. */
  readonly start: number;
  readonly markEnd: number;
  /** After the colon or the dash. */
  readonly afterMark: number;
  /** The value without its tag and anchor. Start and end are equal if there is none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly node: unknown;
}

/** A text with valid, unambiguous YAML. The rules check its meaning. */
export interface ReadableSpec {
  readonly kind: 'readable';
  readonly text: string;
  readonly spec: SpecMap;
  /** Top-level keys that share a value through an alias, each with the alias's name. */
  readonly shared: ReadonlyMap<string, string>;
  /** The top-level map. Undefined if the text is empty or has only comments. */
  readonly root: YAMLMap | undefined;
}

export const emptySpec: ReadableSpec = { kind: 'readable', text: '', spec: {}, shared: new Map(), root: undefined };

export interface UnreadableSpec {
  readonly kind: 'unreadable';
  readonly text: string;
  readonly findings: readonly [TextFinding, ...TextFinding[]];
}

export type SpecDocument = ReadableSpec | UnreadableSpec;

/** Parses the text of a whole resource spec. Never throws: returns findings for invalid YAML. */
export function readSpecText(text: string): SpecDocument {
  const parsed = parseSpecYaml(text);
  if (parsed.kind === 'unreadable') return parsed;
  const { value, contents, shared } = parsed;
  if (value === null) return { ...emptySpec, text };
  if (!isSpecMap(value) || !isMap(contents)) {
    return refused(text, l10n.t('A resource spec consists of lines such as "cpu: 1.5".'));
  }
  return { kind: 'readable', text, spec: value, shared, root: contents };
}

/** A parsed text of any shape: the whole spec, or the part of it in one form field. */
interface ParsedYaml extends Omit<ReadNode, 'findings'> {
  readonly kind: 'parsed';
  readonly contents: unknown;
}

/** Parses YAML with the core schema, but reads numbers such as 0644 like Kubernetes. Never throws. */
export function parseSpecYaml(text: string): ParsedYaml | UnreadableSpec {
  if (text.length > longestSpecText) return refused(text, tooLongWords());
  const document = composeYaml(text, specYamlOptions);
  if (document === undefined) return refused(text, nestingWords());
  const findings = problemsOf(document);
  if (document.directives.yaml.explicit === true) {
    const start = text.search(/^%YAML/m);
    findings.push({ message: l10n.t('Remove the line that begins with "%YAML".'), start, end: start + 5 });
  }
  if (findings.length > 0) return unreadable(text, findings);
  const { contents } = document;
  const read = readNode(contents);
  return read.findings.length > 0 ? unreadable(text, read.findings) : { kind: 'parsed', contents, ...read };
}

/** What is wrong with a text's YAML. Of errors only the first: the others mostly follow from it. */
function problemsOf({ contents, errors, warnings }: Document.Parsed): RangeFinding[] {
  const [first] = errors.toSorted((left, right) => left.pos[0] - right.pos[0]);
  return (first === undefined ? warnings : [first]).slice(0, mostFindings).map((error) => {
    const [start, end] = isOpenQuote(error) ? openingQuote(contents, error.pos) : error.pos;
    return { message: yamlErrorWords(error), start, end };
  });
}

function isOpenQuote({ code, message }: YAMLError): boolean {
  return code === 'MISSING_CHAR' && message.includes('quote');
}

/** Where a text opens whose closing quote is missing. The library tells where it should be. */
function openingQuote(contents: unknown, [missing, end]: YAMLError['pos']): readonly [start: number, end: number] {
  let opening: number | undefined;
  visit(isNode(contents) ? contents : null, {
    Scalar: (_key, { type = '', range }) => {
      if (type.startsWith('QUOTE_') && range && range[0] <= missing) opening = Math.max(opening ?? 0, range[0]);
    },
  });
  return opening === undefined ? [missing, end] : [opening, opening + 1];
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

export const specYamlOptions = {
  schema: 'core',
  customTags: (tags: Tags) => [octal, ...tags],
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/** The offsets of a node without its tag, anchor and the comment after it. */
export function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

function refused(text: string, message: string): UnreadableSpec {
  return unreadable(text, [{ message, start: 0, end: 0 }]);
}

function unreadable(text: string, findings: readonly RangeFinding[]): UnreadableSpec {
  const located = (finding: RangeFinding): TextFinding => {
    return { severity: 'error', ...finding, ...positionAt(text, finding.start) };
  };
  const [first = { message: '', start: 0, end: 0 }, ...rest] = findings
    .toSorted((left, right) => left.start - right.start)
    .slice(0, mostFindings);
  return { kind: 'unreadable', text, findings: [located(first), ...rest.map(located)] };
}

export function tooLongWords(): string {
  return l10n.t('This text is longer than 256 kB, which is too long for a resource spec.');
}

const mostFindings = 100;

/**
 * Parses YAML from an untrusted source.
 * Undefined if it's nested so deeply that the library runs out of stack, the only error that it throws. The caller must
 * limit the length of the text.
 */
export function composeYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed | undefined {
  try {
    return parseDocument(text, options);
  } catch {
    return undefined;
  }
}

export interface RangeFinding {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A finding about a whole text. An error makes the text unusable, information doesn't. */
export interface TextFinding extends RangeFinding, LinePosition {
  readonly severity: 'error' | 'info';
  /** The top-level key of the value, and its path. Undefined if the text isn't valid YAML. */
  readonly key?: string;
  readonly path?: SpecPath;
}

/** The plain value of a node. Valid only if there are no findings. */
interface ReadNode {
  readonly value: SpecValue;
  readonly findings: readonly RangeFinding[];
  readonly shared: ReadableSpec['shared'];
}

/** The deepest nesting of maps and lists in a text. The service counts the same way. */
export const deepestNesting = 64;

function nestingWords(): string {
  return l10n.t('This is nested deeper than {0} levels.', deepestNesting);
}

/** Far more values than aliases repeat in a real text, and far fewer than in an alias bomb. */
const mostRepeated = 200_000;

/** Converts nodes to plain values. The library's own conversion takes quadratic time to check keys and anchors. */
export function readNode(root: unknown): ReadNode {
  const findings: RangeFinding[] = [];
  const shared = new Map<string, string>();
  const anchors = new Map<string, { readonly value: SpecValue; readonly key: string | undefined }>();
  let topKey: string | undefined;
  let repeated = 0;
  return { value: read(root, 0), findings, shared };

  function read(node: unknown, depth: number): SpecValue {
    if (isAlias(node)) return readAlias(node, depth);
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null;
    if (depth >= deepestNesting) return report(node, nestingWords());
    const value = isMap(node)
      ? readMap(node, depth)
      : isSeq(node)
        ? node.items.map((item) => read(item, depth + 1))
        : readScalar(node);
    if (node.anchor !== undefined) anchors.set(node.anchor, { value, key: topKey });
    return value;
  }

  function readMap(map: YAMLMap, depth: number): SpecMap {
    const entries = new Map<string, SpecValue>();
    const merged: SpecMap[] = [];
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? scalarKey(key) : undefined;
      // A merge key: the map's own keys win, then those of the first map that is merged.
      if (name === '<<' && (isAlias(value) || isMap(value) || isSeq(value))) {
        const maps = read(value, depth + 1);
        merged.push(...(isSpecList(maps) ? maps : [maps]).filter(isSpecMap));
        continue;
      }
      const wrong = keyProblem(name, entries);
      if (name === undefined || wrong !== undefined) {
        report(key, wrong ?? '');
      } else {
        if (depth === 0) topKey = name;
        entries.set(name, read(value, depth + 1));
      }
    }
    for (const [name, value] of merged.flatMap(Object.entries<SpecValue>)) {
      if (!entries.has(name)) entries.set(name, value);
    }
    return Object.fromEntries(entries);
  }

  function readScalar(node: Scalar): SpecValue {
    const { value } = node;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    return report(node, l10n.t('Only text, numbers, true, and false are allowed here.'));
  }

  function readAlias(alias: Alias, depth: number): SpecValue {
    const anchored = anchors.get(alias.source);
    // Don't quote the alias's name, which may be a secret without quotes.
    if (anchored === undefined) return report(alias, l10n.t('This alias (*) has no anchor (&) before it.'));
    if (!mayRepeat(anchored.value, depth)) return report(alias, l10n.t('The aliases in this text repeat too much.'));
    if (anchored.key !== topKey) {
      for (const key of [anchored.key, topKey]) if (key !== undefined) shared.set(key, alias.source);
    }
    return anchored.value;
  }

  /** Counts the values that aliases repeat, and stops at the limits. */
  function mayRepeat(value: SpecValue, depth: number): boolean {
    repeated += 1;
    if (repeated > mostRepeated || depth >= deepestNesting) return false;
    return (
      typeof value !== 'object' ||
      value === null ||
      Object.values(value).every((member: SpecValue) => mayRepeat(member, depth + 1))
    );
  }

  function report(node: unknown, message: string): null {
    const [start, end] = (isNode(node) && node.range) || [0, 0];
    findings.push({ message, start, end: Math.max(end, start) });
    return null;
  }
}

/** Explains why a key can't be added to a map. Undefined if it can. */
function keyProblem(key: string | undefined, seen: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  if (key === undefined) return l10n.t('A key must be text.');
  if (key === '') return l10n.t('The key before the colon is missing.');
  if (key === '__proto__') return l10n.t('The key "__proto__" isn\'t allowed.');
  return seen.has(key) ? l10n.t('The key "{0}" is used twice. Remove one.', shortened(key)) : undefined;
}

/** The text of a key. Keys such as 8080 aren't text in YAML but are in JSON, so the source counts. */
export function scalarKey(key: Scalar): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}

/** A location in a text. Line and column count from 1. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): LinePosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Explains a YAML error. The library's own words name the parts of its parser. */
function yamlErrorWords(error: YAMLError): string {
  const { code, message } = error;
  if (isOpenQuote(error)) return l10n.t('A closing quote is missing.');
  if (code === 'BAD_INDENT' && message.startsWith('Flow')) {
    return l10n.t("A closing bracket is missing, or a line before it isn't indented enough.");
  }
  const mixedUp = l10n.t("This key and its value can't be told apart. Look for a missing line break, space, or quote.");
  const noTags = l10n.t('Tags (words that begin with "!") aren\'t supported here. Remove the tag.');
  const words: Partial<Record<ErrorCode, string>> = {
    TAB_AS_INDENT: l10n.t("Indent with spaces. YAML doesn't allow tabs here."),
    BAD_INDENT: l10n.t("This line's indentation doesn't match the lines around it."),
    BLOCK_AS_IMPLICIT_KEY: mixedUp,
    MULTILINE_IMPLICIT_KEY: mixedUp,
    TAG_RESOLVE_FAILED: noTags,
    BAD_COLLECTION_TYPE: noTags,
    BAD_SCALAR_START: l10n.t('This value begins with a character that YAML reserves. Put it in quotes.'),
    BAD_DIRECTIVE: l10n.t('Lines that begin with "%" aren\'t supported here. Remove the line.'),
    MULTIPLE_DOCS: l10n.t('Only one document is allowed here. Remove the "---" line and the other document.'),
    BAD_DQ_ESCAPE: l10n.t('YAML doesn\'t know this escape. Write "\\\\" for a backslash, or use single quotes.'),
    BLOCK_IN_FLOW: l10n.t('Between brackets, separate values with commas instead of dashes or lines.'),
    UNEXPECTED_TOKEN: l10n.t("This isn't expected here. Look for a missing quote or line break before it."),
    // The library ran out of stack.
    RESOURCE_EXHAUSTION: nestingWords(),
    MISSING_CHAR: l10n.t('Something is missing here, such as a colon, a quote, a bracket, a comma or a line break.'),
  };
  return words[code] ?? l10n.t("This isn't valid YAML.");
}
