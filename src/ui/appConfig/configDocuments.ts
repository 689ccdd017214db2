import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';
import type { ShownFinding } from './configFindings.ts';

const selector: vscode.DocumentSelector = { pattern: '**/*.{json,yaml,yml}' };

/** The pause in typing before a document is checked, in milliseconds. */
const typingPause = 200;

/** Diagnostics and quick fixes for open application config files, whatever their names. */
export class ConfigDocuments implements vscode.Disposable {
  readonly #texts: Parts['texts'];
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.appConfig');
  /** The open configs with their findings. A text that can't be read for a moment is still one. */
  readonly #shown = new Map<string, readonly ShownFinding[]>();
  /** What is being read of the repository for a document, until its next change. */
  readonly #reading = new Map<string, AbortController>();
  readonly #subscription: vscode.Disposable;

  constructor(texts: Parts['texts']) {
    this.#texts = texts;
    this.#subscription = vscode.Disposable.from(
      this.#diagnostics,
      vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#check(document, typingPause)),
      // Graphs may have been saved, created, renamed or deleted, here or elsewhere.
      vscode.workspace.onDidSaveTextDocument(() => this.#checkAll()),
      vscode.workspace.onDidCreateFiles(() => this.#checkAll()),
      vscode.workspace.onDidRenameFiles(() => this.#checkAll()),
      vscode.workspace.onDidDeleteFiles(() => this.#checkAll()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#checkAll()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#checkAll();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.languages.registerCodeActionsProvider(
        selector,
        { provideCodeActions: ({ uri }, range) => this.#fixesAt(uri, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: async (document, position) =>
          this.#isHelped(document.uri) ? (await texts()).configHoverAt(document, position) : undefined,
      }),
      vscode.languages.registerCompletionItemProvider(
        selector,
        {
          provideCompletionItems: async (document, position) =>
            this.#isHelped(document.uri) ? (await texts()).configCompletionsAt(document, position) : [],
        },
        '"',
      ),
    );
    this.#checkAll();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.#check(document, 0);
  }

  async #check(document: vscode.TextDocument, delay: number): Promise<void> {
    const { uri, version } = document;
    if (vscode.languages.match(selector, document) === 0 || !isOwn(uri)) return;
    const isCurrent = (): boolean => !document.isClosed && document.version === version;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (!isCurrent()) return;
    const { configFindings, isAppConfig, repositoryFindings } = await this.#texts();
    const key = uri.toString();
    if (!isCurrent() || !(this.#shown.has(key) || isAppConfig(document))) return;
    this.#reading.get(key)?.abort();
    const reading = new AbortController();
    this.#reading.set(key, reading);
    const ofText = configFindings(document);
    // What the repository has is known a moment later, and is shown together with the text's findings.
    const ofFiles = await repositoryFindings(document, reading.signal).catch(() => []);
    if (!isCurrent() || reading.signal.aborted) return;
    const findings = [...ofText, ...ofFiles];
    this.#shown.set(key, findings);
    this.#diagnostics.set(
      uri,
      findings.map(({ diagnostic }) => diagnostic),
    );
  }

  /** The manifest has a schema for `langgraph.json`, or the file names another one, which gives the same help. */
  #isHelped(uri: vscode.Uri): boolean {
    return this.#shown.has(uri.toString()) && !uri.path.endsWith('/langgraph.json');
  }

  #forget(uri: vscode.Uri): void {
    this.#reading.get(uri.toString())?.abort();
    this.#reading.delete(uri.toString());
    this.#shown.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }

  #fixesAt(uri: vscode.Uri, range: vscode.Range): vscode.CodeAction[] {
    const touched = (this.#shown.get(uri.toString()) ?? []).filter(
      ({ diagnostic }) => diagnostic.range.intersection(range) !== undefined,
    );
    return touched.flatMap(({ diagnostic, fixes }) =>
      fixes.map(({ title, edit }) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.edit = edit;
        action.diagnostics = [diagnostic];
        action.isPreferred = fixes.length === 1;
        return action;
      }),
    );
  }
}

/** Whether a document is a file that the user edits, and no older version of one or a text of ours. */
function isOwn({ scheme }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || scheme === 'untitled' || folders.some(({ uri }) => uri.scheme === scheme);
}
