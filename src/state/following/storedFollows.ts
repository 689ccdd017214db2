import { isRecord } from '../../api/schema/json.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { RevisionId } from './polledRevision.ts';

/** A follow as stored for the next window: ids and a duration, no data of the service. */
export interface StoredFollow extends RevisionId {
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
    const { connection, deploymentId, revisionId, waited } = item;
    if (!isStoredText(connection) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return [];
    const isDuration = typeof waited === 'number' && Number.isFinite(waited) && waited > 0;
    return [{ connection, deploymentId, revisionId, waited: isDuration ? waited : 0 }];
  });
}

/** Replaces the stored follows; without follows, nothing stays stored. */
export async function storeFollows(memory: Memory, follows: readonly StoredFollow[]): Promise<void> {
  const stored = follows.map(({ connection, deploymentId, revisionId, waited }): StoredFollow => ({
    connection,
    deploymentId,
    revisionId,
    waited,
  }));
  await memory.update(followsSlot, stored.length > 0 ? stored : undefined);
}
