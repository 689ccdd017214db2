import type { SpecPath } from './specValue.ts';

/** Something to say about a resource spec. An error keeps it from being used, advice does not. */
export interface SpecFinding {
  readonly severity: 'error' | 'advice';
  readonly path: SpecPath;
  /** Whether the key itself is meant or the value that it holds. */
  readonly at: 'key' | 'value';
  readonly message: string;
}

/** Collects findings up to a limit, so that a hostile text costs no more than a careless one. */
export class Findings {
  readonly #findings: SpecFinding[] = [];
  readonly #limit = 100;

  get all(): readonly SpecFinding[] {
    return this.#findings;
  }

  get isFull(): boolean {
    return this.#findings.length >= this.#limit;
  }

  error(path: SpecPath, message: string, at: 'key' | 'value' = 'value'): void {
    this.#add({ severity: 'error', path, at, message });
  }

  advice(path: SpecPath, message: string, at: 'key' | 'value' = 'value'): void {
    this.#add({ severity: 'advice', path, at, message });
  }

  #add(finding: SpecFinding): void {
    if (!this.isFull) this.#findings.push(finding);
  }
}
