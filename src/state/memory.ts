import type { Logger } from '../api/redaction/redact.ts';
import { MAX_TEXT_LENGTH } from '../api/schema/limits.ts';

/** Values stored across windows; `vscode.Memento` satisfies it. Readers must validate them like any input. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Wraps a memory so that values have bounds, and failed writes are logged instead of thrown. */
export function withLoggedFailures(memory: Memory, log: Pick<Logger, 'warn'>): Memory {
  return {
    get: (key) => memory.get(key),
    update: async (key, value) => {
      try {
        const items: readonly unknown[] = Array.isArray(value) ? value : [value];
        const kept = firstThatFit(items);
        if (!Array.isArray(value) && kept.length === 0) throw new Error('It is too long.');
        if (kept.length < items.length) log.warn(`"${key}" was stored without ${items.length - kept.length} entries.`);
        await memory.update(key, Array.isArray(value) ? kept : value);
      } catch (error) {
        log.warn(`"${key}" was not stored.`, error);
      }
    },
  };
}

/** Maximum number of remembered values; more than a user would enter by hand. */
export const mostRemembered = 1000;

/** Maximum length of a stored value, in characters of JSON. VS Code reads all values with the window. */
const longestStored = 1_000_000;

function firstThatFit(items: readonly unknown[]): readonly unknown[] {
  let room = longestStored;
  const fitting = items.filter((item) => {
    const length = JSON.stringify([item]).length;
    if (length > room) return false;
    room -= length;
    return true;
  });
  return fitting.slice(0, mostRemembered);
}

/** Whether a stored value can be one of our ids or names. */
export function isStoredText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
}

/** The ids or names stored under a key, without duplicates and invalid values. */
export function readTexts(memory: Memory, key: string): readonly string[] {
  const value = memory.get(key);
  const texts = Array.isArray(value) ? value.filter(isStoredText) : [];
  return [...new Set(texts)].slice(0, mostRemembered);
}
