import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { unpackTar } from 'modern-tar';
import * as vscode from 'vscode';
import { json } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { Fault, FaultServer } from '../support/faultServer.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { dataFolderVariable } from '../support/vscodeTestRun.ts';
import { setKey as specKey } from './support/forms.ts';
import { config, openLayouts } from './support/layouts.ts';
import { setKey, storeConnections, switchConnection } from './support/connections.ts';
import { atEnd, pollQuickly, startedService, useSettings } from './support/suite.ts';
import { editorText, expect, forms, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { showFile } from './support/workspace.ts';

const review = 'Deploy Folder: Review';
const connection = 'Local service';
const view = () => tree('Deployments');
const rows = () => quickInput.rows();
const row = (label: string) => rows().find((text) => text.startsWith(`${label} `)) ?? '';

/** Opens the review as the Explorer's menu does. */
async function openReviewOf(place: string): Promise<{ readonly ended: Promise<void> }> {
  const ended = run('deployThisFolder', vscode.Uri.file(place));
  await quickInput.asked(review);
  return { ended };
}

async function deploy(): Promise<void> {
  const label = rows().find((text) => text.startsWith('Deploy ')) ?? '';
  const isWarned = rows().some((text) => /^(?:Left out \(|Unsaved)/.test(text));
  await quickInput.choose(label);
  if (!isWarned) return;
  await quickInput.asked(`${label}?`);
  await quickInput.choose('Deploy Anyway');
}

describe('An upload to a service with a key', () => {
  const id = '5d4e8a52-7d51-4d0e-9f5a-2f4e1b8f0c11';
  const key = 'canary-91f3-key';
  const signed = '/bucket/source.tar.gz?signature=canary-91f3-signature';
  let server: FaultServer;
  let folder: string;
  /** The secrets of the deployment, as the service lists them. */
  const secrets: object[] = [];
  let made: object | undefined;
  /** What the next requests of these kinds get instead of an answer. */
  const faults = new Map<string, Fault>();

  before(async () => {
    server = await startFaultServer();
    atEnd(async () => server[Symbol.asyncDispose]());
    server.answer((response, request) => {
      const { pathname } = new URL(request.url ?? '', server.url);
      const what = `${request.method} ${pathname.split('/').at(-1)}`;
      const fault = faults.get(what);
      faults.delete(what);
      (fault ?? answerTo(request.method ?? '', pathname))(response, request);
    });
    const layouts = await openLayouts();
    ({ folder } = await layouts.clone());
    await writeFile(path.join(folder, '.env'), 'TOKEN=canary-5c1d-sent\n');
    await storeConnections([{ name: 'Cloud', baseUrl: server.url, flavor: 'langsmith' }]);
    await tree('Deployments').open();
    await switchConnection('Cloud');
    await setKey(key);
    await expect.poll(() => told.contextKeys.get('deploymentManager.capabilities')).toMatch(/\bupload\b/);
  });

  function answerTo(method: string, pathname: string): Fault {
    const record = { id, name: 'agent', source: 'internal_source', status: 'READY', secrets };
    if (method === 'PUT') return json({});
    if (method === 'PATCH') return json({ ...record, latest_revision_id: 'r1' });
    if (pathname.endsWith('/upload-url'))
      return json({ upload_url: server.url + signed, object_path: 'd/source.tar.gz' });
    if (method === 'POST') made = record;
    if (method === 'POST') return json(made, 201);
    if (pathname.endsWith('/r1')) return json({ id: 'r1', status: 'DEPLOYED' });
    return json({ resources: pathname === '/v2/deployments' && made !== undefined ? [made] : [], offset: 0 });
  }

  it('that refuses it leads back to the review, with the deployment that was created', async () => {
    faults.set('PUT source.tar.gz', json({ detail: 'No access' }, 403));
    const { ended } = await openReviewOf(folder);
    await deploy();
    await quickInput.asked(review);
    await expect.poll(() => rows().join(' ')).toContain('Self-hosted services may not take uploads');
    expect(row('Deployment')).toBe('Deployment agent');
    await quickInput.cancel();
    await ended;
    expect(server.seen.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  it('sends the key everywhere but to the signed address, and creates nothing a second time', async () => {
    const { ended } = await openReviewOf(folder);
    await deploy();
    await ended;
    const changes = server.seen.filter(({ method }) => method !== 'GET');
    expect(changes.map(({ method, path: place }) => `${method} ${place}`)).toEqual([
      'POST /v2/deployments',
      `POST /v2/deployments/${id}/upload-url`,
      `PUT ${signed}`,
      `POST /v2/deployments/${id}/upload-url`,
      `PUT ${signed}`,
      `PATCH /v2/deployments/${id}`,
    ]);
    for (const { method, headers } of changes) {
      if (method === 'PUT') expect(JSON.stringify(headers)).not.toContain(key);
      else expect(headers['x-api-key']).toBe(key);
    }
    expect(JSON.parse(changes.at(-1)?.body ?? '')).toEqual({
      revision_source: 'internal_source',
      source_revision_config: { source_tarball_path: 'd/source.tar.gz', langgraph_config_path: 'graph.json' },
    });
  });

  it('loses no secret unnamed that another window has added meanwhile', async () => {
    const { ended } = await openReviewOf(folder);
    await quickInput.choose('Import TOKEN from .env');
    await quickInput.tick('TOKEN line 1');
    await quickInput.asked(review);
    const sent = () => server.seen.filter(({ method }) => method === 'PUT' || method === 'PATCH').length;
    const before = sent();
    secrets.push({ name: 'OTHER' });
    await deploy();
    await quickInput.asked(review);
    expect(rows().join('\n')).toContain('agent changed in the meantime, so nothing was deployed.');
    expect(rows().join('\n')).toContain('These secrets will be gone: OTHER.');
    expect(sent()).toBe(before);
    await quickInput.cancel();
    await ended;
    const { ended: again } = await openReviewOf(folder);
    await quickInput.choose(/^Start Over/);
    await expect.poll(() => row('Secrets')).toBe('Secrets unchanged: OTHER');
    await quickInput.cancel();
    await again;
  });

  it('that takes none is not offered again until the window reloads', async () => {
    faults.set('POST upload-url', json({ detail: 'Not Found' }, 404));
    const { ended } = await openReviewOf(folder);
    await deploy();
    await quickInput.asked(review);
    await expect.poll(() => rows().join(' ')).toContain('"Cloud" doesn\'t take uploads.');
    await quickInput.cancel();
    await ended;
    expect(told.contextKeys.get('deploymentManager.capabilities')).not.toMatch(/\bupload\b/);
  });
});

describe('Deploying a folder', () => {
  let folder: string;
  let commit: string;

  before(async () => {
    await pollQuickly();
    await useSettings({ 'localService.stepMilliseconds': 20 });
    await useSettings({ autoSave: 'off' }, 'files');
    const layouts = await openLayouts();
    const { folder: clone } = await layouts.clone({
      'graph.json': config,
      'agent.py': 'graph = None\n',
      '.gitignore': 'dist/\n.env\n',
      '.env.example': 'TOKEN=\n',
    });
    // Other suites have deployed an agent.
    folder = path.join(path.dirname(clone), 'uploaded-agent');
    await rename(clone, folder);
    commit = await git(folder, 'rev-parse', '--short=7', 'HEAD');
    await write('agent.py', 'graph = 1\n');
    await write('new file.py', 'new = 1\n');
    await write('.env', 'TOKEN=canary-91f3-token\n');
    await write('dist/out.js', 'built');
    await symlink('/etc', path.join(folder, 'outside')).catch(() => undefined);
    await view().open();
    await run('startLocalService');
    await expect.poll(() => told.contextKeys.get('deploymentManager.capabilities')).toMatch(/\bupload\b/);
  });

  after(() => run('stopLocalService'));

  async function write(name: string, text: string): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** The files of the newest archive that the service has. */
  async function uploaded(): Promise<Record<string, string>> {
    const uploads = path.join(process.env[dataFolderVariable] ?? '', 'uploads');
    const archives = (await readdir(uploads, { recursive: true })).filter((name) => name.endsWith('.tar.gz'));
    const newest: string = (await deployment()).source_revision_config.source_tarball_path;
    expect(archives.map((name) => name.replaceAll('\\', '/'))).toContain(newest);
    const entries = await unpackTar(gunzipSync(await readFile(path.join(uploads, newest))), { strict: true });
    return Object.fromEntries(entries.map(({ header, data }) => [header.name, new TextDecoder().decode(data)]));
  }

  async function deployment() {
    const { resources } = await callService(
      await startedService(),
      'GET',
      '/v2/deployments?name_contains=uploaded-agent',
    );
    return resources[0];
  }

  it('shows what will be uploaded and what will not, before anything leaves', async () => {
    const { ended } = await openReviewOf(folder);
    expect(row('Deploy')).toBe(`Deploy uploaded-agent to ${connection}`);
    expect(row('Files')).toMatch(/^Files 5 files, \d+ bytes$/);
    expect(row('Config file')).toBe('Config file graph.json');
    expect(row('Checked out')).toMatch(new RegExp(`^Checked out ${commit} \\+ [23] changes$`));
    expect(row('Deployment')).toBe('Deployment a new one');
    expect(rows()).toContain('Uploads the files as they are on disk. Nothing is committed or pushed.');
    if (process.platform !== 'win32')
      expect(rows().join('\n')).toContain('Left out (links outside the folder): outside.');
    await quickInput.choose(row('Files'));
    await quickInput.asked(/^Deploy Folder: .*, 5 files, \d+ bytes$/);
    expect(rows().join('\n')).toMatch(/^new file\.py \d+ bytes?$/m);
    expect(rows().join('\n')).not.toContain('dist/out.js');
    await quickInput.goBack();
    await quickInput.asked(review);
    await quickInput.cancel();
    await ended;
    expect(await deployment()).toBeUndefined();
  });

  it('offers the names of its .env file as secrets, creates a deployment and follows what it builds', async () => {
    const { ended: left } = await openReviewOf(folder);
    await quickInput.choose('Import TOKEN from .env');
    await quickInput.tick('TOKEN line 1');
    await quickInput.asked(review);
    await quickInput.choose(row('Name'));
    await quickInput.asked('Deploy Folder');
    await quickInput.cancel();
    await left;
    const { ended } = await openReviewOf(folder);
    expect(row('Start Over')).toMatch(/^Start Over discards your draft of /);
    expect(row('Secrets')).toBe('Secrets 1 secret · you');
    await quickInput.choose(row('Resources'));
    const form = await forms.inFront('Resources of uploaded-agent');
    await form.change(specKey('memory_mb', '4096'));
    await form.ask('use');
    await quickInput.asked(review);
    expect(row('Resources')).toBe('Resources 4096 MB · you');
    await deploy();
    await ended;
    await expect.poll(statusBar).toMatch(/uploaded-agent: .*(?:live|Deployed)/);
    expect(await deployment()).toMatchObject({
      source: 'internal_source',
      source_revision_config: { graph_config_path: 'graph.json' },
      secrets: [{ name: 'TOKEN' }],
    });
    expect(await uploaded()).toEqual({
      '.env.example': 'TOKEN=\n',
      '.gitignore': 'dist/\n.env\n',
      'agent.py': 'graph = 1\n',
      'graph.json': config,
      'new file.py': 'new = 1\n',
    });
  });

  it('says where the revision came from', async () => {
    await view().expand('uploaded-agent');
    const words = new RegExp(`uploaded from ${hostname()} at .*, ${commit} \\+ [23] changes`);
    await expect.poll(() => view().rows()).toMatch(words);
    await run('openDetails', await view().shows('uploaded-agent'));
    await expect.poll(editorText).toMatch(new RegExp(`# Upload: ${words.source}`));
    await run('showActivity');
    await expect.poll(editorText).toContain('· uploaded ');
  });

  it('updates the same deployment the next time, also from its config file, and leaves its secrets alone', async () => {
    await write('agent.py', 'graph = 2\n');
    await commitFiles(folder, {}, 'Commit everything');
    commit = await git(folder, 'rev-parse', '--short=7', 'HEAD');
    const { id } = await deployment();
    const { ended } = await openReviewOf(path.join(folder, 'graph.json'));
    expect(row('Deployment')).toBe('Deployment uploaded-agent');
    expect(row('Secrets')).toBe('Secrets unchanged: TOKEN');
    expect(row('Checked out')).toBe(`Checked out ${commit}`);
    await deploy();
    await ended;
    await expect.poll(async () => (await uploaded())['agent.py']).toBe('graph = 2\n');
    expect(await deployment()).toMatchObject({ id, secrets: [{ name: 'TOKEN' }] });
  });

  it('goes back to the review if a file cannot be packed, and says which files are not saved', async () => {
    await showFile(path.join(folder, 'agent.py'));
    const editor = vscode.window.activeTextEditor;
    await editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), '# unsaved\n'));
    const { ended } = await openReviewOf(folder);
    expect(rows().join('\n')).toContain("Unsaved changes aren't uploaded: agent.py.");
    await write('new file.py', 'longer than before\n');
    await deploy();
    await quickInput.asked(review);
    expect(rows().join('\n')).toContain('new file.py changed while the folder was packed.');
    await quickInput.cancel();
    await ended;
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('uploads nothing if another window has deleted the deployment, and stays in the review', async () => {
    const { id } = await deployment();
    const { ended } = await openReviewOf(folder);
    await callService(await startedService(), 'DELETE', `/v2/deployments/${id}?delete_tracing_project=false`);
    await expect.poll(deployment).toBeUndefined();
    await deploy();
    await quickInput.asked(review);
    expect(rows().join('\n')).toContain(`uploaded-agent no longer exists on ${connection}.`);
    await quickInput.cancel();
    await ended;
    expect(await deployment()).toBeUndefined();
  });

  it('becomes no second deployment if another window has created it meanwhile, but updates that one', async () => {
    await write('twice-agent/graph.json', config);
    await write('twice-agent/agent.py', 'graph = 2\n');
    const { ended } = await openReviewOf(path.join(folder, 'twice-agent'));
    expect(row('Deployment')).toBe('Deployment a new one');
    const service = await startedService();
    const { id } = await callService(service, 'POST', '/v2/deployments', {
      name: 'twice-agent',
      source: 'internal_source',
      source_config: {},
      source_revision_config: {},
      secrets: [],
    });
    await deploy();
    await quickInput.asked(review);
    expect(row("Can't be deployed yet")).toBe("Can't be deployed yet 1 problem");
    expect(rows().join('\n')).toContain(`"twice-agent" is taken on ${connection}; choose another name.`);
    await quickInput.choose(row('Deployment'));
    await quickInput.choose('twice-agent');
    await quickInput.asked(review);
    await deploy();
    await ended;
    const { resources } = await callService(service, 'GET', '/v2/deployments?name_contains=twice-agent');
    expect(resources).toEqual([
      expect.objectContaining({
        id,
        source_revision_config: expect.objectContaining({ graph_config_path: 'graph.json' }),
      }),
    ]);
  });

  it('is refused with pointers of Git LFS, whose content is not here', async () => {
    await write('model.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n');
    const { ended } = await openReviewOf(folder);
    expect(row("Can't be deployed yet")).toBe("Can't be deployed yet 1 problem");
    expect(rows().join('\n')).toContain(`Git LFS hasn't fetched model.bin.`);
    await quickInput.cancel();
    await ended;
  });

  it('says which dependencies of its application lie outside', async () => {
    await write('apps/one/graph.json', config.replace('["."]', '[".", "../../shared"]'));
    await write('apps/one/agent.py', 'graph = None\n');
    const { ended } = await openReviewOf(path.join(folder, 'apps/one'));
    expect(row('Config file')).toBe('Config file graph.json');
    expect(rows().join(' ')).toContain('The application needs ../../shared outside this folder.');
    await quickInput.cancel();
    await ended;
  });

  it('asks for a config file that tells which graphs to run', async () => {
    await write('docs/readme.md', 'text');
    const ended = run('deployThisFolder', vscode.Uri.file(path.join(folder, 'docs')));
    (await told.message(/^docs has no application config file/)).press();
    await ended;
  });
});
