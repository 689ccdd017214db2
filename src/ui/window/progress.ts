import * as vscode from 'vscode';

export interface Waiting {
  readonly title: string;
  /** What is waited for, in words. */
  readonly words: string;
}

interface WaitingItem extends vscode.QuickPickItem {
  readonly cancels?: true;
}

/**
 * Says what is waited for in the place of the next question, which a task between two questions leads to. Escape, or
 * the row Cancel, aborts the task's signal; what the task then gives or fails with is given to the caller.
 */
export async function whileWaiting<T>(
  { title, words }: Waiting,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const pick = vscode.window.createQuickPick<WaitingItem>();
  pick.title = title;
  pick.busy = true;
  pick.ignoreFocusOut = true;
  // The first row is the active one, so that a key pressed once too often cancels nothing.
  pick.items = [
    { label: `$(loading~spin) ${words}`, alwaysShow: true },
    { label: vscode.l10n.t('$(close) Cancel'), description: vscode.l10n.t('Escape'), cancels: true, alwaysShow: true },
  ];
  pick.onDidAccept(() => {
    if (pick.selectedItems[0]?.cancels === true) pick.hide();
  });
  pick.onDidHide(() => stop.abort());
  pick.show();
  try {
    return await task(stop.signal);
  } finally {
    pick.dispose();
  }
}

/**
 * The outcome of something that cannot be aborted, for as long as anybody waits for it.
 * @throws {vscode.CancellationError} the signal was aborted before
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new vscode.CancellationError());
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([promise, aborted]);
}
