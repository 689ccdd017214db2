import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Capability } from '../../api/flavor.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { mayHaveWorked } from '../../api/resources/lookUp.ts';
import { missingCapability } from '../../core/resources/capabilities.ts';
import { askRecord, type AskingStores } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useCapability } from '../../state/connections/useCapability.ts';
import type { Services } from '../services.ts';
import { isCancelled, resourceIsGone, showMessage, UserError } from '../window/errors.ts';
import { mayHaveChangedWords, whileWaiting, type Waiting } from '../window/waiting.ts';

export type ChangeServices = Pick<Services, 'answers' | 'capabilities' | 'clock' | 'connections' | 'deployments'>;

/** A change of a deployment that only some services can make. */
interface Change<T> {
  readonly capability: Capability;
  readonly deployment: Deployment;
  readonly revisionId?: string;
  readonly waiting: Waiting;
  readonly send: (client: Client, signal: AbortSignal) => Promise<T>;
}

/**
 * Refuses a change before anything is asked.
 * @throws {UserError} the service can't make it; says what to do instead
 */
export function requireCapability(
  { capabilities }: Pick<Services, 'capabilities'>,
  { connection }: ReadySession,
  capability: Capability,
): void {
  if (!capabilities.has(connection, capability)) throw new UserError(missingCapability(capability, connection.name));
}

/**
 * Sends a change once and waits for its answer. The user may stop waiting: what was sent may have worked.
 * @throws {UserError} the deployment is gone
 * @throws what `useCapability` throws
 */
export async function sendChange<T>(
  services: ChangeServices,
  session: ReadySession,
  { capability, deployment, revisionId, waiting, send }: Change<T>,
): Promise<T> {
  const subject = { deploymentId: deployment.id, revisionId };
  try {
    return await whileWaiting(waiting, (signal) =>
      useCapability(services.capabilities, session, capability, subject, async (client) => {
        try {
          return await send(client, signal);
        } catch (error) {
          // Another window may have deleted it.
          if (error instanceof ApiError && error.status === 404) {
            await readRecord(services, session, deployment, client, signal);
          }
          throw error;
        }
      }),
    );
  } catch (error) {
    if (!mayHaveWorked(error)) throw error;
    // The list reports its own errors.
    if (services.connections.session === session) void services.deployments.refresh();
    if (isCancelled(error) && error.sent) {
      void showMessage('warning', mayHaveChangedWords(deployment.name));
    }
    throw error;
  }
}

/**
 * Asks for a deployment's record, which another window may have changed.
 * @throws {UserError} the deployment is gone
 */
export async function readRecord(
  stores: AskingStores,
  { connection: { name: connection } }: ReadySession,
  { id: deploymentId, name }: Pick<Deployment, 'id' | 'name'>,
  client: Client,
  signal: AbortSignal,
): Promise<Deployment> {
  const place = { connection, deploymentId, askedAt: stores.clock.monotonic() };
  const record = await askRecord(stores, client, place, { signal });
  if (record !== undefined) return record;
  stores.answers.remove(place);
  throw resourceIsGone(name, connection);
}
