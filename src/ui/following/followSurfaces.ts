import * as vscode from 'vscode';
import { badgeWords } from '../../core/status/statusBarWords.ts';
import { followFacts } from '../../state/following/shownDeployments.ts';
import type { Services } from '../services.ts';
import { parseDocumentUri } from '../window/documentUri.ts';
import { awaitBuilds } from './awaitBuilds.ts';
import { createNotifications } from './notifications.ts';
import { drawStatusBar } from './statusBar.ts';

/** Shows what is followed in the status bar, on the icon of the views and in messages. */
export function createFollowSurfaces(
  services: Services,
  statusBar: vscode.StatusBarItem,
  sharedFolder: vscode.Uri,
): vscode.Disposable {
  const claims = vscode.Uri.joinPath(sharedFolder, 'told');
  awaitBuilds(services, services.pushedBuilds.stored);
  return vscode.Disposable.from(
    drawStatusBar(statusBar, services),
    createBadge(services),
    createNotifications({ ...services, claims }),
  );
}

/**
 * Counts on the icon of the views what deploys, and what failed and wasn't looked at yet.
 * Open details count as looked at.
 */
function createBadge({ follower, answers, clock, views }: Services): vscode.Disposable {
  const { view } = views.deployments;
  const draw = (): void => {
    const words = badgeWords(follower.followed.map((followed) => followFacts(followed, { answers, clock })));
    if (view.badge?.value !== words?.value || view.badge?.tooltip !== words?.tooltip) view.badge = words;
  };
  const mark = (): void => {
    if (!vscode.window.state.focused) return;
    const shown = vscode.window.visibleTextEditors.flatMap(({ document }) => parseDocumentUri(document.uri) ?? []);
    follower.markSeen(({ connection, deploymentId }) =>
      shown.some((subject) => subject.connection === connection && subject.place.ids[0] === deploymentId),
    );
  };
  draw();
  return vscode.Disposable.from(
    follower.onDidChange(draw),
    follower.onDidEnd(mark),
    vscode.window.onDidChangeVisibleTextEditors(mark),
    vscode.window.onDidChangeWindowState(mark),
    { dispose: () => (view.badge = undefined) },
  );
}
