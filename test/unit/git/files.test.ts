import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listFiles } from '../../../src/git/files.ts';
import { ignoredFiles, IgnoreQuestions } from '../../../src/git/ignoredFiles.ts';
import { Git, GitError } from '../../../src/git/git.ts';
import { commitFiles, createLocalRepository, git } from '../../support/gitRepositories.ts';

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'git-files-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const patterns = ['**/langgraph.json', '**/graph.{json,yaml,yml}'];

async function list(place: string, globs: readonly string[] = patterns, skipped: readonly string[] = []) {
  const files = await listFiles(new Git({ workingFolder: folder }, place), globs, new Set(skipped));
  return files.toSorted();
}

/** A repository in a folder of its own; files with text are committed. */
async function repository(files: Record<string, string> = { 'graph.json': '{}' }): Promise<string> {
  count += 1;
  const place = path.join(folder, String(count), 'app');
  await createLocalRepository(place, files);
  return place;
}

async function write(place: string, ...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(place, file)), { recursive: true });
    await writeFile(path.join(place, file), '{}');
  }
}

describe('the files of a repository that match globs', () => {
  it('are tracked or new, and have any name that git can store', async () => {
    const app = await repository({ 'graph.json': '{}', 'apps/größe "1"/graph.yml': '', 'agent.py': '' });
    await write(app, 'apps/new app/langgraph.json');
    expect(await list(app)).toEqual(['apps/größe "1"/graph.yml', 'apps/new app/langgraph.json', 'graph.json']);
  });

  it('are not those that git ignores, unless it tracks them', async () => {
    const app = await repository({ '.gitignore': 'build/\nkept/\n', 'apps/.gitignore': 'graph.json\n' });
    await write(app, 'build/graph.json', 'kept/graph.json', 'apps/graph.json', 'excluded/graph.json', 'graph.json');
    await git(app, 'add', '--force', 'kept/graph.json');
    await writeFile(path.join(app, '.git/info/exclude'), 'excluded/\n');
    expect(await list(app)).toEqual(['graph.json', 'kept/graph.json']);
  });

  it("are not those that the user's own rules ignore, unless git tracks them", async () => {
    const app = await repository({ 'graph.json': '{}' });
    await write(app, 'mine/graph.json', 'apps/graph.json');
    const own = path.join(app, '..', 'own');
    await writeFile(own, 'mine/\ngraph.yml\n/graph.json\n');
    await writeFile(`${own}.config`, `[core]\n\texcludesFile = ${own.replaceAll('\\', '/')}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', `${own}.config`);
    try {
      expect(await list(app)).toEqual(['apps/graph.json', 'graph.json']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('are not those that were deleted but are still tracked', async () => {
    const app = await repository({ 'graph.json': '{}', 'old/graph.json': '{}', 'gone/graph.json': '{}' });
    await rm(path.join(app, 'old'), { recursive: true });
    await git(app, 'rm', '--quiet', 'gone/graph.json');
    expect(await list(app)).toEqual(['graph.json']);
  });

  it('are also those that git was told to leave alone', async () => {
    const app = await repository({ 'graph.json': '{}', 'one/graph.json': '{}' });
    await git(app, 'update-index', '--skip-worktree', 'graph.json');
    await git(app, 'update-index', '--assume-unchanged', 'one/graph.json');
    expect(await list(app)).toEqual(['graph.json', 'one/graph.json']);
  });

  it('are listed once while they are in conflict', async () => {
    const app = await repository();
    await git(app, 'checkout', '--quiet', '-b', 'other');
    await commitFiles(app, { 'graph.json': '{ "a": 1 }' }, 'Change it');
    await git(app, 'checkout', '--quiet', 'main');
    await commitFiles(app, { 'graph.json': '{ "b": 1 }' }, 'Change it otherwise');
    await expect(git(app, 'merge', '--quiet', 'other')).rejects.toThrow();
    expect(await list(app)).toEqual(['graph.json']);
  });

  it('are not folders of such a name, nor the files in them', async () => {
    const app = await repository({ 'graph.json/agent.py': '', 'apps/agent.py': '' });
    expect(await list(app, [...patterns, 'apps', 'graph.json'])).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('may be reached through a link to the repository', async () => {
    const app = await repository({ 'apps/one/graph.json': '{}' });
    await symlink(app, `${app}-link`);
    expect(await list(`${app}-link`)).toEqual(['apps/one/graph.json']);
  });
});

describe('a glob', () => {
  let app: string;

  beforeAll(async () => {
    const names = ['graph.json', 'a/graph.json', 'a/b/graph.json', 'a/b/x.yaml', 'a/b/xy.yml', 'b'];
    app = await repository(Object.fromEntries(names.map((name) => [name, '{}'])));
  });

  it.each([
    ['graph.json', ['graph.json']],
    ['/graph.json', ['graph.json']],
    ['./graph.json', ['graph.json']],
    ['**/graph.json', ['a/b/graph.json', 'a/graph.json', 'graph.json']],
    ['*/graph.json', ['a/graph.json']],
    ['a/**/graph.json', ['a/b/graph.json', 'a/graph.json']],
    ['a/b/**', ['a/b/graph.json', 'a/b/x.yaml', 'a/b/xy.yml']],
    ['a/b/?.yaml', ['a/b/x.yaml']],
    ['**/x*.{yaml,yml}', ['a/b/x.yaml', 'a/b/xy.yml']],
    ['a/{b/{x,xy}.{yaml,yml},graph.json}', ['a/b/x.yaml', 'a/b/xy.yml', 'a/graph.json']],
    ['{a,}/graph.json', ['a/graph.json', 'graph.json']],
    ['a/[a-c]/[!g]*.yaml', ['a/b/x.yaml']],
    ['b', ['b']],
    ['a', []],
    ['', []],
    ['/', []],
    ['../*/graph.json', []],
    ['a/../../graph.json', []],
    [':(top)graph.json', []],
    ['--others', []],
    ['!graph.json', []],
    ['a/{b,c', []],
  ])('%j stands for %j', async (glob, expected) => {
    expect(await list(app, [glob])).toEqual(expected);
    expect(await list(app, [glob, 'b'])).toEqual([...new Set([...expected, 'b'])].toSorted());
  });
});

describe('globs with alternatives', () => {
  it.each([
    ['20 groups of two', ['{a,b}'.repeat(20)]],
    ['10,000 groups of one', ['{a}'.repeat(10_000)]],
    ['a group of 100,000', [`{${Array.from({ length: 100_000 }, (_, place) => place).join()}}`]],
    ['101 globs', Array.from({ length: 101 }, (_, place) => `${place}.json`)],
  ])('are too many: %s', async (_, globs) => {
    const git = new Git({ workingFolder: folder }, folder);
    await expect(listFiles(git, globs, new Set())).rejects.toEqual(
      new GitError('Too many glob patterns. Use at most 100, with alternatives such as {a,b}.'),
    );
  });
});

describe('a repository beside others', () => {
  it('has no files of a repository, a worktree or a submodule inside it', async () => {
    const [app, other] = [await repository(), await repository()];
    await createLocalRepository(path.join(app, 'inner'), { 'graph.json': '{}' });
    await mkdir(path.join(app, 'begun'));
    await git(path.join(app, 'begun'), 'init', '--quiet');
    await write(app, 'begun/graph.json');
    await git(app, 'worktree', 'add', '--quiet', '--detach', 'trees/one');
    await git(app, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'vendor/lib');
    expect(await list(app, ['**'])).toEqual(['.gitmodules', 'graph.json']);
    for (const inside of ['inner', 'begun', 'trees/one', 'vendor/lib']) {
      await write(path.join(app, inside), 'apps/new/graph.json');
      expect(await list(path.join(app, inside)), inside).toEqual(['apps/new/graph.json', 'graph.json']);
    }
  });

  it('has its own files in a folder that the repository around it ignores', async () => {
    const outer = await repository({ '.gitignore': 'work/\n*.json\n' });
    const inner = path.join(outer, 'work/inner');
    await createLocalRepository(inner, { 'graph.json': '{}' });
    await write(inner, 'apps/new/graph.json');
    expect(await list(inner)).toEqual(['apps/new/graph.json', 'graph.json']);
    expect(await list(outer)).toEqual([]);
  });

  it('may be the worktree of a bare repository', async () => {
    const app = await repository();
    const bare = path.join(app, '../bare.git');
    await git(app, 'clone', '--quiet', '--bare', app, bare);
    await git(bare, 'worktree', 'add', '--quiet', '../tree', 'main');
    const tree = path.join(app, '../tree');
    await write(tree, 'apps/new/graph.json');
    expect(await list(tree)).toEqual(['apps/new/graph.json', 'graph.json']);
  });
});

describe('a folder', () => {
  const longAgo = new Date('2001-01-01T00:00:00Z');

  /** Whether something reads a folder, as far as the file system records it. */
  async function isRead(place: string, action: () => Promise<unknown>): Promise<boolean> {
    await utimes(place, longAgo, longAgo);
    await action();
    return (await stat(place)).atimeMs !== longAgo.getTime();
  }

  it('is walked only if neither git nor its name says that it is none of the application', async (context) => {
    const app = await repository({ '.gitignore': 'ignored/\n', 'graph.json': '{}' });
    const inFolders = ['ignored/graph.json', '.venv/lib/graph.json', 'node_modules/kit/graph.json', 'apps/graph.json'];
    await write(app, ...inFolders);
    const apps = path.join(app, 'apps');
    if (!(await isRead(apps, () => readdir(apps)))) context.skip('The file system records no reads of folders.');
    const listed = () => list(app, patterns, ['.venv', 'node_modules']);
    expect(await listed()).toEqual(['apps/graph.json', 'graph.json']);
    expect(await isRead(apps, listed)).toBe(true);
    for (const name of ['ignored', '.venv', 'node_modules'])
      expect(await isRead(path.join(app, name), listed), name).toBe(false);
  });
});

describe('an ignored file', () => {
  it('is told from others, however it is called, and whoever ignores it', async () => {
    const app = await repository({ '.gitignore': '*.js\n!kept.js\n/own/\n', 'tracked.js': '' });
    await git(app, 'add', '--force', 'tracked.js');
    await git(app, 'config', 'core.excludesFile', path.join(app, '../mine'));
    await writeFile(path.join(app, '../mine'), '*.local\n');
    const ignored = ['built.js', 'own/x.py', ':x.js', 'ü "\\.js', 'a.local', 'deep/er/b.js'];
    const others = ['kept.js', 'agent.py', 'tracked.js', 'own', ' x', 'a:1:b.py'];
    const own = new Git({ workingFolder: app }, app);
    expect([...(await ignoredFiles(own, [...others, ...ignored]))]).toEqual(ignored);
    expect([...(await ignoredFiles(own, others))]).toEqual([]);
    expect([...(await ignoredFiles(own, []))]).toEqual([]);
  });

  it('are told although git refuses to say it of one path, which is behind a link', async () => {
    const app = await repository({ '.gitignore': 'build/\n', 'real/a.py': '' });
    await symlink('real', path.join(app, 'link'), 'junction');
    const own = new Git({ workingFolder: folder }, app);
    const paths = ['a.py', 'link/a.py', 'build/b.js', 'build/c.js'];
    expect([...(await ignoredFiles(own, paths))]).toEqual(['build/b.js', 'build/c.js']);
  });

  it('are asked for once where several ask at the same time', async () => {
    const own = new Git({ workingFolder: folder }, await repository({ '.gitignore': 'build/\n' }));
    const run = vi.spyOn(own, 'run');
    const questions = new IgnoreQuestions();
    const asked = [['build/a.js', 'a.py'], ['build/b.js']].map(async (paths) => questions.ask(own, paths));
    for (const answer of await Promise.all(asked)) expect([...answer]).toEqual(['build/a.js', 'build/b.js']);
    expect(run).toHaveBeenCalledTimes(1);
    expect([...(await questions.ask(own, ['a.py']))]).toEqual([]);
  });
});
