import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import type { Services } from '../services.ts';
import { foldersOnDisk, relativePath } from '../window/files.ts';

const configFiles: vscode.DocumentSelector = ['json', 'jsonc', 'yaml'].map((language) => ({
  language,
  scheme: 'file',
}));

/**
 * Registers the help in application config files, which are recognized by their content. There is none in Restricted
 * Mode.
 */
export function registerConfigFileHelp(
  services: Services,
  { texts, commands }: Pick<Parts, 'texts' | 'commands'>,
): vscode.Disposable {
  const isConfig = async (document: vscode.TextDocument): Promise<boolean> => {
    const text = document.getText();
    if (!vscode.workspace.isTrusted || !text.includes('graphs')) return false;
    return (await texts()).hasGraphs(text, document.uri.path);
  };
  /** Lenses stay while a mistake makes their file unreadable, because their line would come and go with each one. */
  const withLenses = new WeakSet<vscode.TextDocument>();
  const changed = new vscode.EventEmitter<void>();
  const update = (): void => changed.fire();
  const { connections, deployments, ownDeployments, workspaceDeployments, workspaceDrift, log } = services;
  const offerCorrections = async (files: vscode.FileRenameEvent['files']): Promise<void> => {
    const isIn = (folder: vscode.Uri): boolean =>
      files.some(({ newUri }) => relativePath(folder, newUri) !== undefined);
    for (const { uri } of vscode.workspace.isTrusted ? foldersOnDisk() : []) {
      if (isIn(uri)) await (await commands()).offerCorrections(uri, files);
    }
  };
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider(configFiles, {
      provideDocumentLinks: async (document) =>
        (await isConfig(document)) ? [...(await (await texts()).configLinks(document))] : [],
      resolveDocumentLink: async (link) => (await texts()).resolveConfigLink(link),
    }),
    vscode.languages.registerCodeLensProvider(configFiles, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) => {
        if (!withLenses.has(document) && !(await isConfig(document))) return [];
        withLenses.add(document);
        return [...(await (await texts()).configLenses(document.uri, services))];
      },
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      offerCorrections(files).catch((error: unknown) => log.error('The config files of moved files.', error));
    }),
    changed,
    connections.onDidChange(update),
    deployments.onDidChange(update),
    ownDeployments.onDidFind(update),
    workspaceDeployments.onDidMark(update),
    workspaceDrift.onDidChange(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
  );
}
