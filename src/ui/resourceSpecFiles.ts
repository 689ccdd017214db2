import * as vscode from 'vscode';
import type { FlavorName } from '../api/flavor.ts';

const selector: vscode.DocumentSelector = { pattern: '**/*.resource-spec.{yaml,yml}' };

/** Milliseconds without a keystroke after which a document is checked. */
const typingPause = 200;

/**
 * Helps to write resource specs as files, wherever they are: diagnostics, hover and completion. Nothing of it is
 * loaded before such a file is open.
 */
export function registerResourceSpecFiles(flavor: () => FlavorName): vscode.Disposable {
  const diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.resourceSpec');
  const check = async (document: vscode.TextDocument, delay: number): Promise<void> => {
    if (vscode.languages.match(selector, document) === 0) return;
    const { version } = document;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.version !== version) return;
    const { diagnosticsOf } = await import('./resourceSpecLanguage.ts');
    if (!document.isClosed) diagnostics.set(document.uri, diagnosticsOf(document, flavor()));
  };
  for (const document of vscode.workspace.textDocuments) void check(document, 0);
  return vscode.Disposable.from(
    diagnostics,
    vscode.workspace.onDidOpenTextDocument((document) => void check(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => void check(document, typingPause)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        (await import('./resourceSpecLanguage.ts')).hoverAt(document, position),
    }),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) =>
        (await import('./resourceSpecLanguage.ts')).completionsAt(document, position),
    }),
  );
}
