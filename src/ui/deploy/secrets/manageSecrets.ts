import * as vscode from 'vscode';
import { sourceFacts } from '../../../core/draft/sources.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { SecretStore } from '../../../state/connections/storedKeys.ts';
import {
  deleteStoredSecret,
  isConfigured,
  isSamePlace,
  listStoredSecrets,
  storeSecret,
  type StoredSecret,
} from '../../../state/deploying/storedSecrets.ts';
import type { Services } from '../../services.ts';
import { confirm, messageOf, showMessage, UserError } from '../../window/errors.ts';
import { askChoice, back } from '../../window/steps.ts';
import { askSecretValue } from './secretValues.ts';

interface StoredItem extends vscode.QuickPickItem {
  readonly stored: StoredSecret;
}

/**
 * Lists the secrets stored on this machine to replace or delete them, even those of connections and repositories that
 * no longer exist. Shows names, never values.
 */
export async function manageSecrets(
  services: Pick<Services, 'connections' | 'remoteAddresses' | 'secrets'>,
): Promise<void> {
  const { secrets, remoteAddresses } = services;
  let all = await readAll(secrets);
  if (all.length === 0) {
    await showMessage(
      'information',
      vscode.l10n.t(
        'No secrets are stored on this machine. To store one, choose Where From… beside a secret of a deployment.',
      ),
    );
    return;
  }
  await remoteAddresses.readUrls();
  for (let last: StoredSecret | undefined; all.length > 0; all = await readAll(secrets)) {
    const items = all.map((stored) => storedItem(services, stored));
    const choice = await askChoice<StoredItem>({
      title: vscode.l10n.t('Manage Secrets'),
      placeholder: vscode.l10n.t('Select a secret to replace or delete. Values are never shown'),
      items,
      active: items.find(({ stored }) => stored.name === last?.name && isSamePlace(stored.place, last.place)),
    });
    if (choice === undefined) return;
    last = choice.stored;
    await changeOne(secrets, choice, all);
  }
}

async function readAll(secrets: SecretStore): Promise<readonly StoredSecret[]> {
  try {
    return await listStoredSecrets(secrets);
  } catch (error) {
    const message = vscode.l10n.t("The secrets stored on this machine can't be read: {0}", messageOf(error));
    throw new UserError(message, [], { cause: error });
  }
}

function storedItem(
  { connections, remoteAddresses }: Pick<Services, 'connections' | 'remoteAddresses'>,
  stored: StoredSecret,
): StoredItem {
  const { source, application, configPath, connection } = stored.place;
  const isOpen = [application, `https://${application}`].some((url) => remoteAddresses.has(url));
  const words = [
    application,
    configPath,
    source === '' ? vscode.l10n.t('stored by an earlier version') : '',
    source === '' || source === 'repohost' ? '' : sourceFacts[source].title(),
    isConfigured(stored.place, connections.list())
      ? connection
      : vscode.l10n.t('{0} (no longer configured)', connection),
    isOpen ? vscode.l10n.t('open here') : '',
  ];
  return {
    stored,
    label: `$(key) ${withoutIcons(stored.name)}`,
    description: withoutIcons(words.filter((word) => word !== '').join(' · ')),
  };
}

/** Asks what to do with one secret. */
async function changeOne(
  secrets: SecretStore,
  { stored, description = '' }: StoredItem,
  all: readonly StoredSecret[],
): Promise<void> {
  const { name, place } = stored;
  const together = all.filter((other) => isSamePlace(other.place, place));
  const [count, application] = [together.length, place.application];
  const ofOne = vscode.l10n.t('Delete the stored value of {0}?', name);
  const ofAll = vscode.l10n.t('Delete all {0} stored secrets of {1} on {2}?', count, application, place.connection);
  const deleteTogether = {
    label: vscode.l10n.t('$(trash) Delete All {0} of {1}', count, withoutIcons(application)),
    run: () => deleteAll(secrets, together, ofAll),
  };
  const items = [
    { label: vscode.l10n.t('$(edit) Replace Value…'), run: () => replaceOne(secrets, stored) },
    { label: vscode.l10n.t('$(trash) Delete'), run: () => deleteAll(secrets, [stored], ofOne) },
    ...(count === 1 ? [] : [deleteTogether]),
  ];
  const choice = await askChoice({ title: name, placeholder: description, items });
  await choice?.run();
}

async function replaceOne(secrets: SecretStore, stored: StoredSecret): Promise<void> {
  const value = await askSecretValue(stored.name, {
    prompt: vscode.l10n.t('Replaces the value stored on this machine.'),
  });
  if (value !== undefined && value !== back) await storeSecret(secrets, stored, value);
}

/** Deletes stored secrets after a confirmation, because nobody can read them again. */
async function deleteAll(secrets: SecretStore, wanted: readonly StoredSecret[], question: string): Promise<void> {
  const detail = vscode.l10n.t('Existing deployments keep their own copy.');
  if (!(await confirm(question, vscode.l10n.t('Delete'), detail))) return;
  for (const stored of wanted) await deleteStoredSecret(secrets, stored);
}
