import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  /** The real path, without symbolic links, so it compares equal to what git and VS Code report. */
  readonly path: string;
  /** Removes the folder with everything in it; a second call does nothing. */
  remove(): Promise<void>;
}

/**
 * Makes an empty folder of its own among the system's temporary files.
 * Use it as `await using folder = await temporaryFolder()`, or call `remove` in an `afterEach`.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  // Short, because VS Code puts sockets below it, and the path of a socket has little room.
  const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'dm-'));
  // Windows refuses to remove files for a moment after the process that had them open has ended.
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return { path: folder, remove, [Symbol.asyncDispose]: remove };
}
