import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Git, GitError } from '../../../src/git/git.ts';
import type { GitOptions } from '../../../src/git/git.ts';
import { readKinds, readText, readTree } from '../../../src/git/tree.ts';
import { commitFiles, createLocalRepository, git } from '../../support/gitRepositories.ts';

let folder: string;

/** A link's path and its target, which git stores as written. */
const links: readonly (readonly [place: string, target: string])[] = [
  ['to-file.py', 'app/agent.py'],
  ['to-folder', 'app'],
  ['to-folder-slash', 'app/'],
  ['app/up', '../lib'],
  ['to-link', 'to-folder'],
  ['lib/to-top', '..'],
  ['nested/deep/app', '../../to-link'],
  ['absolute', '/etc'],
  ['outside', '../outside'],
  ['dangling', 'nowhere'],
  ['circle', 'circle'],
  ['ping', 'pong'],
  ['pong', 'ping'],
  ...Array.from({ length: 12 }, (_, step) => [`chain${step}`, `chain${step + 1}`] as const),
];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'git-tree-'));
  const repository = path.join(folder, 'app');
  await createLocalRepository(repository, {
    'app/agent.py': 'graph',
    'app/more/nodes.py': '',
    'lib/tool.py': 'tools',
    'with space/ä"\\*.py': '',
    chain12: '',
  });
  for (const [place, target] of links) {
    await mkdir(path.join(repository, path.dirname(place)), { recursive: true });
    await symlink(target, path.join(repository, place));
  }
  await commitFiles(repository, {}, 'Link');
  await git(repository, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  await git(repository, 'commit', '--quiet', '--message', 'Add a submodule');
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Records the commands and what they print. */
class RecordedGit extends Git {
  readonly commands: string[] = [];
  output = '';

  override async run(args: readonly string[], options?: GitOptions): Promise<string> {
    this.commands.push(args[0] ?? '');
    const output = await super.run(args, options);
    this.output += output;
    return output;
  }
}

const counted = () => new RecordedGit({ workingFolder: folder }, path.join(folder, 'app'));

/** The kinds of the paths that exist. */
async function kindsOf(...paths: readonly string[]): Promise<Record<string, string>> {
  const found = await readTree(counted(), 'HEAD', paths);
  return Object.fromEntries([...found].map(([place, { kind }]) => [place, kind]));
}

describe.skipIf(process.platform === 'win32')('a tree', () => {
  it('has files, folders and submodules, under any name', async () => {
    const odd = 'with space/ä"\\*.py';
    expect(await kindsOf('app', 'app/agent.py', 'app/more', 'app/more/nodes.py', 'sub', odd)).toEqual({
      app: 'folder',
      'app/agent.py': 'file',
      'app/more': 'folder',
      'app/more/nodes.py': 'file',
      sub: 'submodule',
      [odd]: 'file',
    });
  });

  it('leaves out what does not exist', async () => {
    const paths = [
      'app/absent.py',
      'absent/agent.py',
      'app/agent.py/x',
      'sub/x',
      'app/*.py',
      'APP/agent.py',
      'dangling',
    ];
    expect(await kindsOf(...paths)).toEqual({});
    expect(await kindsOf()).toEqual({});
  });

  it.each([
    ['to-file.py', 'file'],
    ['to-folder', 'folder'],
    ['to-folder-slash', 'folder'],
    ['to-folder/agent.py', 'file'],
    ['to-folder-slash/agent.py', 'file'],
    ['app/up/tool.py', 'file'],
    ['to-folder/up/tool.py', 'file'],
    ['to-link/more/nodes.py', 'file'],
    ['lib/to-top/app/agent.py', 'file'],
    ['nested/deep/app/up/to-top/to-file.py', 'file'],
    ['chain3', 'file'],
  ])('follows links for %s to a %s', async (place, kind) => {
    expect(await kindsOf(place)).toEqual({ [place]: kind });
  });

  it.each(['absolute', 'absolute/passwd', 'outside', 'outside/x.py', 'circle', 'circle/x', 'ping', 'chain0'])(
    'reports %s as a link, because it leads nowhere in the tree',
    async (place) => {
      expect(await kindsOf(place)).toEqual({ [place]: 'link' });
    },
  );

  it('has only files and folders for a build', async () => {
    const paths = ['app', 'app/agent.py', 'to-folder', 'outside', 'absolute/passwd', 'sub', 'absent'];
    expect(await readKinds(counted(), 'HEAD', paths)).toEqual(
      new Map([
        ['app', 'folder'],
        ['app/agent.py', 'file'],
        ['to-folder', 'folder'],
      ]),
    );
  });

  it('has the text of a file up to a limit', async () => {
    const textOf = async (place: string, limit: number) => readText(counted(), 'HEAD', place, limit);
    expect(await textOf('to-file.py', 5)).toMatchObject({ kind: 'file', text: 'graph' });
    expect(await textOf('to-file.py', 4)).not.toHaveProperty('text');
    expect(await textOf('app', 5)).toMatchObject({ kind: 'folder' });
    expect(await textOf('absent', 5)).toBeUndefined();
  });

  it('does not list the content of folders', async () => {
    const recorded = counted();
    await readTree(recorded, 'HEAD', ['app', 'app/more/nodes.py']);
    expect(recorded.output).not.toContain('app/agent.py');
  });

  it('is asked once about many paths, and once more about what may be behind links', async () => {
    const once = counted();
    await readTree(once, 'HEAD', ['app/agent.py', 'app', 'lib/tool.py', 'absent.py', 'app/absent.py']);
    expect(once.commands).toEqual(['ls-tree']);
    const twice = counted();
    await readTree(twice, 'HEAD', ['absent/a.py', 'app/agent.py/x.py', 'other/src/a.py', 'lib/tool.py']);
    expect(twice.commands).toEqual(['ls-tree', 'ls-tree']);
    const linked = counted();
    await readTree(linked, 'HEAD', ['to-folder/agent.py', 'to-folder/more/nodes.py', 'to-folder/absent.py']);
    expect(linked.commands).toEqual(['ls-tree', 'ls-tree', 'cat-file', 'ls-tree']);
  });

  it('is asked in parts that every command line takes', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `app/absent${index}.py`);
    const split = counted();
    expect([...(await readTree(split, 'HEAD', [...many, 'app/agent.py'])).keys()]).toEqual(['app/agent.py']);
    expect(split.commands).toEqual(['ls-tree', 'ls-tree', 'ls-tree', 'ls-tree']);
  });

  it('is read in a partial clone, which has no content of files', async () => {
    const source = path.join(folder, 'app');
    await git(source, 'config', 'uploadpack.allowFilter', 'true');
    await git(folder, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${source}`, 'partial');
    const partial = new Git({ workingFolder: folder }, path.join(folder, 'partial'));
    expect([...(await readTree(partial, 'HEAD', ['app/agent.py', 'app/absent.py'])).keys()]).toEqual(['app/agent.py']);
  });

  it('is no longer read once the caller stops waiting', async () => {
    const stopped = readTree(counted().until(AbortSignal.abort()), 'HEAD', ['app']);
    await expect(stopped).rejects.toBeInstanceOf(GitError);
  });
});
