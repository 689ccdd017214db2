import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

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
 * A file of more bytes than `largest` loses its older half.
 */
export function activityFile(file: string, largest = 256 * 1024): ActivityFile {
  return {
    read: async () => readText(file, largest),
    append: async (line) => {
      await mkdir(path.dirname(file), { recursive: true });
      await appendTo(file, `${line}\n`);
      if ((await stat(file)).size > largest) await compact(file, largest);
    },
    remove: async () => rm(file, { force: true }),
  };
}

async function readText(file: string, largest: number): Promise<string> {
  try {
    // A file that something else made huge is read up to a bound.
    return (await readFrom(file, 0, 2 * largest)).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

async function appendTo(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.appendFile(text);
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
  const { size, mtimeMs } = await stat(file);
  const opened = await open(next, 'wx', 0o600).catch(() => undefined);
  if (opened === undefined) {
    // A window may have ended in the middle; the next line tries again.
    if (mtimeMs - (await stat(next)).mtimeMs > leftMilliseconds) await rm(next, { force: true });
    return;
  }
  try {
    await opened.appendFile(newerLines(await readFrom(file, size - largest / 2, Infinity)));
  } finally {
    await opened.close();
  }
  await rename(next, file);
}

/** How much older than the file its replacement is if nobody is writing it any more. */
const leftMilliseconds = 60_000;

/** Reads a part of a file. */
async function readFrom(file: string, start: number, end: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.max(0, Math.min(size, end) - start);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The text from the first whole line on. */
function newerLines(text: Buffer): Buffer {
  return text.subarray(text.indexOf('\n') + 1);
}
