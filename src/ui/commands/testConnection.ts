import { lookup } from 'node:dns/promises';
import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { localConnectionName } from '../../state/connection.ts';
import type { ReadySession } from '../../state/connections.ts';
import { messageOf, remediesOf, type Remedy } from '../errors.ts';
import type { Services } from '../services.ts';

interface Check {
  readonly ok: boolean;
  readonly words: string;
}

/** Says step by step what works: the name, the connection and its encryption, the key, and what the key can see. */
export async function testConnection({ log }: Services, session: ReadySession): Promise<void> {
  const { connection } = session;
  const baseUrl = connection.kind === 'service' ? connection.baseUrl : undefined;
  const { checks, error } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Testing {0}…', connection.name) },
    async () => runChecks(session, baseUrl),
  );
  for (const { ok, words } of checks) log.info(`test connection ${connection.name}: ${ok ? 'ok' : 'failed'}: ${words}`);
  const detail = checks.map(({ ok, words }) => `${ok ? '✓' : '✗'} ${words}`).join('\n');
  const remedies: readonly Remedy[] = error === undefined ? [] : remediesOf(error);
  const isGood = checks.every(({ ok }) => ok);
  const show = isGood ? vscode.window.showInformationMessage : vscode.window.showErrorMessage;
  const answer = await show(
    isGood ? vscode.l10n.t('"{0}" works.', connection.name) : vscode.l10n.t('"{0}" does not work.', connection.name),
    { modal: true, detail },
    ...remedies.map(({ title }) => title),
  );
  await remedies.find(({ title }) => title === answer)?.run();
}

async function runChecks(
  session: ReadySession,
  baseUrl: string | undefined,
): Promise<{ readonly checks: readonly Check[]; readonly error?: unknown }> {
  const checks: Check[] = [];
  if (baseUrl !== undefined) {
    const { hostname } = new URL(baseUrl);
    const address = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
    // A proxy may resolve what this machine cannot, so that this alone is no failure.
    checks.push({
      ok: true,
      words:
        address === undefined
          ? vscode.l10n.t('{0} cannot be resolved here; a proxy may know it', hostname)
          : vscode.l10n.t('{0} is {1}', hostname, address.address),
    });
  }
  try {
    const client = await session.client();
    const page = await client.deployments.list({ limit: 1 });
    const isEncrypted = baseUrl?.startsWith('https:') === true;
    checks.push(
      { ok: true, words: isEncrypted ? vscode.l10n.t('Reached, certificate accepted') : vscode.l10n.t('Reached') },
      { ok: true, words: vscode.l10n.t('API key accepted') },
      {
        ok: true,
        words:
          page.resources.length === 0
            ? vscode.l10n.t('No deployment is visible')
            : vscode.l10n.t('Deployments are visible'),
      },
      await checkIntegrations(client),
    );
    return { checks };
  } catch (error) {
    checks.push(...failedChecks(error, session.connection.name));
    return { checks, error };
  }
}

/** A key that may list deployments need not be allowed to list integrations; deploying from here needs them. */
async function checkIntegrations(client: Client): Promise<Check> {
  try {
    const integrations = await client.integrations.listInstallations();
    return {
      ok: true,
      words:
        integrations.length === 1
          ? vscode.l10n.t('1 repository integration is visible')
          : vscode.l10n.t('{0} repository integrations are visible', integrations.length),
    };
  } catch (error) {
    return { ok: false, words: vscode.l10n.t('Repository integrations: {0}', messageOf(error)) };
  }
}

/** An answer proves that the service was reached, whatever it says. */
function failedChecks(error: unknown, name: string): readonly Check[] {
  const words = messageOf(error);
  if (error instanceof ApiError && error.status !== undefined) {
    return [
      { ok: true, words: vscode.l10n.t('Reached') },
      { ok: false, words },
    ];
  }
  return [{ ok: false, words: name === localConnectionName ? words : vscode.l10n.t('Not reached: {0}', words) }];
}
