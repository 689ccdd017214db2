import * as vscode from 'vscode';

type Shower = (text: string, options: vscode.MessageOptions, ...buttons: string[]) => Thenable<string | undefined>;

const showers = {
  error: vscode.window.showErrorMessage,
  warning: vscode.window.showWarningMessage,
  information: vscode.window.showInformationMessage,
} satisfies Record<string, Shower>;

export type MessageKind = keyof typeof showers;

/**
 * Shows a message with buttons, and gives the button that was pressed. The text is shown letter by letter: VS Code makes
 * a link of `[words](address)`, also one that runs a command, and most messages quote a service.
 */
export function showMessage(
  kind: MessageKind,
  text: string,
  buttons: readonly string[] = [],
  options: vscode.MessageOptions = {},
): Thenable<string | undefined> {
  const show: Shower = showers[kind];
  return show(text.replaceAll('](', '] ('), options, ...buttons);
}
