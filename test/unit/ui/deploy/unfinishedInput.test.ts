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

  it('has what was being typed, and whether the file is as it was then', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    const input = { index: 1, key: 'name', text: 'age' };
    await unfinished.keep(2, inputs);
    void unfinished.keepTyped(2, 'name: a', { ...input, text: 'ag' });
    void unfinished.keepTyped(2, 'name: a', input);
    await unfinished.written();
    const next = await UnfinishedInput.read(folder);
    expect(next.of(2)).toEqual(inputs);
    expect(next.typed(2, 'name: a')).toEqual({ input, isOfText: true });
    expect(next.typed(2, 'name: b')).toEqual({ input, isOfText: false });
    expect(next.typed(3, 'name: a')).toBeUndefined();
    await next.keep(2, []);
    expect(next.isEmpty).toBe(false);
    await next.forgetTyped();
    expect(next.isEmpty).toBe(true);
    await next.keepTyped(2, 'name: a', input);
    await next.forget();
    expect(next.typed(2, 'name: a')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays when something is typed before a new number of deployments is known', async () => {
    const unfinished = await UnfinishedInput.read(folder);
    await unfinished.keep(2, inputs);
    await unfinished.keepTyped(3, '', { key: 'name', text: 'age' });
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
