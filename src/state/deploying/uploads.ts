import { isRecord } from '../../api/schema/json.ts';
import { isStoredText, type Memory } from '../memory.ts';

const slot = 'uploads';

/** More than anybody looks back at. */
const mostNotes = 100;

/** Where an uploaded revision came from, in words. Undefined if this machine doesn't know it. */
export function uploadNoteOf(memory: Pick<Memory, 'get'>, revisionId: string): string | undefined {
  const note = storedNotes(memory).find((stored) => isRecord(stored) && stored['revisionId'] === revisionId);
  return isRecord(note) && isStoredText(note['words']) ? note['words'] : undefined;
}

/** Remembers where an uploaded revision came from, and forgets the oldest ones. */
export async function rememberUpload(memory: Memory, revisionId: string, words: string): Promise<void> {
  await memory.update(slot, [{ revisionId, words }, ...storedNotes(memory)].slice(0, mostNotes));
}

function storedNotes(memory: Pick<Memory, 'get'>): readonly unknown[] {
  const stored = memory.get(slot);
  return Array.isArray(stored) ? stored : [];
}
