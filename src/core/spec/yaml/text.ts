import { stringify } from 'yaml';
import { specKeys } from '../fields.ts';
import { isAbsent, isSpecMap } from '../value.ts';
import type { SpecMap, SpecValue } from '../value.ts';
import { specYamlOptions } from './document.ts';
import { deepestNesting } from './node.ts';

/** Writes a spec as YAML, with keys in the order of the form. Leaves out empty fields. */
export function specToText(spec: SpecMap): string {
  const rank = (key: string): number => {
    const index = specKeys.findIndex((known) => known === key);
    return index === -1 ? specKeys.length : index;
  };
  const entries = Object.entries(spec)
    .filter(([, value]) => !isAbsent(value))
    .toSorted(([left], [right]) => rank(left) - rank(right));
  return entries.length === 0 ? '' : stringify(Object.fromEntries(entries), { ...specYamlOptions, lineWidth: 0 });
}

/**
 * Converts a foreign resource spec to plain values.
 * Leaves out values that JSON can't express and levels too deep for the form.
 */
export function toSpecMap(spec: unknown): SpecMap {
  const plain = toSpecValue(spec, 1);
  return isSpecMap(plain) ? plain : {};
}

function toSpecValue(value: unknown, level: number): SpecValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || level > deepestNesting) return undefined;
  if (Array.isArray(value)) return value.map((item) => toSpecValue(item, level + 1) ?? null);
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const plain = toSpecValue(member, level + 1);
    return plain === undefined ? [] : [[key, plain] as const];
  });
  return Object.fromEntries(entries);
}
