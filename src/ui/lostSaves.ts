import * as vscode from 'vscode';
import type { Log } from './log.ts';
import type { Connections } from '../state/connections.ts';
import type { LostSave } from '../state/recentSaves.ts';
import { commandRemedy, showError, UserError } from './errors.ts';

export interface LostSavesDependencies {
  readonly connections: Connections;
  readonly log: Log;
}

/** Says that another window wrote over a connection that was saved or removed here. */
export function announceLostSaves({ connections, log }: LostSavesDependencies): vscode.Disposable {
  return connections.onDidLoseSave((lost) => void showError(errorOf(lost), log));

  function errorOf({ name, wasRemoved }: LostSave): UserError {
    if (wasRemoved) {
      return new UserError(
        vscode.l10n.t(
          'Another window saved the connections at the same time, and "{0}" is back. Remove it again.',
          name,
        ),
        [commandRemedy(vscode.l10n.t('Remove Connection'), 'removeConnection')],
      );
    }
    const words = vscode.l10n.t(
      'Another window saved the connections at the same time and replaced your changes to "{0}". Save them again.',
      name,
    );
    const isThere = connections.find(name) !== undefined;
    return new UserError(words, [
      isThere
        ? commandRemedy(vscode.l10n.t('Edit Connection'), 'editConnection')
        : commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
}
