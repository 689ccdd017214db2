import { stringify } from 'yaml';
import { resourceSpecWire, type ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { deepestNesting, specYamlOptions } from '../yaml/document.ts';
import { isAbsent, isSpecMap } from '../yaml/value.ts';
import type { SpecMap, SpecValue } from '../yaml/value.ts';
import { isSpecKey, specKeys } from './fields.ts';
import { withPlainFlags } from './shapes.ts';

/**
 * Writes a spec as YAML, with keys in the order of the form. Leaves out empty fields.
 * Puts text in quotes that Kubernetes, which reads YAML 1.1, would take for a flag or a number.
 */
export function specToText(spec: SpecMap): string {
  const others = Object.keys(spec).filter((key) => !isSpecKey(key));
  const keys = [...specKeys, ...others].filter((key) => !isAbsent(spec[key]));
  if (keys.length === 0) return '';
  const options = { ...specYamlOptions, compat: 'yaml-1.1', lineWidth: 0 } as const;
  return stringify(Object.fromEntries(keys.map((key) => [key, spec[key]])), options);
}

/** Converts a foreign spec to plain values. Leaves out what JSON can't express and levels too deep for the form. */
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

/** Resources as they are sent: with true and false for flags in words. Undefined if the interface doesn't take them. */
export function sentSpec(resources: SpecMap): ResourceSpec | undefined {
  return resourceSpecWire.safeParse(withPlainFlags(resources)).data;
}
