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

  it('has what was being typed once, and whether the file is as it was then', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    const input = { index: 1, key: 'name', text: 'age' };
    await unfinished.keep(2, inputs);
    await unfinished.keepTyped(2, 'name: a', { ...input, text: 'ag' });
    await unfinished.keepTyped(2, 'name: a', input);
    const [same, other] = [await UnfinishedInput.read(folder), await UnfinishedInput.read(folder)];
    expect(same.of(2)).toEqual(inputs);
    expect(await same.takeTyped(2, 'name: a')).toEqual({ input, isOfText: true });
    expect(await same.takeTyped(2, 'name: a')).toBeUndefined();
    expect(await other.takeTyped(2, 'name: b')).toEqual({ input, isOfText: false });
    expect((await UnfinishedInput.read(folder)).of(2)).toEqual(inputs);
  });

  it('has nothing that was being typed in a file with other deployments, and loses no input for it', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    const input = { key: 'name', text: 'age' };
    await unfinished.keepTyped(2, '', input);
    expect(unfinished.isEmpty).toBe(false);
    expect(await unfinished.takeTyped(3, '')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
    await unfinished.keep(2, inputs);
    await unfinished.keepTyped(3, '', input);
    await unfinished.recount(2, 3);
    expect(unfinished.of(3)).toEqual(inputs);
  });

  it.skipIf(process.platform === 'win32')('can be read only by its owner', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    await unfinished.keep(2, inputs);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = ''] = await readdir(folder);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });
});
