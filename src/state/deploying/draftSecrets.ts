import * as l10n from '@vscode/l10n';
import { maskedText } from '../../api/redaction/redact.ts';
import type { DeploymentDraft, DraftSecret } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import type { Connection } from '../connections/connection.ts';
import type { SecretStore } from '../connections/storedKeys.ts';
import {
  deleteStoredSecret,
  isSamePlace,
  readStoredSecret,
  secretPlace,
  storedSecretsAt,
  storeSecret,
  takeFormerSecrets,
  type SecretPlace,
  type StoredSecret,
} from './storedSecrets.ts';

/** A plan for a deployment whose secrets may be stored. */
interface PlanWithSecrets {
  readonly draft: DeploymentDraft;
  /** Where stored secrets were looked up for the draft. */
  secretPlace?: SecretPlace | undefined;
}

/**
 * Gives a plan the secrets that are stored for its connection, source and config file, once for each such place.
 * Values that were entered stay. A stored value of another place is dropped, and its name is asked for.
 * @returns findings about what can't be read
 */
export async function useStoredSecrets(
  secrets: SecretStore,
  connection: Connection,
  plan: PlanWithSecrets,
): Promise<readonly Finding[]> {
  const { draft } = plan;
  const place = secretPlace(connection, draft);
  if (isSamePlace(place, plan.secretPlace)) return [];
  plan.secretPlace = place;
  const own = draft.secrets.map(({ name, value, isStored }) => ({ name, value: isStored ? undefined : value }));
  draft.secrets = own;
  if (place === undefined) return [];
  try {
    const isNeeded = ({ name }: StoredSecret): boolean =>
      own.every((secret) => secret.name !== name || secret.value === undefined);
    const former = (await takeFormerSecrets(secrets, place)).filter((name) => isNeeded({ place, name }));
    const wanted = (await storedSecretsAt(secrets, place)).filter(isNeeded);
    const found = await Promise.all(wanted.map((stored) => readForDraft(secrets, stored)));
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

/** A secret of a draft after it was stored or deleted, and findings for the user if that failed. */
interface Remembered {
  readonly secret: DraftSecret;
  readonly findings: readonly string[];
}

/** Stores a secret of a draft. If the keyring fails, its value is still sent. */
export async function remember(store: SecretStore, stored: StoredSecret, value: string): Promise<Remembered> {
  const { name } = stored;
  try {
    await storeSecret(store, stored, value);
    return { secret: { name, value, isStored: true }, findings: [] };
  } catch (error) {
    const message = l10n.t(
      "{0} couldn't be stored, so its value is used for this deployment only: {1}",
      name,
      messageOf(error),
    );
    return { secret: { name, value }, findings: [message] };
  }
}

/** Deletes the stored value of a secret. The draft keeps it for this deployment. */
export async function stopRemembering(store: SecretStore, stored: StoredSecret, value: string): Promise<Remembered> {
  const { name } = stored;
  try {
    await deleteStoredSecret(store, stored);
    return { secret: { name, value }, findings: [] };
  } catch (error) {
    const message = l10n.t("The stored value of {0} couldn't be deleted: {1}", name, messageOf(error));
    return { secret: { name, value, isStored: true }, findings: [message] };
  }
}

/** Replaces the stored value of a secret, unless another window has deleted it meanwhile. */
export async function changeStored(store: SecretStore, stored: StoredSecret, value: string): Promise<Remembered> {
  const { name } = stored;
  try {
    if ((await readStoredSecret(store, stored)) === undefined) {
      const message = l10n.t('{0} is no longer stored. The new value is used for this deployment only.', name);
      return { secret: { name, value }, findings: [message] };
    }
  } catch {
    // A keyring that can't be read may still accept a value.
  }
  return remember(store, stored, value);
}

function messageOf(error: unknown): string {
  return maskedText(error instanceof Error ? error.message : String(error));
}
