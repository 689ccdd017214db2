import * as vscode from 'vscode';
import type { TypedSecrets } from '../../../state/deploying/typedSecrets.ts';
import type { Parts } from '../../parts.ts';
import type { Services } from '../../services.ts';
import { inTurn } from '../../window/inTurn.ts';
import { draftStorage, isDraft } from '../../window/specNames.ts';
import { tabsOf, uriOfTab } from '../../window/tabs.ts';
import type { FileSubject } from '../file/chooseFile.ts';

const pageType = 'deploymentManager.deployment';

interface PagesDependencies {
  readonly services: () => Promise<Services>;
  readonly commands: Parts['commands'];
}

/** The pages of deployment files, and of drafts. */
export class DeploymentPages implements vscode.CustomTextEditorProvider, vscode.Disposable {
  /** The folder of the extension's storage that has the drafts. */
  readonly storage: vscode.Uri;
  /** The secrets that were typed for files, also of those whose pages aren't open. */
  readonly typed = new Map<string, TypedSecrets>();
  /** Works with drafts in turn: a page that closes may take its draft along. */
  readonly withDrafts = inTurn();
  readonly #extensionUri: vscode.Uri;
  readonly #dependencies: PagesDependencies;
  /** The deployment to show in the page of a file that isn't open yet. */
  readonly #wanted = new Map<string, number | undefined>();
  readonly #show = new vscode.EventEmitter<FileSubject>();
  /** Waits until the document has what was typed in the page of a file, also after the page is closed. */
  readonly #settle = new Map<string, () => Promise<void>>();
  readonly #registrations: readonly vscode.Disposable[];

  constructor(context: vscode.ExtensionContext, dependencies: PagesDependencies) {
    this.storage = draftStorage(context);
    this.#extensionUri = context.extensionUri;
    this.#dependencies = dependencies;
    this.#registrations = [
      vscode.window.registerCustomEditorProvider(pageType, this, { webviewOptions: { enableFindWidget: true } }),
      vscode.window.tabGroups.onDidChangeTabs(async ({ closed }) => {
        for (const uri of closed.flatMap((tab) => uriOfTab(tab) ?? [])) await this.#leave(uri);
      }),
    ];
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
    const key = document.uri.toString();
    let isOpen = true;
    panel.onDidDispose(() => (isOpen = false));
    const [{ openPage }, services] = await Promise.all([this.#dependencies.commands(), this.#dependencies.services()]);
    // Drafts are written as UTF-8, whatever encoding the user has files in.
    if (this.isDraft(document.uri) && document.encoding !== 'utf8' && !document.isDirty) {
      await vscode.workspace.openTextDocument(document.uri, { encoding: 'utf8' });
    }
    const page = await openPage({ document, panel, services });
    page.show(this.#wanted.get(key));
    this.#wanted.delete(key);
    if (!isOpen) {
      page.dispose();
      // It has claimed the draft since its tab was closed.
      return this.#leave(document.uri);
    }
    // Only a draft may go with its page.
    if (this.isDraft(document.uri)) this.#settle.set(key, page.settle);
    const shows = this.#show.event(({ file, index }) => {
      if (file.toString() !== key) return;
      this.#wanted.delete(key);
      page.show(index);
    });
    panel.onDidDispose(() => shows.dispose());
    page.serve(this.#extensionUri);
  }

  isDraft(file: vscode.Uri): boolean {
    return isDraft(this.storage, 'deployment-spec', file);
  }

  /** Opens the page of a deployment file, and shows one of its deployments. */
  async open(subject: FileSubject): Promise<void> {
    const { file, index } = subject;
    this.#wanted.set(file.toString(), index);
    await vscode.commands.executeCommand('vscode.openWith', file, pageType);
    this.#show.fire(subject);
  }

  /** Has the open page of a draft, if there is one, read the state of the draft again. */
  readAgain(file: vscode.Uri): void {
    if (this.isDraft(file)) this.#show.fire({ file, index: undefined });
  }

  async #leave(file: vscode.Uri): Promise<void> {
    if (!this.isDraft(file) || tabsOf(file).length > 0) return;
    const { commands, services } = this.#dependencies;
    const key = file.toString();
    const settle = this.#settle.get(key);
    this.#settle.delete(key);
    const [{ leaveDeploymentDraft }, started] = await Promise.all([commands(), services()]);
    await settle?.();
    await leaveDeploymentDraft(file, started);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations, ...this.typed.values(), this.#show).dispose();
  }
}
