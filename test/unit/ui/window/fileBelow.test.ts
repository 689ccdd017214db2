import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile } from '../../../../src/ui/window/fileBelow.ts';

let temporary: string;
let root: string;

beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'file-below-'));
  root = path.join(temporary, 'repository');
  await mkdir(path.join(root, 'config'), { recursive: true });
  await mkdir(path.join(temporary, 'repository-2'));
  await writeFile(path.join(root, 'config', 'own.env'), 'A=1');
  await writeFile(path.join(temporary, 'foreign.env'), 'canary');
  await writeFile(path.join(temporary, 'repository-2', 'foreign.env'), 'canary');
});

afterEach(() => rm(temporary, { recursive: true }));

const read = async (file: string, limit = 1000) =>
  (await readRegularFile(path.join(root, file), limit, root))?.toString();

describe('a file of a repository', () => {
  it('is read, also through a link inside the repository', async () => {
    await symlink(path.join('config', 'own.env'), path.join(root, '.env'));
    await symlink('config', path.join(root, 'linked'));
    expect(await read(path.join('config', 'own.env'))).toBe('A=1');
    expect(await read('.env')).toBe('A=1');
    expect(await read(path.join('linked', 'own.env'))).toBe('A=1');
  });

  it.for(['../foreign.env', '../repository-2/foreign.env'])('is not %s, which a link leads to', async (target) => {
    await symlink(target, path.join(root, '.env'));
    await expect(read('.env')).rejects.toThrow('The file links outside its folder.');
    await expect(read(target)).rejects.toThrow('The file links outside its folder.');
  });

  it("is none of git's own, which may hold credentials", async () => {
    await mkdir(path.join(root, '.git'));
    await writeFile(path.join(root, '.git', 'config'), 'url = https://me:canary@code.example/o/n');
    await symlink(path.join('.git', 'config'), path.join(root, '.env'));
    await expect(read('.env')).rejects.toThrow('The file links outside its folder.');
    await writeFile(path.join(root, '.gitignore'), '.env');
    expect(await read('.gitignore')).toBe('.env');
  });

  it('is not below a linked folder of another place', async () => {
    await symlink('..', path.join(root, 'linked'));
    await expect(read(path.join('linked', 'foreign.env'))).rejects.toThrow('The file links outside its folder.');
  });

  it('is no folder', async () => {
    await expect(read('config')).rejects.toThrow();
  });

  it.skipIf(process.platform === 'win32')('is no pipe, which would be read forever, and no device', async () => {
    execFileSync('mkfifo', [path.join(root, '.env')]);
    await expect(read('.env')).rejects.toThrow('is not a file.');
    await expect(readRegularFile('/dev/zero', 1000)).rejects.toThrow('is not a file.');
  });

  it('is not read if it is larger than the limit', async () => {
    expect(await read(path.join('config', 'own.env'), 3)).toBe('A=1');
    expect(await read(path.join('config', 'own.env'), 2)).toBeUndefined();
  });

  it('may be anywhere if the user chose it outside of every repository', async () => {
    expect((await readRegularFile(path.join(temporary, 'foreign.env'), 1000))?.toString()).toBe('canary');
  });
});
