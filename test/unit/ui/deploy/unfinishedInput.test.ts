import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnfinishedInput } from '../../../../src/ui/deploy/unfinishedInput.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

const inputs = [{ number: 1, key: 'sidecars', text: '- name: [' }];
const named = (...names: readonly string[]) => names.map((name) => ({ name, connection: '' }));

let temporary: TemporaryFolder;
let folder: string;

beforeEach(async () => {
  temporary = await temporaryFolder();
  folder = path.join(temporary.path, 'page');
});

afterEach(async () => temporary.remove());

async function readFor(...names: readonly string[]): Promise<UnfinishedInput> {
  const unfinished = await UnfinishedInput.read(folder);
  unfinished.numbers.follow(named(...names));
  return unfinished;
}

describe('input that a file cannot have', () => {
  it('is there for the next page, until it is corrected', async () => {
    const unfinished = await readFor('a', 'b');
    expect(unfinished.isEmpty).toBe(true);
    await unfinished.keep(inputs);
    const next = await readFor('a', 'b');
    expect(next.inputs).toEqual(inputs);
    expect(next.isEmpty).toBe(false);
    await next.keep([]);
    expect((await UnfinishedInput.read(folder)).isEmpty).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays with its deployment wherever that goes in the file, also while that is gone or no page is open', async () => {
    const unfinished = await readFor('a', 'b');
    const typed = { number: 1, key: 'name', text: 'bee' };
    const all = [...inputs, { key: 'ref', text: '..' }];
    await unfinished.keep(all);
    await unfinished.keepTyped('', typed);
    unfinished.numbers.follow(named('first', 'a', 'b', 'c'));
    await unfinished.keepNumbers();
    const next = await readFor('b', 'first', 'c');
    expect(next.inputs).toEqual(all);
    expect(next.numbers.present.indexOf(1)).toBe(0);
    expect(next.typed('')?.input).toEqual(typed);
    next.numbers.follow(named('first', 'c'));
    await next.keepNumbers();
    const last = await readFor('first', 'c', 'b');
    expect(last.inputs).toEqual(all);
    expect(last.numbers.present.indexOf(1)).toBe(2);
  });

  it('of a deployment that the file never had is not kept', async () => {
    const unfinished = await readFor('a', 'b');
    await unfinished.keep([...inputs, { number: 7, key: 'ref', text: '..' }]);
    expect(unfinished.inputs).toEqual(inputs);
    unfinished.numbers.renew();
    await unfinished.keep(inputs);
    expect(unfinished.isEmpty).toBe(true);
  });

  it('has one text for a field', async () => {
    const unfinished = await readFor('a', 'b');
    await unfinished.keep(inputs);
    await unfinished.add({ number: 1, key: 'sidecars', text: '{' });
    await unfinished.add({ number: 0, key: 'sidecars', text: '[' });
    expect(unfinished.inputs.map(({ text }) => text)).toEqual(['{', '[']);
  });

  it('goes to another file with its deployments', async () => {
    const unfinished = await readFor('a', 'b');
    await unfinished.keep(inputs);
    await unfinished.copyTo(path.join(temporary.path, 'saved'));
    const saved = await UnfinishedInput.read(path.join(temporary.path, 'saved'));
    saved.numbers.follow(named('b', 'a'));
    expect(saved.inputs).toEqual(inputs);
    expect(saved.numbers.present).toEqual([1, 0]);
  });

  it('has what was being typed, and whether the file is as it was then', async () => {
    const unfinished = await readFor('a', 'b');
    const input = { number: 1, key: 'name', text: 'age' };
    await unfinished.keep(inputs);
    void unfinished.keepTyped('name: a', { ...input, text: 'ag' });
    void unfinished.keepTyped('name: a', input);
    await unfinished.written();
    const next = await UnfinishedInput.read(folder);
    expect(next.inputs).toEqual(inputs);
    expect(next.typed('name: a')).toEqual({ input, isOfText: true });
    expect(next.typed('name: b')).toEqual({ input, isOfText: false });
    await next.keep([]);
    expect(next.isEmpty).toBe(false);
    await next.forgetTyped();
    expect(next.isEmpty).toBe(true);
    await next.keepTyped('name: a', input);
    await next.forget();
    expect(next.typed('name: a')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('can be read only by its owner', async () => {
    const unfinished = await readFor('a', 'b');
    await unfinished.keep(inputs);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = ''] = await readdir(folder);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });
});
