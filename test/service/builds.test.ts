import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { commitFiles, createLocalRepository, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { tarOf } from '../support/tar.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance, createDeployment, listRevisions, repositoryBody } from './support/requests.ts';

const fixture = runningServiceWithSample();
let count = 0;

describe('the ref of a repository', () => {
  it('is a branch as pushed, not as in the working copy', async () => {
    const pushed = await git(fixture.sample.folder, 'rev-parse', 'origin/main');
    await commitFiles(fixture.sample.folder, { 'local.txt': 'not pushed' }, 'Stay here');
    const revision = await build({ repo_ref: 'main' });
    await git(fixture.sample.folder, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect(revision).toMatchObject({ status: 'DEPLOYED', source_revision_config: { repo_commit_sha: pushed } });
  });

  it("isn't a branch that exists only here", async () => {
    await git(fixture.sample.folder, 'branch', 'only-here');
    expect(await build({ repo_ref: 'only-here' })).toMatchObject({
      status: 'BUILD_FAILED',
      status_message: expect.stringContaining('the remote origin has no branch, tag or commit "only-here"') as string,
    });
  });

  it('can have slashes', async () => {
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main:feature/one');
    expect(await build({ repo_ref: 'feature/one' })).toMatchObject({ status: 'DEPLOYED' });
    expect(await build({ repo_ref: 'refs/heads/feature/one' })).toMatchObject({ status: 'DEPLOYED' });
  });

  it('can be a tag, annotated or not', async () => {
    const commit = await git(fixture.sample.folder, 'rev-parse', 'main');
    await git(fixture.sample.folder, 'tag', 'v1.0.0');
    await git(fixture.sample.folder, 'tag', '--annotate', '--message', 'Second', 'v2.0.0');
    for (const ref of ['refs/tags/v1.0.0', 'refs/tags/v2.0.0', 'v2.0.0']) {
      expect(await build({ repo_ref: ref })).toMatchObject({
        status: 'DEPLOYED',
        source_revision_config: { repo_commit_sha: commit },
      });
    }
    expect(await build({ repo_ref: 'refs/tags/v3.0.0' })).toMatchObject({ status: 'BUILD_FAILED' });
  });

  it('can be a full or abbreviated commit only if it was pushed', async () => {
    const pushed = await git(fixture.sample.folder, 'rev-parse', 'origin/main');
    const local = await commitFiles(fixture.sample.folder, { 'local.txt': 'not pushed' }, 'Stay here');
    await git(fixture.sample.folder, 'reset', '--quiet', '--hard', 'HEAD~1');
    expect(await build({ repo_ref: pushed })).toMatchObject({ status: 'DEPLOYED' });
    expect(await build({ repo_ref: pushed.slice(0, 10) })).toMatchObject({
      source_revision_config: { repo_commit_sha: pushed },
    });
    expect(await build({ repo_ref: local })).toMatchObject({ status: 'BUILD_FAILED' });
    expect(await build({ repo_ref: '0123456789' })).toMatchObject({ status: 'BUILD_FAILED' });
  });

  it('can appear while the revision waits for its build', async () => {
    const created = await createDeployment(fixture.caller, await repositoryBody(fixture.caller, name(), late));
    expect(created.source_revision_config.repo_commit_sha).toBeNull();
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main:late');
    await advance(fixture.caller, 6 * stepMs);
    expect(await listRevisions(fixture.caller, created.id)).toMatchObject([{ status: 'DEPLOYED' }]);
  });

  it("no longer has the revision's commit after it was rewritten", async () => {
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main:rewritten');
    const commit = await git(fixture.sample.folder, 'commit-tree', '-m', 'Lonely', 'main^{tree}');
    await git(fixture.sample.folder, 'push', '--quiet', '--force', 'origin', `${commit}:refs/heads/rewritten`);
    const body = await repositoryBody(fixture.caller, name(), { source_revision_config: { repo_ref: 'rewritten' } });
    const created = await createDeployment(fixture.caller, body);
    await git(fixture.sample.folder, 'push', '--quiet', '--force', 'origin', 'main:rewritten');
    await advance(fixture.caller, 6 * stepMs);
    const [revision] = await listRevisions(fixture.caller, created.id);
    expect(revision?.status_message).toBe(
      `Commit ${commit.slice(0, 7)} of rewritten is no longer in any branch or tag.`,
    );
  });
});

describe('the config file', () => {
  const graph = { dependencies: ['.'], graphs: { agent: './agent.py:graph' } };

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['may be JSON', 'app.json', { 'app.json': JSON.stringify(graph), 'agent.py': '' }, undefined],
    [
      'may be YAML',
      'app.yaml',
      { 'app.yaml': 'dependencies: [.]\ngraphs: {a: "./agent.py:g"}', 'agent.py': '' },
      undefined,
    ],
    [
      'may lie below the top',
      'apps/x/app.json',
      { 'apps/x/app.json': JSON.stringify(graph), 'apps/x/agent.py': '' },
      undefined,
    ],
    ['may be written with ./', './app.json', { 'app.json': JSON.stringify(graph), 'agent.py': '' }, undefined],
    ['must exist', 'absent.json', {}, "absent.json doesn't exist in"],
    ['must be a file', 'apps', { 'apps/x.txt': '' }, 'apps is a folder in'],
    ['must be readable', 'app.json', { 'app.json': '{"graphs":' }, "app.json can't be used: not valid JSON"],
    ['must name a graph', 'app.json', { 'app.json': '{"dependencies":["."],"graphs":{}}' }, '"graphs" must map'],
    ['must not be huge', 'app.json', { 'app.json': ' '.repeat(300_000) }, 'app.json is larger than 256 kB'],
  ])('%s', async (_, configPath, files, problem) => {
    const ref = await pushBranch(files);
    const revision = await build({ repo_ref: ref, graph_config_path: configPath });
    expect(revision.status_message ?? undefined).toEqual(problem && expect.stringContaining(problem));
    expect(revision.status).toBe(problem === undefined ? 'DEPLOYED' : 'BUILD_FAILED');
  });

  it("doesn't build if any graph file is missing", async () => {
    const graphs = { there: './agent.py:graph', gone: './src/a.py:graph', out: '../a.py:graph', again: 'src/a.py:b' };
    const config = JSON.stringify({ dependencies: ['.'], graphs });
    const ref = await pushBranch({ 'app.json': config, 'agent.py': '' });
    expect(await build({ repo_ref: ref, graph_config_path: 'app.json' })).toMatchObject({
      status: 'BUILD_FAILED',
      status_message:
        'Missing from the application: src/a.py (graph "gone"), a file outside the application (graph "out"), src/a.py (graph "again"). Add each file, or correct its path in app.json.',
    });
  });

  it('may name modules, which may also come from a package', async () => {
    const graphs = { here: 'agents.lead:graph', package: 'agents:graph', else: 'openagents.graph:make' };
    const config = JSON.stringify({ dependencies: ['.', './libs/a'], graphs });
    const ref = await pushBranch({ 'app.json': config, 'libs/a/src/agents/lead.py': '' });
    expect(await build({ repo_ref: ref, graph_config_path: 'app.json' })).toMatchObject({
      status: 'DEPLOYED',
      status_message:
        'Not in the application: openagents.graph (graph "else"). Installed packages or its own build must provide them.',
    });
  });

  it('and its graphs may be symbolic links inside the repository', async () => {
    const { folder } = fixture.sample;
    await git(folder, 'checkout', '--quiet', '-b', 'links');
    await mkdir(path.join(folder, 'app'));
    await symlink('../shared/app.json', path.join(folder, 'app/app.json'));
    await symlink('../shared/src', path.join(folder, 'app/src'));
    const graphs = { file: './src/agent.py:graph', module: 'src.agent:graph' };
    const config = JSON.stringify({ dependencies: ['.'], graphs });
    await commitFiles(folder, { 'shared/app.json': config, 'shared/src/agent.py': '' }, 'Link');
    await git(folder, 'push', '--quiet', 'origin', 'links');
    await git(folder, 'checkout', '--quiet', 'main');
    expect(await build({ repo_ref: 'links', graph_config_path: 'app/app.json' })).toMatchObject({
      status: 'DEPLOYED',
      status_message: null,
    });
  });

  it('is never followed out of the repository by a symbolic link', async () => {
    await symlink('/etc/passwd', path.join(fixture.sample.folder, 'link.json'));
    const ref = await pushBranch({});
    expect(await build({ repo_ref: ref, graph_config_path: 'link.json' })).toMatchObject({
      status_message: expect.stringContaining('link.json is a link in') as string,
    });
  });

  it('is read from the commit, not from the working copy', async () => {
    await writeFile(path.join(fixture.sample.folder, 'graph.json'), 'broken');
    const revision = await build({ repo_ref: 'main' });
    await git(fixture.sample.folder, 'checkout', '--quiet', 'graph.json');
    expect(revision.status).toBe('DEPLOYED');
  });

  async function pushBranch(files: Record<string, string>): Promise<string> {
    const branch = `branch-${++count}`;
    await git(fixture.sample.folder, 'checkout', '--quiet', '-b', branch);
    await commitFiles(fixture.sample.folder, { ...files, 'always.txt': branch }, branch);
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', branch);
    await git(fixture.sample.folder, 'checkout', '--quiet', 'main');
    return branch;
  }
});

describe('a repository', () => {
  it('is deployed from its local branches without a remote', async () => {
    const folder = path.join(fixture.folder, 'no-remote');
    await createLocalRepository(folder, sampleFiles);
    await fixture.caller.post('/_control/repositories', { folders: [folder] });
    const config = { source_config: { repo_url: folder } };
    expect(await built(await repositoryBody(fixture.caller, name(), config))).toMatchObject({ status: 'DEPLOYED' });
  });

  it('fails with a reason if its folder was deleted', async () => {
    const { folder, url } = await createRepository(fixture.folder, {
      name: 'short-lived',
      url: 'https://code.example/acme/short-lived',
      files: sampleFiles,
    });
    await fixture.caller.post('/_control/repositories', { folders: [folder] });
    const body = await repositoryBody(fixture.caller, name(), { source_config: { repo_url: url } });
    const created = await createDeployment(fixture.caller, body);
    await rm(folder, { recursive: true });
    await advance(fixture.caller, 6 * stepMs);
    expect((await listRevisions(fixture.caller, created.id))[0]?.status_message).toContain(
      "doesn't know this repository",
    );
  });

  it("that git couldn't read is read again, and misses no push", async () => {
    const { folder, url } = await createRepository(fixture.folder, {
      name: 'unread',
      url: 'https://code.example/acme/unread',
      files: sampleFiles,
    });
    await fixture.caller.post('/_control/repositories', { folders: [folder] });
    const body = await repositoryBody(fixture.caller, name(), {
      source_config: { repo_url: url, build_on_push: true },
    });
    const { id } = await createDeployment(fixture.caller, body);
    await advance(fixture.caller, 6 * stepMs);
    const pushed = await commitFiles(folder, { 'more.txt': '' }, 'Write more');
    const config = path.join(folder, '.git', 'config');
    const intact = await readFile(config, 'utf8');
    await writeFile(config, '[broken');
    await writeFile(path.join(folder, '.git', 'refs', 'remotes', 'origin', 'main'), `${pushed}\n`);
    await advance(fixture.caller, stepMs);
    expect(await listRevisions(fixture.caller, id)).toHaveLength(1);
    await writeFile(config, intact);
    await advance(fixture.caller, stepMs);
    expect(await listRevisions(fixture.caller, id)).toMatchObject([
      { source_revision_config: { repo_commit_sha: pushed } },
      {},
    ]);
  });

  it("can't run hooks, monitors, helpers or fetches during a build", async () => {
    const marker = path.join(fixture.folder, 'something-ran');
    const script = path.join(fixture.folder, 'run.sh');
    await writeFile(script, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const { folder, url } = await createRepository(fixture.folder, {
      name: 'hostile',
      url: 'https://code.example/acme/hostile',
      files: sampleFiles,
    });
    const settings = {
      'core.fsmonitor': script,
      'core.hooksPath': fixture.folder,
      'core.sshCommand': script,
      'credential.helper': `!${script}`,
      'core.pager': script,
      'core.askPass': script,
      'uploadpack.packObjectsHook': script,
      'remote.origin.promisor': 'true',
      'remote.origin.partialclonefilter': 'blob:none',
      'remote.origin.uploadpack': script,
      'diff.external': script,
      'filter.lfs.smudge': script,
    };
    for (const [key, value] of Object.entries(settings)) await git(folder, 'config', key, value);
    await fixture.caller.post('/_control/repositories', { folders: [folder] });
    for (const ref of ['main', 'absent', '0123456789012345678901234567890123456789']) {
      const body = await repositoryBody(fixture.caller, name(), {
        source_config: { repo_url: url },
        source_revision_config: { repo_ref: ref },
      });
      await createDeployment(fixture.caller, body);
    }
    await advance(fixture.caller, 6 * stepMs);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('uploaded source', () => {
  const config = JSON.stringify({ dependencies: ['.'], graphs: { agent: './agent.py:graph' } });

  it.each<[string, () => Promise<string | undefined>, string | undefined]>([
    ['builds from a tarball in the uploads', async () => upload({ './graph.json': config, 'agent.py': '' }), undefined],
    ['needs a tarball', async () => undefined, 'source_tarball_path is missing'],
    ['needs a tarball that exists', async () => 'absent.tgz', 'There is no file absent.tgz in'],
    ['cannot lie outside of the uploads', async () => '../service.json', 'There is no file ../service.json in'],
    ['must be a tarball', async () => uploadBytes(gzipSync('x'.repeat(2000))), "isn't a tarball compressed with gzip"],
    ['must be compressed', async () => uploadBytes(tarOf({ a: '' })), "isn't a tarball compressed with gzip"],
    ['holds the config file', async () => upload({ 'agent.py': '' }), "graph.json isn't in"],
    [
      'holds the file of a graph',
      async () => upload({ 'graph.json': config }),
      'application: agent.py (graph "agent").',
    ],
  ])('%s', async (_, prepare, problem) => {
    const tarball = await prepare();
    const revision = await builtFrom({ graph_config_path: 'graph.json', source_tarball_path: tarball });
    expect(revision.status_message ?? undefined).toEqual(problem && expect.stringContaining(problem));
    expect(revision.status).toBe(problem === undefined ? 'DEPLOYED' : 'BUILD_FAILED');
  });

  it('needs no config file if the request names none, as command-line tools send it', async () => {
    const tarball = await upload({ 'agent.py': '' });
    expect(await builtFrom({ source_tarball_path: tarball })).toMatchObject({ status: 'DEPLOYED' });
    expect(await builtFrom({})).toMatchObject({ status: 'BUILD_FAILED' });
  });

  it("isn't followed out of the uploads by a symbolic link", async () => {
    const outside = path.join(fixture.folder, 'outside.tgz');
    await writeFile(outside, gzipSync(tarOf({ 'graph.json': config, 'agent.py': '' })));
    const link = await uploadBytes(Buffer.alloc(0));
    await symlink(outside, path.join(fixture.service.dataFolder, 'uploads', `link-${link}`));
    const revision = await builtFrom({ graph_config_path: 'graph.json', source_tarball_path: `link-${link}` });
    expect(revision.status).toBe('BUILD_FAILED');
  });

  async function builtFrom(config: Record<string, string | undefined>) {
    return built({ name: name(), source: 'internal_source', source_revision_config: config });
  }

  async function upload(files: Record<string, string>): Promise<string> {
    return uploadBytes(gzipSync(tarOf(files)));
  }

  async function uploadBytes(bytes: Buffer): Promise<string> {
    const folder = path.join(fixture.service.dataFolder, 'uploads');
    await mkdir(folder, { recursive: true });
    const file = `upload-${++count}.tgz`;
    await writeFile(path.join(folder, file), bytes);
    return file;
  }
});

const late = { source_revision_config: { repo_ref: 'late' } };

async function build(fields: Record<string, string>) {
  return built(await repositoryBody(fixture.caller, name(), { source_revision_config: fields }));
}

/** Creates a deployment, and gives its revision after the build. */
async function built(body: Record<string, unknown>) {
  const { id } = await createDeployment(fixture.caller, body);
  await advance(fixture.caller, 6 * stepMs);
  const [revision] = await listRevisions(fixture.caller, id);
  return revision!;
}

function name(): string {
  return `build-${++count}`;
}
