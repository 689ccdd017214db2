import { constants, createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker, type TarPackController } from 'modern-tar';
import type { PackedFile } from './folderContents.ts';

/** Two archives of the same files are equal: nothing depends on the machine or the time. */
const sameForAll = { type: 'file', mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' } as const;

/** In bytes. */
const pieceSize = 256 * 1024;
const compression = { level: 6, chunkSize: pieceSize };

/** Files that are opened and read ahead, because each takes several trips to the disk. */
const readAhead = 16;

/** A file changed after the folder was read. */
export class ChangedFileError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} changed`);
    this.path = path;
  }
}

/** An archive became larger than it may be. */
export class LargeArchiveError extends Error {}

interface ArchiveOptions {
  /** The most bytes that the archive may have. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
  /** Reports how many files are in the archive so far. */
  readonly onProgress?: (files: number) => void;
}

/**
 * Writes files as a gzip-compressed tar archive, readable only for the user, and returns its size in bytes.
 * The archive of the same files is always the same. What is written before a failure stays.
 * @throws {ChangedFileError} a file isn't what it was when it was listed
 * @throws {LargeArchiveError} the archive has more bytes than the limit
 */
export async function writeArchive(
  files: readonly PackedFile[],
  target: string,
  { limit, signal, onProgress }: ArchiveOptions,
): Promise<number> {
  const { readable, controller } = createTarPacker();
  let size = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      done(size > limit ? new LargeArchiveError() : null, piece);
    },
  });
  const written = pipeline(
    () => inLargePieces(readable),
    createGzip(compression),
    counted,
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    { signal },
  );
  const [packing, writing] = await Promise.allSettled([pack(files, controller, onProgress), written]);
  if (writing.status === 'rejected') throw writing.reason;
  if (packing.status === 'rejected') throw packing.reason;
  return size;
}

/** Joins the pieces of a stream, because compressing each small one takes a trip to another thread. */
async function* inLargePieces(readable: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readable) {
    pieces.push(piece);
    length += piece.length;
    if (length < pieceSize) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    length = 0;
  }
  yield Buffer.concat(pieces);
}

/** Packs files one after the other. A failure ends the archive. */
async function pack(
  files: readonly PackedFile[],
  controller: TarPackController,
  onProgress: ArchiveOptions['onProgress'],
): Promise<void> {
  const ahead: Promise<OpenFile>[] = [];
  try {
    for (const [index, file] of files.entries()) {
      for (const next of files.slice(index + ahead.length, index + readAhead))
        ahead.push(withoutWarning(openFile(next)));
      const opened = await ahead.shift();
      if (opened !== undefined) await packFile(file, opened, controller);
      onProgress?.(index + 1);
    }
    controller.finalize();
  } catch (error) {
    controller.error(error);
    throw error;
  } finally {
    for (const opened of await Promise.allSettled(ahead)) {
      if (opened.status === 'fulfilled') await opened.value.handle?.close();
    }
  }
}

/** A promise that is awaited later, whose failure counts as handled until then. */
function withoutWarning<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function packFile(file: PackedFile, { first, handle }: OpenFile, controller: TarPackController): Promise<void> {
  const { path: name, size, isExecutable } = file;
  try {
    const entry = controller.add({ ...sameForAll, name, size, mode: isExecutable ? 0o755 : 0o644 }).getWriter();
    if (first.length > 0) await entry.write(first);
    if (handle !== undefined) {
      for (let left = size - first.length; left > 0;) {
        const piece = await readPiece(file, handle, left);
        await entry.write(piece);
        left -= piece.length;
      }
    }
    await entry.close();
  } finally {
    await handle?.close();
  }
}

/** The beginning of a file, and its handle while there is more to read. */
interface OpenFile {
  readonly first: Buffer<ArrayBuffer>;
  readonly handle: FileHandle | undefined;
}

async function openFile(file: PackedFile): Promise<OpenFile> {
  // What became a link or a pipe since it was listed is neither followed nor waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file.source, flags).catch(() => {
    throw new ChangedFileError(file.path);
  });
  let isOpen = false;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size !== file.size) throw new ChangedFileError(file.path);
    const first = file.size === 0 ? Buffer.alloc(0) : await readPiece(file, handle, file.size);
    isOpen = first.length < file.size;
    return { first, handle: isOpen ? handle : undefined };
  } finally {
    if (!isOpen) await handle.close();
  }
}

async function readPiece(file: PackedFile, handle: FileHandle, left: number): Promise<Buffer<ArrayBuffer>> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(left, pieceSize)), { position: null });
  if (bytesRead === 0) throw new ChangedFileError(file.path);
  return buffer.subarray(0, bytesRead);
}
