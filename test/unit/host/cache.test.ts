import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cached } from '../../host/cache.mts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('The cache of downloads', () => {
  it('is filled once and then used', async () => {
    await using cache = await temporaryFolder();
    let fills = 0;
    const fill = async (folder: string) => {
      fills += 1;
      await writeFile(path.join(folder, 'file'), 'text');
    };
    const folder = await cached('thing', fill, cache.path);
    expect(await cached('thing', fill, cache.path)).toBe(folder);
    expect(await readFile(path.join(folder, 'file'), 'utf8')).toBe('text');
    expect(fills).toBe(1);
  });

  it('keeps nothing of an attempt that failed', async () => {
    await using cache = await temporaryFolder();
    const failing = cached('thing', () => Promise.reject(new Error('no network')), cache.path);
    await expect(failing).rejects.toThrow('no network');
    expect(await readdir(cache.path)).toEqual([]);
  });

  it('shows a folder only when it is complete, and lets two fill it at once', async () => {
    await using cache = await temporaryFolder();
    const seen: boolean[] = [];
    let tellBothBegan = () => {};
    const bothBegan = new Promise<void>((resolve) => (tellBothBegan = resolve));
    const fill = async (folder: string) => {
      seen.push(existsSync(path.join(cache.path, 'thing')));
      if (seen.length === 2) tellBothBegan();
      await bothBegan;
      await writeFile(path.join(folder, 'file'), 'text');
    };
    const [first, second] = await Promise.all([cached('thing', fill, cache.path), cached('thing', fill, cache.path)]);
    expect(first).toBe(second);
    expect(seen).toEqual([false, false]);
    expect(await readdir(cache.path)).toEqual(['thing']);
  });

  it('removes what an attempt left behind that was killed long ago', async () => {
    await using cache = await temporaryFolder();
    for (const name of ['unfinished-old', 'unfinished-new']) await mkdir(path.join(cache.path, name));
    const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1_000);
    await utimes(path.join(cache.path, 'unfinished-old'), dayAgo, dayAgo);
    await cached('thing', async () => {}, cache.path);
    expect((await readdir(cache.path)).toSorted()).toEqual(['thing', 'unfinished-new']);
  });
});
