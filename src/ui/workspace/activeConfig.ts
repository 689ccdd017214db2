import * as vscode from 'vscode';
import { foldersOnDisk } from '../window/files.ts';

/**
 * Reports the file of the active editor whenever it is an application config file, for the menus of files. It may have
 * any name, because its text decides. Touches no folder.
 */
export function watchActiveConfig(report: (file: vscode.Uri | undefined) => void): vscode.Disposable {
  const look = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const isConfig = document !== undefined && (await isConfigFile(document));
    // Another editor may be active by now.
    if (document === vscode.window.activeTextEditor?.document) report(isConfig ? document.uri : undefined);
  };
  void look();
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void look()),
    vscode.window.onDidChangeActiveTextEditor(() => void look()),
    vscode.workspace.onDidSaveTextDocument(() => void look()),
  );
}

async function isConfigFile(document: vscode.TextDocument): Promise<boolean> {
  if (!vscode.workspace.isTrusted || document.uri.scheme !== 'file' || foldersOnDisk().length === 0) return false;
  const text = document.getText();
  if (!text.includes('graphs')) return false;
  // Loaded with the first such file, because it brings a YAML parser.
  const { hasGraphs } = await import('../../core/appConfig/appConfig.ts');
  return hasGraphs(text, document.uri.path);
}
