import type { Capability } from '../../api/flavor.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import { flavorOf, type Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/**
 * What the service of each connection can do beyond the document: the capabilities of its flavor, except for those that
 * its installation turned out to lack. The next window tries again.
 */
export class Capabilities implements Disposable {
  readonly #missing = new Map<string, Set<Capability>>();
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(connections: Pick<Connections, 'onDidReplace' | 'onDidRename'>) {
    this.#subscriptions = [
      connections.onDidReplace((name) => void this.#missing.delete(name)),
      connections.onDidRename(({ from, to }) => {
        this.#missing.delete(from);
        this.#missing.delete(to);
      }),
    ];
  }

  /** The known capabilities of a connection's service. */
  of(connection: Connection): readonly Capability[] {
    const missing = this.#missing.get(connection.name);
    return flavorOf(connection).capabilities.filter((capability) => missing?.has(capability) !== true);
  }

  has(connection: Connection, capability: Capability): boolean {
    return this.of(connection).includes(capability);
  }

  /** Remembers that there is no such call, though its flavor has it. */
  turnOff({ name }: Connection, capability: Capability): void {
    const missing = this.#missing.get(name) ?? new Set();
    this.#missing.set(name, missing.add(capability));
    this.#changed.fire();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }
}
