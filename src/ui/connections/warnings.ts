import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import type { LostSave } from '../../state/connections/recentSaves.ts';
import type { Session } from '../../state/connections/session.ts';
import type { Follower } from '../../state/following/follower.ts';
import type { Poller } from '../../state/following/poller.ts';
import { watchRefusedKeys, type RefusedKey } from '../../state/following/refusedKeys.ts';
import { commandRemedy, messageOf, remediesOf, showError, UserError } from '../window/errors.ts';
import type { Log } from '../window/log.ts';

export interface WarningDependencies {
  readonly connections: Connections;
  readonly follower: Follower;
  readonly poller: Poller;
  readonly log: Log;
}

/** Warns of unreadable and refused keys, and of connections that another window overwrote after a change here. */
export function warnOfConnections({ connections, follower, poller, log }: WarningDependencies): vscode.Disposable {
  return vscode.Disposable.from(
    connections.onDidChange((session) => void warnOfKey(session)),
    connections.onDidLoseSave((lost) => void showError(errorOf(lost), log)),
    watchRefusedKeys({ follower, poller }, (refused) => void showError(keyErrorOf(refused), log)),
  );

  async function warnOfKey(session: Session): Promise<void> {
    if (session.kind !== 'keyMissing' || session.error === undefined) return;
    const title = vscode.l10n.t('Try Again');
    // An unchanged state creates no new session, so report the result here.
    await showError(session.error, log, [{ title, run: async () => warnOfKey(await connections.reload()) }]);
  }

  function keyErrorOf({ connection, error }: RefusedKey): UserError {
    const words = vscode.l10n.t('Following on {0} is paused. {1}', connection, messageOf(error));
    return new UserError(words, remediesOf(error, connection), { cause: error });
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
