import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { held } from '../support/faults.ts';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { httpBackend, startGitHttpServer } from '../support/gitServers/gitHttpServer.ts';
import type { GitHttpServer } from '../support/gitServers/gitHttpServer.ts';
import { writeHook } from '../support/gitServers/serverHooks.ts';
import { createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connections.ts';
import { openDraft } from './support/newDeployment.ts';
import { startRelay, startService, useSettings } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, expect, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { openFolder, openSample, suiteFolder } from './support/workspace.ts';

const { deployed } = words;
const password = 'canary-27fe-password';

(httpBackend ? describe : describe.skip)('A push over HTTP (needs git http-backend)', () => {
  let sample: SampleRepository;
  let server: GitHttpServer;
  let service: Service;
  let provider: vscode.Disposable;

  before(async () => {
    const folder = await suiteFolder();
    sample = await createSampleRepository(folder);
    server = await startGitHttpServer({ folder, user: 'ada', password });
    await git(sample.folder, 'config', '--unset-all', `url.${sample.bare}.insteadOf`);
    const address = `${server.url}/${path.basename(sample.bare)}`;
    await appendFile(path.join(sample.folder, '.git/config'), `[url "${address}"]\n\tinsteadOf = ${sample.url}\n`);
    await git(sample.folder, 'config', 'credential.helper', '');
    service = await startService({ repositories: [sample.folder], stepMs: 1 });
    await untilEnded(service, [await createFromRepository(service, 'sample-agent', sample.url)]);
    await useSettings({ 'follow.minIntervalSeconds': 0.1, 'follow.maxIntervalSeconds': 0.5 });
    // What an extension of a code host does. Git's own box looks the same to ours, but only a person can type into it.
    provider = vscode.extensions
      .getExtension('vscode.git')
      ?.exports.getAPI(1)
      .registerCredentialsProvider({ getCredentials: ask });
    await addConnection('Asking', service);
    await openFolder(sample.folder);
  });

  beforeEach(() => server.answer('serve'));

  after(async () => {
    provider.dispose();
    await server[Symbol.asyncDispose]();
  });

  /** Asks in VS Code's one quick input; undefined where it was closed. */
  async function ask(uri: vscode.Uri): Promise<{ username: string; password: string } | undefined> {
    const box = vscode.window.createInputBox();
    box.title = `Password for ${uri.authority}`;
    box.ignoreFocusOut = true;
    box.show();
    try {
      const typed = await new Promise<string | undefined>((resolve) => {
        box.onDidAccept(() => resolve(box.value));
        box.onDidHide(() => resolve(undefined));
      });
      return typed === undefined ? undefined : { username: 'ada', password: typed };
    } finally {
      box.dispose();
    }
  }

  /** Commits a file, and chooses to push it. */
  async function push(name: string): Promise<{ readonly ended: Promise<void> }> {
    await commitFiles(sample.folder, { [name]: 'One more.\n' }, `Add ${name}`);
    const ended = run('deployCurrentRepository');
    await choosePush();
    return { ended };
  }

  async function choosePush(): Promise<void> {
    await quickInput.asked(deployed.title);
    await quickInput.choose(deployed.push('1 commit', 'sample-agent'));
  }

  /** Answers when everything had its chance to close the question. */
  async function answer(host: string, text: string): Promise<void> {
    await quickInput.asked(`Password for ${host}`);
    await told.waitsFor('Pushing main to origin…');
    await expect.poll(() => told.progress.map(({ isCancellable }) => isCancellable)).toContain(true);
    await quickInput.answer(`Password for ${host}`, text);
  }

  const host = () => new URL(server.url).host;
  const said = () => quickInput.rows().join(' ');

  async function isLive(): Promise<void> {
    const commit = await git(sample.folder, 'rev-parse', 'HEAD');
    await expect.poll(statusBar).toBe(`sample-agent: main @ ${commit.slice(0, 7)} is live`);
    expect(await git(sample.bare, 'rev-parse', 'main')).toBe(commit);
  }

  it('gets a password, also after a wrong one, and is followed', async () => {
    const { ended } = await push('one.md');
    await answer(host(), 'wrong');
    await expect.poll(said).toContain(deployed.credentials);
    expect(said()).toContain('Authentication failed');
    await choosePush();
    await answer(host(), password);
    await ended;
    await isLive();
    expect(describeWindow()).not.toContain(password);
  });

  /** Lets a hook of the clone run before a push. */
  async function prePush(...lines: readonly string[]): Promise<AsyncDisposable> {
    const gitFolder = path.join(sample.folder, '.git');
    await writeHook(gitFolder, 'pre-push', lines);
    return { [Symbol.asyncDispose]: () => rm(path.join(gitFolder, 'hooks/pre-push')) };
  }

  it('says what a hook printed that stopped it, and waits for one that asks', async () => {
    const failing = await prePush('echo "Running 3 tests"', 'echo "test_graph failed" >&2', 'exit 1');
    const { ended } = await push('two.md');
    await quickInput.answer(`Password for ${host()}`, password);
    await expect.poll(said).toContain('A hook of this clone stopped the push.');
    expect(said()).toContain('Running 3 tests');
    expect(said()).toContain('test_graph failed');
    await failing[Symbol.asyncDispose]();
    // As the hook of Git LFS does.
    const credential = String.raw`printf 'protocol=https\nhost=files.example\n\n' | git credential fill`;
    await using _asking = await prePush(`${credential} | grep --quiet '^password=for-files$'`);
    await choosePush();
    await quickInput.answer(`Password for ${host()}`, password);
    await answer('files.example', 'for-files');
    await ended;
    await isLive();
  });

  it('that hangs is awaited until the user cancels, and followed if git finishes after all', async () => {
    server.answer('hang');
    const { ended } = await push('three.md');
    await told.cancel('Pushing main to origin…');
    await ended;
    (await told.message('Stopped waiting. Git may still finish.')).press();
    await quickInput.closed();
    server.answer('serve');
    await quickInput.answer(`Password for ${host()}`, password);
    await isLive();
  });
});

describe('A create during which another quick input opens', () => {
  let service: Service;
  let relay: Relay;

  before(async () => {
    const { folder } = await openSample();
    service = await startService({ repositories: [folder], stepMs: 1 });
    relay = await startRelay(service);
    await addConnection('Busy', relay);
  });

  it('goes on, and is followed', async () => {
    let isCutOff = false;
    const create = held(passTo(service.url));
    relay.break(/^POST \/v2\/deployments$/, (response, request) => {
      response.on('close', () => (isCutOff ||= !response.writableEnded));
      create.fault(response, request);
    });
    await tree('Deployments').open();
    const page = await openDraft();
    expect(page.state().words).toBe('sample-agent to Busy');
    const pressed = page.press('Deploy');
    await expect.poll(() => relay.requests).toContain('POST /v2/deployments');
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await quickInput.closed();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    create.release();
    await pressed;
    expect(isCutOff).toBe(false);
    await tree('Deployments').shows('sample-agent');
    await page.close();
  });
});
