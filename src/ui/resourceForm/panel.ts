import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { resourceSpecWire, type ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { checkSpec } from '../../core/spec/rules.ts';
import { readSpecText } from '../../core/yaml/document.ts';
import { specToText, toSpecMap } from '../../core/spec/edit.ts';
import { shortened } from '../../core/text/text.ts';
import { confirm, isCancelled, messageOf, UserError } from '../window/errors.ts';
import { chooseSpecOfDeployment } from './deploymentSpec.ts';
import type { KeptForm } from './keptForm.ts';
import {
  readFormMessage,
  type FormAction,
  type FormContext,
  type FormMessage,
  type FormState,
  type HostMessage,
} from './protocol.ts';
import type { OpenForm, ResourceFormDependencies } from './resourceForms.ts';
import {
  chooseSpecFile,
  currentHash,
  fileTitle,
  hashOf,
  nameOf,
  readSavedFile,
  readSpecFile,
  saveSpecFile,
  showSpecDocument,
  uriAfterRename,
  writeSpecFile,
} from './specFiles.ts';
import { exists } from '../window/files.ts';

export interface PanelSetup {
  readonly panel: vscode.WebviewPanel;
  readonly state: FormState;
  readonly kept: KeptForm;
  readonly dependencies: ResourceFormDependencies;
  readonly onUse: ((spec: ResourceSpec) => void) | undefined;
  /** Called when the form closes with content that exists nowhere else. */
  readonly onLoss: (state: FormState) => void;
}

/** The actions that may ask the user something and then stay in the form. */
const prompts: ReadonlySet<FormAction> = new Set(['save', 'saveAs', 'loadFile', 'loadDeployment']);

/** The extension's side of one form: shows the page and does the work that a page can't do. */
export class ResourceFormPanel implements OpenForm {
  readonly #setup: PanelSetup;
  #state: FormState;
  #isListening = false;
  #isClosed = false;
  #lastFailure = '';
  /** A text that arrived while the form was hidden and couldn't receive it. */
  #waiting: { readonly text: string; readonly from: string } | undefined;

  constructor(setup: PanelSetup) {
    this.#setup = setup;
    this.#state = setup.state;
  }

  get #context(): FormContext {
    return this.#state.context;
  }

  get isActive(): boolean {
    return this.#setup.panel.active;
  }

  save(): void {
    this.#post({ type: 'save' });
  }

  /** Serves the panel's page until the panel is closed. */
  serve(): void {
    const { panel, dependencies } = this.#setup;
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#isListening = false;
      }),
      vscode.workspace.onDidSaveTextDocument((document) => void this.#takeBack(document)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        const { fileUri } = this.#context;
        const moved = fileUri === '' ? undefined : uriAfterRename(vscode.Uri.parse(fileUri), files);
        if (moved !== undefined) this.#setFile(moved);
      }),
    ];
    dependencies.openForms.add(this);
    panel.onDidDispose(() => {
      this.#isClosed = true;
      dependencies.openForms.delete(this);
      vscode.Disposable.from(...subscriptions).dispose();
      const { kept, onLoss } = this.#setup;
      this.#logFailure(this.#wouldLose() ? kept.removeDocument() : kept.remove());
      if (this.#wouldLose()) onLoss(this.#state);
    });
  }

  /** Loads the form's document if it was saved while the form wasn't running. */
  async catchUp(): Promise<void> {
    const uri = this.#documentUri;
    const saved = await readSavedFile(uri);
    if (saved === undefined || saved.hash === this.#context.documentHash) return;
    this.#changeContext({ documentHash: saved.hash });
    this.#takeOver(saved.text, nameOf(uri));
  }

  #receive(message: unknown): void {
    const read = readFormMessage(message);
    if (read === undefined) {
      this.#setup.dependencies.log.debug('resource form: a message that does not fit was dropped');
      return;
    }
    switch (read.type) {
      case 'ready':
        return this.#setUp();
      case 'state':
        return this.#take({ ...read.state, context: this.#context });
      case 'request':
        void this.#answer(read);
    }
  }

  #setUp(): void {
    const translations = vscode.l10n.bundle ?? {};
    this.#isListening = true;
    this.#post({ type: 'setup', id: this.#setup.kept.id, translations, state: this.#state });
    if (this.#waiting !== undefined) this.#replace(this.#waiting.text, this.#waiting.from);
  }

  /** Performs the form's request. Always replies, even after a failure. */
  async #answer({ id, action, text }: Extract<FormMessage, { type: 'request' }>): Promise<void> {
    try {
      const message = await this.#run(action, text);
      if (prompts.has(action)) this.#takeFocusBack();
      this.#post({ type: 'reply', id, failed: false, message });
      if (action === 'use' && this.#setup.onUse !== undefined) this.#setup.panel.dispose();
    } catch (error) {
      const failed = !isCancelled(error);
      const message = failed ? messageOf(error) : '';
      if (failed) this.#setup.dependencies.log.error(`resource form: ${message}`);
      this.#takeFocusBack();
      this.#post({ type: 'reply', id, failed, message });
    }
  }

  /** VS Code returns the focus from a prompt to the frame around the page, but not always to the page. */
  #takeFocusBack(): void {
    if (!this.#isClosed && this.#setup.panel.active) this.#setup.panel.reveal();
  }

  /** Performs an action. Returns a message for the user, or an empty text. */
  async #run(action: FormAction, text: string): Promise<string> {
    switch (action) {
      case 'use':
        return this.#use(text);
      case 'save':
        return this.#save(text);
      case 'saveAs':
        return this.#saveAs(text);
      case 'copy':
        await vscode.env.clipboard.writeText(text);
        this.#keep(text);
        return vscode.l10n.t('Copied.');
      case 'openInEditor':
        return this.#openInEditor(text);
      case 'loadFile':
        return this.#loadFile();
      case 'loadDeployment':
        return this.#loadDeployment();
    }
  }

  async #use(text: string): Promise<string> {
    const spec = usableSpec(text, this.#context.flavor);
    if (this.#setup.onUse === undefined) await this.#setup.dependencies.useForDeployment(spec);
    else this.#setup.onUse(spec);
    this.#keep(text);
    return '';
  }

  async #save(text: string): Promise<string> {
    const { fileUri } = this.#context;
    if (fileUri === '') return this.#saveAs(text);
    const file = vscode.Uri.parse(fileUri);
    if (!(await this.#mayOverwrite(file))) return '';
    await writeSpecFile(file, text);
    this.#keep(text);
    await this.#rememberDocument();
    return vscode.l10n.t('Saved to {0}.', nameOf(file));
  }

  /** Asks before overwriting content that the form never held. A deleted file is created again. */
  async #mayOverwrite(file: vscode.Uri): Promise<boolean> {
    const { documentHash, keptHash } = this.#context;
    const hash = await currentHash(file);
    if (hash === undefined || hash === documentHash || hash === keptHash) return true;
    const words = vscode.l10n.t('{0} was changed while the form was open. Overwrite it?', nameOf(file));
    return confirm(words, vscode.l10n.t('Overwrite'));
  }

  async #saveAs(text: string): Promise<string> {
    const { fileUri } = this.#context;
    const saved = await saveSpecFile(text, fileUri === '' ? undefined : vscode.Uri.parse(fileUri));
    if (saved === undefined) return '';
    this.#keep(text);
    if (!this.#context.readOnly) {
      this.#setFile(saved);
      await this.#rememberDocument();
    }
    return vscode.l10n.t('Saved to {0}.', nameOf(saved));
  }

  async #openInEditor(text: string): Promise<string> {
    const known = this.#documentUri;
    // Don't recreate a deleted file: the user didn't ask for it.
    const isThere = await exists(known);
    if (!isThere) {
      this.#changeContext({ fileUri: '' });
      await this.#setup.kept.writeDocument(text);
    }
    await showSpecDocument(isThere ? known : this.#scratchUri, text);
    await this.#rememberDocument();
    return vscode.l10n.t('Save the document to bring it back into the form.');
  }

  async #loadFile(): Promise<string> {
    const uri = await chooseSpecFile();
    if (uri !== undefined) this.#takeOver(await readSpecFile(uri), nameOf(uri));
    return '';
  }

  async #loadDeployment(): Promise<string> {
    const chosen = await chooseSpecOfDeployment(this.#setup.dependencies.connections);
    if (chosen === undefined) return '';
    this.#takeOver(specToText(toSpecMap(chosen.spec)), chosen.name);
    return chosen.leavesValuesOut ? vscode.l10n.t('Values that may be secret were left out. Enter them again.') : '';
  }

  /** Loads the text of the form's document after it was saved. */
  async #takeBack(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    if (uri !== this.#context.fileUri && uri !== this.#scratchUri.toString()) return;
    const name = nameOf(document.uri);
    if (uri === this.#context.fileUri) this.#takeOver(document.getText(), name);
    // Saved text isn't safe here: this document is removed when the form is closed.
    else this.#replace(document.getText(), name);
    await this.#rememberDocument();
  }

  /** The document that the form shares with the editor: its file, or one in the extension's storage. */
  get #documentUri(): vscode.Uri {
    const { fileUri } = this.#context;
    return fileUri === '' ? this.#scratchUri : vscode.Uri.parse(fileUri);
  }

  get #scratchUri(): vscode.Uri {
    return vscode.Uri.file(this.#setup.kept.document);
  }

  /** Remembers a hash of the document, so a restored form can tell whether it was saved since. */
  async #rememberDocument(): Promise<void> {
    const saved = await readSavedFile(this.#documentUri);
    this.#changeContext({ documentHash: saved?.hash ?? '' });
  }

  /** Assigns a file to the form. A form that is titled after its file takes the new name. */
  #setFile(file: vscode.Uri): void {
    if (this.#isClosed) return;
    const { fileUri, title } = this.#context;
    const isNamedAfterFile = fileUri !== '' && title === fileTitle(vscode.Uri.parse(fileUri));
    const newTitle = isNamedAfterFile ? fileTitle(file) : title;
    this.#setup.panel.title = shortened(newTitle, 300);
    this.#changeContext({ fileUri: file.toString(), title: newTitle });
  }

  /** Remembers that a text also exists outside the form. */
  #keep(text: string): void {
    this.#changeContext({ keptHash: hashOf(text) });
  }

  /** Whether closing the form would lose content. */
  #wouldLose(): boolean {
    const { context, text, drafts } = this.#state;
    const { fileUri, documentHash, keptHash } = context;
    const hash = hashOf(text);
    const isElsewhere = hash === keptHash || (fileUri !== '' && hash === documentHash);
    return !context.readOnly && (drafts.length > 0 || !isElsewhere);
  }

  /** Loads a text that still exists at its source. */
  #takeOver(text: string, from: string): void {
    this.#keep(text);
    this.#replace(text, from);
  }

  #replace(text: string, from: string): void {
    const isThere = text === this.#state.text && this.#state.drafts.length === 0;
    this.#waiting = this.#isListening || isThere ? undefined : { text, from };
    if (this.#isListening && !isThere) this.#post({ type: 'replace', text, from });
  }

  #changeContext(change: Partial<FormContext>): void {
    this.#take({ ...this.#state, context: { ...this.#context, ...change } });
    this.#post({ type: 'context', context: this.#context });
  }

  /** Sends a message to the page, unless the form was closed meanwhile. */
  #post(message: HostMessage): void {
    if (this.#isClosed) return;
    const { webview } = this.#setup.panel;
    const tell = webview.postMessage.bind(webview);
    void tell(message);
  }

  #take(state: FormState): void {
    if (this.#isClosed) return;
    this.#state = state;
    this.#logFailure(this.#setup.kept.keep(state));
  }

  /** Logs a storage failure without interrupting the user. A repeated one is logged only once. */
  #logFailure(work: Promise<void>): void {
    work.catch((error: unknown) => {
      const failure = messageOf(error);
      if (failure !== this.#lastFailure) this.#setup.dependencies.log.error(`resource form: ${failure}`);
      this.#lastFailure = failure;
    });
  }
}

/**
 * Reads a typed spec from a form's text. Checks it again, because a webview can't be trusted.
 * @throws {UserError} the text can't be used as it is
 */
function usableSpec(text: string, flavor: FlavorName): ResourceSpec {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new UserError(document.findings[0].message);
  const error = checkSpec(document.spec, flavor).find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new UserError(`${error.path.join('.')}: ${error.message}`);
  const parsed = resourceSpecWire.safeParse(document.spec);
  if (parsed.success) return parsed.data;
  throw new UserError(vscode.l10n.t("This resource spec doesn't match the format that the service expects."));
}
