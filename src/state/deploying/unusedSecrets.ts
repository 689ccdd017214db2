import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { readRows } from '../../api/resources/page.ts';
import { isDeletion } from '../../api/schema/enums.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { draftLike } from '../../core/draft/likeThis.ts';
import type { Connection } from '../connections/connection.ts';
import type { SecretStore } from '../connections/storedKeys.ts';
import { deleteStoredSecret, isSamePlace, secretPlace, storedSecretsAt, type SecretPlace } from './storedSecrets.ts';

/** How many other deployments are looked at. */
const mostDeployments = 10 * MAX_PAGE_SIZE;

/** Whether this machine stores secrets of a deployment. Rejects if the storage can't be read. */
export async function hasStoredSecrets(
  secrets: SecretStore,
  connection: Connection,
  deployment: Deployment,
): Promise<boolean> {
  const place = placeOf(connection, deployment);
  return place !== undefined && (await storedSecretsAt(secrets, place)).length > 0;
}

/**
 * Deletes the stored secrets of a deployment that is being deleted. They stay if another deployment of the connection uses
 * them, or if that can't be told. Rejects if the service or the storage can't be read.
 */
export async function deleteUnusedSecrets(
  secrets: SecretStore,
  connection: Connection,
  deleted: Deployment,
  { deployments }: Pick<Client, 'deployments'>,
): Promise<void> {
  const place = placeOf(connection, deleted);
  if (place === undefined) return;
  const stored = await storedSecretsAt(secrets, place);
  if (stored.length === 0) return;
  const { rows, isWhole } = await readRows(deployments.listAll(), mostDeployments);
  const others = rows.filter((row) => row.id !== deleted.id && !isDeletion(row.status));
  if (!isWhole || others.some((row) => isSamePlace(placeOf(connection, row), place))) return;
  for (const secret of stored) await deleteStoredSecret(secrets, secret);
}

/** Where the secrets of a deployment are stored, as those of a draft with the same content. */
function placeOf(connection: Connection, deployment: Deployment): SecretPlace | undefined {
  const copy = draftLike(deployment, { connectionName: connection.name, revision: undefined, listener: undefined });
  return copy && secretPlace(connection, copy.draft);
}
