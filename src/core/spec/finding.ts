import type { SpecPath } from './value.ts';

/** A message about a resource spec. An error makes the spec unusable, advice doesn't. */
export interface SpecFinding {
  readonly severity: 'error' | 'advice';
  readonly path: SpecPath;
  /** Whether the message is about the key or its value. */
  readonly at: 'key' | 'value';
  readonly message: string;
}

type Report = (path: SpecPath, message: string, at?: SpecFinding['at']) => void;

/** Collects findings. */
export interface Findings {
  readonly all: readonly SpecFinding[];
  readonly error: Report;
  readonly advice: Report;
}

export function collectFindings(): Findings {
  const all: SpecFinding[] = [];
  const report =
    (severity: SpecFinding['severity']): Report =>
    (path, message, at = 'value') => {
      all.push({ severity, path, at, message });
    };
  return {
    all,
    error: report('error'),
    advice: report('advice'),
  };
}
