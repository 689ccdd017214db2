import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activityFile } from '../../../../src/state/activity/activityFile.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

/** What other windows do at moments of a window that drops the older half. */
const moments = vi.hoisted(
  (): { [moment in 'beforeLock' | 'afterRefusal']?: (() => Promise<void>) | undefined } => ({}),
);

vi.mock(import('node:fs/promises'), async (original) => {
  const actual = await original();
  const open: typeof actual.open = async (name, flags, mode) => {
    if (flags !== 'wx') return actual.open(name, flags, mode);
    const { beforeLock, afterRefusal } = moments;
    Object.assign(moments, { beforeLock: undefined, afterRefusal: undefined });
    await beforeLock?.();
    return actual.open(name, flags, mode).catch(async (error: unknown) => {
      await afterRefusal?.();
      throw error;
    });
  };
  return { ...actual, open };
});

const largest = 20_000;

let folder: TemporaryFolder;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = path.join(folder.path, 'storage', 'activity.jsonl');
});

afterEach(async () => folder.remove());

const line = (name: number) => JSON.stringify({ name, filler: 'x'.repeat(1000) });
const names = (text: string): number[] =>
  text
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => {
      const { name }: { name: number } = JSON.parse(each);
      return name;
    });

describe('the file of the activity', () => {
  it('is empty before its first line, and after it was removed', async () => {
    const activity = activityFile(file, largest);
    expect(await activity.read()).toBe('');
    await activity.append('{}');
    expect(await activity.read()).toBe('{}\n');
    await activity.remove();
    await activity.remove();
    expect(await activity.read()).toBe('');
  });

  it.skipIf(process.platform === 'win32')(
    'is readable only by its owner, even after its older half was dropped',
    async () => {
      const activity = activityFile(file, largest);
      await activity.append('{}');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await writeFile(file, `${line(0)}\n`.repeat(30));
      await activity.append(line(1));
      expect((await stat(file)).size).toBeLessThan(largest);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    },
  );

  it('keeps every line of several windows that write at the same time', async () => {
    const windows = [activityFile(file), activityFile(file), activityFile(file)];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => windows[index % windows.length]?.append(line(index))),
    );
    expect(names(await readFile(file, 'utf8')).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i),
    );
  });

  it('stays within its bound, with the newest lines', async () => {
    const activity = activityFile(file, largest);
    for (let index = 0; index < 50; index += 1) await activity.append(line(index));
    const kept = names(await activity.read());
    expect(kept.at(-1)).toBe(49);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 50 - kept.length + index));
    expect((await stat(file)).size).toBeLessThanOrEqual(largest);
    expect(await readdir(path.dirname(file))).toEqual(['activity.jsonl']);
  });

  it('stays within its bound although a window ended while it dropped the older half', async () => {
    const activity = activityFile(file, largest);
    await activity.append(line(0));
    await writeFile(`${file}.next`, 'half of');
    await utimes(`${file}.next`, 0, 0);
    await appendFile(file, `${line(1)}\n`.repeat(30));
    await activity.append(line(2));
    await activity.append(line(3));
    expect((await stat(file)).size).toBeLessThan(largest);
    expect(names(await activity.read()).at(-1)).toBe(3);
  });

  it('is left to another window that is dropping its older half', async () => {
    const activity = activityFile(file, largest);
    await activity.append(line(0));
    await writeFile(`${file}.next`, 'half of');
    await appendFile(file, `${line(1)}\n`.repeat(30));
    await activity.append(line(2));
    expect(names(await readFile(file, 'utf8'))).toHaveLength(32);
    expect(await readFile(`${file}.next`, 'utf8')).toBe('half of');
  });

  it('loses only its older half if another window dropped it a moment before', async () => {
    const activity = activityFile(file, largest);
    await activity.append(line(0));
    await appendFile(file, `${line(1)}\n`.repeat(30));
    moments.beforeLock = async () => activityFile(file, largest).append(line(2));
    await activity.append(line(3));
    const kept = names(await readFile(file, 'utf8'));
    expect(kept.slice(-3)).toEqual([1, 3, 2]);
    expect(kept.length).toBeGreaterThan(5);
  });

  it('keeps the line if another window has just dropped the older half', async () => {
    const activity = activityFile(file, largest);
    await activity.append(line(0));
    await writeFile(`${file}.next`, 'half of');
    await appendFile(file, `${line(1)}\n`.repeat(30));
    moments.afterRefusal = async () => rm(`${file}.next`);
    await activity.append(line(2));
    expect(names(await readFile(file, 'utf8')).at(-1)).toBe(2);
  });

  it("doesn't grow on where its older half can't be dropped", async () => {
    const activity = activityFile(file, largest);
    await activity.append(line(0));
    await mkdir(`${file}.next`);
    for (let index = 0; index < 60; index += 1) await activity.append(line(index)).catch(() => undefined);
    expect((await stat(file)).size).toBeLessThan(2 * largest + 2000);
    await utimes(`${file}.next`, 0, 0);
    await activity.append(line(100)).catch(() => undefined);
    await activity.append(line(101));
    expect((await stat(file)).size).toBeLessThan(largest);
  });

  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', async () => {
    await mkdir(path.dirname(file));
    execFileSync('mkfifo', [file]);
    const activity = activityFile(file, largest);
    await expect(activity.read()).rejects.toThrow(file);
    await expect(activity.append('{}')).rejects.toThrow(file);
    await activity.remove();
    await activity.append('{}');
    expect(await activity.read()).toBe('{}\n');
  });

  it('is read up to a bound if something else filled it', async () => {
    await activityFile(file, largest).append('{}');
    await writeFile(file, 'x'.repeat(4 * largest));
    expect((await activityFile(file, largest).read()).length).toBe(2 * largest);
  });

  it('says with its path what it cannot read, and is removed whatever it is', async () => {
    await mkdir(file, { recursive: true });
    const activity = activityFile(file, largest);
    await expect(activity.read()).rejects.toThrow(`${file} isn't a file. Remove it.`);
    await activity.remove();
    expect(await activity.read()).toBe('');
  });
});
