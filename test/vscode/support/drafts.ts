import type { Form } from './forms.ts';
import { expect, forms, quickInput, run } from './window.ts';

/** Opens a new draft with the palette's command, which offers drafts that are kept. */
export async function newDraft(): Promise<Form> {
  const before = forms.all.length;
  const opened = run('editResourceSpec');
  await expect.poll(() => quickInput.isOpen() || forms.all.length > before).toBe(true);
  if (quickInput.isOpen()) await quickInput.choose('New Resources');
  await opened;
  return forms.inFront('Resources');
}
