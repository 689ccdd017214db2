import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import type { Services } from '../services.ts';
import { ConfigDocuments } from './configDocuments.ts';
import { registerLenses } from '../deployments/lenses.ts';
import { foldersOnDisk, relativePath } from '../window/files.ts';

const configFiles: vscode.DocumentSelector = ['json', 'jsonc', 'yaml'].map((language) => ({
  language,
  scheme: 'file',
}));

/**
 * Registers the help in application config files: diagnostics, fixes, completion, and except in Restricted Mode links,
 * lenses and corrections after files were moved.
 */
export function registerConfigFileHelp(
  services: Services,
  parts: Pick<Parts, 'texts' | 'commands'>,
): vscode.Disposable {
  const { texts, commands } = parts;
  const documents = new ConfigDocuments(parts);
  const isConfig = async (document: vscode.TextDocument): Promise<boolean> =>
    vscode.workspace.isTrusted && documents.isConfig(document);
  const offerCorrections = async (files: vscode.FileRenameEvent['files']): Promise<void> => {
    const isIn = (folder: vscode.Uri): boolean =>
      files.some(({ newUri }) => relativePath(folder, newUri) !== undefined);
    for (const { uri } of vscode.workspace.isTrusted ? foldersOnDisk() : []) {
      if (isIn(uri)) await (await commands()).offerCorrections(uri, files);
    }
  };
  return vscode.Disposable.from(
    documents,
    vscode.languages.registerDocumentLinkProvider(configFiles, {
      provideDocumentLinks: async (document) =>
        (await isConfig(document)) ? [...(await (await texts()).configLinks(document))] : [],
      resolveDocumentLink: async (link) => (await texts()).resolveConfigLink(link),
    }),
    registerLenses(services, configFiles, async (document) =>
      (await isConfig(document)) ? (await texts()).configLenses(document.uri, services) : [],
    ),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      offerCorrections(files).catch((error: unknown) => services.log.error('The config files of moved files.', error));
    }),
  );
}
