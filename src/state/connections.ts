import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Client } from '../api/client.ts';
import { createLocalClient, createServiceClient, type ClientDependencies } from './clients.ts';
import {
  localConnection,
  localConnectionName,
  parseConnection,
  RemovedConnectionError,
  type Connection,
  type ConnectionProblem,
  type ServiceConnection,
} from './connection.ts';
import { choiceSlot, renameInMemory } from './connectionMemory.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import type { LocalService } from './localService.ts';
import type { Memory } from './memory.ts';
import { apiKeySlot, proxyPasswordSlot } from './secrets.ts';

/** The setting `deploymentManager.connections`. */
export interface ConnectionSettings {
  read(): unknown;
  write(connections: readonly Record<string, unknown>[]): PromiseLike<void>;
  onDidChange: Event<void>;
}

/**
 * What the workspace is connected to. Each transition makes a new object, so that whoever
 * waited for an answer can tell by identity whether it still matters.
 */
export type Session =
  | { readonly kind: 'none' }
  | { readonly kind: 'keyMissing'; readonly connection: ServiceConnection }
  | ReadySession;

export interface ReadySession {
  readonly kind: 'ready';
  readonly connection: Connection;
  /** The client, made at first use; for the local service this also starts the service if it is dead. */
  readonly client: () => Promise<Client>;
}

export interface ConnectionsDependencies extends ClientDependencies {
  readonly settings: ConnectionSettings;
  readonly workspaceMemory: Memory;
  readonly localService: LocalService;
}

/** Secrets that are to replace those of a connection; one that is left out stays as it is. */
export interface NewSecrets {
  readonly apiKey?: string;
  /** As `user:password`; empty forgets it. */
  readonly proxyPassword?: string | undefined;
}

/** The configured connections, this workspace's choice among them, and their keys. */
export class Connections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #changed = new Emitter<Session>();
  readonly #subscriptions: Disposable[];
  readonly #clients = new Map<string, { readonly key: string; readonly client: Promise<Client> }>();
  #session: Session = { kind: 'none' };
  readonly #renamed = new Emitter<{ readonly from: string; readonly to: string }>();
  #isWriting = false;
  #warned = '';
  #fingerprint = '';
  #readings = 0;
  #loading: Promise<void> = Promise.resolve();

  /** Fires with each new session, also when only the key of the same connection changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires when a connection got another name, before the session that has it. */
  readonly onDidRename = this.#renamed.event;

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
    const reload = (): void => void this.reload();
    this.#subscriptions = [
      dependencies.settings.onDidChange(reload),
      // Another window may have set or forgotten the key.
      dependencies.secrets.onDidChange(({ key }) => {
        const { session } = this;
        if (session.kind === 'none' || session.connection.kind === 'local') return;
        // The client was given the proxy's password when it was made; the API key is asked for at each request.
        if (key === proxyPasswordSlot(session.connection)) this.#forget(session.connection.name);
        if (key === apiKeySlot(session.connection)) reload();
      }),
    ];
  }

  get session(): Session {
    return this.#session;
  }

  /** Configured connections that can be used, and the local service last. */
  list(): readonly Connection[] {
    return [...this.#parsed().filter((item) => item.kind === 'service'), localConnection];
  }

  /** Items of the setting that cannot be used, with words. */
  problems(): readonly ConnectionProblem[] {
    return this.#parsed().filter((item) => item.kind === 'problem');
  }

  find(name: string): Connection | undefined {
    return this.list().find((connection) => connection.name === name);
  }

  /** The session once the reading that is under way has ended. */
  async current(): Promise<Session> {
    const loading = this.#loading;
    await loading;
    return loading === this.#loading ? this.#session : this.current();
  }

  /** Reads settings, choice and key anew; tells the new session only when one of them changed. */
  async reload(): Promise<Session> {
    // Half of a change that is being written would be a session that nobody asked for.
    if (!this.#isWriting) this.#loading = this.#read();
    return this.current();
  }

  /** Binds this workspace to a connection. */
  async select(name: string): Promise<Session> {
    await this.#dependencies.workspaceMemory.update(choiceSlot, name);
    return this.reload();
  }

  /**
   * Adds a connection, or replaces the one called `replaced`, keeping its secrets where their addresses are the same
   * and what this workspace remembers of it under its new name. The old secrets are deleted last, so that settings
   * that cannot be written lose none.
   */
  async save(connection: ServiceConnection, given: NewSecrets = {}, replaced?: ServiceConnection): Promise<void> {
    const { settings, secrets, workspaceMemory } = this.#dependencies;
    const old = replaced === undefined ? undefined : secretSlots(replaced);
    const present = secretSlots(connection);
    await this.#write(async () => {
      const isSameService = replaced?.baseUrl === connection.baseUrl;
      const isSameProxy = replaced?.proxy === connection.proxy;
      const kept = {
        ...(old !== undefined && isSameService ? { apiKey: await secrets.get(old.apiKey) } : {}),
        ...(old !== undefined && isSameProxy ? { proxyPassword: await secrets.get(old.proxyPassword) } : {}),
      };
      const apiKey = given.apiKey ?? kept.apiKey;
      const proxyPassword = given.proxyPassword ?? kept.proxyPassword ?? '';
      if (apiKey !== undefined) await secrets.store(present.apiKey, apiKey);
      if (proxyPassword !== '' && connection.proxy !== undefined)
        await secrets.store(present.proxyPassword, proxyPassword);
      const { kind: _kind, ...stored } = connection;
      const items = this.#raw();
      const place = items.findIndex((item) => nameOf(item) === (replaced ?? connection).name);
      await settings.write(place < 0 ? [...items, stored] : items.with(place, stored));
      if (replaced !== undefined && replaced.name !== connection.name) {
        await renameInMemory(workspaceMemory, replaced.name, connection.name);
        this.#renamed.fire({ from: replaced.name, to: connection.name });
      }
      if (old !== undefined && old.apiKey !== present.apiKey) await secrets.delete(old.apiKey);
      if (old !== undefined && old.proxyPassword !== present.proxyPassword) await secrets.delete(old.proxyPassword);
      if (given.proxyPassword === '') await secrets.delete(present.proxyPassword);
    });
  }

  /** Removes a connection with its key and its proxy's password; the service itself is not touched. */
  async remove(connection: ServiceConnection): Promise<void> {
    const { settings, secrets } = this.#dependencies;
    const { apiKey, proxyPassword } = secretSlots(connection);
    await this.#write(async () => {
      await settings.write(this.#raw().filter((item) => nameOf(item) !== connection.name));
      await secrets.delete(apiKey);
      await secrets.delete(proxyPassword);
    });
  }

  async setKey(connection: ServiceConnection, apiKey: string): Promise<void> {
    await this.#dependencies.secrets.store(apiKeySlot(connection), apiKey);
    await this.reload();
  }

  async forgetKey(connection: ServiceConnection): Promise<void> {
    await this.#dependencies.secrets.delete(apiKeySlot(connection));
    await this.reload();
  }

  /**
   * The client of any connection, also one that is not this workspace's choice.
   * @throws {LocalServiceError} the local service was stopped or does not start
   */
  async clientOf(connection: Connection): Promise<Client> {
    if (connection.kind === 'local') {
      const address = await this.#dependencies.localService.address();
      return this.#cached(localConnectionName, address.url + address.apiKey, () =>
        createLocalClient(address, this.#dependencies),
      );
    }
    const key = JSON.stringify([connection, this.#dependencies.network()]);
    return this.#cached(connection.name, key, () => createServiceClient(connection, this.#dependencies));
  }

  /**
   * The client of a connection by its name, for what was stored by name.
   * @throws {RemovedConnectionError} the connection was removed
   */
  async clientNamed(name: string): Promise<Client> {
    const connection = this.find(name);
    if (connection === undefined) throw new RemovedConnectionError(name);
    return this.clientOf(connection);
  }

  async dispose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
    this.#renamed.dispose();
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(async ({ client }) => (await client).close()));
  }

  /** Writes in several steps that are read as one. */
  async #write(steps: () => Promise<void>): Promise<void> {
    this.#isWriting = true;
    try {
      await steps();
    } finally {
      this.#isWriting = false;
      await this.reload();
    }
  }

  /** One client per connection; a changed setting or address closes the old one and makes a new one. */
  async #cached(name: string, key: string, make: () => Promise<Client>): Promise<Client> {
    const cached = this.#clients.get(name);
    if (cached?.key === key) return cached.client;
    const client = make();
    this.#clients.set(name, { key, client });
    void cached?.client.then((old) => old.close()).catch(() => undefined);
    client.catch(() => {
      if (this.#clients.get(name)?.client === client) this.#clients.delete(name);
    });
    return client;
  }

  /** Makes the next use of a connection's client make a new one. */
  #forget(name: string): void {
    const cached = this.#clients.get(name);
    this.#clients.delete(name);
    void cached?.client.then((old) => old.close()).catch(() => undefined);
  }

  async #read(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    this.#warnOfProblems();
    const connection = this.#chosen();
    const apiKey = connection?.kind === 'service' ? await this.#readKey(connection) : undefined;
    // A slower, older reading must not win over a newer one.
    if (reading !== this.#readings) return;
    // Only a digest of the key is kept, to tell a new key from the present one.
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([connection, apiKey]))
      .digest('hex');
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#session = this.#sessionOf(connection, apiKey);
    this.#changed.fire(this.#session);
  }

  #sessionOf(connection: Connection | undefined, apiKey: string | undefined): Session {
    if (connection === undefined) return { kind: 'none' };
    if (connection.kind === 'service' && apiKey === undefined) return { kind: 'keyMissing', connection };
    return { kind: 'ready', connection, client: () => this.clientOf(connection) };
  }

  async #readKey(connection: ServiceConnection): Promise<string | undefined> {
    try {
      return await this.#dependencies.secrets.get(apiKeySlot(connection));
    } catch (cause) {
      this.#dependencies.log.error(
        l10n.t('The key of "{0}" cannot be read: the keyring of this machine does not answer.', connection.name),
        cause,
      );
      return undefined;
    }
  }

  /** The workspace's choice; where none was ever made, the only connection there is. */
  #chosen(): Connection | undefined {
    const choice = this.#dependencies.workspaceMemory.get(choiceSlot);
    // Who chose one service must not find themselves at another one because theirs was removed.
    if (typeof choice === 'string') return this.find(choice);
    const [first, second] = this.#parsed().filter((item) => item.kind === 'service');
    return second === undefined ? first : undefined;
  }

  /** Once for each state of the setting, because it is read again whenever somebody comes back. */
  #warnOfProblems(): void {
    const lines = this.problems().map(({ name, message }) =>
      l10n.t('The connection "{0}" in the settings cannot be used. {1}', name, message),
    );
    const text = lines.join('\n');
    if (text !== this.#warned) for (const line of lines) this.#dependencies.log.warn(line);
    this.#warned = text;
  }

  #parsed(): readonly (ServiceConnection | ConnectionProblem)[] {
    return this.#raw().map(parseConnection);
  }

  #raw(): readonly Record<string, unknown>[] {
    const value = this.#dependencies.settings.read();
    return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
  }
}

function secretSlots(connection: ServiceConnection): Record<keyof NewSecrets, string> {
  return { apiKey: apiKeySlot(connection), proxyPassword: proxyPasswordSlot(connection) };
}

function nameOf(item: Record<string, unknown>): unknown {
  return item['name'];
}
