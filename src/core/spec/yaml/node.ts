import * as l10n from '@vscode/l10n';
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import type { Alias, Document, DocumentOptions, ParseOptions, Scalar, SchemaOptions, YAMLMap } from 'yaml';
import { shortened } from '../../text/text.ts';
import type { SpecMap, SpecValue } from '../value.ts';

/** The deepest nesting of maps and lists in a text. The service counts the same way. */
export const deepestNesting = 64;

/** The message for a text that is nested too deeply. */
export function nestingWords(): string {
  return l10n.t('This is nested deeper than {0} levels.', deepestNesting);
}

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

/** A problem in a text and its offsets. */
export interface RangeProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

interface Anchored {
  readonly value: SpecValue;
  readonly size: number;
  readonly depth: number;
  /** The top-level key above the anchor. */
  readonly key: string | undefined;
}

/** Far more values than fit into 256 kB of real text, and far fewer than an alias bomb creates. */
const mostValues = 200_000;
const mostProblems = 100;

/** The plain value of a node. Valid only if there are no problems. */
export interface ReadNode {
  readonly value: SpecValue;
  readonly problems: readonly RangeProblem[];
  /** Top-level keys that share a value through an alias, each with the alias's name. */
  readonly shared: ReadonlyMap<string, string>;
}

/**
 * Converts nodes to plain values, with limits on depth and size.
 * Checks keys in one pass. The library's own conversion isn't used, because its duplicate check and alias lookup are
 * quadratic.
 */
export function readNode(root: unknown): ReadNode {
  const problems: RangeProblem[] = [];
  const shared = new Map<string, string>();
  const anchors = new Map<string, Anchored>();
  let size = 0;
  let depth = 0;
  /** The deepest level seen below the current node. */
  let reached = 0;
  let topKey: string | undefined;
  return { value: read(root), problems, shared };

  function read(node: unknown): SpecValue {
    if (problems.length >= mostProblems || !isNode(node)) return null;
    if (isAlias(node)) return readAlias(node);
    if (depth >= deepestNesting) return problem(node, nestingWords());
    const before = { size, reached };
    size += 1;
    depth += 1;
    reached = depth;
    const value = readContent(node);
    depth -= 1;
    const { anchor } = node;
    if (anchor !== undefined) {
      anchors.set(anchor, { value, size: size - before.size, depth: reached - depth, key: topKey });
    }
    reached = Math.max(reached, before.reached);
    return value;
  }

  function readContent(node: unknown): SpecValue {
    if (isMap(node)) return readMap(node);
    if (isSeq(node)) return node.items.map(read);
    return isScalar(node) ? readScalar(node) : null;
  }

  function readMap(map: YAMLMap): SpecMap {
    const entries = new Map<string, SpecValue>();
    const isTop = depth === 1;
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? scalarKey(key) : undefined;
      const wrong = keyProblem(name, entries);
      if (name === undefined || wrong !== undefined) {
        problem(key, wrong ?? '');
      } else {
        if (isTop) topKey = name;
        entries.set(name, read(value));
      }
    }
    return Object.fromEntries(entries);
  }

  function readScalar(node: Scalar): SpecValue {
    const { value } = node;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    return problem(node, l10n.t('This is neither text nor a number nor true or false.'));
  }

  function readAlias(alias: Alias): SpecValue {
    const anchored = anchors.get(alias.source);
    if (anchored === undefined) {
      // Don't quote the alias's name, which may be a secret without quotes.
      return problem(alias, l10n.t('This alias (*) has no anchor (&) before it.'));
    }
    size += anchored.size;
    reached = Math.max(reached, depth + anchored.depth);
    if (size > mostValues || reached > deepestNesting) {
      return problem(alias, l10n.t('The aliases in this text repeat too much.'));
    }
    if (anchored.key !== topKey) {
      for (const key of [anchored.key, topKey]) if (key !== undefined) shared.set(key, alias.source);
    }
    return anchored.value;
  }

  function problem(node: unknown, message: string): null {
    const [start, end] = (isNode(node) && node.range) || [0, 0];
    if (problems.length < mostProblems) problems.push({ message, start, end: Math.max(end, start) });
    return null;
  }
}

/** Explains why a key can't be added to a map. Undefined if it can. */
export function keyProblem(key: string | undefined, seen: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  if (key === undefined) return l10n.t('A key must be text.');
  if (key === '') return l10n.t('The key before the colon is missing.');
  if (key === '__proto__') return l10n.t('The key "__proto__" is not allowed.');
  return seen.has(key) ? l10n.t('The key "{0}" is here twice. Remove one.', shortened(key)) : undefined;
}

/** The text of a key. Keys such as 8080 aren't text in YAML but are in JSON, so the source counts. */
export function scalarKey(key: Scalar): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}
