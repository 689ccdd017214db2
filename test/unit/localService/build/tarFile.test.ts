import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../../src/localService/build/tarFile.ts';
import { tarEntry, tarOf, writeSum } from '../../../support/tar.ts';

const end = Buffer.alloc(1024);

/** Reads an archive that arrives in chunks of a size. */
async function read(archive: Buffer, wanted = '', size = archive.length) {
  const chunks = Array.from({ length: Math.ceil(archive.length / size) || 0 }, (_, index) =>
    archive.subarray(index * size, (index + 1) * size),
  );
  return readTar(Readable.from(chunks), { wanted, longest: 1000 });
}

const filesOf = async (archive: Buffer): Promise<string[]> => [...(await read(archive)).files];

const textOf = async (archive: Buffer, wanted: string): Promise<string | undefined> =>
  (await read(archive, wanted)).wanted?.toString();

/** A file of four bytes whose header has another text at a place. */
function entryWith(place: number, text: string, type = '0'): Buffer {
  const entry = tarEntry('file', Buffer.from('text'), type);
  entry.write(text, place);
  writeSum(entry);
  return entry;
}

const sizeAt = 124;
const magicAt = 257;
const prefixAt = 345;

describe('a tar archive', () => {
  it('has files, and the content of the wanted one', async () => {
    const archive = tarOf({ './graph.json': '{}', 'src/agent.py': 'x'.repeat(1000), empty: '' });
    expect(await filesOf(archive)).toEqual(['graph.json', 'src/agent.py', 'empty']);
    expect(await textOf(archive, 'graph.json')).toBe('{}');
    expect(await textOf(archive, 'src/agent.py')).toBe('x'.repeat(1000));
    expect(await textOf(archive, 'absent')).toBeUndefined();
  });

  it.each([1, 7, 512, 513, 100_000])('is the same in chunks of %i bytes', async (size) => {
    const archive = tarOf({ './graph.json': '{}', 'src/agent.py': 'x'.repeat(1000), empty: '' });
    expect(await read(archive, 'src/agent.py', size)).toEqual(await read(archive, 'src/agent.py'));
  });

  it('has only the start of a long wanted file', async () => {
    const archive = tarOf({ long: 'ab'.repeat(2000), next: '' });
    expect(await textOf(archive, 'long')).toBe('ab'.repeat(500));
    expect(await filesOf(archive)).toEqual(['long', 'next']);
  });

  it.each([
    ['of the oldest kind', entryWith(magicAt, '\0'.repeat(8), '\0'), 'file'],
    ['with a name in two parts', entryWith(prefixAt, 'some/folder'), 'some/folder/file'],
    ['without a second part of the name', entryWith(magicAt, `${'\0'.repeat(88)}rest`), 'file'],
    ['with blanks around its size', entryWith(sizeAt, '        4 \0 '), 'file'],
    ['with more than one ./ before its name', entryWith(0, '././a./b'), 'a./b'],
  ])('has a file %s', async (_, entry, name) => {
    expect(await filesOf(entry)).toEqual([name]);
    expect(await textOf(entry, name)).toBe('text');
  });

  it('has an empty file, also at the very end', async () => {
    expect(await textOf(tarEntry('empty', Buffer.alloc(0), '0'), 'empty')).toBe('');
    const blank = tarEntry('empty', Buffer.alloc(0), '0');
    blank.write('\0'.repeat(12), sizeAt);
    writeSum(blank);
    expect(await filesOf(blank)).toHaveLength(1);
  });

  it('ends if less than a block is left', async () => {
    const archive = Buffer.concat([tarEntry('file', Buffer.from('a'), '0'), Buffer.alloc(100, 'x')]);
    expect(await filesOf(archive)).toEqual(['file']);
  });

  it('is read to its end, also after its last block', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield tarOf({ file: '' });
      throw new Error('The checksum is wrong.');
    }
    await expect(readTar(failing(), { wanted: '', longest: 0 })).rejects.toThrow('The checksum is wrong.');
  });

  it('has no folders and links', async () => {
    const archive = Buffer.concat([
      tarEntry('folder/', Buffer.alloc(0), '5'),
      tarEntry('link', Buffer.alloc(0), '2'),
      tarEntry('file', Buffer.from('a'), '0'),
      end,
    ]);
    expect(await filesOf(archive)).toEqual(['file']);
  });

  it('has long names in pax and GNU format', async () => {
    const long = `${'folder/'.repeat(20)}file.json`;
    const record = ` path=${long}\n`;
    const pax = `${record.length + 3}${record}`;
    const archive = Buffer.concat([
      tarEntry('PaxHeader', Buffer.from(pax), 'x'),
      tarEntry('short', Buffer.from('1'), '0'),
      tarEntry('././@LongLink', Buffer.from(`${long}.gnu\0`), 'L'),
      tarEntry('short', Buffer.from('2'), '0'),
      tarEntry('plain', Buffer.from('3'), '0'),
      end,
    ]);
    expect(await filesOf(archive)).toEqual([long, `${long}.gnu`, 'plain']);
  });

  it('keeps the name of a file whose pax header has none', async () => {
    const pax = Buffer.from('20 mtime=1700000000\n25 comment=1 path=other\n');
    const archive = Buffer.concat([tarEntry('PaxHeader', pax, 'x'), tarEntry('file', Buffer.from('1'), '0'), end]);
    expect(await filesOf(archive)).toEqual(['file']);
  });

  it.each([
    ['with a changed byte', tarOf({ file: 'a' }).fill('F', 0, 1)],
    ['with a size that is no number', entryWith(sizeAt, '0000000000z')],
    ['with a size that begins otherwise', entryWith(sizeAt, '-0000000004')],
  ])('is rejected %s', async (_, archive) => {
    await expect(read(archive)).rejects.toThrow(new RangeError('Not a tar archive.'));
  });

  it('is rejected if it is cut off, not an archive, or has a name without an end', async () => {
    await expect(read(tarOf({ file: 'x'.repeat(600) }).subarray(0, 1000))).rejects.toThrow('cut off');
    await expect(read(Buffer.alloc(2048, 'x'))).rejects.toThrow('Not a tar archive.');
    const name = tarEntry('PaxHeader', Buffer.alloc(100_000, 'x'), 'x');
    await expect(read(name)).rejects.toThrow('a name that is too long');
  });

  it('has files or is rejected for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 2048 }), fc.nat(511), async (bytes, at) => {
        const archive = tarOf({ a: 'content', b: '' });
        archive.set(bytes.subarray(0, archive.length - at), at);
        try {
          await read(archive);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
