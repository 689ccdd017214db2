import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Git, GitError } from '../../../src/git/git.ts';
import { listWorkingFiles } from '../../../src/git/workingFiles.ts';
import { createLocalRepository, git } from '../../support/gitRepositories.ts';

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'working-files-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const list = (place: string) => listWorkingFiles(new Git({ workingFolder: folder }, place));

async function repository(files: Record<string, string> = { 'agent.py': '' }): Promise<string> {
  count += 1;
  const place = path.join(folder, String(count), 'app');
  await createLocalRepository(place, files);
  return place;
}

async function write(place: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(place, name)), { recursive: true });
    await writeFile(path.join(place, name), text);
  }
}

describe('the files of a working copy', () => {
  it('are the tracked ones and the new ones that git does not ignore', async () => {
    const app = await repository({ '.gitignore': 'build/\n', 'agent.py': '', 'run.sh': '' });
    await git(app, 'update-index', '--chmod=+x', 'run.sh');
    await write(app, { 'build/out.js': '', 'new.py': '' });
    const found = await list(app);
    expect([...(found?.tracked ?? [])]).toEqual([
      ['.gitignore', 'file'],
      ['agent.py', 'file'],
      ['run.sh', 'executable'],
    ]);
    expect(found).toMatchObject({ untracked: ['new.py'], emptySubmodules: [], otherRepositories: [] });
  });

  it('are relative to a folder inside it', async () => {
    const app = await repository({ 'apps/one/agent.py': '', 'apps/two/agent.py': '' });
    await write(app, { 'apps/one/new.py': '' });
    const found = await list(path.join(app, 'apps/one'));
    expect([...(found?.tracked.keys() ?? [])]).toEqual(['agent.py']);
    expect(found?.untracked).toEqual(['new.py']);
  });

  it.skipIf(process.platform === 'win32')('may have line breaks, quotes and any letters in their names', async () => {
    const app = await repository({ 'größe "1"\t.py': '' });
    await write(app, { 'two\nlines.py': '' });
    const found = await list(app);
    expect([...(found?.tracked.keys() ?? [])]).toEqual(['größe "1"\t.py']);
    expect(found?.untracked).toEqual(['two\nlines.py']);
  });

  it.skipIf(process.platform === 'win32')('may be links', async () => {
    const app = await repository();
    await symlink('agent.py', path.join(app, 'link.py'));
    await git(app, 'add', '--all');
    expect((await list(app))?.tracked.get('link.py')).toBe('link');
  });

  it('include those of submodules as they are checked out, new ones too', async () => {
    const library = await repository({ 'library.py': '', '.gitignore': 'cache/\n' });
    const app = await repository();
    await git(app, '-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', library, 'libs/library');
    await write(app, { 'libs/library/new.py': '', 'libs/library/cache/x': '' });
    const found = await list(app);
    expect([...(found?.tracked.keys() ?? [])]).toEqual([
      '.gitmodules',
      'agent.py',
      'libs/library/.gitignore',
      'libs/library/library.py',
    ]);
    expect(found?.untracked).toEqual(['libs/library/new.py']);
    await git(app, 'submodule', 'deinit', '--quiet', '--force', 'libs/library');
    expect(await list(app)).toMatchObject({ emptySubmodules: ['libs/library'], untracked: [] });
  });

  it('do not include those of another repository, which is named', async () => {
    const app = await repository();
    await createLocalRepository(path.join(app, 'other'), { 'x.py': '' });
    expect(await list(app)).toMatchObject({ untracked: [], otherRepositories: ['other'] });
  });

  it('are not known outside a working copy', async () => {
    const plain = await mkdtemp(path.join(folder, 'plain-'));
    expect(await list(plain)).toBeUndefined();
  });

  it('cannot be listed if git fails', async () => {
    await expect(list(path.join(folder, 'missing'))).rejects.toThrow(GitError);
  });
});
