import { isMap, isNode, isScalar, isSeq } from 'yaml';
import type { SpecFinding } from './finding.ts';
import type { ReadableSpec } from './yaml/document.ts';
import { nextLineStart } from './yaml/lines.ts';
import { scalarKey } from './yaml/node.ts';

type Range = readonly [start: number, end: number, ...unknown[]];

interface Place {
  readonly key: Range;
  readonly value: Range;
  readonly node: unknown;
}

/** The text range of a finding. At most one line, and never empty if there is a key. */
export function locateFinding({ text, root }: ReadableSpec, { path, at }: SpecFinding): { start: number; end: number } {
  let place: Place = { key: [0, 0], value: [0, 0], node: root };
  for (const step of path) {
    const next = stepInto(place.node, step);
    if (next === undefined) break;
    place = next;
  }
  const isEmpty = place.value[0] >= place.value[1];
  const [start, end] = at === 'key' || isEmpty ? place.key : place.value;
  const line = text.slice(start, nextLineStart(text, start)).trimEnd();
  return { start, end: Math.min(end, start + Math.max(line.length, 1)) };
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

function rangeOf(node: unknown): Range | undefined {
  return (isNode(node) && node.range) || undefined;
}
