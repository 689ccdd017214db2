import { isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { SpecFinding } from './specFinding.ts';
import { nextLineStart } from './specLines.ts';
import type { ReadableSpec } from './specYaml.ts';
import { scalarKey } from './specYamlNode.ts';

/** The offsets in the text that a finding is about: never more than one line, never empty where there is a key. */
export function locateFinding(document: ReadableSpec, finding: SpecFinding): { start: number; end: number } {
  const [key, ...rest] = finding.path;
  const entry = typeof key === 'string' ? document.entries.get(key) : undefined;
  if (entry === undefined) return { start: 0, end: 0 };
  let place = { key: [entry.keyStart, entry.keyEnd], value: [entry.valueStart, entry.valueEnd], node: entry.node };
  for (const step of rest) {
    const next = stepInto(place.node, step);
    if (next === undefined) break;
    place = next;
  }
  const isEmpty = (place.value[0] ?? 0) >= (place.value[1] ?? 0);
  const [start = 0, end = 0] = finding.at === 'key' || isEmpty ? place.key : place.value;
  const line = document.text.slice(start, nextLineStart(document.text, start)).trimEnd();
  return { start, end: Math.min(end, start + Math.max(line.length, 1)) };
}

function stepInto(node: unknown, step: string | number): { key: number[]; value: number[]; node: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    const range = rangeOf(item);
    return range === undefined ? undefined : { key: range, value: range, node: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && scalarKey(key) === String(step));
  const key = isPair(pair) ? rangeOf(pair.key) : undefined;
  if (pair === undefined || key === undefined) return undefined;
  return { key, value: rangeOf(pair.value) ?? key, node: pair.value };
}

function rangeOf(node: unknown): number[] | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}
