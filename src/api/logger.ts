import { inspect } from 'node:util';
import { withoutCredentials } from './credentials.ts';
import { MAX_ENTRY_LENGTH } from './limits.ts';

/** Where the client tells what it does; VS Code's LogOutputChannel fits. What it is given is already redacted. */
export interface Logger {
  trace(message: string, ...args: unknown[]): void;
  debug(message: string, ...args: unknown[]): void;
  info(message: string, ...args: unknown[]): void;
  warn(message: string, ...args: unknown[]): void;
  error(message: string, ...args: unknown[]): void;
}

/** An entry of the log: a message, and what a library or git said, where an address may carry a password. */
export function logEntry(message: string, details: readonly unknown[]): string {
  const texts = details.map((detail) => inspect(detail, { depth: 3 }));
  return withoutCredentials([message, ...texts].join(' ')).slice(0, MAX_ENTRY_LENGTH);
}
