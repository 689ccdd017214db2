import * as l10n from '@vscode/l10n';
import type { Client } from '../../api/client.ts';
import type { Connection, ServiceConnection } from './connection.ts';

/**
 * What the workspace is connected to. Each transition makes a new object, so that whoever
 * waited for an answer can tell by identity whether it still matters.
 */
export type Session = { readonly kind: 'none' } | KeyMissingSession | ReadySession;

export interface KeyMissingSession {
  readonly kind: 'keyMissing';
  readonly connection: ServiceConnection;
  /** Where nobody knows whether there is a key. */
  readonly error?: UnreadableKeyError;
}

/** The keyring of this machine does not answer, so that it may or may not have the key. */
export class UnreadableKeyError extends Error {
  override readonly name = 'UnreadableKeyError';

  constructor(connection: string, options: ErrorOptions) {
    super(
      l10n.t(
        'The API key of "{0}" can\'t be read: the keyring of this machine isn\'t responding. Unlock it and try again.',
        connection,
      ),
      options,
    );
  }
}

export interface ReadySession {
  readonly kind: 'ready';
  readonly connection: Connection;
  /** The client, made at first use; for the local service this also starts the service if it is dead. */
  readonly client: () => Promise<Client>;
}
