import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { flavorNameOf } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Session } from '../../state/connections/session.ts';
import type { Parts } from '../parts.ts';
import { specFilePattern } from './specNames.ts';

const selector: vscode.DocumentSelector = { pattern: specFilePattern };

/** The pause in typing before a document is checked, in milliseconds. */
const typingPause = 200;

/** The flavor of the connected service, because some rules of a spec depend on it. */
export function sessionFlavor(session: Session): FlavorName {
  return session.kind === 'none' ? 'standard' : flavorNameOf(session.connection);
}

/** Provides diagnostics, quick fixes, hovers, and completions for resource spec files anywhere. */
export function registerSpecDocuments(
  connections: Pick<Connections, 'current' | 'session' | 'onDidChange'>,
  texts: Parts['texts'],
): vscode.Disposable {
  const diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.resourceSpec');
  const check = async (document: vscode.TextDocument, delay: number): Promise<void> => {
    if (vscode.languages.match(selector, document) === 0) return;
    const { version } = document;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.version !== version) return;
    const { diagnosticsOf } = await texts();
    // The rules depend on the session, so wait until the first one is read.
    await connections.current();
    if (document.isClosed || document.version !== version) return;
    diagnostics.set(document.uri, diagnosticsOf(document, sessionFlavor(connections.session)));
  };
  const checkAll = (): void => {
    for (const document of vscode.workspace.textDocuments) void check(document, 0);
  };
  checkAll();
  return vscode.Disposable.from(
    diagnostics,
    connections.onDidChange(checkAll),
    vscode.workspace.onDidOpenTextDocument((document) => void check(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => void check(document, typingPause)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => (await texts()).hoverAt(document, position),
    }),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: async (document, range) =>
          (await texts()).fixesAt(document, range, sessionFlavor(connections.session)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) => (await texts()).completionsAt(document, position),
    }),
  );
}
