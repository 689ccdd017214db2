import { createHash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../clock.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { ClientCache } from './clientCache.ts';
import { createLocalClient, createServiceClient, type ClientDependencies } from './clients.ts';
import {
  localConnection,
  localConnectionName,
  parseConnection,
  RemovedConnectionError,
  textOfProblem,
  type Connection,
  type ConnectionProblem,
  type ServiceConnection,
} from './connection.ts';
import { choiceSlot, findRenames, renameInMemory, type Rename } from './connectionMemory.ts';
import type { LocalService } from './localService.ts';
import { RecentSaves, type LostSave } from './recentSaves.ts';
import { apiKeySlot, proxyPasswordSlot, secretSlots, storeWith } from './storedKeys.ts';
import { UnreadableKeyError, type Session } from './session.ts';

/** The setting `deploymentManager.connections`. */
export interface ConnectionSettings {
  read(): unknown;
  write(connections: readonly unknown[]): PromiseLike<void>;
  onDidChange: Event<void>;
}

export interface ConnectionsDependencies extends ClientDependencies {
  readonly settings: ConnectionSettings;
  readonly workspaceMemory: Memory;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly localService: Pick<LocalService, 'address'>;
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
  readonly #clients = new ClientCache();
  readonly #wasRead = new Emitter<void>();
  readonly #renamed = new Emitter<Rename>();
  readonly #lostSave = new Emitter<LostSave>();
  readonly #recentSaves: RecentSaves;
  #session: Session = { kind: 'none' };
  /** The connections at the last reading of the settings, which tell what another window renamed. */
  #known: readonly ServiceConnection[] = [];
  #isWriting = false;
  #written: Promise<unknown> = Promise.resolve();
  #warned = '';
  #fingerprint = '';
  #readings = 0;
  #loading: Promise<void> = Promise.resolve();

  /** Fires with each new session, also when only the key of the same connection changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires after each reading: when the settings or a secret changed, and when somebody comes back. */
  readonly onDidRead = this.#wasRead.event;

  /** Fires when a connection got another name, before the session that has it. */
  readonly onDidRename = this.#renamed.event;

  /** Fires when another window wrote over what this one has just saved or removed. */
  readonly onDidLoseSave = this.#lostSave.event;

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
    this.#recentSaves = new RecentSaves(dependencies.clock);
    const reload = (): void => void this.reload();
    this.#subscriptions = [
      dependencies.settings.onDidChange(reload),
      // Another window may have set or forgotten the key.
      dependencies.secrets.onDidChange(({ key }) => {
        // Clients were given their proxy's password when they were made; the API key is asked for at each request.
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

  /** Configured connections that can be used, and the local service last. */
  list(): readonly Connection[] {
    return [...this.#services(), localConnection];
  }

  /** Items of the setting that cannot be used, with words. */
  problems(): readonly ConnectionProblem[] {
    return this.#parsed().filter((item) => item.kind === 'problem');
  }

  find(name: string): Connection | undefined {
    return this.list().find((connection) => connection.name === name);
  }

  /** True also for the name of an item that cannot be used: it is somebody's to mend, not to be written over. */
  isNameTaken(name: string): boolean {
    return this.#parsed().some((item) => item.name === name);
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
   * and what this workspace remembers of it under its new name. Where the settings cannot be written, all secrets are
   * as they were.
   */
  async save(connection: ServiceConnection, given: NewSecrets = {}, replaced?: ServiceConnection): Promise<void> {
    const { settings, secrets } = this.#dependencies;
    const old = replaced === undefined ? undefined : secretSlots(replaced);
    const present = secretSlots(connection);
    await this.#write(async () => {
      let before: readonly ServiceConnection[] = [];
      const isSameService = replaced?.baseUrl === connection.baseUrl;
      const isSameProxy = replaced?.proxy === connection.proxy;
      const kept = {
        ...(old !== undefined && isSameService ? { apiKey: await secrets.get(old.apiKey) } : {}),
        ...(old !== undefined && isSameProxy ? { proxyPassword: await secrets.get(old.proxyPassword) } : {}),
      };
      const apiKey = given.apiKey ?? kept.apiKey;
      const proxyPassword = given.proxyPassword ?? kept.proxyPassword ?? '';
      const { kind: _kind, ...stored } = connection;
      // The secrets come first: another window that hears of a connection looks for its key at once.
      await storeWith(
        secrets,
        {
          ...(apiKey === undefined ? {} : { [present.apiKey]: apiKey }),
          ...(proxyPassword === '' || connection.proxy === undefined ? {} : { [present.proxyPassword]: proxyPassword }),
        },
        () => {
          // Read as late as this: whatever was waited for, somebody may have saved meanwhile.
          before = this.#services();
          const items = this.#raw();
          const place = items.findIndex((item) => isCalled(item, (replaced ?? connection).name));
          return settings.write(place < 0 ? [...items, stored] : items.with(place, stored));
        },
      );
      if (replaced !== undefined) this.#recentSaves.forget(replaced.name);
      this.#recentSaves.note(connection.name, connection, before);
      this.#known = this.#services();
      if (replaced !== undefined && replaced.name !== connection.name) {
        await this.#rename({ from: replaced.name, to: connection.name });
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
      const before = this.#services();
      await settings.write(this.#raw().filter((item) => !isCalled(item, connection.name)));
      this.#recentSaves.note(connection.name, undefined, before);
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
      const madeFrom = JSON.stringify([address, this.#dependencies.network()]);
      return this.#clients.get(localConnectionName, madeFrom, () => createLocalClient(address, this.#dependencies));
    }
    const madeFrom = JSON.stringify([connection, this.#dependencies.network()]);
    return this.#clients.get(connection.name, madeFrom, () => createServiceClient(connection, this.#dependencies));
  }

  /**
   * The client of a connection by its name, for what was stored by name.
   * @throws {RemovedConnectionError} the connection was removed; one that only cannot be used is somebody's to mend
   */
  async clientNamed(name: string): Promise<Client> {
    // One that is just being renamed is not removed: who uses the old name is told the new one first.
    if (this.find(name) === undefined) await Promise.all([this.#written, this.current()]);
    const connection = this.find(name);
    if (connection !== undefined) return this.clientOf(connection);
    const problem = this.problems().find((item) => item.name === name);
    throw problem === undefined ? new RemovedConnectionError(name) : new Error(textOfProblem(problem));
  }

  async dispose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
    this.#wasRead.dispose();
    this.#renamed.dispose();
    this.#lostSave.dispose();
    await this.#clients.dispose();
  }

  /** Writes after everything that is being written: the whole list is read and written each time. */
  async #write(steps: () => Promise<void>): Promise<void> {
    const writing = this.#written.then(async () => this.#writeAsOne(steps));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** Writes in several steps that are read as one. */
  async #writeAsOne(steps: () => Promise<void>): Promise<void> {
    this.#isWriting = true;
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
    for (const lost of this.#recentSaves.takeLost(this.#services())) this.#lostSave.fire(lost);
    await this.#takeUpRenames();
    const connection = this.#chosen();
    const key = connection?.kind === 'service' ? await this.#readKey(connection) : undefined;
    // A slower, older reading must not win over a newer one.
    if (reading !== this.#readings) return;
    // Only a digest of the key is kept, to tell a new key from the present one.
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([connection, key instanceof UnreadableKeyError ? { isUnreadable: true } : key]))
      .digest('hex');
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      if (key instanceof UnreadableKeyError) this.#dependencies.log.error(key.message, key.cause);
      this.#session = this.#sessionOf(connection, key);
      this.#changed.fire(this.#session);
    }
    this.#wasRead.fire();
  }

  /** Another window, or a person in the settings, may have given a connection another name. */
  async #takeUpRenames(): Promise<void> {
    const before = this.#known;
    this.#known = this.#services();
    await Promise.all(findRenames(before, this.#known).map((rename) => this.#rename(rename)));
  }

  async #rename(rename: Rename): Promise<void> {
    await renameInMemory(this.#dependencies.workspaceMemory, rename);
    this.#renamed.fire(rename);
  }

  #sessionOf(connection: Connection | undefined, key: string | UnreadableKeyError | undefined): Session {
    if (connection === undefined) return { kind: 'none' };
    if (connection.kind === 'service' && typeof key !== 'string') {
      return { kind: 'keyMissing', connection, ...(key === undefined ? {} : { error: key }) };
    }
    return { kind: 'ready', connection, client: () => this.clientOf(connection) };
  }

  async #readKey(connection: ServiceConnection): Promise<string | UnreadableKeyError | undefined> {
    try {
      return await this.#dependencies.secrets.get(apiKeySlot(connection));
    } catch (cause) {
      return new UnreadableKeyError(connection.name, { cause });
    }
  }

  /** The workspace's choice; where none was ever made, the only connection there is. */
  #chosen(): Connection | undefined {
    const choice = this.#dependencies.workspaceMemory.get(choiceSlot);
    // Who chose one service must not find themselves at another one because theirs was removed.
    if (typeof choice === 'string') return this.find(choice);
    const [first, second] = this.#services();
    return second === undefined ? first : undefined;
  }

  /** Once for each state of the setting, because it is read again whenever somebody comes back. */
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
    return this.#raw().map(parseConnection);
  }

  /** All items, also those that make no sense: what somebody wrote by hand is shown to them and not thrown away. */
  #raw(): readonly unknown[] {
    const value = this.#dependencies.settings.read();
    return Array.isArray(value) ? value : [];
  }
}

/** True for the item of a connection that can be used, whose name may be written with spaces around it. */
function isCalled(item: unknown, name: string): boolean {
  const parsed = parseConnection(item);
  return parsed.kind === 'service' && parsed.name === name;
}
