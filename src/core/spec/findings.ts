import type { SpecPath } from '../yaml/value.ts';
import { positionAt } from '../yaml/document.ts';
import type { ReadableSpec, TextFinding } from '../yaml/document.ts';
import { rangeAt } from '../yaml/placement.ts';

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

/** Adds a finding's place in the text: at most one line, and never empty if there is a key. */
export function locateFinding({ text, root }: ReadableSpec, finding: SpecFinding): TextFinding {
  const { severity, message, path, at } = finding;
  const [start, end] = rangeAt(text, root, path, at);
  return { key: String(path[0]), path, severity, message, start, end, ...positionAt(text, start) };
}
