import * as vscode from 'vscode';
import { logEntry, type Logger } from '../../api/redaction/redact.ts';

/** The extension's log, which the user can open. */
export interface Log extends Logger, vscode.Disposable {
  readonly show: () => void;
}

/** Creates the log. `logEntry` redacts every entry. */
export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Deployment Manager', { log: true });
  return {
    trace: (message, ...details) => channel.trace(logEntry(message, details)),
    debug: (message, ...details) => channel.debug(logEntry(message, details)),
    info: (message, ...details) => channel.info(logEntry(message, details)),
    warn: (message, ...details) => channel.warn(logEntry(message, details)),
    error: (message, ...details) => channel.error(logEntry(message, details)),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
