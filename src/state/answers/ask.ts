import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { Clock } from '../clock.ts';
import type { Connections } from '../connections/connections.ts';
import type { Answers, DeploymentId, RevisionId } from './answers.ts';

/** Where an answer is kept, with its times. */
export interface AskingStores {
  readonly answers: Answers;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Asks for the record of a deployment, and keeps the answer. Undefined if the service has none.
 * @throws what the client throws
 */
export async function askRecord(
  { answers, clock }: AskingStores,
  { deployments }: Pick<Client, 'deployments'>,
  { connection, deploymentId }: DeploymentId,
  options?: CallOptions,
): Promise<Deployment | undefined> {
  const askedAt = clock.monotonic();
  const record = await deployments.find(deploymentId, options);
  answers.put({ connection, deploymentId, record, askedAt, receivedAt: clock.monotonic() });
  return record;
}

/**
 * Asks for a revision, and keeps the answer.
 * @throws what the client throws
 */
export async function askRevision(
  { answers, clock }: AskingStores,
  { revisions }: Pick<Client, 'revisions'>,
  { connection, deploymentId, revisionId }: RevisionId,
  options?: CallOptions,
): Promise<Revision> {
  const askedAt = clock.monotonic();
  const revision = await revisions.get(deploymentId, revisionId, options);
  answers.put({ connection, deploymentId, revision, askedAt, receivedAt: clock.monotonic() });
  return revision;
}

/**
 * A revision as it is known, or else as the service says now.
 * @throws what the client throws
 */
export async function readRevision(
  stores: AskingStores & { readonly connections: Pick<Connections, 'clientNamed'> },
  id: RevisionId,
  options?: CallOptions,
): Promise<Revision> {
  const { connection, revisionId } = id;
  const known = stores.answers.revision(connection, revisionId);
  return known ?? askRevision(stores, await stores.connections.clientNamed(connection), id, options);
}
