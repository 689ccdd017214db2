import type { SpecPath } from './value.ts';

/** Something to say about a resource spec. An error keeps it from being used, advice does not. */
export interface SpecFinding {
  readonly severity: 'error' | 'advice';
  readonly path: SpecPath;
  /** Whether the key itself is meant or the value that it holds. */
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
