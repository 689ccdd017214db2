import type { Services } from '../services.ts';

/** Saves the resource form that is in front, as the key for saving does with a document. */
export async function saveResourceSpec({ resourceForms }: Services): Promise<void> {
  resourceForms.saveActive();
}
