import * as vscode from 'vscode';
import type { Services } from '../services.ts';

/** Stops the embedded service; what it stored stays. */
export async function stopLocalService({ localService }: Services): Promise<void> {
  await localService.stop();
  vscode.window.setStatusBarMessage(vscode.l10n.t('The local service was stopped. Its data is kept.'), 5000);
}
