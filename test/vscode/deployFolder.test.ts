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
import { addSecret, discard, finish, leave } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { atEnd, pollQuickly, startedService, useSettings } from './support/suite.ts';
import { editorText, expect, pages, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { showFile } from './support/workspace.ts';

const connection = 'Local service';
/** An application whose values are in a file that is never uploaded. */
const envConfig = config.replace('{', '{ "env": ".env",');
const deploy = /^Deploy(?: New Revision)?(?: with \d+ Warnings?)?$/;
const changedMeanwhile = 'uploaded-agent changed meanwhile. Look at it and deploy it again.';
const view = () => tree('Deployments');
const secretNames = (page: Page) => page.deployment().tables[0]?.rows.map(({ name }) => name);

/** Opens the page of a folder as the Explorer's menu does. */
async function openPageOf(place: string): Promise<Page> {
  await run('deployThisFolder', vscode.Uri.file(place));
  return pages.inFront();
}

/** Begins again on the page of what was uploaded, which goes. */
async function openAgain(page: Page): Promise<Page> {
  await page.press('Deploy Folder Again…');
  const again = await pages.inFront();
  expect(again.document).not.toBe(page.document);
  return again;
}

/** Deploys, and closes the page once the service has the upload. */
async function deployAndFinish(page: Page): Promise<void> {
  expect(await page.press(deploy)).toMatchObject({ failed: false, message: '' });
  await expect.poll(() => page.deployment().progress?.look).toBe('success');
  await finish(page);
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
    const { folder: clone } = await layouts.clone();
    folder = path.join(path.dirname(clone), 'agent');
    await rename(clone, folder);
    await storeConnections([{ name: 'Cloud', baseUrl: server.url, flavor: 'langsmith' }]);
    await tree('Deployments').open();
    await switchConnection('Cloud');
    await setKey(key);
    await expect.poll(() => told.contextKeys.get('deploymentManager.capabilities')).toMatch(/\bupload\b/);
  });

  function answerTo(method: string, pathname: string): Fault {
    const source_config = { deployment_type: 'dev' };
    const record = { id, name: 'agent', source: 'internal_source', source_config, status: 'READY', secrets };
    if (method === 'PUT') return json({});
    if (method === 'PATCH') return json({ ...record, latest_revision_id: 'r1' });
    if (pathname.endsWith('/upload-url'))
      return json({ upload_url: server.url + signed, object_path: 'd/source.tar.gz' });
    if (method === 'POST') made = record;
    if (method === 'POST') return json(made, 201);
    if (pathname.endsWith('/r1')) return json({ id: 'r1', status: 'DEPLOYED' });
    return json({ resources: pathname === '/v2/deployments' && made !== undefined ? [made] : [], offset: 0 });
  }

  it('that creates without an answer is looked at, and then gets the folder', async () => {
    faults.set('POST deployments', () => void answerTo('POST', '/v2/deployments'));
    const page = await openPageOf(folder);
    const pressed = page.press(deploy);
    await expect.poll(() => made).toBeDefined();
    await told.cancel('Creating agent on Cloud…');
    await pressed;
    await told.message('agent was created on Cloud after all. It has no revision yet.');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    await page.close();
  });

  it('that refuses it keeps the page, which goes on with the deployment that was created', async () => {
    faults.set('PUT source.tar.gz', json({ detail: 'No access' }, 403));
    const page = await openPageOf(folder);
    expect(await page.press(deploy)).toMatchObject({ failed: true });
    await expect.poll(() => page.findings().join()).toContain('Self-hosted services may not take uploads');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    expect(server.seen.filter(({ method }) => method === 'PATCH')).toEqual([]);
    await page.close();
  });

  it('sends the key everywhere but to the signed address, and creates nothing a second time', async () => {
    const page = await openPageOf(folder);
    expect(await page.press(deploy)).toMatchObject({ failed: false, message: '' });
    expect(page.deployment().progress).toBeDefined();
    await finish(page);
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
    const page = await openPageOf(folder);
    await addSecret(page, 'TOKEN', 'canary-5c1d-sent');
    await expect.poll(() => page.state().deploy?.label).toMatch(deploy);
    const sent = () => server.seen.filter(({ method }) => method === 'PUT' || method === 'PATCH').length;
    const before = sent();
    secrets.push({ name: 'OTHER' });
    expect(await page.press(deploy)).toMatchObject({
      failed: true,
      message: expect.stringMatching(/^.+ wasn't sent, because this is new: These secrets will be gone: OTHER\.$/),
    });
    await expect.poll(() => page.findings()).toContain('warning: These secrets will be gone: OTHER.');
    expect(sent()).toBe(before);
    await discard(page);
    const again = await openPageOf(folder);
    expect(secretNames(again)).toEqual(['OTHER']);
    await again.close();
  });

  it('that takes none is not offered again until the window reloads', async () => {
    faults.set('POST upload-url', json({ detail: 'Not Found' }, 404));
    const page = await openPageOf(folder);
    expect(await page.press(deploy)).toMatchObject({ failed: true });
    await expect.poll(() => page.findings().join()).toContain('"Cloud" doesn\'t take uploads.');
    await discard(page);
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
      'graph.json': envConfig,
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
    const page = await openPageOf(folder);
    const [first, ...others] = page.findings();
    const words = `: 5 files, \\d+ bytes, ${commit} \\+ [23] changes. Nothing is committed or pushed.`;
    expect(first).toMatch(new RegExp(`^info: Uploads .*uploaded-agent as it is on disk${words}$`));
    if (process.platform !== 'win32')
      expect(others).toContain('warning: Left out (links outside the folder): outside.');
    expect(page.state()).toMatchObject({
      title: 'Deploy uploaded-agent',
      deploy: { label: expect.stringMatching(deploy) },
    });
    expect(page.field('config')).toBe('graph.json');
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    expect(fields.flatMap(({ key, isLocked }) => (isLocked ? [key] : []))).toEqual(['connection', 'source']);
    expect(fields.map(({ key }) => key)).not.toContain('upload');
    const shown = page.press('Show Files…');
    await quickInput.asked(/^Deploy uploaded-agent: 5 files, \d+ bytes$/);
    expect(quickInput.rows().join('\n')).toMatch(/^new file\.py \d+ bytes?$/m);
    expect(quickInput.rows().join('\n')).not.toContain('dist/out.js');
    await quickInput.cancel();
    await shown;
    const asked = page.press('Show Request');
    await quickInput.asked(/^POST .*\/v2\/deployments$/);
    await quickInput.choose('Copy as JSON');
    expect(await asked).toMatchObject({
      message: 'Other requests upload the folder.',
    });
    expect(JSON.parse(await vscode.env.clipboard.readText())).toMatchObject({
      name: 'uploaded-agent',
      source: 'internal_source',
      source_revision_config: {},
    });
    await page.close();
    expect(await deployment()).toBeUndefined();
  });

  it('is saved as a file, which names no folder, and stays', async () => {
    const page = await openPageOf(folder);
    await page.type('build_command', 'make');
    const file = path.join(folder, '..', 'saved.deployment-spec.yaml');
    told.dialogGives(file);
    await page.press('Save as Deployment File…');
    (
      await told.message("Saved saved.deployment-spec.yaml without the folder. The folder's draft is still open.")
    ).press();
    const saved = await pages.inFront();
    expect(saved.document.uri.fsPath).toBe(file);
    expect(saved.document.getText()).toContain('build_command: make\n');
    await saved.close();
    const again = await openPageOf(folder);
    expect(again.field('build_command')).toBe('make');
    await discard(again);
  });

  it('offers the names of its .env file as secrets, creates a deployment and follows what it builds', async () => {
    const left = await openPageOf(folder);
    await left.press('Import TOKEN from .env');
    expect(await left.edit([specKey('memory_mb', '4096')])).toBe('');
    await leave(left);
    const page = await openPageOf(folder);
    expect(page.deployment().facts.join()).toContain('Your draft of ');
    expect(page.deployment().tables[0]?.rows).toMatchObject([{ name: 'TOKEN', from: '.env', state: 'set' }]);
    expect(page.deployment().resources?.summary).toBe('4096 MB · chosen');
    await deployAndFinish(page);
    await expect.poll(statusBar).toMatch(/uploaded-agent: .*(?:live|Deployed)/);
    expect(await deployment()).toMatchObject({
      source: 'internal_source',
      source_config: { resource_spec: { memory_mb: 4096 } },
      source_revision_config: { graph_config_path: 'graph.json' },
      secrets: [{ name: 'TOKEN' }],
    });
    expect(await uploaded()).toEqual({
      '.env.example': 'TOKEN=\n',
      '.gitignore': 'dist/\n.env\n',
      'agent.py': 'graph = 1\n',
      'graph.json': envConfig,
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
    const page = await openPageOf(path.join(folder, 'graph.json'));
    expect(page.findings()[0]).toContain(`bytes, ${commit}. Nothing`);
    const replaced = (shown = page) =>
      /Upload: (.*?) → the folder as it is now/.exec(shown.deployment().facts.join())?.[1];
    const first = replaced();
    expect(first).toBeDefined();
    expect(page.deployment().tables[0]?.rows).toMatchObject([{ name: 'TOKEN', state: 'unchanged', isMissing: false }]);
    expect(page.findings().join()).not.toContain('Add TOKEN as secrets');
    const asked = page.press('Show Request');
    await quickInput.asked(/^PATCH /);
    await quickInput.choose('Copy as JSON');
    expect(await asked).toMatchObject({ message: 'Other requests upload the folder.' });
    expect(JSON.parse(await vscode.env.clipboard.readText())).toEqual({
      revision_source: 'internal_source',
      source_revision_config: { source_tarball_path: '<path of the upload>', graph_config_path: 'graph.json' },
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    expect((await pages.inFront()).document).toBe(page.document);
    await page.press(deploy);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    expect((await uploaded())['agent.py']).toBe('graph = 2\n');
    await write('agent.py', 'graph = 3\n');
    const again = await openAgain(page);
    // Until then, the service could still be asked what the deployment has by now.
    await expect.poll(() => [undefined, first].includes(replaced(again)) || again.deployment().isChecking).toBe(false);
    await expect.poll(() => again.state().deploy?.label).toMatch(deploy);
    await deployAndFinish(again);
    expect((await uploaded())['agent.py']).toBe('graph = 3\n');
    expect(await deployment()).toMatchObject({ id, secrets: [{ name: 'TOKEN' }] });
  });

  it('says which files are not saved, and uploads what is on disk when it is deployed', async () => {
    await showFile(path.join(folder, 'agent.py'));
    const editor = vscode.window.activeTextEditor;
    await editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), '# unsaved\n'));
    const page = await openPageOf(folder);
    expect(page.findings()).toContain("warning: Unsaved changes aren't uploaded: agent.py.");
    await write('new file.py', 'longer than before\n');
    await write('added.py', 'added = 1\n');
    // A file that the page hasn't listed.
    expect(await page.press(deploy)).toMatchObject({ failed: true, message: changedMeanwhile });
    await deployAndFinish(page);
    expect(await uploaded()).toMatchObject({
      'added.py': 'added = 1\n',
      'agent.py': 'graph = 3\n',
      'new file.py': 'longer than before\n',
    });
    await showFile(path.join(folder, 'agent.py'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('uploads nothing if another window has deleted the deployment, and can go on with a new one', async () => {
    const { id } = await deployment();
    const page = await openPageOf(folder);
    await callService(await startedService(), 'DELETE', `/v2/deployments/${id}?delete_tracing_project=false`);
    await expect.poll(deployment).toBeUndefined();
    expect(await page.press(deploy)).toMatchObject({ failed: true });
    await expect.poll(() => page.findings()).toContain(`error: "uploaded-agent" no longer exists on ${connection}.`);
    expect(await deployment()).toBeUndefined();
    await page.press('Deploy Folder Again…');
    await expect.poll(() => page.findings()).toContain('error: Enter the value of TOKEN, or remove it.');
    await page.press('Import TOKEN from .env');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy(?: with|$)/);
    expect(page.deployment().resources?.summary).toBe('4096 MB · as last time');
    await page.close();
  });

  it('becomes no second deployment if another window has created it meanwhile, and can update that one', async () => {
    await write('twice-agent/graph.json', config);
    await write('twice-agent/agent.py', 'graph = 2\n');
    const page = await openPageOf(path.join(folder, 'twice-agent'));
    const service = await startedService();
    const { id } = await callService(service, 'POST', '/v2/deployments', {
      name: 'twice-agent',
      source: 'internal_source',
      source_config: {},
      source_revision_config: {},
      secrets: [],
    });
    expect(await page.press(deploy)).toMatchObject({ failed: true });
    await expect.poll(() => page.field('name')).toBe('twice-agent-2');
    const chosen = page.press('Choose Deployment…');
    await quickInput.choose('twice-agent');
    await chosen;
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    expect(page.field('name')).toBe('twice-agent');
    await deployAndFinish(page);
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
    const page = await openPageOf(folder);
    expect(page.findings().join()).toContain(`error: Git LFS hasn't fetched model.bin.`);
    expect(page.state().deploy).toBeUndefined();
    await page.close();
  });

  it('says which dependencies of its application lie outside, and has its config files to choose from', async () => {
    await write('apps/one/graph.json', config.replace('["."]', '[".", "../../shared"]'));
    await write('apps/one/agent.py', 'graph = None\n');
    await write('apps/one/other/graph.json', config.replace('./agent.py', '../agent.py'));
    await write('apps/one/values.txt', 'OTHER=canary-91f3-other\n');
    const page = await openPageOf(path.join(folder, 'apps/one'));
    expect(page.findings().join()).toContain(': 4 files, ');
    const outside = 'warning: The application needs ../../shared outside this folder. Deploy a folder that holds both.';
    expect(page.findings()).toContain(outside);
    const chosen = page.press('Config file');
    await quickInput.choose('other/graph.json');
    await chosen;
    await expect.poll(() => page.field('config')).toBe('other/graph.json');
    await expect.poll(() => page.findings()).not.toContain(outside);
    await addSecret(page, 'OTHER', 'canary-91f3-typed');
    const origin = page.pressInRow('OTHER', 'Where From…');
    told.dialogGives(path.join(folder, 'apps/one/values.txt'));
    await quickInput.choose(/^A \.env File/);
    await origin;
    // The values are in none of the files that are uploaded.
    await expect.poll(() => page.findings().join()).toContain(': 3 files, ');
    const files = page.press('Show Files…');
    await quickInput.asked(/: 3 files, /);
    expect(quickInput.rows()).toContain('values.txt may hold secrets');
    await quickInput.cancel();
    await files;
    await page.type('config', 'absent.json');
    const absent = 'error: one has no file "absent.json" that is uploaded. Choose the config file.';
    await expect.poll(() => page.findings()).toContain(absent);
    await discard(page);
  });

  it('asks for a config file that tells which graphs to run', async () => {
    await write('docs/readme.md', 'text');
    const ended = run('deployThisFolder', vscode.Uri.file(path.join(folder, 'docs')));
    (await told.message(/^docs has no application config file/)).press();
    await ended;
  });
});
