import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { readServiceFile } from '../api/localService.ts';
import { parseCommandLine, usage, UsageError } from './process/commandLine.ts';
import type { ServiceOptions } from './process/commandLine.ts';
import { takeFolders } from './process/folders.ts';
import { joinLiveService, writeServiceFile } from './process/liveService.ts';
import { listen } from './process/server.ts';
import { createService } from './service.ts';
import { DatabaseError, DatabaseInUseError, loadSqlite, openDatabase, SqliteMissingError } from './store/database.ts';
import type { Database, Sqlite } from './store/database.ts';

/** Distinct exit codes tell whoever started the service what to do about it. */
const exitCodes = { failed: 1, usage: 2, sqliteMissing: 3, database: 4 } as const;

/** How long a start waits for the service that has the data folder to answer or to end, in milliseconds. */
const patience = 5000;

async function main(): Promise<void> {
  const closeAtEnd = endWhenAsked();
  const options = parseCommandLine(process.argv.slice(2));
  const sqlite = await loadSqlite();
  // After a busy minute V8 would keep 70 MB for young objects, of which this service uses a few at any moment.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Everything that is written here belongs to one person.
  process.umask(0o077);
  await makeDataFolder(options.dataFolder);
  await closeToOthers(options.dataFolder);
  const deadline = performance.now() + patience;
  do {
    const database = openUnlessInUse(sqlite, options.dataFolder);
    if (database !== undefined) return serve(options, database, closeAtEnd);
    const live = await joinLiveService(options);
    if (live !== undefined) return printAddress(live);
    // The service that has the folder is starting or ending; soon it answers or the folder is free.
    await wait(50);
  } while (performance.now() < deadline);
  throw new Error(
    `${options.dataFolder} is in use by a process that does not answer. End it, or use another data folder.`,
  );
}

async function makeDataFolder(dataFolder: string): Promise<void> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`The data folder cannot be made. Use another one (--data). ${reason}`, { cause: error });
  }
}

/**
 * Closes the data folder to other users, who could put a key and an address of their own there. A folder that also
 * holds something else keeps its mode: `--data` can name any folder, and only the service's files are its own.
 * @throws {DatabaseError} the folder belongs to another user, or holds something else and others can write to it
 */
async function closeToOthers(dataFolder: string): Promise<void> {
  const user = process.getuid?.();
  // Windows: a folder inherits its permissions, and below the profile those are its owner's.
  if (user === undefined) return;
  const { uid, mode } = await stat(dataFolder);
  if (uid !== user) {
    throw new DatabaseError(`The data folder ${dataFolder} belongs to another user. Use another one (--data).`);
  }
  const isOurs = (await readdir(dataFolder)).every((name) => name.startsWith('service.'));
  if (isOurs) {
    await chmod(dataFolder, 0o700);
  } else if ((mode & 0o022) !== 0) {
    throw new DatabaseError(
      `Other users can write to the data folder ${dataFolder}. Run chmod go-w on it, or use another one (--data).`,
    );
  }
}

/** One service serves a data folder: undefined when another process has it. */
function openUnlessInUse(sqlite: Sqlite, dataFolder: string): Database | undefined {
  const file = path.join(dataFolder, 'service.sqlite');
  try {
    return openDatabase(sqlite, file);
  } catch (error) {
    if (error instanceof DatabaseInUseError) return undefined;
    throw error;
  }
}

async function serve(options: ServiceOptions, database: Database, closeAtEnd: CloseAtEnd): Promise<void> {
  const apiKey = await chooseKey(options.dataFolder);
  const service = createService(database, { ...options, apiKey, onError: logError });
  for (const problem of await takeFolders(service.repositories, options)) console.error(problem);
  const server = await listen(service.app, options.port);
  closeAtEnd(async () => {
    try {
      // First, because another process may soon have the port or the id.
      writeServiceFile(options.dataFolder, { apiKey });
    } finally {
      await server.close();
      await service.stop();
      database.close();
    }
  });
  writeServiceFile(options.dataFolder, { url: server.url, apiKey, pid: process.pid });
  service.start();
  printAddress({ url: server.url, apiKey });
}

/** The key of the environment, else the one that the data folder already has, else a new one. */
async function chooseKey(dataFolder: string): Promise<string> {
  const given = process.env['DEPLOYMENT_MANAGER_API_KEY'] ?? '';
  if (given !== '') return given;
  const known = await readServiceFile(dataFolder);
  return known?.apiKey ?? randomBytes(32).toString('base64url');
}

/** The one line of standard output, for the process that started the service. */
function printAddress({ url, apiKey }: { url: string; apiKey: string }): void {
  console.log(JSON.stringify({ url, apiKey }));
}

/** Says what has to be closed before the process ends. */
type CloseAtEnd = (close: () => Promise<void>) => void;

/**
 * Ends the process once, when it is told to or when the window that started it is gone. Called before anything else,
 * because that window can close during the start, and nothing tells of it a second time.
 */
function endWhenAsked(): CloseAtEnd {
  let asked = false;
  let close = async (): Promise<void> => {};
  const end = (): void => {
    if (asked) return;
    asked = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logError(error);
        process.exit(exitCodes.failed);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  process.on('disconnect', end);
  // A start that finds a running service has nothing more to do; listening to the channel must not keep it alive.
  process.channel?.unref();
  return (next) => {
    close = next;
  };
}

function logError(error: unknown): void {
  console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function explainAndExit(error: unknown): never {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nUsage: ${usage}`);
    process.exit(exitCodes.usage);
  }
  const known = [
    [SqliteMissingError, exitCodes.sqliteMissing],
    [DatabaseError, exitCodes.database],
  ] as const;
  const match = known.find(([type]) => error instanceof type);
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(match?.[1] ?? exitCodes.failed);
}

void main().catch(explainAndExit);
