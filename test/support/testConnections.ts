import type { Client } from '../../src/api/client.ts';
import type { Connection, ServiceConnection } from '../../src/state/connections/connection.ts';
import type { ReadySession, Session } from '../../src/state/connections/session.ts';
import { Emitter } from '../../src/state/emitter.ts';
import type { NamedClients } from '../../src/state/following/poll.ts';
import { clientOf, type PresentConnection } from '../../src/state/lists/listStore.ts';

export const work: ServiceConnection = {
  kind: 'service',
  name: 'Work',
  baseUrl: 'https://work.example',
  flavor: 'standard',
};
export const home: ServiceConnection = { ...work, name: 'Home', baseUrl: 'https://home.example' };

/** A session on a connection; without a client, nothing may be asked. */
export function readySession(connection: Connection, client?: Client): ReadySession {
  return {
    kind: 'ready',
    connection,
    client: async () => {
      if (client === undefined) throw new Error('Nobody is asked here.');
      return client;
    },
  };
}

/** The connection of a workspace, which a test changes. Clients by name are that of the session, unless given. */
export class TestConnections implements PresentConnection, NamedClients {
  readonly #changed = new Emitter<Session>();
  readonly onDidChange = this.#changed.event;
  readonly clientNamed: NamedClients['clientNamed'];
  session: Session;

  constructor(session: Session, clientNamed?: NamedClients['clientNamed']) {
    this.session = session;
    this.clientNamed = clientNamed ?? (async () => clientOf(this));
  }

  connect(session: Session): void {
    this.session = session;
    this.#changed.fire(session);
  }
}
