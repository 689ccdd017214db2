import { appendFile, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activityFile } from '../../../../../src/state/following/activity/activityFile.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporaryFolder.ts';

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

  it('is read up to a bound if something else filled it', async () => {
    await activityFile(file, largest).append('{}');
    await writeFile(file, 'x'.repeat(4 * largest));
    expect((await activityFile(file, largest).read()).length).toBe(2 * largest);
  });

  it('reports what it cannot read', async () => {
    await expect(activityFile(folder.path, largest).read()).rejects.toThrow('EISDIR');
  });
});
