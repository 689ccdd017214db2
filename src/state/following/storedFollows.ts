import type { Revision } from '../../api/resources/revisions.ts';
import { isRecord } from '../../api/schema/json.ts';
import { toWallTime, type Clock } from '../clock.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import { statusOf, type RevisionId } from './polledRevision.ts';

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
  /** Whether nobody followed it. */
  readonly isQuiet?: true;
}

const followsSlot = 'follows';

/** Reads the valid stored follows. One without a valid duration starts over. */
export function readFollows(memory: Memory): readonly StoredFollow[] {
  const value = memory.get(followsSlot);
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostRemembered).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { connection, deploymentId, revisionId, lastAnswer, waited, isQuiet } = item;
    if (!isStoredText(connection) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return [];
    const isDuration = typeof waited === 'number' && Number.isFinite(waited) && waited > 0;
    const known = {
      ...(isStoredAnswer(lastAnswer) ? { lastAnswer } : {}),
      ...(isQuiet === true ? ({ isQuiet: true } as const) : {}),
    };
    return [{ connection, deploymentId, revisionId, ...known, waited: isDuration ? waited : 0 }];
  });
}

/** A follow to store. Its times are monotonic. */
interface RunningFollow extends RevisionId {
  readonly waited: number;
  readonly deploymentName?: string;
  readonly revision?: Revision;
  readonly revisionAt?: number;
  readonly lastAnswer?: StoredAnswer;
  readonly isQuiet?: true;
}

/** Replaces the stored follows; without follows, nothing stays stored. */
export async function storeFollows(
  memory: Memory,
  follows: readonly RunningFollow[],
  clock: Pick<Clock, 'now' | 'monotonic'>,
): Promise<void> {
  // The next window can't use monotonic time, so store wall time.
  const toWall = (time: number): number => Math.round(toWallTime(clock, time));
  const stored = follows.map((follow): StoredFollow => {
    const { connection, deploymentId, revisionId, waited, isQuiet } = follow;
    const answer = lastAnswerOf(follow);
    const lastAnswer = answer && { ...answer, at: toWall(answer.at) };
    return {
      connection,
      deploymentId,
      revisionId,
      waited,
      ...(lastAnswer && { lastAnswer }),
      ...(isQuiet && { isQuiet }),
    };
  });
  await memory.update(followsSlot, stored.length > 0 ? stored : undefined);
}

function lastAnswerOf({ revision, revisionAt, deploymentName, lastAnswer }: RunningFollow): StoredAnswer | undefined {
  if (revision === undefined || revisionAt === undefined || deploymentName === undefined) return lastAnswer;
  return { name: deploymentName, status: statusOf(revision), at: revisionAt };
}

function isStoredAnswer(value: unknown): value is StoredAnswer {
  return (
    isRecord(value) && isStoredText(value['name']) && isStoredText(value['status']) && Number.isFinite(value['at'])
  );
}
