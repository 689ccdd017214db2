import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { isServiceKey, readServiceFile, serviceFileName, writeServiceFile } from '../../api/localService.ts';
import { listen } from '../http/app.ts';
import type { Service, ServiceSettings } from '../service.ts';
import { DatabaseError, explainFileError, loadSqlite, openDatabase, SqliteMissingError } from '../store/database.ts';
import type { Database } from '../store/database.ts';
import { parseCommandLine, usage, UsageError } from './commandLine.ts';
import type { ServiceOptions } from './commandLine.ts';
import { joinLiveService } from './liveService.ts';

/** Distinct exit codes tell the process that started the service how to react. */
const exitCodes = { failed: 1, usage: 2, sqliteMissing: 3, database: 4 } as const;

/** How long to wait for the service in the data folder to answer or to end, in milliseconds. */
const patience = 5000;

/** Assembles the service that a process runs. */
type CreateService = (database: Database, settings: ServiceSettings) => Service;

/** Runs the local service as this process. A failure ends the process with its reason and exit code. */
export function runLocalService(args: readonly string[], create: CreateService): void {
  start(args, create).catch(explainAndExit);
}

async function start(args: readonly string[], create: CreateService): Promise<void> {
  const ending = endWhenAsked();
  const options = parseCommandLine(args);
  const sqlite = await loadSqlite();
  // After a busy minute, V8 would keep 70 MB for young objects, but this service needs only a few MB.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Only the user may read the files that the service writes.
  process.umask(0o077);
  await makeDataFolder(options.dataFolder);
  await closeToOthers(options.dataFolder).catch((error: unknown) => {
    throw explainFileError(error, options.dataFolder);
  });
  const deadline = performance.now() + patience;
  do {
    const database = openDatabase(sqlite, path.join(options.dataFolder, 'service.sqlite'));
    if (database !== undefined) return serve(options, database, create, ending);
    const live = await joinLiveService(options);
    if (live !== undefined) return printAddress(live);
    // The other service is starting or ending, so it soon answers or frees the folder.
    await wait(50);
  } while (performance.now() < deadline);
  throw new Error(
    `${options.dataFolder} is in use by a process that isn't responding. End the process, or use another data folder.`,
  );
}

async function makeDataFolder(dataFolder: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseError(`Couldn't create the data folder. Use another one. ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Denies other users the data folder, where they could plant a key and an address of their own.
 * A folder that also holds other files keeps its mode, because `--data` can name any folder.
 * @throws {DatabaseError} the folder belongs to another user, or holds other files and others can write to it
 */
async function closeToOthers(dataFolder: string): Promise<void> {
  const user = process.getuid?.();
  // On Windows, a folder inherits its permissions, and folders in the user's profile are private.
  if (user === undefined) return;
  const { uid, mode } = await stat(dataFolder);
  if (uid !== user) {
    throw new DatabaseError(`The data folder ${dataFolder} belongs to another user. Use another one.`);
  }
  const isOurs = (await readdir(dataFolder)).every((name) => name === 'uploads' || name.startsWith('service.'));
  if (isOurs) {
    await chmod(dataFolder, 0o700);
  } else if ((mode & 0o022) !== 0) {
    throw new DatabaseError(
      `Other users can write to the data folder ${dataFolder}. Run chmod go-w on it, or use another one.`,
    );
  }
}

async function serve(
  options: ServiceOptions,
  database: Database,
  create: CreateService,
  { end, closeAtEnd }: Ending,
): Promise<void> {
  const apiKey = await chooseKey(options.dataFolder);
  const service = create(database, { ...options, apiKey, onError: logError, onStop: () => end(true) });
  if (database.warning !== undefined) console.error(database.warning);
  for (const problem of await service.repositories.update(options)) console.error(problem);
  const server = await listen(service.app, options.port);
  const write = (content: Parameters<typeof writeServiceFile>[1]): void => {
    try {
      writeServiceFile(options.dataFolder, content);
    } catch (error) {
      throw explainFileError(error, path.join(options.dataFolder, serviceFileName));
    }
  };
  closeAtEnd(async (stopped) => {
    try {
      // Remove the address first, because another process may soon get the port or the process id.
      write({ apiKey, ...(stopped && { stopped }) });
    } finally {
      await server.close();
      await service.stop();
      database.close();
    }
  });
  write({ url: server.url, apiKey, pid: process.pid });
  service.start();
  printAddress({ url: server.url, apiKey });
}

/**
 * Returns the key from the environment, else the one in the data folder, else a new one.
 * @throws {UsageError} no request could carry the given key
 */
async function chooseKey(dataFolder: string): Promise<string> {
  const given = process.env['DEPLOYMENT_MANAGER_API_KEY'] ?? '';
  if (isServiceKey(given)) return given;
  if (given !== '') throw new UsageError('DEPLOYMENT_MANAGER_API_KEY must have 1 to 500 visible ASCII characters.');
  const known = await readServiceFile(dataFolder);
  return known?.apiKey ?? randomBytes(32).toString('base64url');
}

/** Prints the only line of standard output, for the process that started the service. */
function printAddress({ url, apiKey }: { url: string; apiKey: string }): void {
  console.log(JSON.stringify({ url, apiKey }));
}

interface Ending {
  /** Ends the process, once. */
  readonly end: (stopped: boolean) => void;
  /** Sets the cleanup to run before the process ends. It learns whether a user stopped the service. */
  readonly closeAtEnd: (close: (stopped: boolean) => Promise<void>) => void;
}

/**
 * Ends the process on a signal, or when the window that started it is gone.
 * Call it first: the window can close during the start, and that is reported only once.
 */
function endWhenAsked(): Ending {
  let asked = false;
  let close = async (_stopped: boolean): Promise<void> => {};
  const end = (stopped: boolean): void => {
    if (asked) return;
    asked = true;
    close(stopped).then(
      () => process.exit(0),
      (error: unknown) => {
        logError(error);
        process.exit(exitCodes.failed);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(false));
  process.on('SIGTERM', () => end(true));
  process.on('disconnect', () => end(false));
  // Don't let the channel keep a start alive that found a running service and has nothing more to do.
  process.channel?.unref();
  const closeAtEnd: Ending['closeAtEnd'] = (next) => {
    close = next;
  };
  return { end, closeAtEnd };
}

function logError(error: unknown): void {
  const isExplained = error instanceof DatabaseError || !(error instanceof Error);
  console.error(isExplained ? messageOf(error) : (error.stack ?? error.message));
}

function explainAndExit(error: unknown): never {
  console.error(messageOf(error));
  if (error instanceof UsageError) console.error(`Usage: ${usage}`);
  if (error instanceof DatabaseError && process.channel === undefined) {
    // A window that started the service has a setting instead.
    console.error('The option --data names another data folder.');
  }
  process.exit(exitCodeOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof SqliteMissingError) return exitCodes.sqliteMissing;
  return error instanceof DatabaseError ? exitCodes.database : exitCodes.failed;
}
