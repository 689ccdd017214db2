/** Makes a ustar archive in memory, so tests need no tar program. */
export function tarOf(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => tarEntry(name, Buffer.from(content), '0'));
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}

/** One entry: its header and its content, filled up to whole blocks of 512 bytes. */
export function tarEntry(name: string, content: Buffer, type: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  writeSum(header);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** Makes the sum of a header right again after a change. */
export function writeSum(header: Buffer): void {
  header.write('        ', 148);
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}
