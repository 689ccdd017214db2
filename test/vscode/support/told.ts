import * as vscode from 'vscode';
import type { Changes } from './changes.ts';

/** A message that the extension showed. */
export interface Message {
  readonly kind: 'error' | 'warning' | 'information';
  readonly text: string;
  readonly detail: string;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
  /** Presses a button; without one the message is closed. */
  press(button?: string): void;
}

/** Work that shows its progress. */
export interface Progress {
  readonly title: string;
  /** The progress text that was reported last. */
  readonly message: string;
  /** The id of the view that shows it; undefined for a notification or the status bar. */
  readonly view: string | undefined;
  readonly isCancellable: boolean;
}

/** What the extension tells and opens outside of its views. */
export interface Told {
  /** Every message that was not answered yet, the oldest first. */
  readonly messages: readonly Message[];
  /** Waits for the message that says this. */
  message(text: string | RegExp): Promise<Message>;
  /** Closes all messages. */
  clear(): void;
  /** The progress that is shown now. */
  readonly progress: readonly Progress[];
  /** Waits for the progress that says this. */
  waitsFor(words: string): Promise<Progress>;
  /** Waits until the progress that says this has a Cancel button, and presses that. */
  cancel(words: string): Promise<void>;
  /** Addresses that were opened in the browser. */
  readonly opened: string[];
  /** The context keys of the extension, as they were set last. */
  readonly contextKeys: ReadonlyMap<string, unknown>;
  /** The files that the next dialog of VS Code for opening or saving gives; without them it is left. */
  dialogGives(...files: readonly string[]): void;
  /** The titles of the file dialogs since `clear`. */
  readonly dialogs: string[];
}

/** Watches the messages, progress, dialogs and addresses that the extension gives to VS Code. */
export function watchTold({ happened, until }: Changes): Told {
  const messages: Message[] = [];
  const progress: (Progress & { readonly stop: vscode.CancellationTokenSource })[] = [];
  const opened: string[] = [];
  const contextKeys = new Map<string, unknown>();
  const dialogs: string[] = [];
  let dialogFiles: readonly string[] = [];

  const shower =
    (kind: Message['kind']) =>
    (text: string, { modal = false, detail = '' }: vscode.MessageOptions, ...buttons: string[]) =>
      new Promise<string | undefined>((resolve) => {
        const message: Message = {
          kind,
          text,
          detail,
          isModal: modal,
          buttons,
          press(button) {
            if (button !== undefined && !buttons.includes(button)) {
              throw new Error(`"${text}" has no button "${button}", but ${buttons.join(', ') || 'none'}.`);
            }
            messages.splice(messages.indexOf(message), 1);
            resolve(button);
          },
        };
        messages.push(message);
        happened();
      });

  const { withProgress } = vscode.window;
  const watchedProgress: typeof withProgress = async (options, task) => {
    const stop = new vscode.CancellationTokenSource();
    const { location, title = '', cancellable = false } = options;
    const shown = {
      title,
      message: '',
      view: typeof location === 'object' ? location.viewId : undefined,
      isCancellable: cancellable,
      stop,
    };
    progress.push(shown);
    happened();
    try {
      return await withProgress(options, (progress, token) => {
        token.onCancellationRequested(() => stop.cancel());
        const report: typeof progress.report = (value) => {
          shown.message = value.message ?? shown.message;
          happened();
          progress.report(value);
        };
        return task({ report }, stop.token);
      });
    } finally {
      progress.splice(progress.indexOf(shown), 1);
      stop.dispose();
      happened();
    }
  };

  const takeDialogFiles = ({
    title = '',
  }: vscode.OpenDialogOptions | vscode.SaveDialogOptions): vscode.Uri[] | undefined => {
    dialogs.push(title);
    const files = dialogFiles.map((file) => vscode.Uri.file(file));
    dialogFiles = [];
    return files.length === 0 ? undefined : files;
  };
  Object.assign(vscode.window, {
    showErrorMessage: shower('error'),
    showWarningMessage: shower('warning'),
    showInformationMessage: shower('information'),
    withProgress: watchedProgress,
    showOpenDialog: async (options: vscode.OpenDialogOptions = {}) => takeDialogFiles(options),
    showSaveDialog: async (options: vscode.SaveDialogOptions = {}) => takeDialogFiles(options)?.[0],
  });
  Object.assign(vscode.env, {
    openExternal: async (target: vscode.Uri) => {
      opened.push(target.toString(true));
      happened();
      return true;
    },
  });
  const { executeCommand } = vscode.commands;
  Object.assign(vscode.commands, {
    executeCommand: (command: string, ...parameters: unknown[]) => {
      if (command === 'setContext') {
        contextKeys.set(String(parameters[0]), parameters[1]);
        happened();
      }
      return executeCommand(command, ...parameters);
    },
  });

  return {
    messages,
    message: (wanted) =>
      until(() => {
        const found = messages.find(({ text }) =>
          typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text),
        );
        if (found !== undefined) return found;
        throw new Error(`No message says "${wanted}". There are:\n${messages.map(({ text }) => text).join('\n')}`);
      }),
    clear() {
      for (const message of messages.slice()) message.press();
      dialogs.length = 0;
    },
    dialogs,
    progress,
    waitsFor: (words) => until(() => saying(words, progress)),
    // Before it has the button, the same progress is in the status bar.
    cancel: (words) =>
      until(() =>
        saying(
          words,
          progress.filter(({ isCancellable }) => isCancellable),
        ).stop.cancel(),
      ),
    opened,
    contextKeys,
    dialogGives(...files) {
      dialogFiles = files;
    },
  };
}

function saying<T extends Progress>(words: string, shown: readonly T[]): T {
  const found = shown.find(({ message }) => message.includes(words));
  if (found !== undefined) return found;
  throw new Error(`No progress says "${words}". There is:\n${shown.map(({ message }) => message).join('\n')}`);
}
