import * as l10n from '@vscode/l10n';
import { maskedText } from '../../api/redaction/redact.ts';
import type { DeploymentDraft, DraftSecret } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import type { Connection } from '../connections/connection.ts';
import type { SecretStore } from '../connections/storedKeys.ts';
import {
  deleteStoredSecret,
  readStoredSecret,
  secretPlace,
  storedSecretsAt,
  storeSecret,
  adoptStoredSecrets,
  type StoredSecret,
} from './storedSecrets.ts';

/**
 * Gives a draft that is begun the secrets that are stored for its connection, source and config file.
 * @returns findings about what can't be read
 */
export async function useStoredSecrets(
  secrets: SecretStore,
  connection: Connection,
  draft: DeploymentDraft,
): Promise<readonly Finding[]> {
  const place = secretPlace(connection, draft);
  if (place === undefined) return [];
  const own = draft.secrets;
  try {
    const isNeeded = (name: string): boolean =>
      own.every((secret) => secret.name !== name || secret.value === undefined);
    const { stored, asked: unmoved } = await adoptStoredSecrets(secrets, place);
    const former = unmoved.filter(isNeeded);
    const found = await Promise.all(stored.filter(isNeeded).map((name) => readForDraft(secrets, { place, name })));
    const names = new Set(found.map(({ name }) => name));
    const asked = former.filter((name) => own.every((secret) => secret.name !== name));
    draft.secrets = [
      ...own.filter(({ name }) => !names.has(name)),
      ...found,
      ...asked.map((name) => ({ name, value: undefined })),
    ];
    if (found.length > 0) draft.provenance.secrets ??= { kind: 'stored' };
    const lost = found.filter(({ isStored }) => isStored !== true);
    return [
      ...lost.map(({ name }) => unread(l10n.t("The stored value of {0} can't be read. Enter it again.", name))),
      ...former.map((name) =>
        unread(l10n.t('An earlier version stored {0} without its application. Enter it again.', name)),
      ),
    ];
  } catch (error) {
    const reason = messageOf(error);
    return [unread(l10n.t("The secrets stored on this machine can't be read: {0}", reason))];
  }
}

/** The stored secrets of a draft's place that have one of these names, without those that can't be read. */
export async function readStoredSecrets(
  secrets: SecretStore,
  connection: Connection,
  draft: DeploymentDraft,
  names: readonly string[],
): Promise<readonly DraftSecret[]> {
  const place = secretPlace(connection, draft);
  if (place === undefined || names.length === 0) return [];
  const wanted = (await storedSecretsAt(secrets, place)).filter(({ name }) => names.includes(name));
  return Promise.all(wanted.map((stored) => readForDraft(secrets, stored)));
}

/** A stored secret with its value, or without it if the keyring doesn't give it. */
async function readForDraft(secrets: SecretStore, stored: StoredSecret): Promise<DraftSecret> {
  const { name } = stored;
  // The reason concerns the keyring; the value is asked for in any case.
  const value = await readStoredSecret(secrets, stored).catch(() => undefined);
  return value === undefined ? { name, value } : { name, value, isStored: true };
}

function unread(message: string): Finding {
  return finding('warning', message, 'secrets');
}

/** Stores the value of a secret. Gives findings for the user if the keyring fails. */
export async function remember(store: SecretStore, stored: StoredSecret, value: string): Promise<readonly string[]> {
  const { name } = stored;
  try {
    await storeSecret(store, stored, value);
    return [];
  } catch (error) {
    const reason = messageOf(error);
    return [l10n.t("{0} couldn't be stored, so its value is used for this deployment only: {1}", name, reason)];
  }
}

/** Deletes the stored value of a secret. Gives findings for the user if the keyring fails. */
export async function stopRemembering(store: SecretStore, stored: StoredSecret): Promise<readonly string[]> {
  try {
    await deleteStoredSecret(store, stored);
    return [];
  } catch (error) {
    return [l10n.t("The stored value of {0} couldn't be deleted: {1}", stored.name, messageOf(error))];
  }
}

function messageOf(error: unknown): string {
  return maskedText(error instanceof Error ? error.message : String(error));
}
