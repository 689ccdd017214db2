import type { Logger } from '../api/http/redact.ts';
import { MAX_TEXT_LENGTH } from '../api/schema/limits.ts';

/** Values that outlive the window; `vscode.Memento` satisfies it. What comes back is input: its reader parses it. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A memory whose writes never fail: one that does is logged, and this window goes on with what it knows. */
export function withLoggedFailures(memory: Memory, log: Pick<Logger, 'warn'>): Memory {
  return {
    get: (key) => memory.get(key),
    update: async (key, value) => {
      try {
        await memory.update(key, value);
      } catch (error) {
        log.warn(`"${key}" was not stored.`, error);
      }
    },
  };
}

/** More of anything than a user would remember by hand. */
export const mostRemembered = 1000;

/** True for a stored id or name that one of ours could be. */
export function isStoredText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
}

/** The ids or names that a memory holds, each once; what cannot be one is left out. */
export function readTexts(memory: Memory, key: string): readonly string[] {
  const value = memory.get(key);
  const texts = Array.isArray(value) ? value.filter(isStoredText) : [];
  return [...new Set(texts)].slice(0, mostRemembered);
}
