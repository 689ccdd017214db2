import { expect } from 'vitest';
import type { Workbench } from './workbench.ts';

/** The review of a deployment, as a person works with it. */
export interface Review {
  /** The rows that are shown, a line each. */
  readonly rows: () => Promise<string>;
  /** Waits until the review is on the screen and has been checked. */
  readonly shown: () => Promise<void>;
  /** Chooses a field; the review comes back where the person was, and typing brings rows up that are out of sight. */
  readonly edit: (field: string) => Promise<void>;
  /** What stands behind a field, also where its row is out of sight. */
  readonly value: (field: string) => Promise<string | undefined>;
  /** Answers the question with these words; the list before it has the same title. */
  readonly answer: (prompt: string, text: string) => Promise<void>;
}

export function reviewOf(workbench: () => Workbench): Review {
  const rows = async () => (await workbench().quickInput.rows()).join('\n');
  const shown = async () => {
    const title = workbench().page.locator('.quick-input-title', { hasText: 'Deploy Current Repository: Review' });
    await title.waitFor();
    await expect.poll(rows).not.toContain('Checking…');
  };
  return {
    rows,
    shown,
    edit: async (field) => {
      await shown();
      await workbench().quickInput.fill(field);
      await workbench().quickInput.choose(field);
    },
    value: async (field) => {
      const { quickInput } = workbench();
      await shown();
      await quickInput.fill(field);
      await quickInput.row(field).waitFor();
      const found = (await quickInput.rows()).find((row) => row.startsWith(`${field} `));
      await quickInput.fill('');
      return found;
    },
    answer: async (prompt, text) => {
      const { quickInput } = workbench();
      await expect.poll(() => quickInput.message()).toContain(prompt);
      await quickInput.fill(text);
      await quickInput.accept();
    },
  };
}
