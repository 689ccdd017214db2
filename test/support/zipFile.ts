import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP file of less than 4 GB, by their paths. */
export function filesOfZip(zip: Buffer): ReadonlyMap<string, () => Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, () => Buffer>();
  let place = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(place + offset));
    const [nameLength = 0] = lengths;
    const entry = place;
    files.set(zip.toString('utf8', place + 46, place + 46 + nameLength), () => contentOf(zip, entry));
    place += lengths.reduce((sum, length) => sum + length, 46);
  }
  return files;
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
  return zip.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed);
}
