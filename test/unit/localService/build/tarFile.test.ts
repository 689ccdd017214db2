import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../../src/localService/build/tarFile.ts';
import { tarEntry, tarOf, writeSum } from '../../../support/tar.ts';

const end = Buffer.alloc(1024);

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
  it('returns its files with their contents', () => {
    const files = readTar(tarOf({ './graph.json': '{}', 'src/agent.py': 'x'.repeat(1000), empty: '' }));
    expect(files.map(({ path, content }) => [path, content.toString()])).toEqual([
      ['graph.json', '{}'],
      ['src/agent.py', 'x'.repeat(1000)],
      ['empty', ''],
    ]);
  });

  it.each([
    ['of the oldest kind', entryWith(magicAt, '\0'.repeat(8), '\0'), 'file'],
    ['with a name in two parts', entryWith(prefixAt, 'some/folder'), 'some/folder/file'],
    ['without a second part of the name', entryWith(magicAt, `${'\0'.repeat(88)}rest`), 'file'],
    ['with blanks around its size', entryWith(sizeAt, '        4 \0 '), 'file'],
    ['with more than one ./ before its name', entryWith(0, '././a./b'), 'a./b'],
  ])('returns a file %s', (_, entry, name) => {
    expect(readTar(entry).map(({ path, content }) => [path, content.toString()])).toEqual([[name, 'text']]);
  });

  it('returns an empty file, also at the very end', () => {
    expect(readTar(tarEntry('empty', Buffer.alloc(0), '0'))).toEqual([{ path: 'empty', content: Buffer.alloc(0) }]);
    const blank = tarEntry('empty', Buffer.alloc(0), '0');
    blank.write('\0'.repeat(12), sizeAt);
    writeSum(blank);
    expect(readTar(blank)).toHaveLength(1);
  });

  it('ends if less than a block is left', () => {
    expect(readTar(Buffer.concat([tarEntry('file', Buffer.from('a'), '0'), Buffer.alloc(100, 'x')]))).toHaveLength(1);
  });

  it('returns no folders and links', () => {
    const archive = Buffer.concat([
      tarEntry('folder/', Buffer.alloc(0), '5'),
      tarEntry('link', Buffer.alloc(0), '2'),
      tarEntry('file', Buffer.from('a'), '0'),
      end,
    ]);
    expect(readTar(archive).map(({ path }) => path)).toEqual(['file']);
  });

  it('returns long names in pax and GNU format', () => {
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
    expect(readTar(archive).map(({ path }) => path)).toEqual([long, `${long}.gnu`, 'plain']);
  });

  it('keeps the name of a file whose pax header has none', () => {
    const pax = Buffer.from('20 mtime=1700000000\n25 comment=1 path=other\n');
    const archive = Buffer.concat([tarEntry('PaxHeader', pax, 'x'), tarEntry('file', Buffer.from('1'), '0'), end]);
    expect(readTar(archive).map(({ path }) => path)).toEqual(['file']);
  });

  it.each([
    ['with a changed byte', tarOf({ file: 'a' }).fill('F', 0, 1)],
    ['with a size that is no number', entryWith(sizeAt, '0000000000z')],
    ['with a size that begins otherwise', entryWith(sizeAt, '-0000000004')],
  ])('is rejected %s', (_, archive) => {
    expect(() => readTar(archive)).toThrow(new RangeError('Not a tar archive.'));
  });

  it('is rejected if it is cut off or not an archive', () => {
    expect(() => readTar(tarOf({ file: 'x'.repeat(600) }).subarray(0, 1000))).toThrow('cut off');
    expect(() => readTar(Buffer.alloc(2048, 'x'))).toThrow('Not a tar archive.');
  });

  it('returns files or is rejected for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 2048 }), fc.nat(511), (bytes, at) => {
        const archive = tarOf({ a: 'content', b: '' });
        archive.set(bytes.subarray(0, archive.length - at), at);
        try {
          readTar(archive);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
