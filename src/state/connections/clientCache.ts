import type { Client } from '../../api/client.ts';

/** What speaks to services, loaded with the first client. */
export const loadClients = () => import('./clients.ts');

/** A client with the settings and addresses it was created from, serialized as text. */
interface CachedClient {
  readonly madeFrom: string;
  readonly client: Promise<Client>;
}

/**
 * One client per connection, recreated when its settings or addresses change.
 * A replaced client finishes its requests: aborting a create request would leave its outcome unknown. It ends with them.
 */
export class ClientCache {
  readonly #clients = new Map<string, CachedClient>();
  readonly #replaced = new Set<Promise<Client>>();

  async get(connection: string, madeFrom: string, make: () => Promise<Client>): Promise<Client> {
    const cached = this.#clients.get(connection);
    if (cached?.madeFrom === madeFrom) return cached.client;
    this.forget(connection);
    const client = make();
    this.#clients.set(connection, { madeFrom, client });
    // A client that couldn't be created is retried on the next use.
    client.catch(() => {
      if (this.#clients.get(connection)?.client === client) this.#clients.delete(connection);
    });
    return client;
  }

  /** Drops the cached client of a connection, so the next use creates a new one. */
  forget(connection: string): void {
    const cached = this.#clients.get(connection);
    this.#clients.delete(connection);
    if (cached !== undefined) void this.#retire(cached.client);
  }

  async #retire(client: Promise<Client>): Promise<void> {
    this.#replaced.add(client);
    // A client that couldn't be created has nothing to finish.
    await client.then((made) => made.retire()).catch(() => undefined);
    this.#replaced.delete(client);
  }

  /** Closes all clients and aborts their requests. */
  async dispose(): Promise<void> {
    const clients = [...this.#replaced, ...[...this.#clients.values()].map(({ client }) => client)];
    this.#clients.clear();
    this.#replaced.clear();
    // A client that couldn't be created has nothing to close.
    await Promise.allSettled(clients.map(async (client) => (await client).close()));
  }
}
