/** What an archive contains. Paths are without a leading `./`. */
export interface TarContent {
  /** The regular files. */
  readonly files: ReadonlySet<string>;
  /** The start of the wanted file; undefined if there is none. */
  readonly wanted: Buffer | undefined;
}

interface TarOptions {
  /** The path of the file whose content is needed. */
  readonly wanted: string;
  /** How much of it to keep, in bytes. */
  readonly longest: number;
}

const blockSize = 512;

/** A longer name is no name. */
const longestName = 64 * 1024;

/** The most files to remember. */
const mostFiles = 200_000;

/**
 * Lists the regular files of a tar archive (ustar, with pax or GNU long names) while its bytes arrive.
 * @throws {RangeError} the bytes aren't a tar archive, are cut off, or have too many files
 */
export async function readTar(chunks: AsyncIterable<Uint8Array>, { wanted, longest }: TarOptions): Promise<TarContent> {
  const bytes = new ByteReader(chunks);
  const files = new Set<string>();
  let found: Buffer | undefined;
  let longName: string | undefined;
  for (;;) {
    const header = await bytes.read(blockSize);
    // An empty block ends the archive, as does less than a block.
    if (!header.isWhole || header.kept.every((byte) => byte === 0)) break;
    checkHeader(header.kept);
    const size = octal(header.kept, 124, 12);
    const type = String.fromCharCode(header.kept[156] ?? 0);
    const isName = type === 'x' || type === 'L';
    if (isName && size > longestName) throw new RangeError('The archive has a name that is too long.');
    const isFile = type === '0' || type === '\0';
    const path = isFile ? normalised(longName ?? entryName(header.kept)) : '';
    const content = await bytes.read(size, isName ? size : isFile && path === wanted ? longest : 0);
    if (!content.isWhole) throw new RangeError('The archive is cut off.');
    await bytes.read(-size & (blockSize - 1), 0);
    if (type === 'x') longName = paxPath(content.kept.toString()) ?? longName;
    else if (type === 'L') longName = text(content.kept, 0, size);
    else {
      if (isFile) files.add(path);
      if (isFile && path === wanted) found = content.kept;
      if (files.size > mostFiles) throw new RangeError('The archive has too many files.');
      longName = undefined;
    }
  }
  // What compressed the archive checks its bytes at their end.
  await bytes.read(Infinity, 0);
  return { files, wanted: found };
}

/** Reads chunks of any size in pieces of a given size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads bytes and keeps the first of them, all unless told otherwise. `isWhole` is false if the chunks ended. */
  async read(length: number, keep = length): Promise<{ readonly kept: Buffer; readonly isWhole: boolean }> {
    const kept: Uint8Array[] = [];
    let [missing, wanted] = [length, keep];
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) break;
        this.#rest = next.value;
        continue;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      if (wanted > 0) kept.push(part.subarray(0, wanted));
      wanted -= part.length;
    }
    return { kept: Buffer.concat(kept), isWhole: missing === 0 };
  }
}

/** Verifies a header's checksum, to reject bytes that aren't tar. The sum counts its own field as blanks. */
function checkHeader(header: Buffer): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw new RangeError('Not a tar archive.');
}

function entryName(header: Buffer): string {
  const name = text(header, 0, 100);
  const prefix = text(header, 257, 6).startsWith('ustar') ? text(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Reads the path from a pax header, which consists of lines such as `LENGTH path=VALUE`. */
function paxPath(content: string): string | undefined {
  return /^\d+ path=(.+)$/m.exec(content)?.[1];
}

function octal(bytes: Buffer, start: number, length: number): number {
  const digits = text(bytes, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new RangeError('Not a tar archive.');
  return Number.parseInt(digits === '' ? '0' : digits, 8);
}

function text(bytes: Buffer, start: number, length: number): string {
  return bytes.toString('utf8', start, start + length).replace(/\0.*/s, '');
}

function normalised(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
