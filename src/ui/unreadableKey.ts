import * as vscode from 'vscode';
import type { Connections, Session } from '../state/connections.ts';
import { showError } from './errors.ts';
import type { Log } from './log.ts';

export interface UnreadableKeyDependencies {
  readonly connections: Connections;
  readonly log: Log;
}

/** Says once that the keyring does not answer, and asks it again when the person wants that. */
export function announceUnreadableKeys({ connections, log }: UnreadableKeyDependencies): vscode.Disposable {
  return connections.onDidChange((session) => void announce(session));

  async function announce(session: Session): Promise<void> {
    if (session.kind !== 'keyMissing' || session.error === undefined) return;
    const title = vscode.l10n.t('Try Again');
    // What is as it was makes no new session, and the person still wants an answer.
    await showError(session.error, log, [{ title, run: async () => announce(await connections.reload()) }]);
  }
}
