import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as l10n from '@vscode/l10n';
import type { Logger } from '../../api/http/redact.ts';
import {
  findLocalService,
  parseServiceFile,
  type LiveLocalService,
  type LocalServiceAddress,
} from '../../api/localService.ts';
import type { Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';
import { createLocalTransport } from './clients.ts';

export interface LocalServiceOptions {
  /** The bundled `localService.js`. */
  readonly script: string;
  readonly dataFolder: () => string;
  readonly stepMilliseconds: () => number;
  /** The open folders. The service offers their repositories, and in Restricted Mode it takes them back. */
  readonly folders: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** The absolute path of git, where the editor knows it. */
  readonly gitPath: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly log: Logger;
}

/** What a service was told of folders. Another one has to be told again: it remembers none. */
interface Told {
  readonly url: string;
  readonly pid: number;
  readonly isTrusted: boolean;
  readonly folders: ReadonlySet<string>;
}

/** The embedded service is not running; the message says why and what to do. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

const startLimit = 20_000;

/** How long a start waits for the editor to say where git is, before git is looked up on the PATH. */
const gitLimit = 5_000;

/** After this, a service that could not be told of restricted folders is told again. */
const retryDelay = 5_000;

/** How long the service may take to look at folders with git. */
const tellLimit = 30_000;

/**
 * The embedded service of one data folder. It runs as a child process of the window that
 * needed it first and ends with that window; the next window that needs it starts it again.
 */
export class LocalService {
  readonly #options: LocalServiceOptions;
  #child: ChildProcess | undefined;
  #starting: Promise<LocalServiceAddress> | undefined;
  #told: Told | undefined;
  #retry: Disposable | undefined;
  #stopped = false;

  constructor(options: LocalServiceOptions) {
    this.#options = options;
  }

  /**
   * The address of the running service; starts it if it is dead.
   * @throws {LocalServiceError} it was stopped by the person, or it does not start
   */
  async address(): Promise<LocalServiceAddress> {
    const running = this.#starting === undefined ? await this.#find() : undefined;
    // Also by a person who stopped it while it was looked for.
    if (this.#stopped) throw new LocalServiceError(l10n.t('The local service was stopped. Start it to continue.'));
    if (running === undefined) return this.start();
    await this.#tell(running);
    return { url: running.url, apiKey: running.apiKey };
  }

  /** Starts the service or finds the running one, and tells it this window's folders and further ones. */
  async start(further: readonly string[] = []): Promise<LocalServiceAddress> {
    this.#stopped = false;
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = undefined;
    });
    const address = await this.#starting;
    const running = this.#stopped ? undefined : await this.#find();
    if (running !== undefined) await this.#tell(running, further);
    return address;
  }

  /**
   * Tells the service this window's folders where it runs; starts none. In Restricted Mode it tries until the service
   * has been told, as git must not run in them.
   */
  async tellFolders(): Promise<void> {
    if (this.#options.folders().length === 0) return;
    try {
      // Whoever started it hears of a failure.
      await this.#starting?.catch(() => undefined);
      const running = await findLocalService(this.#options.dataFolder());
      if (running !== undefined) await this.#tell(running);
    } catch (error) {
      const { isTrusted, clock, log } = this.#options;
      log.warn('The local service was not told of the open folders.', error);
      this.#retry?.dispose();
      this.#retry = clock.schedule(() => {
        if (!isTrusted()) void this.tellFolders();
      }, retryDelay);
    }
  }

  /** Ends the service, also where another window started it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#starting?.catch(() => undefined);
    const found = await this.#find();
    // A process that ended while it was looked for is neither signalled nor waited for.
    const child = this.#child;
    const isOurs = child !== undefined && child.exitCode === null && child.signalCode === null;
    // A service of this window that is too busy to prove itself is known by its process.
    const pid = found?.pid ?? (isOurs ? child.pid : undefined);
    if (pid !== undefined) end(pid);
    // A start right after this must not find the service that is about to end.
    if (isOurs && child.pid === pid) await once(child, 'exit');
    this.#child = undefined;
  }

  dispose(): void {
    this.#retry?.dispose();
    // The service ends by itself when its channel to this process closes.
    if (this.#child?.connected === true) this.#child.disconnect();
  }

  /** A program that does not prove itself is not the service. */
  async #find(): Promise<LiveLocalService | undefined> {
    return findLocalService(this.#options.dataFolder()).catch(() => undefined);
  }

  /** Tells the service of the open folders, and in a trusted window of further ones, unless it knows all of them. */
  async #tell({ url, apiKey, pid }: LiveLocalService, further: readonly string[] = []): Promise<void> {
    const { log } = this.#options;
    const isTrusted = this.#options.isTrusted();
    const folders = new Set([...this.#options.folders(), ...(isTrusted ? further : [])]);
    const told = this.#told;
    const isSame = told?.url === url && told.pid === pid && told.isTrusted === isTrusted;
    const known = isSame ? told.folders : new Set();
    if ([...folders].every((folder) => known.has(folder))) return;
    const transport = await createLocalTransport({ url, apiKey });
    try {
      const { status, body } = await transport.request({
        method: 'POST',
        origin: url,
        path: '/_control/repositories',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify(isTrusted ? { folders: [...folders] } : { restricted: [...folders] }),
        timeoutMs: tellLimit,
      });
      const answer = Buffer.from(body).toString();
      if (status !== 200) throw new LocalServiceError(answer);
      log.info(`local service: ${answer}`);
      this.#told = { url, pid, isTrusted, folders };
    } finally {
      await transport.close();
    }
  }

  async #launch(): Promise<LocalServiceAddress> {
    const { script, dataFolder, stepMilliseconds, log } = this.#options;
    const git = await this.#gitPath();
    const options = git === undefined ? [] : [`--git=${git}`];
    const child = fork(script, ['--data', dataFolder(), '--step-ms', String(stepMilliseconds()), ...options], {
      silent: true,
      execArgv: [],
      env: serviceEnvironment(process.env),
    });
    const problems: string[] = [];
    if (child.stderr !== null) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        problems.push(line);
        log.warn(`local service: ${line}`);
      });
    }
    const line = await firstLine(child, problems);
    const address = parseAddress(line);
    log.info(`local service: ${address.url}`);
    // A second start on a live service gives its address and ends; the service stays the process that it was.
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

/** Resolves with the first line of standard output, which tells the address. */
async function firstLine(child: ChildProcess, problems: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(limit);
      child.kill();
      reject(new LocalServiceError(l10n.t('The local service did not start. {0}', reason)));
    };
    const limit = setTimeout(
      () => fail(l10n.t("It didn't respond within {0} seconds.", startLimit / 1000)),
      startLimit,
    );
    child.once('error', (error) => fail(error.message));
    child.once('close', (code) => fail(problems.at(-1) ?? l10n.t('It exited with code {0}.', code ?? 0)));
    if (child.stdout === null) return fail(l10n.t('It wrote no output.'));
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(limit);
      resolve(line);
    });
  });
}

function parseAddress(line: string): LocalServiceAddress {
  const { url, apiKey } = parseServiceFile(line) ?? {};
  if (url !== undefined && apiKey !== undefined) return { url, apiKey };
  throw new LocalServiceError(l10n.t('The local service sent an unreadable answer.'));
}

/** Asks a process to end; one that ended by itself meanwhile needs nothing. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The environment without what would change how Node or VS Code start the child. */
function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^(NODE_|VSCODE_|DEPLOYMENT_MANAGER_)/.test(name));
  // With this, Windows does not look for the programs that the service runs in its working folder.
  return { ...Object.fromEntries(kept), NoDefaultCurrentDirectoryInExePath: '1' };
}
