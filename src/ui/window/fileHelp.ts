import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { flavorNameOf } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import { connectionNameOf, type Session } from '../../state/connections/session.ts';
import { quickFixes, type ShownFinding } from './diagnostics.ts';
import { specPattern, type SpecKind } from './specNames.ts';

/** The pause in typing before a document is checked, in milliseconds. */
const typingPause = 200;

/** The flavor of the connected service, because some rules of a spec depend on it. */
export function sessionFlavor(session: Session): FlavorName {
  return session.kind === 'none' ? 'standard' : flavorNameOf(session.connection);
}

/** The flavor of a connection by its name; of the connected service without one, or if it isn't set up here. */
export function flavorFor(connections: Pick<Connections, 'find' | 'session'>, name: string): FlavorName {
  const connection = connections.find(name);
  return connection === undefined ? sessionFlavor(connections.session) : flavorNameOf(connection);
}

/** What findings in a file depend on about connections. */
export interface ConnectionRules {
  /** The flavor of a connection by its name, which is empty for the one in use. */
  readonly flavorFor: (connection: string) => FlavorName;
  /** The name of the connection in use; empty without any. */
  readonly usualConnection: string;
}

export function connectionRules(connections: Pick<Connections, 'find' | 'session'>): ConnectionRules {
  const { session } = connections;
  return {
    flavorFor: (name) => flavorFor(connections, name),
    usualConnection: connectionNameOf(session),
  };
}

/** The help in files of one kind. */
export interface FileHelp {
  readonly findingsOf: (document: vscode.TextDocument, rules: ConnectionRules) => readonly ShownFinding[];
  readonly hoverAt: (document: vscode.TextDocument, position: vscode.Position) => vscode.Hover | undefined;
  readonly completionsAt: (document: vscode.TextDocument, position: vscode.Position) => vscode.CompletionItem[];
}

/** Provides diagnostics, quick fixes, hovers, and completions for files of a kind anywhere. */
export function registerFileHelp(
  kind: SpecKind,
  connections: Pick<Connections, 'current' | 'find' | 'session' | 'onDidChange'>,
  help: () => Promise<FileHelp>,
): vscode.Disposable {
  const selector: vscode.DocumentSelector = { pattern: specPattern(kind) };
  const diagnostics = vscode.languages.createDiagnosticCollection(`deploymentManager.${kind}`);
  const check = async (document: vscode.TextDocument, delay: number): Promise<void> => {
    if (vscode.languages.match(selector, document) === 0) return;
    const { version } = document;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.version !== version) return;
    const { findingsOf } = await help();
    // The rules depend on the session, so wait until the first one is read.
    await connections.current();
    if (document.isClosed || document.version !== version) return;
    const findings = findingsOf(document, connectionRules(connections));
    diagnostics.set(
      document.uri,
      findings.map(({ diagnostic }) => diagnostic),
    );
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
      provideHover: async (document, position) => (await help()).hoverAt(document, position),
    }),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: async (document, range) =>
          quickFixes((await help()).findingsOf(document, connectionRules(connections)), range, true),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) => (await help()).completionsAt(document, position),
    }),
  );
}
