import * as l10n from '@vscode/l10n';
import type { Client } from '../../api/client.ts';
import type { Connection, ServiceConnection } from './connection.ts';

/**
 * The connection state of this workspace.
 * Each transition creates a new object, so code that waited for an answer can tell by identity whether it still
 * matters.
 */
export type Session = { readonly kind: 'none' } | KeyMissingSession | ReadySession;

/** The name of a session's connection; empty without one. */
export function connectionNameOf(session: Session): string {
  return session.kind === 'none' ? '' : session.connection.name;
}

interface KeyMissingSession {
  readonly kind: 'keyMissing';
  readonly connection: ServiceConnection;
  /** Set if the key couldn't be read, so it may or may not exist. */
  readonly error?: UnreadableKeyError;
}

/** The keyring of this machine isn't responding, so the key may or may not exist. */
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
  /** The client, created on first use; for the local service, this also starts the service if needed. */
  readonly client: () => Promise<Client>;
}
