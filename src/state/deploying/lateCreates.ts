import type { Client } from '../../api/client.ts';
import type { Clock } from '../clock.ts';
import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';

/** When to ask for what a create may have made, in milliseconds after it failed. */
const attempts = [3_000, 12_000, 30_000] as const;

/** The result of all attempts; `stopped` if it was sent again, the connection changed its service, or the window closes. */
type LateCreate<T> = { readonly kind: 'found'; readonly found: T } | { readonly kind: 'notFound' | 'stopped' };

/** Knows the creates that are under way, and looks for what those may have made whose answers weren't read. */
export class LateCreates {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #connections: Pick<Connections, 'find' | 'clientOf'>;
  readonly #waits = new Map<string, AbortController>();
  readonly #sent = new Set<string>();

  constructor(clock: Pick<Clock, 'schedule'>, connections: Pick<Connections, 'find' | 'clientOf'>) {
    this.#clock = clock;
    this.#connections = connections;
  }

  /** Whether something may still appear. */
  isOpen(key: string): boolean {
    return this.#waits.has(key);
  }

  /** Whether a create has no answer yet. */
  isSent(key: string): boolean {
    return this.#sent.has(key);
  }

  /** Sends a create, which counts as sent until it has its answer. What an earlier one made is no longer looked for. */
  async send<T>(key: string, create: () => Promise<T>): Promise<T> {
    this.stop(key);
    this.#sent.add(key);
    return create().finally(() => this.#sent.delete(key));
  }

  /** Asks up to three times within 30 seconds. A request that fails counts as one that finds nothing. */
  async find<T>(
    key: string,
    { connection }: { readonly connection: Connection },
    find: (client: Client, signal: AbortSignal) => Promise<T | undefined>,
  ): Promise<LateCreate<T>> {
    this.stop(key);
    const stop = new AbortController();
    const { signal } = stop;
    this.#waits.set(key, stop);
    let last = 0;
    for (const at of attempts) {
      await this.#pass(at - last, signal);
      last = at;
      if (signal.aborted) return { kind: 'stopped' };
      const present = this.#connections.find(connection.name);
      if (present === undefined || serviceOf(present) !== serviceOf(connection)) {
        this.stop(key);
        return { kind: 'stopped' };
      }
      const asked = this.#connections.clientOf(present).then((client) => find(client, signal));
      const found = await asked.catch(() => undefined);
      if (signal.aborted) return { kind: 'stopped' };
      if (found === undefined) continue;
      this.#waits.delete(key);
      return { kind: 'found', found };
    }
    this.#waits.delete(key);
    return { kind: 'notFound' };
  }

  /** Stops looking, because the outcome is known or no longer asked for. */
  stop(key: string): void {
    this.#waits.get(key)?.abort();
    this.#waits.delete(key);
  }

  dispose(): void {
    for (const key of this.#waits.keys()) this.stop(key);
  }

  #pass(delay: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.schedule(resolve, delay);
      signal.addEventListener('abort', () => {
        timer.dispose();
        resolve();
      });
    });
  }
}

function serviceOf(connection: Connection): string {
  return connection.kind === 'service' ? connection.baseUrl : connection.kind;
}
