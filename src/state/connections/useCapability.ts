import * as l10n from '@vscode/l10n';
import type { Client } from '../../api/client.ts';
import { ApiError, isMissingCall } from '../../api/errors.ts';
import type { Capability } from '../../api/flavor.ts';
import { missingCapability } from '../../core/resources/capabilities.ts';
import type { Capabilities } from './capabilities.ts';
import type { ReadySession } from './session.ts';

/** What a call is about. A 404 also means that it no longer exists. */
export type CallSubject =
  | { readonly deploymentId: string; readonly revisionId?: string | undefined }
  | { readonly listenerId: string };

/**
 * Makes a call that only some services have.
 * If there is no such call, though its subject exists, the capability is off until the window reloads.
 * @throws ApiError whose message says what to do instead, or why the service may not allow it
 */
export async function useCapability<T>(
  capabilities: Pick<Capabilities, 'has' | 'turnOff'>,
  { connection, client: connect }: ReadySession,
  capability: Capability,
  subject: CallSubject | undefined,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  if (!capabilities.has(connection, capability)) {
    throw new ApiError({ kind: 'notFound', message: missingCapability(capability, connection.name), sent: false });
  }
  const client = await connect();
  try {
    return await call(client);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isMissingCall(error) && (await exists(client, subject))) {
      capabilities.turnOff(connection, capability);
      error.message = missingCapability(capability, connection.name);
    } else if (capability === 'upload' && (error.status === 400 || error.status === 403)) {
      error.message += ` ${l10n.t('Self-hosted services may not take uploads. The cloud does.')}`;
    } else if (error.status === 403) {
      error.message += ` ${l10n.t("Your organization's plan may not include it.")}`;
    }
    throw error;
  }
}

/** Whether the subject of a call certainly exists. */
async function exists(client: Client, subject: CallSubject | undefined): Promise<boolean> {
  if (subject === undefined) return true;
  try {
    if ('listenerId' in subject) return (await client.listeners.find(subject.listenerId)) !== undefined;
    const { deploymentId, revisionId } = subject;
    const [record] = await Promise.all([
      client.deployments.find(deploymentId),
      revisionId === undefined ? undefined : client.revisions.get(deploymentId, revisionId),
    ]);
    return record !== undefined;
  } catch {
    return false;
  }
}
