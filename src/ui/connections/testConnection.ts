import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { execute } from '../window/commandIds.ts';
import { messageOf, retryRemedies, showError, showMessage, UserError } from '../window/errors.ts';
import type { Log } from '../window/log.ts';
import { networkSettings } from '../window/settings.ts';
import { whileWaiting } from '../window/waiting.ts';
import { diagnose } from './diagnosis.ts';
import { chooseAmong, provideKeyOf, readySession } from './keys.ts';

interface Check {
  readonly outcome: 'works' | 'fails' | 'unknown';
  readonly words: string;
}

interface Findings {
  readonly checks: readonly Check[];
  /** Why the service can't be used at all. */
  readonly error?: unknown;
}

/** Tests a connection step by step: name, connection and encryption, key, and visible resources. */
export async function testConnection(
  { connections, log }: Pick<Services, 'connections' | 'log'>,
  argument: unknown,
): Promise<void> {
  const { session: current } = connections;
  // The local service is tested where it is in use.
  const candidates = connections
    .list()
    .filter(({ kind, name }) => kind === 'service' || (current.kind !== 'none' && current.connection.name === name));
  const title = vscode.l10n.t('Test Connection');
  const connection = await chooseAmong(connections, candidates, { title, argument });
  if (connection === undefined) return;
  const { name } = connection;
  const { checks, error } = await whileTesting(connections, connection, title, examine);
  for (const { outcome, words } of checks) log.info(`test connection ${name}: ${outcome}: ${words}`);
  if (error === undefined) return tell(name, checks, log);
  const words = vscode.l10n.t('"{0}" doesn\'t work. {1}', name, messageOf(error));
  const remedies = [...diagnose(error, name), ...retryRemedies(error, () => execute('testConnection', name))];
  await showError(new UserError(words, remedies, { cause: error }), log);
}

/**
 * Shows progress while a connection is tested, after asking for a missing key.
 * @throws {UnreadableKeyError} the keyring isn't responding
 * @throws {vscode.CancellationError} the user leaves the question for the key
 */
export async function whileTesting<T>(
  connections: Connections,
  connection: Connection,
  title: string,
  task: (session: ReadySession, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const session = readySession(await provideKeyOf(connections, connection));
  if (session === undefined) throw new vscode.CancellationError();
  const words = vscode.l10n.t('Testing {0}…', withoutIcons(connection.name));
  return whileWaiting({ title, words }, async (signal) => task(session, signal));
}

/** Shows a summary of the test in a notification; the log has every step. */
async function tell(name: string, checks: readonly Check[], log: Log): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const failed = checks.find(({ outcome }) => outcome === 'fails');
  const words = checks.map((check) => check.words).join(' · ');
  const answer =
    failed === undefined
      ? await showMessage('information', vscode.l10n.t('"{0}" works. {1}', name, words), [showLog])
      : await showMessage('warning', vscode.l10n.t('"{0}" works only partly. {1}', name, failed.words), [showLog]);
  if (answer === showLog) log.show();
}

async function examine(session: ReadySession, signal: AbortSignal): Promise<Findings> {
  const { connection } = session;
  const name = await checkName(connection);
  try {
    const client = await session.client();
    const visible = await checkDeployments(client, signal);
    const key = works(vscode.l10n.t('The API key is accepted'));
    return { checks: [...name, ...answered(connection), key, visible, await checkIntegrations(client, signal)] };
  } catch (error) {
    // If the user canceled, don't report results.
    if (signal.aborted) throw error;
    // Any answer proves that the service was reached, unless it came from a proxy.
    const isAnswered = error instanceof ApiError && error.status !== undefined && error.kind !== 'proxy';
    const checks = isAnswered ? answered(connection) : [];
    return { checks: [...name, ...checks, { outcome: 'fails', words: messageOf(error) }], error };
  }
}

/** Resolves the host name. A proxy may resolve names that this machine can't, so a failure alone is no error. */
async function checkName(connection: Connection): Promise<readonly Check[]> {
  if (connection.kind === 'local') return [];
  const host = new URL(connection.baseUrl).hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return [];
  const found = await lookup(host).catch(() => undefined);
  return [
    found === undefined
      ? unknown(vscode.l10n.t("The name {0} can't be resolved here; a proxy may resolve it", host))
      : works(vscode.l10n.t('The name {0} resolves to {1}', host, found.address)),
  ];
}

function answered(connection: Connection): readonly Check[] {
  return [works(vscode.l10n.t('The service answers')), encryption(connection)];
}

function encryption(connection: Connection): Check {
  if (connection.kind === 'local' || !connection.baseUrl.startsWith('https:')) {
    return unknown(vscode.l10n.t('Not encrypted (plain http)'));
  }
  return networkSettings().strictTls
    ? works(vscode.l10n.t('Its certificate is accepted (TLS)'))
    : unknown(vscode.l10n.t("Certificates aren't checked (http.proxyStrictSSL)"));
}

const largestPage = 100;

async function checkDeployments(client: Client, signal: AbortSignal): Promise<Check> {
  const { resources } = await client.deployments.list({ limit: largestPage }, { signal });
  const count = resources.length;
  if (count === 0) return works(vscode.l10n.t('No deployments are visible yet'));
  if (count === 1) return works(vscode.l10n.t('1 deployment is visible'));
  return works(
    count < largestPage
      ? vscode.l10n.t('{0} deployments are visible', count)
      : vscode.l10n.t('{0} or more deployments are visible', count),
  );
}

/** Checks the access to integrations, which deploying needs and a key that lists deployments may lack. */
async function checkIntegrations(client: Client, signal: AbortSignal): Promise<Check> {
  try {
    const { length } = await client.integrations.listInstallations({ signal });
    return works(
      length === 1
        ? vscode.l10n.t('1 repository integration is visible')
        : vscode.l10n.t('{0} repository integrations are visible', length),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return { outcome: 'fails', words: vscode.l10n.t('Repository integrations: {0}', messageOf(error)) };
  }
}

function works(words: string): Check {
  return { outcome: 'works', words };
}

function unknown(words: string): Check {
  return { outcome: 'unknown', words };
}
