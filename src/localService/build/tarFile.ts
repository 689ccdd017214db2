export interface TarEntry {
  /** Without a leading `./`. */
  readonly path: string;
  readonly content: Buffer;
}

const blockSize = 512;

/**
 * Reads the regular files of a tar archive (ustar, with pax or GNU long names).
 * @throws {RangeError} the bytes aren't a tar archive or are cut off
 */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  for (let position = 0; position + blockSize <= archive.length;) {
    const header = archive.subarray(position, position + blockSize);
    // An empty block ends the archive.
    if (header.every((byte) => byte === 0)) break;
    checkHeader(header);
    const size = octal(header, 124, 12);
    const content = archive.subarray(position + blockSize, position + blockSize + size);
    if (content.length < size) throw new RangeError('The archive is cut off.');
    position += blockSize + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') longName = paxPath(content.toString()) ?? longName;
    else if (type === 'L') longName = text(content, 0, size);
    else {
      if (type === '0' || type === '\0') entries.push({ path: normalised(longName ?? entryName(header)), content });
      longName = undefined;
    }
  }
  return entries;
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
  return bytes.toString('utf8', start, start + length).replace(/\0.*$/s, '');
}

function normalised(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
