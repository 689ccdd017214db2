import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../api/errors.ts';

/** The file with the activity of this machine. Several windows append to it. */
export interface ActivityFile {
  /** The text of the file; empty if there is none. */
  read(): Promise<string>;
  /** Adds a line with one write, which the system doesn't mix with that of another window. */
  append(line: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Creates the access to the file at a path, which is created with its first line, for its owner only.
 * A file of more bytes than `largest` loses its older half. While that fails, it takes no line beyond twice its bound.
 */
export function activityFile(file: string, largest = 256 * 1024): ActivityFile {
  return {
    read: async () => readText(file, largest),
    append: async (line) => {
      await mkdir(path.dirname(file), { recursive: true });
      const { O_WRONLY, O_APPEND, O_CREAT } = constants;
      const size = await use(file, O_WRONLY | O_APPEND | O_CREAT, async (handle) => {
        if ((await handle.stat()).size <= 2 * largest) await handle.appendFile(`${line}\n`);
        return (await handle.stat()).size;
      });
      // The next line tries it again.
      if (size > largest) await compact(file, largest).catch(() => undefined);
    },
    remove: async () => rm(file, { recursive: true, force: true }),
  };
}

async function readText(file: string, largest: number): Promise<string> {
  try {
    // A file that something else made huge is read up to a bound.
    return (await readFrom(file, 0, 2 * largest)).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Opens a file, if it is one. Doesn't wait for the other end of a pipe. */
async function use<Result>(
  file: string,
  flags: number,
  work: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file, flags | constants.O_NONBLOCK, 0o600);
  try {
    if ((await handle.stat()).isFile()) return await work(handle);
    throw new Error(l10n.t("{0} isn't a file. Remove it.", file));
  } finally {
    await handle.close();
  }
}

/**
 * Replaces the file by its newer half. One window does this at a time.
 * A line that another window appends meanwhile is lost, because Windows can't rename an open file.
 */
async function compact(file: string, largest: number): Promise<void> {
  const next = `${file}.next`;
  const opened = await open(next, 'wx', 0o600).catch(() => undefined);
  if (opened === undefined) {
    const isLeft = (await stat(file)).mtimeMs - (await stat(next)).mtimeMs > leftMilliseconds;
    if (!isLeft) return;
    // A window ended in the middle.
    await rm(next, { recursive: true, force: true });
    return compact(file, largest);
  }
  try {
    // Another window may have replaced it since the line was appended.
    const { size } = await stat(file);
    await opened.appendFile(newerLines(await readFrom(file, Math.max(0, size - largest / 2), Infinity)));
  } finally {
    await opened.close();
  }
  await rename(next, file);
}

/** How much older than the file its replacement is if nobody is writing it any more. */
const leftMilliseconds = 60_000;

/** Reads a part of a file. */
async function readFrom(file: string, start: number, end: number): Promise<Buffer> {
  return use(file, constants.O_RDONLY, async (handle) => {
    const { size } = await handle.stat();
    const length = Math.max(0, Math.min(size, end) - start);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  });
}

/** The text from the first whole line on. */
function newerLines(text: Buffer): Buffer {
  return text.subarray(text.indexOf('\n') + 1);
}
