import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimEnding } from '../../../../src/state/following/toldEndings.ts';

const ending = {
  service: 'https://example.com',
  deploymentId: 'd1',
  revisionId: 'r1',
  outcome: 'ended',
  status: 'DEPLOYED',
};
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'told-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('the end of a follow', () => {
  it('is told by one of several windows', async () => {
    const below = path.join(folder, 'told');
    const claims = await Promise.all([1, 2, 3].map(() => claimEnding(below, ending)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimEnding(below, ending)).toBe(false);
  });

  it.each([
    { service: 'https://example.org' },
    { deploymentId: 'd2' },
    { revisionId: 'r2' },
    { outcome: 'gaveUp' },
    { status: 'BUILD_FAILED' },
  ])('is another one with %j', async (change) => {
    expect(await claimEnding(folder, ending)).toBe(true);
    expect(await claimEnding(folder, { ...ending, ...change })).toBe(true);
  });

  it('is told if the folder is of no use', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    expect(await claimEnding(path.join(file, 'told'), ending)).toBe(true);
  });

  it('leaves a bounded number of files without any word in them, and forgets the oldest', async () => {
    await claimEnding(folder, ending);
    const [name = ''] = await readdir(folder);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    await utimes(path.join(folder, name), 1, 1);
    for (let count = 0; count < 499; count += 1) await writeFile(path.join(folder, `other${count}`), '');
    expect(await claimEnding(folder, { ...ending, revisionId: 'r2' })).toBe(true);
    expect(await readdir(folder)).toHaveLength(500);
    expect(await claimEnding(folder, ending)).toBe(true);
  });
});
