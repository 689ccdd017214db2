import { isRecord } from '../../api/schema/json.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { RevisionId } from './polledRevision.ts';

/** The last answer to an earlier window. */
export interface StoredAnswer {
  readonly name: string;
  readonly status: string;
  /** When it was received. */
  readonly at: number;
}

/** A follow as stored for the next window: ids, a name, a status and times, no other data of the service. */
export interface StoredFollow extends RevisionId {
  /** With its wall time. */
  readonly lastAnswer?: StoredAnswer;
  /** The planned delays of the answered polls, in milliseconds, so a reload doesn't extend the follow. */
  readonly waited: number;
}

const followsSlot = 'follows';

/** Reads the valid stored follows. One without a valid duration starts over. */
export function readFollows(memory: Memory): readonly StoredFollow[] {
  const value = memory.get(followsSlot);
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostRemembered).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { connection, deploymentId, revisionId, lastAnswer, waited } = item;
    if (!isStoredText(connection) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return [];
    const isDuration = typeof waited === 'number' && Number.isFinite(waited) && waited > 0;
    const known = isStoredAnswer(lastAnswer) ? { lastAnswer } : {};
    return [{ connection, deploymentId, revisionId, ...known, waited: isDuration ? waited : 0 }];
  });
}

/** Replaces the stored follows; without follows, nothing stays stored. */
export async function storeFollows(memory: Memory, follows: readonly StoredFollow[]): Promise<void> {
  await memory.update(followsSlot, follows.length > 0 ? follows : undefined);
}

function isStoredAnswer(value: unknown): value is StoredAnswer {
  return (
    isRecord(value) && isStoredText(value['name']) && isStoredText(value['status']) && Number.isFinite(value['at'])
  );
}
