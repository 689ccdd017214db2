import * as vscode from 'vscode';
import { IgnoreQuestions } from '../../git/ignoredFiles.ts';
import type { Parts } from '../parts.ts';
import { watchGit } from '../workspace/gitExtension.ts';
import { quickFixes, type ShownFinding } from '../window/diagnostics.ts';
import type { ConfigPlace } from './place.ts';

const selector: vscode.DocumentSelector = { pattern: '**/*.{json,yaml,yml}' };

/** The pause after typing, or after what else changes findings, in milliseconds. */
const pause = 200;

/** What is shown of a config. Its fixes fit only the version that was checked. */
interface Shown {
  readonly version: number;
  readonly findings: readonly ShownFinding[];
}

/** The open application config files, whatever their names, with diagnostics, quick fixes, hovers and completion. */
export class ConfigDocuments implements vscode.Disposable {
  readonly #parts: Pick<Parts, 'texts' | 'commands'>;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.appConfig');
  /** By URI. A text that can't be read for a moment is still a config. */
  readonly #shown = new Map<string, Shown>();
  /** What is being read of the repository for a document, until its next change. */
  readonly #reading = new Map<string, AbortController>();
  readonly #ignored = new IgnoreQuestions();
  readonly #subscription: vscode.Disposable;
  #planned: NodeJS.Timeout | undefined;
  #repositories: vscode.Disposable | undefined;

  constructor(parts: Pick<Parts, 'texts' | 'commands'>) {
    this.#parts = parts;
    const { texts } = parts;
    const checkAll = (): void => this.#plan();
    this.#subscription = vscode.Disposable.from(
      this.#diagnostics,
      vscode.workspace.onDidOpenTextDocument((document) => void this.#check(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void this.#check(document, pause)),
      // Graphs may have been saved, created, renamed or deleted, here or elsewhere.
      vscode.workspace.onDidSaveTextDocument(checkAll),
      vscode.workspace.onDidCreateFiles(checkAll),
      vscode.workspace.onDidRenameFiles(checkAll),
      vscode.workspace.onDidDeleteFiles(checkAll),
      vscode.workspace.onDidGrantWorkspaceTrust(checkAll),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) checkAll();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.languages.registerCodeActionsProvider(
        selector,
        {
          provideCodeActions: ({ uri, version }, range, { triggerKind }) => {
            const shown = this.#shown.get(uri.toString());
            const findings = shown?.version === version ? shown.findings : [];
            return quickFixes(findings, range, triggerKind === vscode.CodeActionTriggerKind.Invoke);
          },
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: async (document, position) =>
          this.#isHelped(document) ? (await texts()).configHoverAt(document, position) : undefined,
      }),
      vscode.languages.registerCompletionItemProvider(
        selector,
        {
          provideCompletionItems: async (document, position) =>
            this.#isHelped(document) ? (await texts()).configCompletionsAt(document, position) : [],
        },
        '"',
      ),
    );
    this.#checkAll();
  }

  dispose(): void {
    clearTimeout(this.#planned);
    this.#subscription.dispose();
    this.#repositories?.dispose();
  }

  /** Whether a document is a config, or was one before a mistake made it unreadable. */
  async isConfig(document: vscode.TextDocument): Promise<boolean> {
    const { uri } = document;
    if (this.#shown.has(uri.toString())) return true;
    if (vscode.languages.match(selector, document) === 0 || !isUsersFile(uri)) return false;
    if (isMainConfig(uri)) return true;
    // Most documents don't need the part that reads them.
    return document.getText().includes('graphs') && (await this.#parts.texts()).isAppConfig(document);
  }

  /** Checks all soon: one save is followed by several changes of git's. */
  #plan(): void {
    this.#planned ??= setTimeout(() => this.#checkAll(), pause);
  }

  #checkAll(): void {
    this.#planned = undefined;
    for (const document of vscode.workspace.textDocuments) void this.#check(document, 0);
  }

  async #check(document: vscode.TextDocument, delay: number): Promise<void> {
    const { uri, version } = document;
    const key = uri.toString();
    const isCurrent = (): boolean => !document.isClosed && document.version === version;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (!isCurrent() || !(await this.isConfig(document))) return;
    const { configFindings, isNoConfig, repositoryFindings } = await this.#parts.texts();
    if (!isCurrent()) return;
    if (!isMainConfig(uri) && isNoConfig(document)) return this.#forget(uri);
    this.#reading.get(key)?.abort();
    const reading = new AbortController();
    this.#reading.set(key, reading);
    const ofText = configFindings(document);
    // What the repository has is known a moment later. Only at first, when git may take long, this isn't waited for.
    if (!this.#shown.has(key)) this.#show(document, ofText);
    this.#watchRepositories();
    const findSources = async (place: ConfigPlace) => (await this.#parts.commands()).findSources(place);
    const helpers = { findSources, ignored: this.#ignored };
    const ofFiles = await repositoryFindings(document, helpers, reading.signal).catch(() => []);
    if (isCurrent() && !reading.signal.aborted) this.#show(document, [...ofText, ...ofFiles]);
  }

  /** A commit or a push changes what there is to say. */
  #watchRepositories(): void {
    if (vscode.workspace.isTrusted) this.#repositories ??= watchGit(() => this.#plan());
  }

  #show({ uri, version }: vscode.TextDocument, findings: readonly ShownFinding[]): void {
    this.#shown.set(uri.toString(), { version, findings });
    this.#diagnostics.set(
      uri,
      findings.map(({ diagnostic }) => diagnostic),
    );
  }

  /** A schema gives the same help: the manifest's for `langgraph.json`, or the one that a JSON file names. */
  #isHelped(document: vscode.TextDocument): boolean {
    const { uri, languageId } = document;
    if (!this.#shown.has(uri.toString()) || isMainConfig(uri)) return false;
    return !(languageId.startsWith('json') && document.getText().includes('"$schema"'));
  }

  #forget(uri: vscode.Uri): void {
    this.#reading.get(uri.toString())?.abort();
    this.#reading.delete(uri.toString());
    this.#shown.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }
}

/** Whether a document is a file that the user edits, and no older version of one or a text of ours. */
function isUsersFile({ scheme }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || scheme === 'untitled' || folders.some(({ uri }) => uri.scheme === scheme);
}

/** Whether a file has the name that belongs to application configs only. Other names are anybody's. */
function isMainConfig({ path }: vscode.Uri): boolean {
  return path.endsWith('/langgraph.json');
}
