import { mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ChangedFileError,
  LargeArchiveError,
  writeArchive,
} from '../../../../../src/state/deploying/folder/archive.ts';
import type { PackedFile } from '../../../../../src/state/deploying/folder/folderContents.ts';

let base: string;
let count = 0;
const limit = 10_000_000;

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'archive-'));
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

const target = (): string => path.join(base, `${(count += 1)}.tar.gz`);

async function listed(files: Record<string, string>, executable: readonly string[] = []): Promise<PackedFile[]> {
  const folder = await mkdtemp(path.join(base, 'app-'));
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const source = path.join(folder, name);
      await mkdir(path.dirname(source), { recursive: true });
      await writeFile(source, text);
      return { path: name, source, size: Buffer.byteLength(text), isExecutable: executable.includes(name) };
    }),
  );
}

async function pack(files: readonly PackedFile[]): Promise<Buffer> {
  const file = target();
  const size = await writeArchive(files, file, { limit });
  const bytes = await readFile(file);
  expect(size).toBe(bytes.length);
  return bytes;
}

describe('an archive', () => {
  it('holds the files, however large they are and however long their names', async () => {
    const long = `${'deep/'.repeat(60)}größe.py`;
    const files = { 'agent.py': 'print()', empty: '', [long]: 'x', 'large.bin': 'abc'.repeat(400_000) };
    const entries = await unpackTar(gunzipSync(await pack(await listed(files))), { strict: true });
    const texts = entries.map(({ header, data }) => [header.name, new TextDecoder().decode(data)]);
    expect(Object.fromEntries(texts)).toEqual(files);
  });

  it('has the executable bit, and nothing of the machine, its user and its times', async () => {
    const tar = gunzipSync(await pack(await listed({ 'a.py': '', 'run.sh': '' }, ['run.sh'])));
    const fieldsOf = (start: number) => tar.subarray(start + 100, start + 148).toString();
    const nobody = '0000000\0'.repeat(2);
    expect(fieldsOf(0)).toBe(`0000644\0${nobody}00000000000\0${'0'.repeat(11)}\0`);
    expect(fieldsOf(512)).toBe(`0000755\0${nobody}00000000000\0${'0'.repeat(11)}\0`);
  });

  it('is the same for the same files, also in another folder and at another time', async () => {
    const files = { 'a.py': 'one', 'b/c.py': 'x'.repeat(600_000) };
    const [first, second] = [await listed(files), await listed(files)];
    for (const { source } of second) await utimes(source, 1, 1);
    expect((await pack(first)).equals(await pack(second))).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('can be read by nobody else', async () => {
    const file = target();
    await writeArchive(await listed({ 'a.py': '' }), file, { limit });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('reports its progress', async () => {
    const seen: number[] = [];
    const files = await listed({ a: '1', b: '2', c: '3' });
    await writeArchive(files, target(), { limit, onProgress: (count) => void seen.push(count) });
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('an archive fails', () => {
  it('above its limit', async () => {
    const random = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 89))).join(
      '',
    );
    const files = await listed({ a: random, b: random });
    await expect(writeArchive(files, target(), { limit: 100 })).rejects.toThrow(LargeArchiveError);
  });

  it.each([
    ['grew', async ({ source }: PackedFile) => writeFile(source, 'longer than before')],
    ['shrank', async ({ source }: PackedFile) => writeFile(source, '')],
    ['is gone', async ({ source }: PackedFile) => rm(source)],
    ['became a folder', async ({ source }: PackedFile) => rm(source).then(() => mkdir(source))],
  ])('if a file %s', async (_, change) => {
    const files = await listed(Object.fromEntries(Array.from({ length: 40 }, (__, index) => [`f${index}`, 'text'])));
    await change(files[20]!);
    const failure = await writeArchive(files, target(), { limit }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChangedFileError);
    expect(failure).toMatchObject({ path: 'f20' });
  });

  it.skipIf(process.platform === 'win32')('if a file became a link, which is not followed', async () => {
    const [file] = await listed({ a: 'text' });
    await rm(file!.source);
    await symlink('/etc/hostname', file!.source);
    await expect(writeArchive([file!], target(), { limit })).rejects.toThrow(ChangedFileError);
  });

  it('once it is canceled', async () => {
    const stop = new AbortController();
    const files = await listed({ a: 'x'.repeat(1_000_000), b: 'y'.repeat(1_000_000) });
    const written = writeArchive(files, target(), { limit, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(written).rejects.toThrow('aborted');
  });
});
