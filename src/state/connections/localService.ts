import { fork, type ChildProcess } from 'node:child_process';
import { watch, type FSWatcher } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../api/errors.ts';
import type { Logger } from '../../api/redaction/redact.ts';
import {
  addressIn,
  findLocalService,
  foldersPath,
  parseServiceFile,
  readServiceAddress,
  readServiceFile,
  serviceFileName,
  stopPath,
  writeServiceFile,
  type LiveLocalService,
  type LocalServiceAddress,
} from '../../api/localService.ts';
import type { Clock } from '../clock.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import { loadClients } from './clientCache.ts';
import { endProcess, readLines, serviceEnvironment } from './serviceProcess.ts';

export interface LocalServiceOptions {
  /** The bundled `localService.js`. */
  readonly script: string;
  readonly dataFolder: () => string;
  readonly stepMilliseconds: () => number;
  /** The open folders. The service offers their repositories; in Restricted Mode it withdraws them. */
  readonly folders: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** The absolute path of git, if the editor knows it. */
  readonly gitPath: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly log: Logger;
}

/** Folders sent to a service process. The service doesn't store them, so a new process gets them again. */
interface Told {
  readonly url: string;
  readonly pid: number;
  readonly isTrusted: boolean;
  readonly folders: ReadonlySet<string>;
}

/** The local service isn't running; the message says why and what to do. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

/** The user stopped the local service, in this window or in another one. */
export class StoppedServiceError extends LocalServiceError {
  constructor() {
    super(l10n.t('The local service was stopped. Start it, then try again.'));
  }
}

/** The local service can't use its data folder. */
export class DataFolderError extends LocalServiceError {}

/** The exit code of a service that can't use its data folder. */
const dataFolderCode = 4;

/** The error codes of a connection that the other end closed. */
const droppedConnection = /^(?:ECONNRESET|ECONNREFUSED|EPIPE|UND_ERR_SOCKET)$/;

const startLimit = 20_000;

/** How long a start waits for whatever has the service's last port, in milliseconds. A busy service is found later. */
const findLimit = 2_000;

/** How long a start waits for the editor's git path before it relies on the PATH, in milliseconds. */
const gitLimit = 5_000;

/** The first and the longest delay before restricted folders are sent again after failures, in milliseconds. */
const retryDelays = { first: 5_000, longest: 60_000 } as const;

/** How long the service may take to inspect folders with git, in milliseconds. */
const tellLimit = 30_000;

/** How long the service may take to agree to end, and then to end, in milliseconds. */
const stopLimit = 5_000;

/**
 * The local service of one data folder.
 * It runs as a child process of the first window that needs it and exits with that window. The next window that needs
 * it starts it again, unless a user stopped it.
 */
export class LocalService {
  readonly #options: LocalServiceOptions;
  #child: ChildProcess | undefined;
  #starting: Promise<LocalServiceAddress> | undefined;
  #told: Told | undefined;
  #retry: Disposable | undefined;
  /** How often in a row the folders couldn't be sent. */
  #failures = 0;
  #stopped = false;
  #isStopping = false;
  /** The process that this window ended last, which may answer a little longer. */
  #endedPid: number | undefined;
  /** Whether this window has used the service. */
  #isUsed = false;
  #watcher: FSWatcher | undefined;
  readonly #changed = new Emitter<void>();

  /** Fires when a user stops or starts the service, in this window or in another one. */
  readonly onDidChange = this.#changed.event;

  constructor(options: LocalServiceOptions) {
    this.#options = options;
  }

  /** Whether a user stopped the service, so that nothing but a command starts it again. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /**
   * The address of the running service; starts the service if it isn't running.
   * @throws {LocalServiceError} the user stopped the service, or it doesn't start
   */
  async address(): Promise<LocalServiceAddress> {
    if (this.#stopped) throw new StoppedServiceError();
    const running = this.#starting === undefined ? await this.#find(findLimit) : undefined;
    // Another window may have stopped the service that this one used.
    if (running === undefined && this.#isUsed && !this.#stopped) await this.#learn();
    if (this.#stopped) throw new StoppedServiceError();
    if (running === undefined) return this.start();
    this.#watch();
    await this.#tell(running);
    return { url: running.url, apiKey: running.apiKey };
  }

  /** Starts or finds the service, and sends it this window's folders and further ones. */
  async start(further: readonly string[] = []): Promise<LocalServiceAddress> {
    this.#setStopped(false);
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = undefined;
    });
    const address = await this.#starting;
    this.#watch();
    const running = this.#stopped ? undefined : await this.#find();
    if (running !== undefined) await this.#tell(running, further);
    return address;
  }

  /**
   * Sends this window's folders to a running service; doesn't start one.
   * In Restricted Mode it retries until that succeeds, because git must not run in those folders.
   */
  async tellFolders(): Promise<void> {
    if (this.#options.folders().length === 0) return;
    try {
      // The caller that started the service reports a failed start.
      await this.#starting?.catch(() => undefined);
      const running = await findLocalService(this.#options.dataFolder());
      if (running !== undefined) await this.#tell(running);
      this.#failures = 0;
    } catch (error) {
      const { isTrusted, clock, log } = this.#options;
      const delay = Math.min(retryDelays.first * 2 ** this.#failures, retryDelays.longest);
      log[this.#failures === 0 ? 'warn' : 'debug']('The local service was not told of the open folders.', error);
      this.#failures += 1;
      this.#retry?.dispose();
      this.#retry = clock.schedule(() => {
        if (!isTrusted()) void this.tellFolders();
      }, delay);
    }
  }

  /** Stops the service, even if another window started it. Returns false if none ran. */
  async stop(): Promise<boolean> {
    const wasRunning = this.#isUsed && !this.#stopped;
    this.#isStopping = true;
    this.#setStopped(true);
    if (await this.#end().finally(() => (this.#isStopping = false))) return true;
    // Another window may have stopped it at the same moment.
    return wasRunning && (await readServiceFile(this.#options.dataFolder()))?.stopped === true;
  }

  dispose(): void {
    this.#retry?.dispose();
    this.#watcher?.close();
    this.#changed.dispose();
    // The service exits when its channel to this process closes.
    if (this.#child?.connected === true) this.#child.disconnect();
  }

  /** Returns false if there is no process to end. */
  async #end(): Promise<boolean> {
    await this.#starting?.catch(() => undefined);
    const found = await this.#find();
    // Don't signal or wait for a process that exited during the lookup.
    const child = this.#child;
    const isOurs = child !== undefined && child.exitCode === null && child.signalCode === null;
    // A service of this window that is too busy to prove its identity is known by its process.
    const pid = found?.pid ?? (isOurs ? child.pid : undefined);
    this.#endedPid = pid;
    this.#child = undefined;
    if (pid === undefined) return false;
    const hasAgreed = found !== undefined && (await this.#askToEnd(found));
    // Without this wait, a start right after the stop could find the exiting service.
    if (await endProcess(pid, hasAgreed, stopLimit)) return true;
    // A process that was killed leaves its address behind, and other windows would start the service again.
    const left = await readServiceAddress(this.#options.dataFolder());
    const isLeft = left !== undefined && (await this.#find()) === undefined;
    if (isLeft) writeServiceFile(this.#options.dataFolder(), { apiKey: left.apiKey, stopped: true });
    return true;
  }

  /** Asks the service to end: on Windows, a signal would kill it. False if it doesn't agree, like an older version. */
  async #askToEnd(service: LocalServiceAddress): Promise<boolean> {
    return this.#post(service, stopPath, stopLimit).then(
      () => true,
      (error: unknown) => {
        this.#options.log.debug('The local service did not agree to end.', error);
        // It ends already where another window stopped it, and drops this connection.
        return droppedConnection.test(codeOf(error));
      },
    );
  }

  #setStopped(isStopped: boolean): void {
    if (this.#stopped === isStopped) return;
    this.#stopped = isStopped;
    this.#changed.fire();
  }

  /** Hears from `service.json` of other windows. Where the system can't report that, the next request learns it. */
  #watch(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    try {
      this.#watcher = watch(this.#options.dataFolder(), { persistent: false }, (_event, name) => {
        if (name === serviceFileName) void this.#learn();
      });
      this.#watcher.on('error', (error) => this.#options.log.debug('service.json is no longer watched.', error));
    } catch (error) {
      this.#options.log.debug('service.json cannot be watched.', error);
    }
  }

  /** Learns that another window stopped or started the service. */
  async #learn(): Promise<void> {
    const { stopped } = (await readServiceFile(this.#options.dataFolder())) ?? {};
    const running = this.#stopped && stopped !== true ? await this.#find() : undefined;
    // During a start or a stop, the file still says what was before.
    if (this.#starting !== undefined || this.#isStopping) return;
    if (stopped === true) this.#setStopped(true);
    else if (running !== undefined && running.pid !== this.#endedPid) this.#setStopped(false);
  }

  /** Finds the running service. A program that can't prove its identity isn't the service. */
  async #find(limitMs?: number): Promise<LiveLocalService | undefined> {
    return findLocalService(this.#options.dataFolder(), limitMs).catch(() => undefined);
  }

  /** Sends the open folders, and further ones in a trusted window, unless the service knows them all. */
  async #tell({ url, apiKey, pid }: LiveLocalService, further: readonly string[] = []): Promise<void> {
    const { log } = this.#options;
    const isTrusted = this.#options.isTrusted();
    const folders = new Set([...this.#options.folders(), ...(isTrusted ? further : [])]);
    const told = this.#told;
    const isSame = told?.url === url && told.pid === pid && told.isTrusted === isTrusted;
    const known = isSame ? told.folders : new Set();
    if ([...folders].every((folder) => known.has(folder))) return;
    const body = JSON.stringify(isTrusted ? { folders: [...folders] } : { restricted: [...folders] });
    log.info(`local service: ${await this.#post({ url, apiKey }, foldersPath, tellLimit, body)}`);
    this.#told = { url, pid, isTrusted, folders };
  }

  /** Sends a control request and returns the answer. */
  async #post({ url, apiKey }: LocalServiceAddress, path: string, timeoutMs: number, body = '{}'): Promise<string> {
    const transport = (await loadClients()).createLocalTransport({ url, apiKey });
    try {
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
      const answer = await transport.request({ method: 'POST', origin: url, path, headers, body, timeoutMs });
      const text = Buffer.from(answer.body).toString();
      if (answer.status !== 200) throw new LocalServiceError(text);
      return text;
    } finally {
      await transport.close();
    }
  }

  async #launch(): Promise<LocalServiceAddress> {
    const { script, dataFolder, stepMilliseconds, log } = this.#options;
    const git = await this.#gitPath();
    const options = git === undefined ? [] : [`--git=${git}`];
    const child = fork(
      script,
      ['--data', dataFolder(), '--step-ms', String(stepMilliseconds()), '--sample', ...options],
      {
        silent: true,
        execArgv: [],
        env: serviceEnvironment(process.env),
      },
    );
    let problem: string | undefined;
    readLines(child.stderr, (written) => {
      problem = written;
      log.warn(`local service: ${written}`);
    });
    const line = await firstLine(child, () => problem);
    const address = parseAddress(line);
    log.info(`local service: ${address.url}`);
    // If the service already runs, the new process prints its address and exits; the running process stays the service.
    if ((await this.#find())?.pid === child.pid) this.#child = child;
    return address;
  }

  async #gitPath(): Promise<string | undefined> {
    const { gitPath, clock } = this.#options;
    let limit: Disposable | undefined;
    const late = new Promise<undefined>((resolve) => {
      limit = clock.schedule(() => resolve(undefined), gitLimit);
    });
    return Promise.race([gitPath(), late]).finally(() => limit?.dispose());
  }
}

/** Resolves with the first line of standard output, which contains the address. */
async function firstLine(child: ChildProcess, lastProblem: () => string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, code?: number | null): void => {
      clearTimeout(limit);
      child.kill();
      const words = l10n.t("The local service didn't start. {0}", reason);
      reject(code === dataFolderCode ? new DataFolderError(words) : new LocalServiceError(words));
    };
    const limit = setTimeout(
      () => fail(l10n.t("It didn't respond within {0} seconds.", startLimit / 1000)),
      startLimit,
    );
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => fail(lastProblem() ?? l10n.t('It exited with code {0}.', code ?? 0), code));
    readLines(child.stdout, (line) => {
      clearTimeout(limit);
      resolve(line);
    });
  });
}

function parseAddress(line: string): LocalServiceAddress {
  const address = addressIn(parseServiceFile(line));
  if (address !== undefined) return address;
  throw new LocalServiceError(l10n.t('The local service sent an unreadable answer.'));
}
