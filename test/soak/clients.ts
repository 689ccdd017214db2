import { createClient, type Client } from '../../src/api/client.ts';
import { RemovedConnectionError } from '../../src/state/connections/connection.ts';
import { StoppedServiceError } from '../../src/state/connections/localService.ts';
import type { Network } from './network.ts';
import type { ServiceModel } from './serviceModel.ts';

/** One call of a client, in true time. A call that is under way has not ended. */
interface Call {
  readonly began: number;
  ended: number;
}

/** The clients of a window, and what they ask. */
export class Clients {
  readonly #network: Network;
  readonly #configured: ReadonlyMap<string, ServiceModel>;
  readonly #clients = new Map<ServiceModel, { readonly client: Client; readonly running: () => number }>();
  readonly #calls: Call[] = [];
  /** The paths of all requests that were sent, with the true time. */
  readonly requests: { readonly at: number; readonly path: string }[] = [];
  /** How many calls are under way, with their pauses before repetitions. */
  asking = 0;

  constructor(network: Network, configured: ReadonlyMap<string, ServiceModel>) {
    this.#network = network;
    this.#configured = configured;
  }

  /** How many requests are under way. */
  get running(): number {
    return [...this.#clients.values()].reduce((sum, { running }) => sum + running(), 0);
  }

  /** How long the longest call took that was under way at a true time, with what it repeated. */
  longestCallAt(at: number): number {
    let longest = 0;
    for (const { began, ended } of this.#calls) {
      if (began <= at + 1 && ended >= at - 1) longest = Math.max(longest, Math.min(ended, this.#now) - began);
    }
    return longest;
  }

  named(name: string): Client {
    const service = this.#configured.get(name);
    if (service === undefined) throw new RemovedConnectionError(name);
    if (service.isStopped) throw new StoppedServiceError();
    const existing = this.#clients.get(service);
    if (existing !== undefined) return existing.client;
    const transport = this.#network.transportTo(service, (path) => {
      this.requests.push({ at: this.#now, path });
    });
    const client = createClient({
      baseUrl: 'https://service.test',
      auth: async () => 'key',
      transport,
      wait: (_milliseconds, signal) => this.#wait(signal),
    });
    const timed = this.#timed(client);
    this.#clients.set(service, { client: timed, running: transport.running });
    return timed;
  }

  get #now(): number {
    return this.#network.machine.time.now;
  }

  /** The pause before a repetition, without the jitter that differs from run to run. */
  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#network.machine.time.plan(400, resolve);
      signal?.addEventListener('abort', () => {
        timer.dispose();
        reject(new Error('aborted'));
      });
    });
  }

  #timed(client: Client): Client {
    const { deployments, revisions } = client;
    return {
      ...client,
      deployments: {
        ...deployments,
        list: (query, options) => this.#time(deployments.list(query, options)),
        find: (id, options) => this.#time(deployments.find(id, options)),
      },
      revisions: {
        ...revisions,
        list: (id, query, options) => this.#time(revisions.list(id, query, options)),
        get: (id, revision, options) => this.#time(revisions.get(id, revision, options)),
      },
    };
  }

  #time<T>(answer: Promise<T>): Promise<T> {
    const call: Call = { began: this.#now, ended: Number.POSITIVE_INFINITY };
    this.#calls.push(call);
    this.asking += 1;
    return answer.finally(() => {
      call.ended = this.#now;
      this.asking -= 1;
    });
  }
}
