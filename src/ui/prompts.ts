import * as vscode from 'vscode';
import type { ServiceConnection } from '../state/connection.ts';
import type { Connections, Session } from '../state/connections.ts';
import { UserError, commandRemedy } from './errors.ts';
import { askChoice, askText, back } from './steps.ts';
import { withoutIcons } from './withoutIcons.ts';

/** Asks for an API key, masked. Undefined when the person leaves. */
export async function promptApiKey(connection: string): Promise<string | undefined> {
  const answer = await askText({
    title: vscode.l10n.t('Set API Key'),
    prompt: vscode.l10n.t(
      'The key for "{0}". It is kept encrypted on this machine and sent to this service only.',
      connection,
    ),
    placeholder: vscode.l10n.t('API key'),
    password: true,
    problemOf: apiKeyProblem,
  });
  return answer === back ? undefined : answer?.trim();
}

/** The session, with the key asked of the person where there is none. One that the keyring may have is not asked for. */
export async function provideKey(connections: Connections): Promise<Session> {
  const known = await connections.current();
  // What the keyring did not give before it may give by now.
  const isUnreadable = known.kind === 'keyMissing' && known.error !== undefined;
  const session = isUnreadable ? await connections.reload() : known;
  if (session.kind !== 'keyMissing' || session.error !== undefined) return session;
  const key = await promptApiKey(session.connection.name);
  if (key === undefined) return session;
  await connections.setKey(session.connection, key);
  return connections.current();
}

/** A pasted key often brings line breaks with it, which no header can carry. */
export function apiKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return vscode.l10n.t('Enter the API key.');
  return /[^\x21-\x7e]/.test(key.trim())
    ? vscode.l10n.t('The key holds a space, a line break or another character that no key has. Copy it again.')
    : undefined;
}

/**
 * The connection that a command is about: this workspace's own, or the person's choice.
 * @throws {UserError} there is none
 */
export async function chooseServiceConnection(
  connections: Connections,
  title: string,
): Promise<ServiceConnection | undefined> {
  const session = await connections.current();
  if (session.kind !== 'none' && session.connection.kind === 'service') return session.connection;
  const configured = connections.list().filter((connection) => connection.kind === 'service');
  if (configured.length === 0) {
    throw new UserError(vscode.l10n.t('There is no connection with an API key yet.'), [
      commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('The connection'),
    items: configured.map((connection) => ({
      connection,
      label: withoutIcons(connection.name),
      description: withoutIcons(connection.baseUrl),
    })),
  });
  return choice === undefined || choice === back ? undefined : choice.connection;
}
