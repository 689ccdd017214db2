import * as vscode from 'vscode';
import { withoutLinks } from '../../core/text/text.ts';

type Shower = (text: string, options: vscode.MessageOptions, ...buttons: string[]) => Thenable<string | undefined>;

const showers = {
  error: (...message: Parameters<Shower>) => vscode.window.showErrorMessage(...message),
  warning: (...message: Parameters<Shower>) => vscode.window.showWarningMessage(...message),
  information: (...message: Parameters<Shower>) => vscode.window.showInformationMessage(...message),
} satisfies Record<string, Shower>;

export type MessageKind = keyof typeof showers;

/**
 * Shows a message with buttons and returns the selected button.
 * The text is shown literally, because most messages quote a service.
 */
export function showMessage(
  kind: MessageKind,
  text: string,
  buttons: readonly string[] = [],
  options: vscode.MessageOptions = {},
): Thenable<string | undefined> {
  return showers[kind](withoutLinks(text), options, ...buttons);
}
