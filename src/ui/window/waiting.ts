import * as vscode from 'vscode';
import { withoutIcons } from '../../core/text/text.ts';
import type { Client } from '../../api/client.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { isCancelled, messageOf, showMessage, UserError } from './errors.ts';

export interface Waiting {
  /** Empty if nobody waits, so that nothing is shown. */
  readonly title: string;
  /** The progress text. */
  readonly words: string;
}

/** How long only the status bar shows a wait, in milliseconds. */
const quietTime = 1_000;

/**
 * Shows progress while a task runs: in the status bar, then in a notification whose Cancel button aborts the signal.
 * Never in a quick input: VS Code has only one, and git may need it to ask for a password. `say` replaces the progress
 * text. The task's result or error goes to the caller.
 */
export async function whileWaiting<T>(
  { title, words }: Waiting,
  task: (signal: AbortSignal, say: (words: string) => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let message = words;
  let shown: vscode.Progress<{ readonly message: string }> | undefined;
  const running = task(stop.signal, (text) => {
    message = text;
    shown?.report({ message });
  });
  const showIn = (options: vscode.ProgressOptions, until: Promise<unknown>): Thenable<unknown> =>
    vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      shown = progress;
      progress.report({ message });
      return until;
    });
  const settled = Promise.allSettled([running]);
  if (title !== '') void showProgress();
  return running;

  async function showProgress(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, quietTime, 'late');
    });
    const first = Promise.race([settled, late]);
    await showIn({ location: vscode.ProgressLocation.Window }, first);
    clearTimeout(timer);
    if ((await first) !== 'late') return;
    await showIn({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, settled);
  }
}

/** Shows progress while a service is asked, as `whileWaiting` does. The wait for its client can be canceled too. */
export async function whileAsking<T>(
  session: ReadySession,
  waiting: Waiting,
  ask: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return whileWaiting(waiting, async (signal) => ask(await unlessAborted(session.client(), signal), signal));
}

/** The words while something is read. */
export function readingWords(name: string): string {
  return vscode.l10n.t('Reading {0}…', withoutIcons(name));
}

/** The words for a request that was canceled too late. */
export function mayHaveChangedWords(name: string): string {
  return vscode.l10n.t('The request was cancelled, but the service may have changed {0}.', name);
}

/** The words for a request that was canceled in time. */
export function notSentWords(): string {
  return vscode.l10n.t('The request was cancelled before it was sent.');
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

/**
 * Shows progress while git runs, which may ask for a password. Git can't be stopped from here: canceling ends only the
 * wait, so the caller must not ask anything then, because that would close git's own question.
 * @throws {UserError} git failed, with what it said
 * @throws {vscode.CancellationError} the user stopped waiting, and was told that git may still finish
 */
export async function waitForGit(waiting: Waiting, task: Promise<void>, failed: string): Promise<void> {
  try {
    await whileWaiting(waiting, (signal) => unlessAborted(task, signal));
  } catch (error) {
    if (!isCancelled(error)) throw new UserError(`${failed} ${messageOf(error)}`, [], { cause: error });
    task.catch((later: unknown) => showMessage('warning', `${failed} ${messageOf(later)}`));
    void showMessage('information', vscode.l10n.t('Stopped waiting. Git may still finish.'));
    throw error;
  }
}
