import type { Client } from '../../api/client.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { settlingMilliseconds } from '../../core/status/pollDelay.ts';
import { isRecordBehind } from '../../core/status/verdict.ts';
import type { Clock } from '../clock.ts';
import type { Deployments, PolledAnswer } from '../lists/deployments.ts';
import { readableEntries } from '../lists/pagedList.ts';
import { isApiError, type Movement, type PolledRevision, type RevisionId } from './polledRevision.ts';

/** Gives the client of each connection, also of those that this workspace didn't select. */
export interface NamedClients {
  clientNamed(name: string): Promise<Client>;
}

/** The service's answer about a polled revision. The record is requested only if it may have changed or isn't known. */
export interface Answer extends RevisionId, Movement, PolledAnswer {
  readonly revision: Revision;
  /** The live revision, if it wasn't known and came with the same request. */
  readonly live: Revision | undefined;
  /** The planned delay before this poll, in milliseconds. */
  readonly waited: number;
}

/** A failed poll. It says nothing about the revision. */
export interface FailedPoll extends RevisionId {
  readonly error: unknown;
  /** Number of consecutive failed polls. */
  readonly failures: number;
  /** The service knows neither the revision nor its deployment. */
  readonly isGone: boolean;
}

interface Asked {
  readonly connections: NamedClients;
  readonly deployments: Pick<Deployments, 'find' | 'revision'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Requests a revision and, where it may have changed, the record of its deployment. */
export async function askRevision(
  { connections, deployments, clock }: Asked,
  polled: PolledRevision,
  { isNameKnown, signal }: { readonly isNameKnown: boolean; readonly signal: AbortSignal },
): Promise<Answer> {
  const { connection, deploymentId, revisionId } = polled.id;
  const client = await connections.clientNamed(connection);
  const liveId = unknownLive(polled, deployments);
  // The newest two are usually the latest and the live one, so one list is cheaper than two requests.
  const newest = liveId === undefined ? [] : await listNewest(client, deploymentId, signal);
  const named = (id: string | undefined): Revision | undefined => newest.find((each) => each.id === id);
  const revision = named(revisionId) ?? (await client.revisions.get(deploymentId, revisionId, { signal }));
  const at = clock.monotonic();
  const movement = polled.compare(revision);
  const isWanted = needsRecord(polled, movement, { isNameKnown, deployments });
  const deployment = isWanted ? await client.deployments.find(deploymentId, { signal }) : undefined;
  // A follow shows what follows from the end, so it waits for the record to name that.
  const isBehind = polled.isFollowed && deployment !== undefined && isRecordBehind(revision, deployment);
  const hasEnded = movement.hasEnded && !(isBehind && at - movement.since < settlingMilliseconds);
  return { ...polled.id, ...movement, hasEnded, revision, live: named(liveId), deployment, at, waited: polled.waited };
}

/** The id of the live revision of a row, if it is another one that nobody has asked for yet. */
function unknownLive({ id, isFollowed }: PolledRevision, deployments: Asked['deployments']): string | undefined {
  const liveId = deployments.find(id.deploymentId)?.active_revision_id;
  const isKnown = liveId === undefined || liveId === id.revisionId || deployments.revision(liveId) !== undefined;
  return isFollowed || isKnown ? undefined : liveId;
}

async function listNewest(client: Client, deploymentId: string, signal: AbortSignal): Promise<readonly Revision[]> {
  const { resources } = await client.revisions.list(deploymentId, { limit: 2 }, { signal });
  return readableEntries(resources);
}

/**
 * Whether a poll also requests the record, because only the record names the live revision.
 * It does at the end of a change, even one between the record and the first answer, and for a follow without a
 * record.
 */
function needsRecord(
  { id, isFollowed }: PolledRevision,
  { phase, hasEnded: isAtEnd, hasMoved, isFirst }: Movement,
  { isNameKnown, deployments }: { readonly isNameKnown: boolean } & Pick<Asked, 'deployments'>,
): boolean {
  if (!isAtEnd) return isFollowed && !isNameKnown;
  const record = deployments.find(id.deploymentId);
  const isLiveUnknown = phase === 'success' && record?.active_revision_id !== id.revisionId;
  return isFollowed || hasMoved || (isFirst && isLiveUnknown);
}

/** Whether the list agrees that a followed deployment no longer exists. A gateway can answer "not found" too. */
export async function isDeploymentGone(
  connections: NamedClients,
  { id, isFollowed }: PolledRevision,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
): Promise<boolean> {
  if (!isFollowed || !isApiError(error) || error.kind !== 'notFound') return false;
  try {
    const client = await connections.clientNamed(id.connection);
    return (await client.deployments.find(id.deploymentId, { signal })) === undefined;
  } catch {
    return false;
  }
}
