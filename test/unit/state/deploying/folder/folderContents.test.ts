import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Git } from '../../../../../src/git/git.ts';
import { readFolder } from '../../../../../src/state/deploying/folder/folderContents.ts';
import { createLocalRepository, git } from '../../../../support/gitRepositories.ts';

let base: string;
let count = 0;
const isWindows = process.platform === 'win32';

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'folder-'));
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

async function write(place: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(place, name)), { recursive: true });
    await writeFile(path.join(place, name), text);
  }
}

/** A folder of its own without git. */
async function plainFolder(files: Record<string, string>): Promise<string> {
  count += 1;
  const place = path.join(base, String(count), 'app');
  await mkdir(place, { recursive: true });
  await write(place, files);
  return place;
}

async function repository(files: Record<string, string>): Promise<string> {
  const place = await plainFolder({});
  await createLocalRepository(place, files);
  return place;
}

const read = (place: string) => readFolder(place, new Git({ workingFolder: base }, place));
const pathsOf = ({ files }: Awaited<ReturnType<typeof read>>) => files.map((file) => file.path);
const reasonsOf = ({ leftOut }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(leftOut.map((left) => [left.path, left.reason]));

describe('a folder of a repository', () => {
  it('is uploaded as it is on disk: changed, new and without what was deleted', async () => {
    const app = await repository({ 'b.py': '1', 'a.py': '1', 'gone.py': '' });
    await write(app, { 'b.py': 'changed', 'new/Z.py': '' });
    await rm(path.join(app, 'gone.py'));
    const contents = await read(app);
    expect(contents.files).toMatchObject([
      { path: 'a.py', size: 1 },
      { path: 'b.py', size: 7 },
      { path: 'new/Z.py', size: 0 },
    ]);
    expect(contents).toMatchObject({ isFromGit: true, leftOut: [], pointers: [] });
  });

  it('leaves out what git ignores, and says what else is left out', async () => {
    const app = await repository({ '.gitignore': 'dist/\n', '.env': 'TOKEN=1', '.env.example': 'TOKEN=' });
    await write(app, { 'dist/out.js': '', 'apps/.env.local': 'X=1' });
    await createLocalRepository(path.join(app, 'other'), { 'x.py': '' });
    const contents = await read(app);
    expect(pathsOf(contents)).toEqual(['.env.example', '.gitignore']);
    expect(reasonsOf(contents)).toEqual({ '.env': 'secrets', 'apps/.env.local': 'secrets', other: 'repository' });
  });

  it('takes the files of submodules, and names those that are not checked out', async () => {
    const library = await repository({ 'library.py': '' });
    const app = await repository({ 'agent.py': '' });
    await git(app, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', library, 'library');
    expect(pathsOf(await read(app))).toEqual(['.gitmodules', 'agent.py', 'library/library.py']);
    await git(app, 'submodule', 'deinit', '--quiet', '--force', 'library');
    expect(reasonsOf(await read(app))).toEqual({ library: 'submodule' });
  });

  it('takes the executable bit of tracked files from git, and of new ones from disk', async () => {
    const app = await repository({ 'run.sh': '', 'plain.sh': '' });
    await git(app, 'update-index', '--chmod=+x', 'run.sh');
    await write(app, { 'new.sh': '' });
    if (!isWindows) await chmod(path.join(app, 'new.sh'), 0o755);
    const { files } = await read(app);
    expect(files.filter(({ isExecutable }) => isExecutable).map((file) => file.path)).toEqual(
      isWindows ? ['run.sh'] : ['new.sh', 'run.sh'],
    );
  });

  it('names scripts that Linux cannot run, because their lines end as on Windows', async () => {
    const script = `#!/bin/sh\r\n${'echo run\r\n'.repeat(200)}`;
    const text = { 'a.sh': script, run: script, 'lf.sh': '#!/bin/sh\necho\r\n', 'agent.py': '#!python\r\n' };
    const app = await repository(text);
    await git(app, 'update-index', '--chmod=+x', 'run');
    expect((await read(app)).windowsScripts).toEqual(['a.sh', 'run']);
  });

  it('names pointers of Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    const app = await repository({ 'model.bin': pointer, 'notes.md': `See ${pointer}` });
    expect((await read(app)).pointers).toEqual(['model.bin']);
  });
});

describe.skipIf(isWindows)('a symbolic link', () => {
  it('stands for a file or folder that is uploaded too', async () => {
    const app = await repository({ 'libs/shared/a.py': '1', 'libs/shared/run.sh': '22' });
    await git(app, 'update-index', '--chmod=+x', 'libs/shared/run.sh');
    await mkdir(path.join(app, 'apps'));
    await symlink('../libs/shared', path.join(app, 'apps/shared'));
    await symlink('libs/shared/run.sh', path.join(app, 'start'));
    const contents = await read(app);
    expect(contents.files).toMatchObject([
      { path: 'apps/shared/a.py', size: 1, isExecutable: false },
      { path: 'apps/shared/run.sh', size: 2, isExecutable: true },
      { path: 'libs/shared/a.py' },
      { path: 'libs/shared/run.sh' },
      { path: 'start', size: 2, isExecutable: true },
    ]);
    expect(contents.leftOut).toEqual([]);
  });

  it('is left out if it leads outside, nowhere, in circles or to what is left out', async () => {
    const app = await repository({ 'agent.py': '', '.gitignore': 'ignored.py\n' });
    await write(path.dirname(app), { 'outside.txt': 'secret' });
    await write(app, { 'ignored.py': '', '.env': 'TOKEN=1' });
    const links = {
      absolute: '/etc/passwd',
      config: '.env',
      dangling: 'missing.py',
      ignored: 'ignored.py',
      loop: 'loop',
      outside: '../outside.txt',
      root: '.',
    };
    for (const [link, target] of Object.entries(links)) await symlink(target, path.join(app, link));
    const contents = await read(app);
    expect(pathsOf(contents)).toEqual(['.gitignore', 'agent.py']);
    expect(reasonsOf(contents)).toEqual({
      '.env': 'secrets',
      absolute: 'linkOutside',
      config: 'linkNowhere',
      dangling: 'linkNowhere',
      ignored: 'linkNowhere',
      loop: 'linkNowhere',
      outside: 'linkOutside',
      root: 'linkNowhere',
    });
  });

  it('is left out once there are more files than a service takes', async () => {
    const names = Array.from({ length: 455 }, (_, index) => String(index));
    const app = await repository(Object.fromEntries(names.map((name) => [`data/${name}`, ''])));
    await Promise.all(names.map((name) => symlink('data', path.join(app, `link-${name}`))));
    const contents = await read(app);
    const left = Object.values(reasonsOf(contents));
    expect(new Set(left)).toEqual(new Set(['tooMany']));
    expect(contents.files).toHaveLength(455 * (names.length - left.length + 1));
    expect(contents.files.length).toBeLessThan(201_000);
  });

  it('in the place of a tracked folder leads to none of its files outside', async () => {
    const app = await repository({ 'agent.py': '', 'libs/a.py': '' });
    await write(path.dirname(app), { 'elsewhere/a.py': 'secret' });
    await rm(path.join(app, 'libs'), { recursive: true });
    await symlink('../elsewhere', path.join(app, 'libs'));
    const contents = await read(app);
    expect(pathsOf(contents)).toEqual(['agent.py']);
    expect(reasonsOf(contents)['libs/a.py']).toBe('linkOutside');
  });
});

describe('a link inside the folder in the place of a tracked folder', () => {
  it('leads to no file of git', async () => {
    const app = await repository({ 'agent.py': '', 'libs/config': '' });
    await rm(path.join(app, 'libs'), { recursive: true });
    await symlink('.git', path.join(app, 'libs'));
    const contents = await read(app);
    expect(pathsOf(contents)).toEqual(['agent.py']);
    expect(reasonsOf(contents)['libs/config']).toBe('linkNowhere');
  });

  it('stands for the files of another folder that are uploaded', async () => {
    const app = await repository({ 'libs/a.py': '', 'real/a.py': '', 'real/b.py': '' });
    await rm(path.join(app, 'libs'), { recursive: true });
    await symlink('real', path.join(app, 'libs'));
    expect(pathsOf(await read(app))).toEqual(['libs/a.py', 'libs/b.py', 'real/a.py', 'real/b.py']);
  });
});

describe('a folder without git', () => {
  it('is walked without packages, caches, secrets and what belongs to git', async () => {
    const app = await plainFolder({
      'src/agent.py': '',
      'node_modules/x/index.js': '',
      'src/__pycache__/agent.pyc': '',
      '.env': 'TOKEN=1',
      'vendored/.git/config': '',
    });
    const contents = await readFolder(app, undefined);
    expect(pathsOf(contents)).toEqual(['src/agent.py']);
    expect(reasonsOf(contents)).toEqual({
      '.env': 'secrets',
      node_modules: 'skipped',
      'src/__pycache__': 'skipped',
      'vendored/.git': 'git',
    });
    expect(contents.isFromGit).toBe(false);
  });

  it('is walked too if git is there but the folder is not in a repository', async () => {
    const app = await plainFolder({ 'agent.py': '' });
    expect(await read(app)).toMatchObject({ files: [{ path: 'agent.py' }], isFromGit: false });
  });

  it('is no longer read once that is canceled', async () => {
    const app = await plainFolder({ 'agent.py': '' });
    await expect(readFolder(app, undefined, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

// Nothing is unreadable for root, and the bits of a file say nothing on Windows.
it.skipIf(isWindows || process.getuid?.() === 0)('leaves out what the user may not read, and says so', async () => {
  const app = await plainFolder({ 'closed.py': '1', 'open.py': '1', 'closed/inside.py': '1' });
  for (const place of ['closed.py', 'closed']) await chmod(path.join(app, place), 0);
  const contents = await readFolder(app, undefined);
  await chmod(path.join(app, 'closed'), 0o700);
  expect(pathsOf(contents)).toEqual(['open.py']);
  expect(reasonsOf(contents)).toEqual({ closed: 'unreadable', 'closed.py': 'unreadable' });
});
