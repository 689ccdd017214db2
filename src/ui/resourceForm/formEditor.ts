import * as vscode from 'vscode';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import type { FlavorName } from '../../api/flavor.ts';
import { specKeys } from '../../core/spec/fields.ts';
import { checkSpec } from '../../core/spec/rules.ts';
import { sentSpec } from '../../core/spec/specText.ts';
import { emptySpec, longestSpecText, readSpecText, tooLongWords } from '../../core/yaml/document.ts';
import { applyEdits, type EditedText } from '../../core/yaml/edit.ts';
import { handle, type Handlers } from '../page/messages.ts';
import { otherChangeFirst, PagePanel } from '../page/pagePanel.ts';
import { execute } from '../window/commandIds.ts';
import { isCancelled, messageOf, UserError } from '../window/errors.ts';
import { chooseTextOfDeployment, chooseTextOfFile, type StartingText } from './deploymentSpec.ts';
import { readPageMessage, type FormAction, type PageMessages } from './pageMessages.ts';
import type { EditorMessage, EditorMessages, FormContext } from './protocol.ts';
import { openInForm, type ResourceFormDependencies } from './resourceForms.ts';
import { sessionFlavor } from '../window/fileHelp.ts';
import { inTurn } from '../window/inTurn.ts';
import { replaceText, saveSpecFile } from '../window/specFiles.ts';
import { nameOf } from '../window/specNames.ts';
import { tabsOf } from '../window/tabs.ts';

export interface FormSetup {
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  readonly dependencies: ResourceFormDependencies;
  readonly title: string;
  readonly subject: FormContext['subject'];
  /** Why nothing can be edited; empty if it can. */
  readonly lock: string;
}

/** The actions that may ask the user something and then stay in the form. */
const prompts: ReadonlySet<FormAction> = new Set(['saveAs', 'loadFile', 'loadDeployment']);

/** What an action did, if there is anything to say. */
type Said = Partial<Pick<EditorMessages['said'], 'message' | 'canUndo'>>;

/** The editor's side of one form: writes the page's changes into the document, and tells the page of every change. */
export class FormEditor {
  readonly #setup: FormSetup;
  /** The document's text when the page last changed it. */
  #state: EditedText = { document: emptySpec };
  /** The version that another change than the page's made last. */
  #foreignVersion = 0;
  readonly #page: PagePanel<EditorMessage>;
  /** Why a change was refused, until the page has heard it. What the page sends until then counts on that change. */
  #unheard: string | undefined;
  /** Messages are handled one after another, as they came. */
  readonly #inTurn = inTurn();

  constructor(setup: FormSetup) {
    this.#setup = setup;
    this.#page = new PagePanel(setup.panel, setup.document);
  }

  /** Serves the panel's page until the panel is closed. */
  serve(): void {
    const { document, panel, dependencies } = this.#setup;
    const handlers: Handlers<PageMessages> = {
      ready: () => this.#after(() => this.#setUp()),
      change: (message) => this.#after(() => this.#change(message)),
      flushed: () => this.#after(() => this.#page.continueSaves()),
      heard: () => this.#after(() => void (this.#unheard = undefined)),
      // An action may ask the user something, while changes go on.
      action: ({ action }) => this.#after(() => void this.#act(action).catch((error: unknown) => this.#say(error))),
    };
    const subscriptions = [
      panel.webview.onDidReceiveMessage((received: unknown) => {
        const message = readPageMessage(received);
        if (message === undefined) dependencies.log.debug('resource form: a message that does not fit was dropped');
        else handle(handlers, message);
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document && change.contentChanges.length > 0) this.#tellChange();
      }),
      vscode.workspace.onWillSaveTextDocument((save) => {
        // A draft is saved with each change. Sending what is being typed would make steps of parts of words.
        if (save.document !== document || this.#setup.subject === 'draft' || !this.#page.isListening) return;
        save.waitUntil(this.#page.flush().then(() => []));
      }),
      dependencies.connections.onDidChange(() => this.#page.post({ type: 'context', context: this.#context })),
    ];
    panel.onDidDispose(() => {
      vscode.Disposable.from(...subscriptions).dispose();
    });
  }

  get #context(): FormContext {
    const { title, subject, lock } = this.#setup;
    return { title, subject, lock, flavor: this.#flavor };
  }

  get #flavor(): FlavorName {
    return sessionFlavor(this.#setup.dependencies.connections.session);
  }

  #after(step: () => Promise<void> | void): void {
    this.#inTurn(async () => step()).catch((error: unknown) => this.#say(error));
  }

  #setUp(): void {
    const { version } = this.#setup.document;
    this.#page.applied = 0;
    this.#unheard = undefined;
    this.#page.isListening = true;
    const translations = vscode.l10n.bundle ?? {};
    this.#page.post({ type: 'setup', translations, context: this.#context, version, text: this.#text });
  }

  /** The document's text. Of one that is too long, enough for the page to see that. */
  get #text(): string {
    return this.#setup.document.getText().slice(0, longestSpecText + 1);
  }

  async #change({ id, version, edits }: PageMessages['change']): Promise<void> {
    if (this.#unheard !== undefined) return;
    const { document, lock } = this.#setup;
    const text = document.getText();
    const refuse = (message: string): void => {
      this.#unheard = message;
      this.#page.post({ type: 'refused', id, message });
    };
    if (lock !== '') return refuse(lock);
    if (text.length > longestSpecText) return refuse(tooLongWords());
    // Offsets fit only the text that they were made for; paths fit every text.
    if (edits.some(({ kind }) => kind === 'splice') && version < this.#foreignVersion) return refuse('');
    const state = this.#state.document.text === text ? this.#state : { document: readSpecText(text) };
    const result = applyEdits(state, edits, specKeys);
    if (result.kind === 'refused') return refuse(result.message);
    this.#state = result.state;
    const before = document.version;
    try {
      await this.#page.change(result.state.document.text, id);
      // A change of the document tells the page itself.
      if (document.version === before) this.#tell();
    } catch (error) {
      // VS Code doesn't change a document that has changed since. The page sends its change again for the newer text.
      refuse(document.version === before ? messageOf(error) : '');
    }
  }

  #tellChange(): void {
    if (!this.#page.recognizeChange()) this.#foreignVersion = this.#setup.document.version;
    this.#tell();
  }

  #tell(): void {
    const { version } = this.#setup.document;
    this.#page.post({ type: 'text', version, text: this.#text, applied: this.#page.applied });
  }

  async #act(action: FormAction): Promise<void> {
    if (this.#unheard !== undefined) {
      // It would undo the step before the refused one.
      if (action === 'undo') return;
      throw this.#unheard === '' ? otherChangeFirst() : new UserError(this.#unheard);
    }
    const said = await this.#run(action);
    if (prompts.has(action)) this.#page.returnFocus();
    this.#page.post({ type: 'said', failed: false, message: '', canUndo: false, ...said });
  }

  /** Performs an action. */
  async #run(action: FormAction): Promise<Said> {
    switch (action) {
      case 'use':
        return this.#use();
      case 'saveAs':
        return this.#saveAs();
      case 'copy':
        await vscode.env.clipboard.writeText(this.#setup.document.getText());
        return { message: vscode.l10n.t('Copied.') };
      case 'openInEditor':
        return this.#openInEditor();
      case 'loadFile':
        return this.#load(await chooseTextOfFile());
      case 'loadDeployment':
        return this.#load(await chooseTextOfDeployment(this.#setup.dependencies.connections));
      case 'undo':
        if (this.#setup.panel.active) await vscode.commands.executeCommand('undo');
        return {};
    }
  }

  async #use(): Promise<Said> {
    const resourceSpec = usableSpec(this.#setup.document.getText(), this.#flavor);
    await execute('createDeployment', { resourceSpec });
    return {};
  }

  /** Writes a copy. A draft becomes that file. */
  async #saveAs(): Promise<Said> {
    const { document, subject, dependencies } = this.#setup;
    const saved = await saveSpecFile({
      kind: 'resource-spec',
      title: vscode.l10n.t('Save Resource Spec'),
      name: 'deployment',
      textFor: () => document.getText(),
    });
    if (saved === undefined) return {};
    if (subject === 'draft') {
      dependencies.newDrafts.set(document.uri.toString(), document.getText());
      await openInForm(saved);
      await this.#close();
    }
    return { message: vscode.l10n.t('Saved to {0}.', nameOf(saved)) };
  }

  /** Closes a draft. VS Code would ask about its last change while that is being saved. */
  async #close(): Promise<void> {
    const { document, dependencies } = this.#setup;
    await dependencies.withDrafts(() => document.save());
    await vscode.window.tabGroups.close(tabsOf(document.uri));
  }

  /** Shows the document as text: in its tab, or beside the form. */
  async #openInEditor(): Promise<Said> {
    const { uri } = this.#setup.document;
    const asText = tabsOf(uri).find(({ input }) => input instanceof vscode.TabInputText);
    const viewColumn = asText?.group.viewColumn ?? vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(uri, { viewColumn, preview: false });
    return {};
  }

  async #load(chosen: StartingText | undefined): Promise<Said> {
    if (chosen === undefined) return {};
    const { document } = this.#setup;
    const { text, message } = chosen;
    const canUndo = text !== document.getText();
    await replaceText(document, text);
    return { message, canUndo };
  }

  /** Tells why something failed, unless the user canceled it. */
  #say(error: unknown): void {
    this.#page.returnFocus();
    const failed = !isCancelled(error);
    const message = failed ? messageOf(error) : '';
    if (failed) this.#setup.dependencies.log.error(`resource form: ${message}`);
    this.#page.post({ type: 'said', failed, message, canUndo: false });
  }
}

/**
 * Reads a typed spec from a text.
 * @throws {UserError} the text can't be used as it is
 */
function usableSpec(text: string, flavor: FlavorName): ResourceSpec {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new UserError(document.findings[0].message);
  const error = checkSpec(document.spec, flavor).find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new UserError(`${error.path.join('.')}: ${error.message}`);
  const spec = sentSpec(document.spec);
  if (spec !== undefined) return spec;
  throw new UserError(vscode.l10n.t("This resource spec doesn't match the format that the service expects."));
}
