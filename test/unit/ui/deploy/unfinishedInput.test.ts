import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnfinishedInput } from '../../../../src/ui/deploy/unfinishedInput.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

const inputs = [{ index: 1, key: 'sidecars', text: '- name: [' }];

let temporary: TemporaryFolder;
let folder: string;

beforeEach(async () => {
  temporary = await temporaryFolder();
  folder = path.join(temporary.path, 'page');
});

afterEach(async () => temporary.remove());

describe('input that a file cannot have', () => {
  it('is there for the next page, until it is corrected', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    expect(unfinished.isEmpty).toBe(true);
    await unfinished.keep(2, inputs);
    const next = await UnfinishedInput.read(folder);
    expect(next.of(2)).toEqual(inputs);
    expect(next.isEmpty).toBe(false);
    await next.keep(2, []);
    expect((await UnfinishedInput.read(folder)).isEmpty).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is of none of the deployments once the file has more or fewer', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    await unfinished.keep(2, inputs);
    expect(unfinished.of(1)).toEqual([]);
    expect(unfinished.of(3)).toEqual([]);
  });

  it('stays with its deployment if others are added or removed after that', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    await unfinished.keep(2, inputs);
    await unfinished.recount(2, 3);
    expect(unfinished.of(3)).toEqual(inputs);
    // What is kept already for the new number counts.
    await unfinished.recount(2, 1);
    expect(unfinished.of(3)).toEqual(inputs);
    await unfinished.recount(3, 1);
    expect(unfinished.isEmpty).toBe(true);
  });

  it('has what was being typed, until that is in the file or the file has other deployments', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    const typed = { index: 1, key: 'name', text: 'age' };
    await unfinished.keepTyped(2, typed);
    await unfinished.keep(2, inputs);
    const next = await UnfinishedInput.read(folder);
    expect(next.isEmpty).toBe(false);
    expect(next.typed(2)).toEqual(typed);
    expect(next.of(2)).toEqual(inputs);
    await next.recount(2, 3);
    expect(next.typed(3)).toEqual(typed);
    await next.recount(3, 1);
    expect(next.isEmpty).toBe(true);
    await next.keepTyped(1, typed);
    expect(next.typed(2)).toBeUndefined();
    await next.keepTyped(1, undefined);
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('can be read only by its owner', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    await unfinished.keep(2, inputs);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = ''] = await readdir(folder);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });
});
