/**
 * What the start of VS Code doesn't wait for. Each part is loaded with its first use; the client is one more
 * (`state/connections/clientCache.ts`). Everything else is loaded at the start.
 */
export const parts = {
  /** What a person sets off. */
  commands: () => import('./commands.ts'),
  /** The texts of documents, and help in files. Brings the YAML parser. */
  texts: () => import('./texts.ts'),
  /** The forms of resource specs. */
  forms: () => import('./resourceForm/openForm.ts'),
  /** What runs by itself once the window is there, and what it needs of git. */
  background: () => import('./background.ts'),
} as const;

export type Parts = typeof parts;
