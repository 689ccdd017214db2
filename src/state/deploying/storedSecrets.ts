import { SOURCES, type Source } from '../../api/schema/enums.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { imageReferenceProblem } from '../../core/spec/imageReference.ts';
import { splitAddress } from '../../core/git/address.ts';
import { isKnownHost } from '../../core/git/codeHosts.ts';
import { repositoryKey, segmentsOf } from '../../core/git/remote.ts';
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
  /** Empty where an earlier version stored the secret, which told neither the sources nor a host's ports apart. */
  readonly source: Source | '';
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
    source: draft.source,
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
      return repositoryPlace(draft.repositoryUrl);
    case 'external_docker':
    case 'internal_docker': {
      // The next image has another tag or digest.
      const { imageUri = '' } = draft;
      const isReadable = imageReferenceProblem(imageUri) === undefined;
      return isReadable ? imageUri.replace(/@.*/s, '').replace(/:[^:/]*$/, '') : undefined;
    }
    case 'internal_source':
    case 'internal_template':
      return draft.name.trim();
  }
}

/**
 * The repository behind an address; undefined for one that can't be read. Two repositories must never share a place, so
 * only the addresses that every code host serves for one repository do: https and ssh at the usual ports. What answers at
 * another port, or without encryption, may be somebody else's.
 */
function repositoryPlace(url: string): string | undefined {
  const key = repositoryKey(url);
  const address = splitAddress(url);
  if (key === undefined || address === undefined) return undefined;
  if (address.kind === 'folder') return key;
  const { scheme, port, path } = address;
  const host = address.host.toLowerCase();
  const isKnown = isKnownHost(host);
  const authority = port === '' ? host : `${host}:${port}`;
  const isWeb = scheme === 'https' || scheme === 'http';
  const [, user] = /^(?:ssh:\/\/|\[)?([^@/]+)@/i.exec(address.text) ?? [];
  if (!isKnown && !isWeb && user !== 'git') {
    if (/^\/(?!~)/.test(path)) return `${scheme}://${authority}${path}`;
    // The path is in the home of a user, whose name the address may hide.
    const isHidden = scheme !== 'ssh' || (user === undefined && url.includes('@'));
    return isHidden ? undefined : `ssh://${user === undefined ? '' : `${user}@`}${authority}/~/${path}`;
  }
  // Only known hosts have several paths for one repository.
  const name = isKnown ? key : [host, ...segmentsOf(path)].join('/').toLowerCase();
  const usual = ['https:', 'https:443', 'ssh:', 'ssh:22', ...(isKnown ? ['ssh:443'] : [])];
  return usual.includes(`${scheme}:${port}`) ? name : name.replace(/^[^/]*/, `${scheme}://${authority}`);
}

/** Where an earlier version stored the secrets of a place. */
function formerPlace(place: SecretPlace): SecretPlace {
  return { ...place, source: '', application: place.application.replace(otherAddress, '$1') };
}

const otherAddress = /^[a-z][a-z0-9+.-]*:\/\/([^/:]*)(?::\d+)?(?=\/)/;

/**
 * The names of the secrets that are stored for a place, after those that an earlier version stored for it have moved there.
 * The ones that may be another's stay, because only that one may take or delete them: their names are to be asked for.
 * Rejects if the storage can't be read.
 */
export async function adoptStoredSecrets(
  secrets: SecretStore,
  place: SecretPlace,
): Promise<{ readonly stored: readonly string[]; readonly asked: readonly string[] }> {
  const former = formerPlace(place);
  const isCertain = place.source === 'repohost' && former.application === place.application;
  const all = await listStoredSecrets(secrets);
  const at = (wanted: SecretPlace) => all.filter((stored) => isSamePlace(stored.place, wanted));
  const stored = at(place).map(({ name }) => name);
  const asked: string[] = [];
  for (const secret of at(former)) {
    if (stored.includes(secret.name)) continue;
    const isMoved = isCertain && (await moveSecret(secrets, secret, place));
    (isMoved ? stored : asked).push(secret.name);
  }
  return { stored, asked };
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
    if (stored.place.connection === from) await moveSecret(secrets, stored, { ...stored.place, connection: to });
  }
}

/** Moves a secret; false if its value can't be read. */
async function moveSecret(secrets: SecretStore, stored: StoredSecret, place: SecretPlace): Promise<boolean> {
  const value = await readStoredSecret(secrets, stored);
  if (value === undefined) return false;
  await storeSecret(secrets, { ...stored, place }, value);
  await deleteStoredSecret(secrets, stored);
  return true;
}

function slotOf({ place: { connection, baseUrl, source, application, configPath }, name }: StoredSecret): string {
  const parts = [connection, baseUrl, ...(source === '' ? [] : [source]), application, configPath, name];
  return slotPrefix + parts.map(encodePart).join(' ');
}

/** The secret of a slot; none for a slot of something else. */
function readSlot(slot: string): readonly StoredSecret[] {
  if (!slot.startsWith(slotPrefix)) return [];
  const parts = slot.slice(slotPrefix.length).split(' ').map(decodePart);
  const source = parts.length === 6 ? SOURCES.find((known) => known === parts[2]) : '';
  const [connection, baseUrl, application, configPath, name] = source === '' ? parts : parts.toSpliced(2, 1);
  if (source === undefined || connection === undefined || baseUrl === undefined || application === undefined) return [];
  if (configPath === undefined || name === undefined || parts.length > 6) return [];
  return [{ place: { connection, baseUrl, source, application, configPath }, name }];
}

function encodePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(' ', '%20');
}

function decodePart(text: string): string {
  return text.replaceAll('%20', ' ').replaceAll('%25', '%');
}
