import * as vscode from 'vscode';

export interface Waiting {
  readonly title: string;
  /** The progress text. */
  readonly words: string;
}

interface WaitingItem extends vscode.QuickPickItem {
  readonly cancels?: true;
}

/**
 * Shows progress in place of the next prompt while a task runs.
 * Escape or the Cancel row aborts the task's signal. The task's result or error goes to the caller.
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
  // The first row is active, so an extra key press cancels nothing.
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
 * Waits for a promise that can't be aborted, until the signal is aborted.
 * @throws {vscode.CancellationError} the signal was aborted first
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new vscode.CancellationError());
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  return Promise.race([promise, aborted]);
}
