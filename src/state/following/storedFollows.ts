import { isRecord } from '../../api/schema/json.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { RevisionId } from './polledRevision.ts';

/** A follow as stored for the next window: ids and a time, no data of the service. */
export interface StoredFollow extends RevisionId {
  /** When the user started following, in wall time, so a reload doesn't extend the follow. */
  readonly startedAt: number;
}

const followsSlot = 'follows';

/** Reads the valid stored follows. One with a missing or future start time starts now. */
export function readFollows(memory: Memory, now: number): readonly StoredFollow[] {
  const value = memory.get(followsSlot);
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostRemembered).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { connection, deploymentId, revisionId, startedAt } = item;
    if (!isStoredText(connection) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return [];
    const began = typeof startedAt === 'number' && Number.isFinite(startedAt) ? Math.min(startedAt, now) : now;
    return [{ connection, deploymentId, revisionId, startedAt: began }];
  });
}

/** Replaces the stored follows; without follows, nothing stays stored. */
export async function storeFollows(memory: Memory, follows: readonly StoredFollow[]): Promise<void> {
  const stored = follows.map(({ connection, deploymentId, revisionId, startedAt }): StoredFollow => ({
    connection,
    deploymentId,
    revisionId,
    startedAt,
  }));
  await memory.update(followsSlot, stored.length > 0 ? stored : undefined);
}
