import type { Client } from '../../api/client.ts';

/** A client, and all that it was made from: settings and addresses, as one text. */
interface CachedClient {
  readonly madeFrom: string;
  readonly client: Promise<Client>;
}

/**
 * One client for each connection, made anew when what it was made from has changed. A client that was replaced still
 * finishes what it was asked, as cutting off a create would leave nobody knowing whether it worked; its connections to
 * the service end by themselves once they are idle.
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
    // What could not be made is tried again at the next use.
    client.catch(() => {
      if (this.#clients.get(connection)?.client === client) this.#clients.delete(connection);
    });
    return client;
  }

  /** Makes the next use of a connection's client make a new one. */
  forget(connection: string): void {
    const cached = this.#clients.get(connection);
    this.#clients.delete(connection);
    if (cached !== undefined) this.#replaced.add(cached.client);
  }

  /** Cuts off what is under way. */
  async dispose(): Promise<void> {
    const clients = [...this.#replaced, ...[...this.#clients.values()].map(({ client }) => client)];
    this.#clients.clear();
    this.#replaced.clear();
    // One that could not be made has nothing to close.
    await Promise.allSettled(clients.map(async (client) => (await client).close()));
  }
}
