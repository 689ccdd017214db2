import * as vscode from 'vscode';
import { ApiError, type ApiErrorKind } from '../../api/errors.ts';
import { maskedText } from '../../api/redaction/redact.ts';
import { explainGitFailure, gitFailureIn, type GitFailure } from '../../core/git/gitWords.ts';
import { withoutLinks } from '../../core/text/text.ts';
import { UnreadableKeyError } from '../../state/connections/session.ts';
import { DataFolderError, LocalServiceError } from '../../state/connections/localService.ts';
import { execute, type CommandId } from './commandIds.ts';
import type { Log } from './log.ts';

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
): Thenable<string | undefined> {
  return showers[kind](withoutLinks(text), {}, ...buttons);
}

/** Asks in a dialog before the user loses something; `button` does it. Its texts are shown literally as well. */
export async function confirm(question: string, button: string, detail?: string): Promise<boolean> {
  return (await askInDialog(question, [button], detail)) === button;
}

/** Asks as `confirm` does, with a button for each way to do it. Undefined if the user cancels. */
export async function askInDialog(
  question: string,
  buttons: readonly string[],
  detail?: string,
): Promise<string | undefined> {
  const options = { modal: true, ...(detail !== undefined && { detail: withoutLinks(detail) }) };
  return showers.warning(withoutLinks(question), options, ...buttons);
}

/** A button on a message. */
export interface Remedy {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/**
 * An error that the user can fix.
 * The message says what is wrong, and the remedies say what to do. If there is a cause, the log has more.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly remedies: readonly Remedy[];

  constructor(message: string, remedies: readonly Remedy[] = [], options?: ErrorOptions) {
    super(message, options);
    this.remedies = remedies;
  }
}

/** A button that runs one of our commands. */
export function commandRemedy(title: string, command: CommandId, ...args: readonly unknown[]): Remedy {
  return { title, run: () => execute(command, ...args) };
}

/** A button that runs a failed command again, if the failure may be temporary. */
export function retryRemedies(error: unknown, run: Remedy['run']): readonly Remedy[] {
  const isPassing = error instanceof UnreadableKeyError || (error instanceof ApiError && passingKinds.has(error.kind));
  return isPassing ? [{ title: vscode.l10n.t('Try Again'), run }] : [];
}

/** A button that runs one of VS Code's commands. */
export function editorRemedy(title: string, command: string, ...args: readonly unknown[]): Remedy {
  return { title, run: () => vscode.commands.executeCommand(command, ...args) };
}

/** A button that opens the settings with a search query. */
export function settingsRemedy(query: string): Remedy {
  return editorRemedy(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', query);
}

/** The error for a resource that was deleted meanwhile. */
export function resourceIsGone(name: string, connection: string): UserError {
  return new UserError(vscode.l10n.t('"{0}" no longer exists on {1}.', name, connection));
}

/** The error for a row that VS Code was redrawing. */
export function rowIsGone(): UserError {
  return new UserError(vscode.l10n.t('The list was refreshing. Select the row again.'));
}

/** Whether the user canceled, so there is nothing to report. */
export function isCancelled(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof ApiError && error.kind === 'cancelled');
}

/** Whether a service gives no answer, so another one may help. */
export function isDead(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
}

/** The user-facing message of an error: of git, what it printed. Without passwords in addresses that it may quote. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.fields !== undefined && error.fields.length > 0) {
    const fields = error.fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return [error.message, ...fields.filter((field) => !error.message.includes(field))].join(' ');
  }
  if (!(error instanceof Error)) return maskedText(String(error));
  // The Git extension's own message says only that git failed.
  return explainGitFailure(gitOutputOf(error)) ?? maskedText(error.message);
}

/** Why git failed, if it did. */
export function gitFailureOf(error: unknown): GitFailure | undefined {
  const output = gitOutputOf(error instanceof UserError ? error.cause : error);
  return output === '' ? undefined : gitFailureIn(output);
}

/** What git printed before it failed. A hook may print to both streams. */
function gitOutputOf(error: unknown): string {
  if (!(error instanceof Error) || !('stderr' in error)) return '';
  const streams = ['stdout' in error ? error.stdout : '', error.stderr];
  return streams.filter((text) => typeof text === 'string' && text !== '').join('\n');
}

/** The request ID of a service's error, for its operators, as the end of a message. Empty if there is none. */
export function requestIdOf(error: unknown): string {
  const cause = error instanceof UserError ? error.cause : error;
  if (!(cause instanceof ApiError) || cause.requestId === undefined) return '';
  return vscode.l10n.t(' Request ID: {0}.', cause.requestId);
}

/** Shows an error with its remedies, and waits until the user closes it. */
export async function showError(error: unknown, log: Log, furtherRemedies: readonly Remedy[] = []): Promise<void> {
  const remedies = [...remediesOf(error), ...furtherRemedies];
  const showLog: Remedy = { title: vscode.l10n.t('Show Log'), run: async () => log.show() };
  if (!(error instanceof UserError) || error.cause !== undefined) remedies.push(showLog);
  const choice = await showMessage(
    'error',
    messageOf(error),
    remedies.map(({ title }) => title),
  );
  await remedies.find(({ title }) => title === choice)?.run();
}

/** The remedies for an error. They ask for the connection if its name isn't given. */
export function remediesOf(error: unknown, connection?: string): readonly Remedy[] {
  if (error instanceof UserError) return error.remedies;
  if (error instanceof LocalServiceError) {
    const start = commandRemedy(vscode.l10n.t('Start Local Service'), 'startLocalService');
    return error instanceof DataFolderError
      ? [settingsRemedy('deploymentManager.localService.dataFolder'), start]
      : [start];
  }
  return error instanceof ApiError ? remediesOfKind[error.kind](connection) : [];
}

/** Failures that may be temporary. */
const passingKinds: ReadonlySet<ApiErrorKind> = new Set(['network', 'timeout', 'rateLimited', 'server']);

const none = (): readonly Remedy[] => [];
const editConnection = (connection?: string): Remedy =>
  commandRemedy(vscode.l10n.t('Edit Connection'), 'editConnection', connection);
const setApiKey = (connection?: string): Remedy => commandRemedy(vscode.l10n.t('Set API Key'), 'setApiKey', connection);

const remediesOfKind = {
  network: () => [settingsRemedy('@ext:deployment-manager.deployment-manager network')],
  timeout: () => [settingsRemedy('deploymentManager.network.timeoutSeconds')],
  tls: (connection) => [editConnection(connection), settingsRemedy('http.proxyStrictSSL')],
  proxy: (connection) => [editConnection(connection), settingsRemedy('http.proxy')],
  unauthorized: (connection) => [setApiKey(connection)],
  // A header of the connection may select the workspace of its key.
  forbidden: (connection) => [editConnection(connection), setApiKey(connection)],
  notFound: none,
  conflict: none,
  invalid: none,
  rateLimited: none,
  server: none,
  unexpectedResponse: none,
  cancelled: none,
} satisfies Record<ApiErrorKind, (connection?: string) => readonly Remedy[]>;
