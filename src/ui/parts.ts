/**
 * What the start of VS Code doesn't wait for. Each part is loaded with its first use; the client is one more
 * (`state/connections/clientCache.ts`). Everything else is loaded at the start.
 */
export const parts = {
  /** The handlers of commands. */
  commands: () => import('./commands.ts'),
  /** The texts of documents, logs, and help in files. Brings the YAML parser. */
  texts: () => import('./texts.ts'),
  /** The forms of resource specs. */
  forms: () => import('./resourceForm/forms.ts'),
  /** What isn't needed to draw the window: following, its surfaces, warnings, tooltips of rows, and reading git. */
  background: () => import('./background.ts'),
} as const;

export type Parts = typeof parts;
