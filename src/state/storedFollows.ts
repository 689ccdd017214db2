import type { Memory } from './memory.ts';

/** What is followed, by ids and a connection's name. */
export interface FollowId {
  readonly connection: string;
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** What outlives the window: ids and a time, nothing that the service said. */
export interface StoredFollow extends FollowId {
  /** When the person began to follow, in wall time, so that a reload does not make a follow last longer. */
  readonly startedAt: number;
}

const followsSlot = 'follows';

/** The stored follows that can be read; one whose time is missing or still to come begins now. */
export function readFollows(memory: Memory, now: number): readonly StoredFollow[] {
  const value = memory.get(followsSlot);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    if (!('connection' in item) || !('deploymentId' in item) || !('revisionId' in item)) return [];
    const { connection, deploymentId, revisionId } = item;
    if (typeof connection !== 'string' || typeof deploymentId !== 'string' || typeof revisionId !== 'string') return [];
    const startedAt = 'startedAt' in item && typeof item.startedAt === 'number' ? Math.min(item.startedAt, now) : now;
    return [{ connection, deploymentId, revisionId, startedAt }];
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
