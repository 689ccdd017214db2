import * as vscode from 'vscode';
import { badgeWords } from '../../core/status/statusBarWords.ts';
import { followFacts } from '../../state/following/follower.ts';
import type { Stores } from '../stores.ts';
import { parseDocumentUri } from '../window/documents.ts';

/**
 * Counts on the icon of the views what deploys, and what failed and wasn't looked at yet.
 * Open details count as looked at.
 */
export function createBadge(
  { follower, deployments, clock }: Pick<Stores, 'follower' | 'deployments' | 'clock'>,
  view: Pick<vscode.TreeView<unknown>, 'badge'>,
): vscode.Disposable {
  const draw = (): void => {
    const now = clock.monotonic();
    const words = badgeWords(follower.followed.map((followed) => followFacts(followed, deployments, now)));
    if (view.badge?.value !== words?.value || view.badge?.tooltip !== words?.tooltip) view.badge = words;
  };
  const look = (): void => {
    if (!vscode.window.state.focused) return;
    const shown = vscode.window.visibleTextEditors.flatMap(({ document }) => parseDocumentUri(document.uri) ?? []);
    follower.look(({ connection, deploymentId }) =>
      shown.some((subject) => subject.connection === connection && subject.place.ids[0] === deploymentId),
    );
  };
  draw();
  return vscode.Disposable.from(
    follower.onDidChange(draw),
    follower.onDidEnd(look),
    vscode.window.onDidChangeVisibleTextEditors(look),
    vscode.window.onDidChangeWindowState(look),
    { dispose: () => (view.badge = undefined) },
  );
}
