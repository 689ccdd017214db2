import { isMap, isScalar, isSeq } from 'yaml';
import type { SpecPath } from '../yaml/value.ts';
import { positionAt, rangeOf, scalarKey } from '../yaml/document.ts';
import type { ReadableSpec, TextFinding } from '../yaml/document.ts';

/** A message about a resource spec. An error makes the spec unusable, information doesn't. */
interface Finding {
  readonly severity: 'error' | 'info';
  readonly message: string;
}

export interface SpecFinding extends Finding {
  readonly path: SpecPath;
  readonly at: 'key' | 'value';
}

export type Findings = Generator<SpecFinding, void>;

/** A finding about a form field. Line and column count from 1 in the field's own text; the path leads to its value. */
export interface FieldFinding extends Finding {
  readonly path?: SpecPath;
  readonly line?: number;
  readonly column?: number;
}

export function errorAt(path: SpecPath, message: string, at: SpecFinding['at'] = 'value'): SpecFinding {
  return { severity: 'error', path, at, message };
}

export function infoAt(path: SpecPath, message: string): SpecFinding {
  return { severity: 'info', path, at: 'value', message };
}

type Range = readonly [start: number, end: number];

interface Place {
  readonly key: Range;
  readonly value: Range;
  readonly node: unknown;
}

/** Adds a finding's place in the text: at most one line, and never empty if there is a key. */
export function locateFinding({ text, root }: ReadableSpec, finding: SpecFinding): TextFinding {
  const { severity, message, path, at } = finding;
  let place: Place = { key: [0, 0], value: [0, 0], node: root };
  for (const step of path) {
    const next = stepInto(place.node, step);
    if (next === undefined) break;
    place = next;
  }
  const isEmpty = place.value[0] >= place.value[1];
  const [start, placeEnd] = at === 'key' || isEmpty ? place.key : place.value;
  const [line = ''] = text.slice(start).split('\n', 1);
  const end = Math.min(placeEnd, start + Math.max(line.trimEnd().length, 1));
  return { key: String(path[0]), path, severity, message, start, end, ...positionAt(text, start) };
}

function stepInto(node: unknown, step: string | number): Place | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    const range = rangeOf(item);
    return range && { key: range, value: range, node: item };
  }
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && scalarKey(key) === String(step)) : undefined;
  const key = rangeOf(pair?.key);
  return key && { key, value: rangeOf(pair?.value) ?? key, node: pair?.value };
}
