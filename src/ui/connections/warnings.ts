import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import type { LostSave } from '../../state/connections/recentSaves.ts';
import type { Session } from '../../state/connections/session.ts';
import { commandRemedy, showError, UserError } from '../window/errors.ts';
import type { Log } from '../window/log.ts';

export interface WarningDependencies {
  readonly connections: Connections;
  readonly log: Log;
}

/** Warns of unreadable keys, and of connections that another window overwrote after they were saved or removed here. */
export function warnOfConnections({ connections, log }: WarningDependencies): vscode.Disposable {
  return vscode.Disposable.from(
    connections.onDidChange((session) => void warnOfKey(session)),
    connections.onDidLoseSave((lost) => void showError(errorOf(lost), log)),
  );

  async function warnOfKey(session: Session): Promise<void> {
    if (session.kind !== 'keyMissing' || session.error === undefined) return;
    const title = vscode.l10n.t('Try Again');
    // An unchanged state creates no new session, so report the result here.
    await showError(session.error, log, [{ title, run: async () => warnOfKey(await connections.reload()) }]);
  }

  function errorOf({ name, wasRemoved }: LostSave): UserError {
    if (wasRemoved) {
      return new UserError(
        vscode.l10n.t(
          'Another window saved the connections at the same time, and "{0}" is back. Remove it again.',
          name,
        ),
        [commandRemedy(vscode.l10n.t('Remove Connection'), 'removeConnection', name)],
      );
    }
    const words = vscode.l10n.t(
      'Another window saved the connections at the same time and replaced your changes to "{0}". Save them again.',
      name,
    );
    const isThere = connections.find(name) !== undefined;
    return new UserError(words, [
      isThere
        ? commandRemedy(vscode.l10n.t('Edit Connection'), 'editConnection', name)
        : commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
}
