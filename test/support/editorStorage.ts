import type { ConnectionSettings } from '../../src/state/connections/connection.ts';
import type { SecretStore } from '../../src/state/connections/storedKeys.ts';
import { Emitter } from '../../src/state/emitter.ts';
import type { Memory } from '../../src/state/memory.ts';

/** Stands for `workspaceState`: what is stored goes through JSON, as it does in the editor. */
export class InMemoryMemory implements Memory {
  readonly stored = new Map<string, string>();

  get(key: string): unknown {
    const value = this.stored.get(key);
    return value === undefined ? undefined : (JSON.parse(value) as unknown);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.stored.delete(key);
    else this.stored.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}

/** Stands for `SecretStorage`; `read` can be replaced to make it slow or broken. */
export class InMemorySecrets implements SecretStore {
  readonly stored = new Map<string, string>();
  readonly #changed = new Emitter<{ readonly key: string }>();
  readonly onDidChange = this.#changed.event;
  read: (key: string) => Promise<string | undefined> = async (key) => this.stored.get(key);

  async keys(): Promise<readonly string[]> {
    return [...this.stored.keys()];
  }

  get(key: string): Promise<string | undefined> {
    return this.read(key);
  }

  store(key: string, value: string): Promise<void> {
    this.stored.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.stored.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}

/** Stands for the setting `deploymentManager.connections`. */
export class InMemorySettings implements ConnectionSettings {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  value: unknown;

  constructor(value?: unknown) {
    this.value = value;
  }

  read(): unknown {
    return this.value;
  }

  write(connections: readonly Record<string, unknown>[]): Promise<void> {
    this.value = connections;
    this.#changed.fire();
    return Promise.resolve();
  }
}
