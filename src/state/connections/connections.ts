import { hash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { ClientCache, loadClients } from './clientCache.ts';
import type { ClientDependencies } from './clients.ts';
import {
  isCalled,
  localConnection,
  parseConnection,
  RemovedConnectionError,
  textOfProblem,
  type Connection,
  type ConnectionProblem,
  type ConnectionSettings,
  type ServiceConnection,
} from './connection.ts';
import { ConnectionChanges } from './connectionChanges.ts';
import { choiceSlot, findRenames, renameInMemory, type Rename } from './connectionMemory.ts';
import type { LocalService } from './localService.ts';
import { apiKeySlot, proxyPasswordSlot, secretSlots, storeWith } from './storedKeys.ts';
import { UnreadableKeyError, type Session } from './session.ts';

interface ConnectionsDependencies extends ClientDependencies {
  readonly settings: ConnectionSettings;
  readonly workspaceMemory: Memory;
  readonly localService: Pick<LocalService, 'address'>;
}

/** New secrets for a connection; an omitted one stays unchanged. */
interface NewSecrets {
  readonly apiKey?: string;
  /** As `user:password`; empty removes it. */
  readonly proxyPassword?: string | undefined;
}

/** The configured connections, the one selected in this workspace, and their keys. */
export class Connections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #changed = new Emitter<Session>();
  readonly #subscriptions: Disposable[];
  readonly #clients = new ClientCache();
  readonly #wasRead = new Emitter<void>();
  readonly #renamed = new Emitter<Rename>();
  readonly #replaced = new Emitter<string>();
  #session: Session = { kind: 'none' };
  /** The connections at the last reading of the settings, used to detect renames by another window. */
  #known: readonly ServiceConnection[] = [];
  #isWriting = false;
  #written: Promise<unknown> = Promise.resolve();
  #warned = '';
  #fingerprint = '';
  readonly #changes = new ConnectionChanges();
  #renaming: Promise<unknown> = Promise.resolve();
  #readings = 0;
  #loading: Promise<void> = Promise.resolve();

  /** Fires with each new session, including when only the key of the same connection changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires after each reading: when the settings or a secret change, and when the user comes back. */
  readonly onDidRead = this.#wasRead.event;

  /** Fires when a connection is renamed, before the session with the new name. */
  readonly onDidRename = this.#renamed.event;

  /** Fires with the name of a removed connection, or of one with other settings or another key. */
  readonly onDidReplace = this.#replaced.event;

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
    const reload = (): void => void this.reload();
    this.#subscriptions = [
      dependencies.settings.onDidChange(reload),
      // Another window may have set or removed the key.
      dependencies.secrets.onDidChange(({ key }) => {
        // A client gets its proxy password when it is created; the API key is read for each request.
        for (const connection of this.#services()) {
          if (key === proxyPasswordSlot(connection)) this.#clients.forget(connection.name);
        }
        reload();
      }),
    ];
  }

  get session(): Session {
    return this.#session;
  }

  /** The usable connections, with the local service last. */
  list(): readonly Connection[] {
    return [...this.#services(), localConnection];
  }

  /** Items of the setting that can't be used, with a message. */
  problems(): readonly ConnectionProblem[] {
    return this.#parsed().filter((item) => item.kind === 'problem');
  }

  find(name: string): Connection | undefined {
    return this.list().find((connection) => connection.name === name);
  }

  /** Whether a name is in use, even by an unusable item: the user can fix that one, so it must not be overwritten. */
  isNameTaken(name: string): boolean {
    return this.#parsed().some((item) => item.name === name);
  }

  /** The session after the current reading has finished. */
  async current(): Promise<Session> {
    const loading = this.#loading;
    await loading;
    return loading === this.#loading ? this.#session : this.current();
  }

  /** Reads settings, selection and key again; fires `onDidChange` only if one of them changed. */
  async reload(): Promise<Session> {
    // A reading in the middle of a write would create a session from half of the change.
    if (!this.#isWriting) this.#loading = this.#read();
    return this.current();
  }

  /** Selects a connection for this workspace. */
  async select(name: string): Promise<Session> {
    await this.#dependencies.workspaceMemory.update(choiceSlot, name);
    return this.reload();
  }

  /**
   * Adds a connection, or replaces the one passed as `replaced`. This workspace keeps the connection that it uses.
   * Secrets whose address is unchanged are kept, and values remembered by this workspace move to the new name. If the
   * settings can't be written, all secrets are restored.
   */
  async save(connection: ServiceConnection, given: NewSecrets = {}, replaced?: ServiceConnection): Promise<void> {
    const { settings, secrets, workspaceMemory: memory } = this.#dependencies;
    const old = replaced === undefined ? undefined : secretSlots(replaced);
    const present = secretSlots(connection);
    await this.#write(async () => {
      const isSameService = replaced?.baseUrl === connection.baseUrl;
      const isSameProxy = replaced?.proxy === connection.proxy;
      const apiKey = given.apiKey ?? (old && isSameService ? await secrets.get(old.apiKey) : undefined);
      const proxyPassword =
        given.proxyPassword ?? (old && isSameProxy ? await secrets.get(old.proxyPassword) : undefined) ?? '';
      const { kind: _kind, ...stored } = connection;
      // The only connection is in use without having been selected, until there is another one.
      const { session } = this;
      if (replaced === undefined && session.kind !== 'none') await memory.update(choiceSlot, session.connection.name);
      // Store the secrets first: another window that sees the connection looks for its key at once.
      await storeWith(
        secrets,
        {
          ...(apiKey === undefined ? {} : { [present.apiKey]: apiKey }),
          ...(proxyPassword === '' || connection.proxy === undefined ? {} : { [present.proxyPassword]: proxyPassword }),
        },
        () => {
          // Read as late as possible, because another window may have saved meanwhile.
          const items = this.#raw();
          const place = items.findIndex((item) => isCalled(item, (replaced ?? connection).name));
          return settings.write(place < 0 ? [...items, stored] : items.with(place, stored));
        },
      );
      this.#known = this.#services();
      if (replaced !== undefined && replaced.name !== connection.name) {
        await this.#rename({ from: replaced.name, to: connection.name });
      }
      if (old !== undefined && old.apiKey !== present.apiKey) await secrets.delete(old.apiKey);
      if (old !== undefined && old.proxyPassword !== present.proxyPassword) await secrets.delete(old.proxyPassword);
      if (given.proxyPassword === '') await secrets.delete(present.proxyPassword);
    });
  }

  /** Removes a connection with its key and proxy password; the service itself isn't changed. */
  async remove(connection: ServiceConnection): Promise<void> {
    const { settings, secrets } = this.#dependencies;
    const { apiKey, proxyPassword } = secretSlots(connection);
    await this.#write(async () => {
      await settings.write(this.#raw().filter((item) => !isCalled(item, connection.name)));
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
   * The client of any connection, selected in this workspace or not.
   * @throws {LocalServiceError} the local service was stopped or doesn't start
   */
  async clientOf(connection: Connection): Promise<Client> {
    const { network, localService } = this.#dependencies;
    const target = connection.kind === 'local' ? await localService.address() : connection;
    return this.#clients.get(connection.name, JSON.stringify([target, network()]), async () =>
      (await loadClients()).createClientTo(target, this.#dependencies),
    );
  }

  /**
   * The client of a connection, looked up by its stored name.
   * @throws {RemovedConnectionError} the connection was removed
   * @throws {Error} the connection exists but can't be used
   */
  async clientNamed(name: string): Promise<Client> {
    // A connection that is being renamed isn't removed: users of the old name learn the new one first.
    if (this.find(name) === undefined) await Promise.all([this.#written, this.current()]);
    const connection = this.find(name);
    if (connection !== undefined) return this.clientOf(connection);
    const problem = this.problems().find((item) => item.name === name);
    throw problem === undefined ? new RemovedConnectionError(name) : new Error(textOfProblem(problem));
  }

  async dispose(): Promise<void> {
    const emitters = [this.#changed, this.#wasRead, this.#renamed, this.#replaced];
    for (const each of [...this.#subscriptions, ...emitters]) each.dispose();
    await this.#clients.dispose();
  }

  /** Queues a write behind the running ones, because each one reads and writes the whole list. */
  async #write(steps: () => Promise<void>): Promise<void> {
    const writing = this.#written.then(async () => this.#writeAsOne(steps));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** Runs the steps of a write and reads the result once, at the end. */
  async #writeAsOne(steps: () => Promise<void>): Promise<void> {
    this.#isWriting = true;
    // A reading that is under way would see half of the change.
    this.#readings += 1;
    try {
      await steps();
    } finally {
      this.#isWriting = false;
      await this.reload();
    }
  }

  async #read(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    this.#warnOfProblems();
    await this.#applyRenames();
    const connection = this.#chosen();
    const key = connection?.kind === 'service' ? await this.#readKey(connection) : undefined;
    // A slow, older reading must not override a newer one.
    if (reading !== this.#readings) return;
    const used = key instanceof UnreadableKeyError ? { isUnreadable: true } : key;
    // A digest is enough to detect a new key, so the key itself isn't kept.
    const fingerprint = hash('sha256', JSON.stringify([connection, used]));
    const replaced = this.#changes.replaced(this.list(), (name) => this.isNameTaken(name));
    if (connection !== undefined && this.#changes.hasOtherKey(connection.name, key)) replaced.add(connection.name);
    for (const name of replaced) this.#replaced.fire(name);
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      if (key instanceof UnreadableKeyError) this.#dependencies.log.error(key.message, key.cause);
      this.#session = this.#sessionWith(connection, key);
      this.#changed.fire(this.#session);
    }
    this.#wasRead.fire();
    void this.#compareKeys(reading);
  }

  /** Follows and documents may be of connections that aren't selected. */
  async #compareKeys(reading: number): Promise<void> {
    for (const other of this.#services()) {
      const key = await this.#readKey(other);
      if (reading !== this.#readings) return;
      if (this.#changes.hasOtherKey(other.name, key)) this.#replaced.fire(other.name);
    }
  }

  /** Applies renames made in another window or by the user in the settings. */
  async #applyRenames(): Promise<void> {
    const before = this.#known;
    this.#known = this.#services();
    const renames = findRenames(before, this.#known);
    // Another reading may have begun some.
    const renaming = Promise.all([this.#renaming, ...renames.map((rename) => this.#rename(rename))]);
    this.#renaming = renaming.catch(() => undefined);
    await renaming;
  }

  async #rename(rename: Rename): Promise<void> {
    await renameInMemory(this.#dependencies.workspaceMemory, rename);
    this.#changes.rename(rename);
    this.#renamed.fire(rename);
  }

  #sessionWith(connection: Connection | undefined, key: string | UnreadableKeyError | undefined): Session {
    if (connection === undefined) return { kind: 'none' };
    if (connection.kind === 'service' && typeof key !== 'string') {
      return { kind: 'keyMissing', connection, ...(key === undefined ? {} : { error: key }) };
    }
    return { kind: 'ready', connection, client: () => this.clientOf(connection) };
  }

  /** The session of any connection, selected in this workspace or not. */
  async sessionOf(connection: Connection): Promise<Session> {
    if (this.#session.kind === 'ready' && this.#session.connection.name === connection.name) return this.#session;
    return this.#sessionWith(connection, connection.kind === 'service' ? await this.#readKey(connection) : undefined);
  }

  async #readKey(connection: ServiceConnection): Promise<string | UnreadableKeyError | undefined> {
    try {
      return await this.#dependencies.secrets.get(apiKeySlot(connection));
    } catch (cause) {
      return new UnreadableKeyError(connection.name, { cause });
    }
  }

  /** The workspace's selection; if none was ever made, the only configured connection. */
  #chosen(): Connection | undefined {
    const choice = this.#dependencies.workspaceMemory.get(choiceSlot);
    // If the selected connection was removed, don't switch the user to another service.
    if (typeof choice === 'string') return this.find(choice);
    const [first, second] = this.#services();
    return second === undefined ? first : undefined;
  }

  /** Logs each state of the setting once, because it is read again whenever the user comes back. */
  #warnOfProblems(): void {
    const lines = this.problems().map(textOfProblem);
    const text = lines.join('\n');
    if (text !== this.#warned) for (const line of lines) this.#dependencies.log.warn(line);
    this.#warned = text;
  }

  #services(): readonly ServiceConnection[] {
    return this.#parsed().filter((item) => item.kind === 'service');
  }

  #parsed(): readonly (ServiceConnection | ConnectionProblem)[] {
    return this.#raw().map((item) => parseConnection(item));
  }

  /** All items, including invalid ones: entries that the user wrote by hand are reported and kept. */
  #raw(): readonly unknown[] {
    const value = this.#dependencies.settings.read();
    return Array.isArray(value) ? value : [];
  }
}
