import { isRecord } from '../../api/schema/json.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { RevisionId } from './polledRevision.ts';

/** What outlives the window: ids and a time, nothing that the service said. */
export interface StoredFollow extends RevisionId {
  /** When the person began to follow, in wall time, so that a reload does not make a follow last longer. */
  readonly startedAt: number;
}

const followsSlot = 'follows';

/** The stored follows that can be read; one whose time is missing or still to come begins now. */
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

/** Replaces what is stored; nothing stays where nothing is followed. */
export async function storeFollows(memory: Memory, follows: readonly StoredFollow[]): Promise<void> {
  const stored = follows.map(({ connection, deploymentId, revisionId, startedAt }): StoredFollow => ({
    connection,
    deploymentId,
    revisionId,
    startedAt,
  }));
  await memory.update(followsSlot, stored.length > 0 ? stored : undefined);
}
