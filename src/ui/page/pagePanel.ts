import * as vscode from 'vscode';
import { UserError } from '../window/errors.ts';
import { replaceText } from '../window/specFiles.ts';

/**
 * The panel of a page over a document: posts to the page, makes its changes of the document and tells them from those of
 * others, and holds saves until the page has sent its input.
 */
export class PagePanel<Message> {
  readonly #panel: vscode.WebviewPanel;
  readonly #document: vscode.TextDocument;
  #expected: { readonly text: string; readonly id: number | undefined } | undefined;
  /** What continues the saves that wait for the page. VS Code may begin one before another has ended. */
  readonly #saves: (() => void)[] = [];
  #isClosed = false;
  /** Whether the page is there, which a hidden one is not, and has said that it is ready. */
  isListening = false;
  /** The number of the page's last change that the document has. */
  applied = 0;

  constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument) {
    this.#panel = panel;
    this.#document = document;
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#leave();
    });
    panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#leave();
    });
  }

  #leave(): void {
    this.isListening = false;
    this.continueSaves();
  }

  /** Sends a message to the page, unless it was closed meanwhile. */
  post(message: Message | { readonly type: 'flush' | 'focus' }): void {
    if (this.#isClosed) return;
    const { webview } = this.#panel;
    const tell = webview.postMessage.bind(webview);
    void tell(message);
  }

  /**
   * Gives the document another text.
   * @param id the number of the change, if the page made it
   * @throws {UserError} VS Code doesn't allow it, such as for a document that has changed meanwhile
   */
  async change(text: string, id?: number): Promise<void> {
    // VS Code gives what is inserted the line ends of the document, also of one without any line end yet.
    const lineEnd = this.#document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const wanted = text.replaceAll(/\r?\n/g, lineEnd);
    this.#expected = { text: wanted, id };
    try {
      await replaceText(this.#document, wanted);
    } catch (error) {
      this.#expected = undefined;
      throw error;
    }
    this.applied = id ?? this.applied;
  }

  /** Learns that the document has changed. Returns whether that was made here. */
  recognizeChange(): boolean {
    const expected = this.#expected;
    this.#expected = undefined;
    const isExpected = expected?.text === this.#document.getText();
    if (isExpected) this.applied = expected.id ?? this.applied;
    return isExpected;
  }

  /** Waits until the document has what is being typed. */
  async flush(): Promise<void> {
    this.post({ type: 'flush' });
    await new Promise<void>((resolve) => this.#saves.push(resolve));
  }

  /** The page has sent what was being typed. */
  continueSaves(): void {
    for (const resolve of this.#saves.splice(0)) resolve();
  }

  /**
   * Returns the focus after a prompt. VS Code gives it to the frame around the page, and hands it on only if the frame was
   * in time to say that it has it.
   */
  returnFocus(): void {
    if (!this.#isClosed && this.#panel.active) this.post({ type: 'focus' });
  }
}

/** The error for a change whose place in the document looks different by now. */
export function otherChangeFirst(): UserError {
  return new UserError(vscode.l10n.t('Another change came first. Try again.'));
}
