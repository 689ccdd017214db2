import * as vscode from 'vscode';
import type { ReadySession, Session } from '../../state/connections.ts';
import type { Services } from '../services.ts';
import { provideKey } from '../prompts.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';

/**
 * A session that can be used: asks for what is missing, or gives undefined when the person does not go on.
 * @throws {UnreadableKeyError} the keyring does not answer
 */
export async function requireConnection(services: Services): Promise<ReadySession | undefined> {
  const { connections } = services;
  const session = await provideKey(connections);
  if (session.kind !== 'none') return ready(session);
  return (await offerConnection(services)) ? ready(await connections.current()) : undefined;
}

function ready(session: Session): ReadySession | undefined {
  if (session.kind === 'keyMissing' && session.error !== undefined) throw session.error;
  return session.kind === 'ready' ? session : undefined;
}

async function offerConnection(services: Services): Promise<boolean> {
  const local = {
    label: vscode.l10n.t('$(device-desktop) Use Local Service'),
    detail: vscode.l10n.t('Runs on this machine without an account; rehearses deployments for real.'),
    run: async () => (await import('./startLocalService.ts')).startLocalService(services),
  };
  const add = {
    label: vscode.l10n.t('$(add) Add Connection…'),
    detail: vscode.l10n.t('A deployment service that you have an API key for.'),
    // What follows tells by itself where the connection does not work.
    run: async () => void (await (await import('./addConnection.ts')).enterConnection(services)),
  };
  const configured = services.connections.list().filter(({ kind }) => kind === 'service');
  const existing = configured.map(({ name }) => ({
    label: vscode.l10n.t('$(plug) Use {0}', withoutIcons(name)),
    detail: vscode.l10n.t('A connection that you added before.'),
    run: async () => void (await services.connections.select(name)),
  }));
  const choice = await askChoice({
    title: vscode.l10n.t('Connect to a Deployment Service'),
    placeholder: vscode.l10n.t('Nothing is connected in this workspace yet'),
    items: [...existing, local, add],
  });
  if (choice === undefined || choice === back) return false;
  await choice.run();
  return true;
}
