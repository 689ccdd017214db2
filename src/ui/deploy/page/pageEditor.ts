import * as vscode from 'vscode';
import { handle, type Handlers } from '../../page/messages.ts';
import { PagePanel } from '../../page/pagePanel.ts';
import { showPage } from '../../page/pageHtml.ts';
import type { Services } from '../../services.ts';
import { isCancelled, messageOf, showError } from '../../window/errors.ts';
import { inTurn } from '../../window/inTurn.ts';
import { replaceText } from '../../window/specFiles.ts';
import { isOpenAsText } from '../../window/tabs.ts';
import { watchGit } from '../../workspace/gitExtension.ts';
import { readLeft, type LeftInput } from '../deploymentDrafts.ts';
import { PageChecks } from './pageChecks.ts';
import { changePause, type PageContext } from './pageContext.ts';
import { PageDeployments } from './pageDeployments.ts';
import { PageInput } from './pageInput.ts';
import { readFromPage, type FromPageMessages } from './pageMessages.ts';
import type { PageState, ToPageMessage } from './protocol.ts';
import { typedFor } from './pageSecrets.ts';

interface PageSetup {
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  readonly services: Services;
}

/** Makes the page of a deployment file, or of a draft. */
export async function openPage(setup: PageSetup): Promise<PageEditor> {
  const page = new PageEditor(setup, await readLeft(setup.services.deploymentPages, setup.document));
  await page.open();
  return page;
}

/** The editor's side of one page: writes what is typed into the document, and tells the page of every change. */
class PageEditor {
  readonly #setup: PageSetup;
  readonly #draft: LeftInput;
  readonly #checks: PageChecks;
  readonly #deployments: PageDeployments;
  readonly #page: PagePanel<ToPageMessage>;
  readonly #input: PageInput;
  #wanted: number | undefined;
  #pause: { dispose(): void } | undefined;
  /** How many buttons are still at work, each of which a check follows. */
  #pressed = 0;
  /** Messages are handled one after another, as they came. */
  readonly #inTurn = inTurn();

  constructor(setup: PageSetup, draft: LeftInput) {
    this.#setup = setup;
    this.#page = new PagePanel(setup.panel, setup.document);
    this.#draft = draft;
    const context: PageContext = {
      ...setup,
      ...draft,
      typed: typedFor(setup.services, setup.document.uri),
      set: (deployment, values) => this.#input.set(deployment, values),
      setShared: (values) => this.#input.setShared(values),
      replace: (deployment, change) => this.#input.replace(deployment, change),
      startOver: (text) => this.#startOver(text),
      tell: () => this.#tell(),
    };
    this.#checks = new PageChecks(context);
    this.#deployments = new PageDeployments(context, this.#checks);
    this.#input = new PageInput({ context, page: this.#page, checks: this.#checks });
  }

  /** Takes over what was typed before. */
  async open(): Promise<void> {
    await this.#input.applyTyped(true).catch((error: unknown) => this.#say(error));
  }

  /** Serves the panel's page until the panel is closed. */
  serve(extension: vscode.Uri): void {
    const { document, panel, services } = this.#setup;
    const handlers: Handlers<FromPageMessages> = {
      ready: ({ isSetUp }) => {
        this.#after(() => this.#input.applyTyped());
        this.#after(() => this.#setUp(isSetUp));
      },
      change: (message) => this.#after(() => this.#input.change(message)),
      editResources: (message) => this.#after(() => this.#input.editResources(message)),
      heard: (message) => this.#after(() => this.#input.hear(message)),
      keep: ({ kept }) => this.#after(() => this.#input.keep(kept)),
      // Nothing waits until it is written.
      typing: (message) =>
        this.#after(() => {
          void this.#input.keepTyped(message).catch((error: unknown) => services.log.error(messageOf(error)));
        }),
      flushed: () => this.#after(() => this.#page.continueSaves()),
      // A button may ask the user something, while changes go on.
      press: ({ id }) => this.#after(() => void this.#press(id)),
      // With a refused step, it would undo the one before.
      undo: () => this.#after(() => (this.#input.isRefused ? undefined : vscode.commands.executeCommand('undo'))),
    };
    const checkAgain = (): void => {
      this.#checks.facts.forget();
      this.#checkAfter(0);
    };
    const readFilesAgain = (): void => {
      this.#checks.facts.forgetCopies();
      this.#checkAfter(changePause);
    };
    // The text of a file in front of its page is checked on its own.
    const leaveToText = (): void => {
      if (this.#draft.begun === undefined) this.#checks.mark(panel.visible || !isOpenAsText(document.uri));
    };
    const subscriptions = [
      panel.webview.onDidReceiveMessage((received: unknown) => {
        const message = readFromPage(received);
        if (message === undefined) services.log.debug('deployment page: a message that does not fit was dropped');
        else handle(handlers, message);
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document && change.contentChanges.length > 0) this.#documentChanged();
      }),
      vscode.workspace.onWillSaveTextDocument((save) => {
        if (save.document !== document) return;
        const sent = this.#page.isListening ? this.#page.flush() : Promise.resolve();
        save.waitUntil(sent.then(this.settle).then(() => []));
      }),
      // Other files may be named by this one, or be deployed with it.
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved !== document) readFilesAgain();
      }),
      watchGit(readFilesAgain, 'HEAD'),
      vscode.window.tabGroups.onDidChangeTabs(leaveToText),
      panel.onDidChangeViewState(() => {
        leaveToText();
        // A page that is closed applies it when it opens again.
        if (!panel.visible) this.#after(() => this.#input.applyTyped());
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        subscriptions.push(watchGit(readFilesAgain, 'HEAD'));
        checkAgain();
      }),
      services.connections.onDidChange(checkAgain),
      // A hidden page has it in its last check.
      typedFor(services, document.uri).onDidForget(() => {
        if (this.#page.isListening) this.#checkAfter(0);
        else this.#checks.forgetChecks();
      }),
      services.localService.onDidChange(() => {
        if (this.#checks.forgetRefusals()) this.#page.post({ type: 'said', failed: true, message: '' });
        checkAgain();
      }),
      services.answers.onDidChange((change) => {
        const { facts, known } = this.#checks;
        if (facts.forgetOutdated(known, change) && this.#pressed === 0) this.#checkAfter(changePause);
      }),
      // Also while the page is hidden.
      services.shown.onDidChange(() => this.#checks.facts.made.noteProgress()),
    ];
    panel.onDidDispose(() => vscode.Disposable.from(this, ...subscriptions).dispose());
    showPage(panel.webview, extension, { name: 'deploymentPage', title: 'Deployment', first: this.#first });
  }

  readonly #check = (): void => void this.#checks.check().catch((error: unknown) => this.#say(error));

  dispose(): void {
    const { begun, lock, unfinished } = this.#draft;
    this.#pause?.dispose();
    this.#checks.dispose();
    if (begun === undefined && lock === '') this.#after(() => unfinished.keepMade([]));
  }

  /** Waits until everything that came from the page is done. */
  readonly settle = (): Promise<void> => this.#inTurn(this.#draft.unfinished.written);

  /** Shows a deployment of the file. A draft may have been begun again. */
  show(index: number | undefined): void {
    this.#wanted = index ?? this.#wanted;
    if (this.#page.isListening) this.#showWanted();
    this.#after(async () => {
      await this.#draft.begun?.readAgain();
      this.#checks.readMade();
      if (this.#draft.lock === '') this.#checks.facts.made.ask();
      this.#checkAfter(0);
    });
  }

  #showWanted(): void {
    const number = this.#checks.numbers.present[this.#wanted ?? -1];
    if (number !== undefined) this.#page.post({ type: 'show', number });
    this.#wanted = undefined;
  }

  #after(step: () => PromiseLike<unknown> | void): void {
    this.#inTurn(async () => step()).catch((error: unknown) => this.#say(error));
  }

  #setUp(isSetUp: boolean): void {
    this.#page.applied = 0;
    this.#input.hear();
    this.#page.isListening = true;
    this.#checks.mark(true);
    // Files may have changed without VS Code while nobody looked, and what wasn't found may be there.
    this.#checks.facts.plans.forget();
    this.#checks.facts.forgetCopies();
    this.#checks.read();
    if (this.#draft.lock === '') this.#checks.facts.made.ask();
    if (!isSetUp) this.#page.post(this.#first);
    this.#showWanted();
    this.#check();
  }

  /** What the page is created from. */
  get #first(): ToPageMessage {
    const kept = [...this.#draft.unfinished.inputs];
    return { type: 'setup', translations: vscode.l10n.bundle ?? {}, state: this.#state, kept };
  }

  get #state(): PageState {
    return this.#deployments.state({ version: this.#setup.document.version, applied: this.#page.applied });
  }

  #tell(): void {
    if (this.#page.isListening) this.#page.post({ type: 'state', state: this.#state });
  }

  async #startOver(text: string): Promise<void> {
    await replaceText(this.#setup.document, text);
    // The page creates its fields again, and what it still has for the old numbers is no longer kept.
    this.#checks.numbers.renew();
    await this.#draft.unfinished.forget();
    this.#checks.read();
    this.#tell();
  }

  #documentChanged(): void {
    const isExpected = this.#page.recognizeChange();
    this.#checks.read();
    if (this.#draft.lock === '') this.#after(() => this.#draft.unfinished.keepNumbers());
    this.#tell();
    // What a hidden page marked isn't checked until it is shown again.
    if (!this.#page.isListening) this.#checks.marks.clear();
    this.#checkAfter(isExpected ? 0 : changePause);
  }

  #checkAfter(pause: number): void {
    this.#pause?.dispose();
    // A page that is shown again is checked then.
    if (this.#page.isListening) this.#pause = this.#setup.services.clock.schedule(this.#check, pause);
  }

  async #press(id: string): Promise<void> {
    // The user pressed it for a change that the document doesn't have.
    if (this.#input.isRefused) return;
    this.#pressed += 1;
    try {
      this.#page.post({ type: 'said', failed: false, message: await this.#deployments.press(id) });
    } catch (error) {
      this.#say(error);
    }
    this.#pressed -= 1;
    // Deploying asks nothing, and takes so long that the user may be elsewhere. The next button may be asking.
    if (!id.endsWith('/deploy') && this.#pressed === 0) this.#page.returnFocus();
    this.#check();
  }

  /** Tells why something failed, unless the user canceled it. */
  #say(error: unknown): void {
    const failed = !isCancelled(error);
    const message = failed ? messageOf(error) : '';
    if (failed) this.#setup.services.log.error(`deployment page: ${message}`);
    this.#page.post({ type: 'said', failed, message });
    if (failed && !this.#page.isListening) void showError(error, this.#setup.services.log);
  }
}
