import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import { localConnectionName } from '../../state/connections/connection.ts';
import type { Session } from '../../state/connections/session.ts';
import { watchRefusedKeys } from '../../state/connections/refusedKeys.ts';
import type { Stores } from '../stores.ts';
import { commandRemedy, messageOf, remediesOf, showError, UserError, type Remedy } from '../window/errors.ts';

/**
 * The remedies for a connection that fails, the likeliest first.
 * Unless the key was rejected, editing comes first: a typo can cause any kind of failure.
 */
export function diagnose(error: unknown, connection: string): readonly Remedy[] {
  const remedies = remediesOf(error, connection);
  if (connection === localConnectionName) return remedies;
  const edit = commandRemedy(vscode.l10n.t('Edit Connection'), 'editConnection', connection);
  const others = remedies.filter(({ title }) => title !== edit.title);
  return error instanceof ApiError && error.kind === 'unauthorized' ? [...others, edit] : [edit, ...others];
}

/** Warns of unreadable and refused keys. */
export function warnOfConnections({ connections, follower, poller, log }: Stores): vscode.Disposable {
  void warnOfKey(connections.session);
  return vscode.Disposable.from(
    connections.onDidChange((session) => void warnOfKey(session)),
    watchRefusedKeys({ follower, poller }, ({ connection, error }) => {
      const words = vscode.l10n.t('Following on {0} is paused. {1}', connection, messageOf(error));
      void showError(new UserError(words, diagnose(error, connection), { cause: error }), log);
    }),
  );

  async function warnOfKey(session: Session): Promise<void> {
    if (session.kind !== 'keyMissing' || session.error === undefined) return;
    const title = vscode.l10n.t('Try Again');
    // An unchanged state creates no new session, so report the result here.
    await showError(session.error, log, [{ title, run: async () => warnOfKey(await connections.reload()) }]);
  }
}
