import type * as vscode from 'vscode';

/** The panel of a page over a document: posts to the page, and holds saves until the page has sent its input. */
export class PagePanel<Message> {
  readonly #panel: vscode.WebviewPanel;
  readonly #flush: Message;
  /** What continues the saves that wait for the page. VS Code may begin one before another has ended. */
  readonly #saves: (() => void)[] = [];
  #isClosed = false;
  /** Whether the page is there, which a hidden one is not, and has said that it is ready. */
  isListening = false;

  /** @param flush asks the page to send what is being typed */
  constructor(panel: vscode.WebviewPanel, flush: Message) {
    this.#panel = panel;
    this.#flush = flush;
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
  post(message: Message): void {
    if (this.#isClosed) return;
    const { webview } = this.#panel;
    const tell = webview.postMessage.bind(webview);
    void tell(message);
  }

  /** Waits until the document has what is being typed. */
  async flush(): Promise<void> {
    this.post(this.#flush);
    await new Promise<void>((resolve) => this.#saves.push(resolve));
  }

  /** The page has sent what was being typed. */
  continueSaves(): void {
    for (const resolve of this.#saves.splice(0)) resolve();
  }

  /** VS Code returns the focus from a prompt to the frame around the page, but not always to the page. */
  takeFocusBack(): void {
    if (!this.#isClosed && this.#panel.active) this.#panel.reveal(this.#panel.viewColumn);
  }
}
