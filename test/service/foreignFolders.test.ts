import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalRepository, createSampleRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { LocalServiceOptions, RunningLocalService } from '../support/localService.ts';
import { callerOf } from './support/caller.ts';
import type { Caller } from './support/caller.ts';
import { stepMs } from './support/fixture.ts';
import { advance, createDeployment, integrationId, repositoryBody, statuses } from './support/requests.ts';

let folder: string;
let dataFolder: string;
let sample: SampleRepository;
let service: RunningLocalService | undefined;
let caller: Caller;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'foreign-folders-')));
  dataFolder = path.join(folder, 'data');
  sample = await createSampleRepository(folder);
});

afterEach(async () => {
  await service?.kill();
  service = undefined;
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('a program called git in a repository', () => {
  it('is never run, even if the PATH contains its folder', async () => {
    const mark = path.join(folder, 'was-run');
    for (const place of [sample.folder, path.join(sample.folder, 'bin')]) {
      await mkdir(place, { recursive: true });
      await writeFile(path.join(place, 'git'), `#!/bin/sh\necho > '${mark}'\n`);
      await chmod(path.join(place, 'git'), 0o755);
    }
    await start({ env: { ...process.env, PATH: `.::bin:${process.env['PATH']}` }, repositories: [sample.folder] });
    const { id } = await createDeployment(
      caller,
      await repositoryBody(caller, 'agent', { source_config: { build_on_push: true } }),
    );
    await advance(caller, 7 * stepMs);
    expect(await statuses(caller, id)).toEqual(['DEPLOYED']);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('a window in Restricted Mode', () => {
  it.skipIf(process.platform === 'win32')('stops git in a folder that a window offered before', async () => {
    const log = path.join(folder, 'log');
    await start({ git: await loggingGit(log) });
    await tell({ folders: [sample.folder] });
    const body = await repositoryBody(caller, 'agent', { source_config: { build_on_push: true } });
    const { id } = await createDeployment(caller, body);
    expect(await tell({ folders: [], restricted: [sample.folder] })).toEqual([]);
    await writeFile(log, '');
    expect(await listed()).toEqual([]);
    await advance(caller, 7 * stepMs);
    expect(await statuses(caller, id)).toEqual(['BUILD_FAILED']);
    expect((await caller.post('/v2/deployments', { ...body, name: 'another' })).status).toBe(400);
    expect(await readFile(log, 'utf8')).toBe('');
  });

  it('unregisters repositories around or in its folder, and no others', async () => {
    const beside = path.join(folder, 'sample');
    await createLocalRepository(beside, sampleFiles);
    const inner = path.join(sample.folder, 'vendor/inner');
    await createLocalRepository(inner, sampleFiles);
    await mkdir(path.join(sample.folder, 'docs'));
    await start();
    const all = [beside, inner, sample.folder];
    await tell({ folders: all });
    await tell({ folders: [], restricted: [path.join(sample.folder, 'docs')] });
    expect(await listed()).toEqual(['inner', 'sample']);
    await tell({ folders: all });
    await tell({ folders: [], restricted: [sample.folder] });
    expect(await listed()).toEqual(['sample']);
    await tell({ folders: all });
    await tell({ folders: [], restricted: [path.join(folder, 'gone'), folder] });
    expect(await listed()).toEqual([]);
  });

  it('leaves repositories from a command line, also of a second start', async () => {
    const other = path.join(folder, 'other');
    await createLocalRepository(other, sampleFiles);
    await start({ repositories: [sample.folder] });
    const second = await startLocalService({ dataFolder, repositories: [other] });
    await second.stop();
    await tell({ folders: [sample.folder, other] });
    await tell({ folders: [], restricted: [sample.folder, other] });
    expect(await listed()).toEqual(['other', 'sample-agent']);
  });
});

describe('the folders of windows', () => {
  it('are never stored', async () => {
    await start();
    await tell({ folders: [sample.folder] });
    expect(await listed()).toEqual(['sample-agent']);
    const names = await readdir(dataFolder);
    for (const name of names)
      expect(await readFile(path.join(dataFolder, name), 'latin1')).not.toContain(sample.folder);
    await service?.stop();
    await start();
    expect(await listed()).toEqual([]);
  });

  it('are not offered if an older version stored them', async () => {
    await start();
    await service?.stop();
    const database = new DatabaseSync(path.join(dataFolder, 'service.sqlite'));
    database.exec(`CREATE TABLE repository_folders (
      id INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL UNIQUE, registered_at INTEGER NOT NULL) STRICT`);
    database.prepare('INSERT INTO repository_folders (folder, registered_at) VALUES (?, 1)').run(sample.folder);
    database.close();
    await start();
    expect(await listed()).toEqual([]);
    await tell({ folders: [sample.folder] });
    expect(await listed()).toEqual(['sample-agent']);
    expect(service?.errors()).toBe('');
    await service?.stop();
    const after = new DatabaseSync(path.join(dataFolder, 'service.sqlite'));
    expect(after.prepare("SELECT name FROM sqlite_schema WHERE name = 'repository_folders'").all()).toEqual([]);
    after.close();
  });
});

describe('a folder that claims another repository of the user', () => {
  let evil: string;
  let secret: string;

  beforeEach(async () => {
    evil = path.join(folder, 'evil');
    secret = path.join(folder, 'secret');
    await mkdir(evil);
    await createLocalRepository(secret, { 'graph.json': '{}' });
  });

  /** Each makes the folder look to git as if it were the other repository, or a part of it. */
  const claims: [string, () => Promise<unknown>][] = [
    ['core.worktree', async () => ownWithConfig('core.worktree', secret)],
    [
      'core.worktree of a repository around it',
      async () => {
        evil = path.join(secret, 'vendor/evil');
        await ownWithConfig('core.worktree', '../../..');
      },
    ],
    ['a .git file', async () => writeFile(path.join(evil, '.git'), `gitdir: ${path.join(secret, '.git')}\n`)],
    ['a link', async () => symlink(path.join(secret, '.git'), path.join(evil, '.git'), 'junction')],
    [
      'a .git file of a bare repository',
      async () => {
        await rename(path.join(secret, '.git'), path.join(folder, 'secret.git'));
        await git(path.join(folder, 'secret.git'), 'config', 'core.bare', 'true');
        await writeFile(path.join(evil, '.git'), 'gitdir: ../secret.git\n');
      },
    ],
    [
      'commondir',
      async () => {
        await ownWithConfig('core.bare', 'false');
        await writeFile(path.join(evil, '.git/commondir'), `${path.join(secret, '.git')}\n`);
      },
    ],
    [
      'the git folder of a worktree that is another one',
      async () => {
        await git(secret, 'worktree', 'add', '--quiet', '-b', 'linked', path.join(folder, 'linked'));
        await writeFile(path.join(evil, '.git'), `gitdir: ${path.join(secret, '.git/worktrees/linked')}\n`);
      },
    ],
    [
      'the git folder of a worktree that it made up',
      async () => {
        const made = path.join(evil, 'x/worktrees/y');
        await mkdir(made, { recursive: true });
        await writeFile(path.join(made, 'HEAD'), 'ref: refs/heads/main\n');
        await writeFile(path.join(made, 'gitdir'), `${path.join(evil, '.git')}\n`);
        await writeFile(path.join(made, 'commondir'), `${path.join(secret, '.git')}\n`);
        await writeFile(path.join(evil, '.git'), `gitdir: ${made}\n`);
      },
    ],
    [
      'a repository elsewhere that lists a folder around both as its worktree',
      async () => {
        await git(folder, 'init', '--quiet', '--bare', 'elsewhere.git');
        await git(path.join(folder, 'elsewhere.git'), 'config', 'core.bare', 'false');
        await git(path.join(folder, 'elsewhere.git'), 'config', 'core.worktree', secret);
        evil = path.join(secret, 'evil');
        await mkdir(evil);
        await writeFile(path.join(evil, '.git'), `gitdir: ${path.join(folder, 'elsewhere.git')}\n`);
      },
    ],
  ];

  it.each(claims)("isn't offered as that one with %s", async (_, claim) => {
    await claim();
    await start();
    await tell({ folders: [evil] });
    expect(await listed()).not.toContain('secret');
    expect(await readableCommits()).not.toContain(await secretCommit());
  });

  it.each(claims.filter(([name]) => !name.includes('around')))(
    'is no longer offered if it uses %s later',
    async (_, claim) => {
      await createLocalRepository(evil, sampleFiles);
      await start();
      await tell({ folders: [evil] });
      expect(await listed()).toEqual(['evil']);
      await rm(path.join(evil, '.git'), { recursive: true });
      await claim();
      expect(await listed()).not.toContain('secret');
      expect(await readableCommits()).not.toContain(await secretCommit());
    },
  );

  it('is read as its own repository despite the environment', async () => {
    await createLocalRepository(evil, sampleFiles);
    const stolen = path.join(secret, '.git');
    const env = { ...process.env, GIT_DIR: stolen, GIT_COMMON_DIR: stolen, GIT_WORK_TREE: secret };
    await start({ repositories: [evil], env });
    expect(await listed()).toEqual(['evil']);
    expect(await readableCommits()).toEqual([await git(evil, 'rev-parse', 'HEAD')]);
  });

  it('is rejected with a reason', async () => {
    const gitFolder = path.join(secret, '.git');
    await writeFile(path.join(evil, '.git'), `gitdir: ${gitFolder}\n`);
    await start();
    expect(await tell({ folders: [evil] })).toEqual([
      `${evil} can't be registered. Its git folder is ${gitFolder}, which doesn't list it as a worktree.`,
    ]);
  });

  async function ownWithConfig(name: string, value: string): Promise<void> {
    await createLocalRepository(evil, sampleFiles);
    await git(evil, 'config', name, value);
  }

  async function secretCommit(): Promise<string> {
    const bare = path.join(folder, 'secret.git');
    return git(existsSync(bare) ? bare : secret, 'rev-parse', 'main');
  }

  /** The commits behind `main` that a deployment of any offered repository would be built from. */
  async function readableCommits(): Promise<unknown[]> {
    const commits: unknown[] = [];
    for (const [index, { url }] of (await repositories()).entries()) {
      const body = await repositoryBody(caller, `probe-${index}`, { source_config: { repo_url: url } });
      const { source_revision_config: config } = await createDeployment(caller, body);
      commits.push(config?.repo_commit_sha);
    }
    return commits;
  }
});

describe('a worktree whose git folder is elsewhere', () => {
  it('is offered if it is linked to a repository, also from below its top', async () => {
    const linked = path.join(folder, 'linked');
    await git(sample.folder, 'worktree', 'add', '--quiet', '-b', 'work', linked);
    await mkdir(path.join(linked, 'apps'), { recursive: true });
    await start();
    expect(await tell({ folders: [path.join(linked, 'apps')] })).toEqual([]);
    expect(await listed()).toEqual(['sample-agent']);
    await tell({ folders: [], restricted: [linked] });
    expect(await listed()).toEqual([]);
  });

  it('is offered if it is linked to a bare repository next to it', async () => {
    const project = path.join(folder, 'project');
    await mkdir(project);
    await git(project, 'clone', '--quiet', '--bare', sample.bare, '.bare');
    await writeFile(path.join(project, '.git'), 'gitdir: ./.bare\n');
    await git(project, 'worktree', 'add', '--quiet', 'main');
    await start();
    expect(await tell({ folders: [project, path.join(project, 'main')] })).toEqual([]);
    expect(await repositories()).toHaveLength(1);
  });

  it('is offered as a submodule', async () => {
    const outer = path.join(folder, 'outer');
    await createLocalRepository(outer, { 'readme.md': '' });
    await git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sample.bare, 'modules/inner');
    await start();
    expect(await tell({ folders: [path.join(outer, 'modules/inner')] })).toEqual([]);
    expect(await repositories()).toMatchObject([{ url: sample.bare }]);
  });
});

async function start(options: LocalServiceOptions = {}): Promise<void> {
  service = await startLocalService({ dataFolder, devControls: true, stepMs, ...options });
  caller = await callerOf(service);
}

/** Tells the service of folders as a window does, and gives its problems with them. */
async function tell(folders: { readonly folders: string[]; readonly restricted?: string[] }): Promise<string[]> {
  const { status, body } = await caller.post('/_control/repositories', folders);
  expect(status).toBe(200);
  return (body as { problems: string[] }).problems;
}

async function repositories(): Promise<{ readonly name: string; readonly url: string }[]> {
  const { status, body } = await caller.get(`/v1/integrations/repohost/${await integrationId(caller)}/repos`);
  expect(status).toBe(200);
  return body as { name: string; url: string }[];
}

async function listed(): Promise<string[]> {
  return (await repositories()).map(({ name }) => name).toSorted();
}

/** A git that writes down each of its calls. */
async function loggingGit(log: string): Promise<string> {
  const program = path.join(folder, 'logging-git');
  await writeFile(program, `#!/bin/sh\necho "$@" >> '${log}'\nexec git "$@"\n`);
  await chmod(program, 0o755);
  return program;
}
