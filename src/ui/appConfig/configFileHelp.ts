import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';

const configFiles: vscode.DocumentSelector = ['json', 'jsonc', 'yaml'].map((language) => ({
  language,
  scheme: 'file',
}));

/** Registers the help in application config files, which are recognized by their content. There is none in Restricted Mode. */
export function registerConfigFileHelp({ texts }: Pick<Parts, 'texts'>): vscode.Disposable {
  const isConfig = async (document: vscode.TextDocument): Promise<boolean> => {
    const text = document.getText();
    if (!vscode.workspace.isTrusted || !text.includes('graphs')) return false;
    return (await texts()).hasGraphs(text, document.uri.path);
  };
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider(configFiles, {
      provideDocumentLinks: async (document) =>
        (await isConfig(document)) ? [...(await (await texts()).configLinks(document))] : [],
      resolveDocumentLink: async (link) => (await texts()).resolveConfigLink(link),
    }),
  );
}
