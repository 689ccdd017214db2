import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { imageReferenceProblem } from '../../core/spec/imageReference.ts';
import { shownAddress } from '../../core/git/address.ts';
import { repositoryKey } from '../../core/git/remote.ts';
import type { Connection } from '../connections/connection.ts';
import type { Rename } from '../connections/connectionMemory.ts';
import type { SecretStore } from '../connections/storedKeys.ts';

/**
 * What a stored secret belongs to. Only a deployment of the same application on the same connection gets its value.
 * The connection's address is part of it, because a changed address must never get the old service's secrets.
 */
export interface SecretPlace {
  readonly connection: string;
  /** Empty for the local service. */
  readonly baseUrl: string;
  /** The repository, the image without its tag, or else the name of the deployment. */
  readonly application: string;
  /** Empty where there is none. */
  readonly configPath: string;
}

/** A stored secret without its value. */
export interface StoredSecret {
  readonly place: SecretPlace;
  readonly name: string;
}

/** Each secret has a slot of its own, so two windows never overwrite each other's. The slots are also the list. */
const slotPrefix = 'deploymentSecret:';

/** Where the secrets of a draft are stored. Undefined while it has nothing to find them by. */
export function secretPlace(connection: Connection, draft: DeploymentDraft): SecretPlace | undefined {
  const application = applicationOf(draft);
  if (application === undefined || application === '') return undefined;
  return {
    connection: connection.name,
    baseUrl: addressOf(connection),
    application,
    configPath: 'configPath' in draft ? draft.configPath : '',
  };
}

function addressOf(connection: Connection): string {
  return connection.kind === 'service' ? connection.baseUrl : '';
}

function applicationOf(draft: DeploymentDraft): string | undefined {
  switch (draft.source) {
    case 'repohost':
      return repositoryKey(draft.repositoryUrl) ?? shownAddress(draft.repositoryUrl);
    case 'external_docker':
    case 'internal_docker': {
      // The next image has another tag or digest.
      const isReadable = imageReferenceProblem(draft.imageUri) === undefined;
      return isReadable ? draft.imageUri.replace(/@.*$/s, '').replace(/:[^:/]*$/, '') : undefined;
    }
    case 'internal_source':
    case 'internal_template':
      return draft.name.trim();
  }
}

/** Whether a place's connection is still configured with its address. */
export function isConfigured({ connection, baseUrl }: SecretPlace, connections: readonly Connection[]): boolean {
  return connections.some((other) => other.name === connection && addressOf(other) === baseUrl);
}

/** All stored secrets by connection, application, config file and name. Rejects if the storage can't be read. */
export async function listStoredSecrets(secrets: SecretStore): Promise<readonly StoredSecret[]> {
  return (await secrets.keys()).toSorted().flatMap(readSlot);
}

/** The stored secrets of one place. Rejects if the storage can't be read. */
export async function storedSecretsAt(secrets: SecretStore, place: SecretPlace): Promise<readonly StoredSecret[]> {
  return (await listStoredSecrets(secrets)).filter((stored) => isSamePlace(stored.place, place));
}

export function isSamePlace(a: SecretPlace | undefined, b: SecretPlace | undefined): boolean {
  const slotIn = (place: SecretPlace | undefined): string | undefined => place && slotOf({ place, name: '' });
  return slotIn(a) === slotIn(b);
}

/** The value of a stored secret; undefined if there is none or it can't be decrypted. Rejects if the keyring fails. */
export async function readStoredSecret(secrets: SecretStore, stored: StoredSecret): Promise<string | undefined> {
  return secrets.get(slotOf(stored));
}

/** Stores a value, or replaces the stored one. */
export async function storeSecret(secrets: SecretStore, stored: StoredSecret, value: string): Promise<void> {
  await secrets.store(slotOf(stored), value);
}

export async function deleteStoredSecret(secrets: SecretStore, stored: StoredSecret): Promise<void> {
  await secrets.delete(slotOf(stored));
}

/** Moves the stored secrets of a connection to its new name. Several windows may do so at the same time. */
export async function renameStoredSecrets(secrets: SecretStore, { from, to }: Rename): Promise<void> {
  for (const stored of await listStoredSecrets(secrets)) {
    if (stored.place.connection !== from) continue;
    const value = await readStoredSecret(secrets, stored);
    if (value === undefined) continue;
    await storeSecret(secrets, { ...stored, place: { ...stored.place, connection: to } }, value);
    await deleteStoredSecret(secrets, stored);
  }
}

function slotOf({ place: { connection, baseUrl, application, configPath }, name }: StoredSecret): string {
  return slotPrefix + [connection, baseUrl, application, configPath, name].map(encodePart).join(' ');
}

/** The secret of a slot; none for a slot of something else. */
function readSlot(slot: string): readonly StoredSecret[] {
  if (!slot.startsWith(slotPrefix)) return [];
  const parts = slot.slice(slotPrefix.length).split(' ').map(decodePart);
  const [connection, baseUrl, application, configPath, name] = parts;
  if (connection === undefined || baseUrl === undefined || application === undefined) return [];
  if (configPath === undefined || name === undefined || parts.length > 5) return [];
  return [{ place: { connection, baseUrl, application, configPath }, name }];
}

function encodePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(' ', '%20');
}

function decodePart(text: string): string {
  return text.replaceAll('%20', ' ').replaceAll('%25', '%');
}
