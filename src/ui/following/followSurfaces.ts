import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import type { Stores } from '../stores.ts';
import { createBadge } from './badge.ts';
import { FailedFiles } from './failedFiles.ts';
import { createNotifications } from './notifications.ts';
import { createStatusBar } from './statusBar.ts';

type SurfaceSources = Stores & Pick<Services, 'workspaceDrift' | 'views'>;

/** Shows what is followed in the status bar, on the icon of the views, in messages and in the Problems view. */
export function createFollowSurfaces(
  sources: SurfaceSources,
  sharedFolder: vscode.Uri,
): vscode.Disposable & { readonly item: vscode.StatusBarItem } {
  const statusBar = createStatusBar(sources);
  const failedFiles = new FailedFiles(sources);
  const claims = vscode.Uri.joinPath(sharedFolder, 'told');
  const surfaces = vscode.Disposable.from(
    statusBar,
    createBadge(sources, sources.views.deployments.view),
    failedFiles,
    createNotifications({ ...sources, failedFiles, claims }),
  );
  return { item: statusBar.item, dispose: () => surfaces.dispose() };
}
