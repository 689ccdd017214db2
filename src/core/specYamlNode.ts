import * as l10n from '@vscode/l10n';
import type { Alias, Scalar, YAMLMap } from 'yaml';
import { isAlias, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import { shortened } from './specShapeCheck.ts';
import type { SpecMap, SpecValue } from './specValue.ts';

/** Something wrong with a text, and the offsets between which it stands. */
export interface RangeProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

interface Anchored {
  readonly value: SpecValue;
  readonly size: number;
  readonly depth: number;
  /** The top-level key below which the anchor stands. */
  readonly key: string | undefined;
}

/** Levels of maps and lists; the service counts the same way. */
export const deepestNesting = 64;
/** Far more than 256 kB of honest text can hold, far less than a bomb of aliases makes of it. */
const mostValues = 200_000;
const mostProblems = 100;

/**
 * Turns the nodes of a document into plain values, with limits on depth and size, and with keys checked in one pass.
 * The library's own conversion is not used: its check for duplicate keys and its look-up of aliases are quadratic.
 */
export class NodeReader {
  readonly problems: RangeProblem[] = [];
  /** Top-level keys that share a value with another one through an alias, and the alias's name. */
  readonly shared = new Map<string, string>();
  readonly #anchors = new Map<string, Anchored>();
  #size = 0;
  #depth = 0;
  /** The deepest level seen below the node that is being read. */
  #reached = 0;
  #topKey: string | undefined;

  read(node: unknown): SpecValue {
    if (this.problems.length >= mostProblems || !isNode(node)) return null;
    if (isAlias(node)) return this.#readAlias(node);
    if (this.#depth >= deepestNesting) {
      this.#problem(node, l10n.t('This is nested deeper than {0} levels.', deepestNesting));
      return null;
    }
    const before = { size: this.#size, reached: this.#reached };
    this.#size += 1;
    this.#depth += 1;
    this.#reached = this.#depth;
    const value = this.#readContent(node);
    this.#depth -= 1;
    const { anchor } = node;
    if (anchor !== undefined) {
      const [size, depth] = [this.#size - before.size, this.#reached - this.#depth];
      this.#anchors.set(anchor, { value, size, depth, key: this.#topKey });
    }
    this.#reached = Math.max(this.#reached, before.reached);
    return value;
  }

  #readContent(node: unknown): SpecValue {
    if (isMap(node)) return this.#readMap(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item));
    return isScalar(node) ? this.#readScalar(node) : null;
  }

  #readMap(map: YAMLMap): SpecMap {
    const entries = new Map<string, SpecValue>();
    const isTop = this.#depth === 1;
    for (const pair of map.items) {
      const key = this.#readKey(pair, entries);
      if (key === undefined) continue;
      if (isTop) this.#topKey = key;
      entries.set(key, this.read(pair.value));
    }
    return Object.fromEntries(entries);
  }

  #readKey(pair: unknown, seen: ReadonlyMap<string, SpecValue>): string | undefined {
    if (!isPair(pair)) return undefined;
    const { key } = pair;
    const text = isScalar(key) ? scalarKey(key) : undefined;
    if (text === undefined) {
      this.#problem(key, l10n.t('A key must be text.'));
    } else if (text === '') {
      this.#problem(key, l10n.t('The key before the colon is missing.'));
    } else if (text === '__proto__') {
      this.#problem(key, l10n.t('The key "__proto__" is not allowed.'));
    } else if (seen.has(text)) {
      this.#problem(key, l10n.t('The key "{0}" is here twice. Remove one.', shortened(text)));
    } else {
      return text;
    }
    return undefined;
  }

  #readScalar(node: Scalar): SpecValue {
    const { value } = node;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    this.#problem(node, l10n.t('This is neither text nor a number nor true or false.'));
    return null;
  }

  #readAlias(alias: Alias): SpecValue {
    const anchored = this.#anchors.get(alias.source);
    if (anchored === undefined) {
      this.#problem(alias, l10n.t('Nothing before this place is marked "&{0}".', shortened(alias.source)));
      return null;
    }
    this.#size += anchored.size;
    this.#reached = Math.max(this.#reached, this.#depth + anchored.depth);
    if (this.#size > mostValues || this.#reached > deepestNesting) {
      this.#problem(alias, l10n.t('The aliases in this text expand to more than the form can hold.'));
      return null;
    }
    if (anchored.key !== this.#topKey) {
      for (const key of [anchored.key, this.#topKey]) if (key !== undefined) this.shared.set(key, alias.source);
    }
    return anchored.value;
  }

  #problem(node: unknown, message: string): void {
    if (this.problems.length >= mostProblems) return;
    const range = isNode(node) ? node.range : undefined;
    const start = range?.[0] ?? 0;
    this.problems.push({ message, start, end: Math.max(range?.[1] ?? start, start) });
  }
}

/** Keys that are no text in YAML, such as 8080, are text in JSON: what was written counts. */
export function scalarKey(key: Scalar): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}
