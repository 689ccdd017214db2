import * as vscode from 'vscode';
import { ApiError } from '../api/errors.ts';
import type { Connection } from '../state/connection.ts';
import { commandRemedy, messageOf, remediesOf, retryRemedies, type Remedy } from './errors.ts';
import type { Log } from './log.ts';
import { showMessage } from './message.ts';

/**
 * Says that a connection does not work, and why, with what helps. Unless only the key was refused, what was typed may be
 * at the root of it, whatever the failure looks like.
 */
export async function showConnectionFailure(connection: Connection, error: unknown, log: Log): Promise<void> {
  const editing =
    connection.kind === 'local' ? [] : [commandRemedy(vscode.l10n.t('Edit Connection'), 'editConnection')];
  const showLog: Remedy = { title: vscode.l10n.t('Show Log'), run: async () => log.show() };
  const isKeyRefused = error instanceof ApiError && error.kind === 'unauthorized';
  const own = isKeyRefused ? [...remediesOf(error), ...editing] : [...editing, ...remediesOf(error)];
  const remedies = [...own, ...retryRemedies(error, 'testConnection'), showLog];
  const titles = [...new Set(remedies.map(({ title }) => title))];
  const words = vscode.l10n.t('"{0}" does not work. {1}', connection.name, messageOf(error));
  const answer = await showMessage('error', words, titles);
  await remedies.find(({ title }) => title === answer)?.run();
}
