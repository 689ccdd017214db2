import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTar } from '../../../src/localService/build/tarFile.ts';
import { tarEntry, tarOf } from '../../support/tar.ts';

const end = Buffer.alloc(1024);

describe('a tar archive', () => {
  test('gives its files with their contents', () => {
    const files = readTar(tarOf({ './graph.json': '{}', 'src/agent.py': 'x'.repeat(1000), empty: '' }));
    expect(files.map(({ path, content }) => [path, content.toString()])).toEqual([
      ['graph.json', '{}'],
      ['src/agent.py', 'x'.repeat(1000)],
      ['empty', ''],
    ]);
  });

  test('gives no folders and links', () => {
    const archive = Buffer.concat([
      tarEntry('folder/', Buffer.alloc(0), '5'),
      tarEntry('link', Buffer.alloc(0), '2'),
      tarEntry('file', Buffer.from('a'), '0'),
      end,
    ]);
    expect(readTar(archive).map(({ path }) => path)).toEqual(['file']);
  });

  test('gives long names of the pax and the GNU format', () => {
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

  test('that is cut off or no archive at all is refused', () => {
    expect(() => readTar(tarOf({ file: 'x'.repeat(600) }).subarray(0, 1000))).toThrow('cut off');
    expect(() => readTar(Buffer.alloc(2048, 'x'))).toThrow('no tar archive');
  });

  test('of any bytes either gives files or is refused', () => {
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
