import * as vscode from 'vscode';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connection, ServiceConnection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { ReadySession, Session } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { commandRemedy, confirm, UserError } from '../window/errors.ts';
import { refresh, type RowServices } from '../window/rowCommands.ts';
import { askChoice, askText, back, type StepAnswer, type StepPlace } from '../window/steps.ts';

/** Asks for the API key of a connection, masked. */
export async function askApiKey(
  place: StepPlace,
  { name, baseUrl }: Pick<ServiceConnection, 'name' | 'baseUrl'>,
): Promise<StepAnswer<string>> {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t(
      'The API key of "{0}". It is kept encrypted on this machine and sent only to {1}.',
      name,
      baseUrl,
    ),
    placeholder: vscode.l10n.t('API key'),
    password: true,
    problemOf: apiKeyProblem,
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

/** Asks for a new API key and stores it. False if the user cancels. */
export async function replaceKey(connections: Connections, connection: ServiceConnection): Promise<boolean> {
  const key = await askApiKey({ title: vscode.l10n.t('Set API Key') }, connection);
  if (key === undefined || key === back) return false;
  await connections.setKey(connection, key);
  return true;
}

/**
 * The session of a connection that this workspace may not have selected, after asking for a missing key.
 * Doesn't ask for a key that the keyring may have.
 */
export async function provideKeyOf(connections: Connections, connection: Connection): Promise<Session> {
  const session = await connections.sessionOf(connection);
  if (session.kind !== 'keyMissing' || session.error !== undefined) return session;
  return (await replaceKey(connections, session.connection)) ? connections.sessionOf(connection) : session;
}

/**
 * The session, if it can send requests.
 * @throws {UnreadableKeyError} the keyring isn't responding
 */
export function readySession(session: Session): ReadySession | undefined {
  if (session.kind === 'keyMissing' && session.error !== undefined) throw session.error;
  return session.kind === 'ready' ? session : undefined;
}

/** Returns why a key can't be used. Pasted keys often contain line breaks, which no header can carry. */
function apiKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return vscode.l10n.t('Enter the API key.');
  return /[^\x21-\x7e]/.test(key.trim())
    ? vscode.l10n.t('The key contains a space, a line break or another invalid character. Copy it again.')
    : undefined;
}

/**
 * The service connection for a command, as `chooseAmong` finds it.
 * @throws {UserError} no connection is configured
 */
export async function chooseServiceConnection(
  connections: Connections,
  title: string,
  argument: unknown,
): Promise<ServiceConnection | undefined> {
  const configured = connections.list().filter((connection) => connection.kind === 'service');
  return chooseAmong(connections, configured, { title, argument });
}

/**
 * Finds the connection for a command: the one that its argument names, the one in use for a row, the only one, or the
 * user's choice. Undefined if the user cancels.
 * @throws {UserError} there is no connection
 */
export async function chooseAmong<T extends Connection>(
  connections: Connections,
  candidates: readonly T[],
  { title, argument }: { readonly title: string; readonly argument: unknown },
): Promise<T | undefined> {
  const session = await connections.current();
  const inUse = session.kind === 'none' ? undefined : session.connection.name;
  // Every row is of the connection in use.
  const wanted = typeof argument === 'object' ? inUse : argument;
  const named = candidates.find(({ name }) => name === wanted);
  if (named !== undefined) return named;
  const [only, ...others] = candidates;
  if (only === undefined) {
    throw new UserError(vscode.l10n.t('There is no connection with an API key yet.'), [
      commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
  if (others.length === 0) return only;
  const items = connectionItems(candidates, inUse);
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Select a connection'),
    items,
    active: items.find(({ connection }) => connection.name === inUse),
  });
  return choice?.connection;
}

/** The rows of connections to choose from. */
export function connectionItems<T extends Connection>(connections: readonly T[], inUse: string | undefined) {
  return connections.map((connection) => ({
    connection,
    label: `$(${connection.kind === 'local' ? 'device-desktop' : 'plug'}) ${withoutIcons(connection.name)}`,
    description: connection.name === inUse ? vscode.l10n.t('in use') : '',
    detail: connection.kind === 'local' ? vscode.l10n.t('Runs on this machine') : withoutIcons(connection.baseUrl),
  }));
}

/** Stores a new key for a connection; requests paused by the rejected key continue. */
export async function setApiKey(
  services: RowServices & Pick<Services, 'connections'>,
  argument: unknown,
): Promise<void> {
  const { connections } = services;
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Set API Key'), argument);
  const before = connections.session;
  if (connection === undefined || !(await replaceKey(connections, connection))) return;
  // A new key creates new lists. With the same key, lists that failed are loaded again.
  const isShown = before.kind === 'ready' && before.connection.name === connection.name;
  if (isShown && connections.session === before) await refresh(services);
}

/** Deletes a connection's key from this machine; the connection stays. */
export async function forgetApiKey({ connections }: Pick<Services, 'connections'>, argument: unknown): Promise<void> {
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Forget API Key'), argument);
  if (connection === undefined) return;
  const question = vscode.l10n.t('Forget the API key of "{0}" on this machine?', connection.name);
  const detail = vscode.l10n.t('The key itself stays valid on the service.');
  if (await confirm(question, vscode.l10n.t('Forget'), detail)) await connections.forgetKey(connection);
}
