import { execFile } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { runToEnd } from './support/runToEnd.ts';

/** The user of the data folder, where the tests run as root, who may write everywhere. */
const user = process.getuid?.() === 0 ? { uid: 12_345, gid: 12_345 } : {};

let folder: TemporaryFolder;
let dataFolder: string;
let serviceFile: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  dataFolder = path.join(folder.path, 'data');
  serviceFile = path.join(dataFolder, 'service.json');
  await mkdir(dataFolder, { mode: 0o700 });
});

afterEach(async () => folder.remove());

const makePipe = async (file: string): Promise<unknown> => promisify(execFile)('mkfifo', [file]);

describe('service.json', () => {
  it('is said to be no file where it is a folder', async () => {
    await mkdir(serviceFile);
    expect(await failingStart()).toEqual({
      code: 4,
      stdout: '',
      stderr: `${serviceFile} isn't a file. Remove it, or use another data folder.\nThe option --data names another data folder.\n`,
    });
  });

  it.skipIf(process.platform === 'win32').each([
    ['a link to a file', async () => symlink(path.join(folder.path, 'elsewhere'), serviceFile)],
    ['a link to a device without end', async () => symlink('/dev/zero', serviceFile)],
    ['a link to itself', async () => symlink(serviceFile, serviceFile)],
    ['a pipe', async () => makePipe(serviceFile)],
  ])('is replaced where it is %s', async (_, make) => {
    const elsewhere = path.join(folder.path, 'elsewhere');
    const content = '{"apiKey":"of-another-program"}';
    await writeFile(elsewhere, content);
    await make();
    const service = await startLocalService({ dataFolder });
    expect(service.apiKey).toHaveLength(43);
    expect((await lstat(serviceFile)).isFile()).toBe(true);
    expect(await service.stop()).toBe(0);
    expect(await readFile(elsewhere, 'utf8')).toBe(content);
  });

  it('is said to be no file at the end, and the database is closed', async () => {
    const service = await startLocalService({ dataFolder });
    await rm(serviceFile);
    await mkdir(serviceFile);
    expect(await service.stop()).toBe(1);
    expect(service.errors()).toBe(`${serviceFile} isn't a file. Remove it, or use another data folder.\n`);
    await expect(lstat(path.join(dataFolder, 'service.sqlite-wal'))).rejects.toThrow('ENOENT');
  });
});

it("says that a key of the environment can't be sent", async () => {
  const { code, stderr } = await failingStart({ DEPLOYMENT_MANAGER_API_KEY: 'two\nlines' });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('DEPLOYMENT_MANAGER_API_KEY') });
});

describe('service.sqlite', () => {
  it.skipIf(process.platform === 'win32').each([
    ['a folder', mkdir],
    ['a pipe', makePipe],
    ['a device', async (file: string) => symlink('/dev/null', file)],
    ['a link to itself', async (file: string) => symlink(file, file)],
  ])('is said to be no file where it is %s', async (_, make) => {
    const file = path.join(dataFolder, 'service.sqlite');
    await make(file);
    const { code, stderr } = await failingStart();
    expect(code).toBe(4);
    expect(stderr).toContain(`${file} isn't a file. Remove it, or use another data folder.`);
  });
});

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it("says that it can't be written, with its path", async () => {
    await (await startLocalService({ dataFolder })).stop();
    await writeFile(path.join(dataFolder, 'notes.txt'), '');
    await giveToUser();
    await chmod(dataFolder, 0o500);
    const { code, stderr } = await failingStart({}, user);
    await chmod(dataFolder, 0o700);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /data\/service\.\S+ can't be .*\. Make it and its folder .*, or use another data folder\.\n/,
    );
  });

  it("says that it can't be listed, with its path", async () => {
    await giveToUser();
    await chmod(dataFolder, 0o000);
    const { code, stderr } = await failingStart({}, user);
    await chmod(dataFolder, 0o700);
    expect(code).toBe(4);
    expect(stderr).toContain(`${dataFolder} can't be `);
  });

  it('leaves nothing behind where its files were moved away', async () => {
    const service = await startLocalService({ dataFolder });
    await rename(dataFolder, `${dataFolder}.moved`);
    expect(await service.stop()).toBe(1);
    expect(service.errors()).toContain(serviceFile);
  });
});

async function giveToUser(): Promise<void> {
  if (user.uid === undefined) return;
  for (const above of [folder.path, path.dirname(folder.path)]) await chmod(above, 0o755);
  for (const name of ['', 'service.json', 'service.sqlite', 'notes.txt']) {
    await chown(path.join(dataFolder, name), user.uid, user.gid).catch(() => undefined);
  }
}

/** Runs the service on the data folder, where it can't start. */
async function failingStart(env: NodeJS.ProcessEnv = {}, as = {}) {
  return runToEnd(['--data', dataFolder], { env: { ...process.env, ...env }, ...as });
}
