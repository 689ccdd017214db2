import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { json, truncatedJson, webPage } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import {
  createLocalRepository,
  createRepository,
  createSampleRepository,
  git,
  sampleFiles,
} from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { addConnection } from './support/connection.ts';
import { passTo } from '../support/faultRelay.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = 'Deployment Manager: Deploy Current Repository…';
const view = 'Deployments';

describe('A repository that cannot be deployed as it is', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let gateway: FaultServer;
  let workbench: Workbench;

  /** Makes a repository that the service has, too. */
  const known = async (name: string, files: Record<string, string> = sampleFiles): Promise<string> =>
    (await createRepository(temporary.path, { name, url: `https://code.example/acme/${name}`, files })).folder;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const sample = await createSampleRepository(temporary.path);
    const repositories = [
      sample.folder,
      await known('with-detached-head'),
      await known('with-new-branch'),
      await known('without-config', { 'README.md': 'Nothing to run.\n' }),
      await known('with-broken-config', { ...sampleFiles, 'graph.json': '{\n  "graphs": { "agent": }\n}\n' }),
      await known('with-several-remotes'),
    ];
    service = await startLocalService({ repositories, stepMs: 1 });
    await createSampleDeployments(service);
    gateway = await startFaultServer();
    gateway.answer(passTo(service.url));
    workbench = await openWorkbench({ folder: sample.folder, theme: 'Dark Modern' });
    await addConnection(workbench, { name: 'Test', url: gateway.url, apiKey: service.apiKey });
    await workbench.row(view, 'weather-agent').waitFor();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed-${task.name}`);
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await gateway?.[Symbol.asyncDispose]();
    await service?.stop();
    await temporary?.remove();
  });

  /** Opens a folder and runs the command; the one connection that there is serves every folder. */
  async function deployFrom(folder: string): Promise<void> {
    await workbench.openFolder(folder);
    await workbench.runCommand(deploy);
  }

  async function expectError(text: string, buttons: readonly string[]): Promise<void> {
    const notification = await workbench.notification(text);
    await expect.poll(() => notification.locator('.monaco-button').allInnerTexts()).toEqual(buttons);
  }

  async function reviewRows(first: string): Promise<string> {
    await workbench.quickInput.row(first).waitFor();
    return (await workbench.quickInput.rows()).join('\n');
  }

  it('is said to be no git repository', async () => {
    const folder = path.join(temporary.path, 'plain');
    await mkdir(folder);
    await deployFrom(folder);
    await expectError('plain is not a git repository. A deployment is built from one.', ['Initialize Repository']);
    await workbench.screenshot('bad-input-no-repository');
  });

  it('is found and opened when a folder below its root is open', async () => {
    await deployFrom(path.join(temporary.path, 'sample-agent/src'));
    const rows = await reviewRows('Deploy sample-agent to Test');
    expect(rows).toContain('Repository https://code.example/acme/sample-agent');
    expect(rows).toContain('Config file graph.json');
  });

  it('is told apart from git that is disabled', async () => {
    const folder = path.join(temporary.path, 'git-disabled');
    await createLocalRepository(folder, { ...sampleFiles, '.vscode/settings.json': '{ "git.enabled": false }' });
    const asked = gateway.seen.length;
    await deployFrom(folder);
    await expectError('Git is disabled or not installed. Enable it, or install git, and try again.', [
      'Open Settings',
      'Download Git',
    ]);
    // The view was not opened and nothing is followed: a connection with a key alone makes no request.
    expect(gateway.seen).toHaveLength(asked);
  });

  it('is said to have no remote', async () => {
    const folder = path.join(temporary.path, 'without-remote');
    await createLocalRepository(folder, sampleFiles);
    await deployFrom(folder);
    await expectError('The repository has no remote.', ['Add Remote']);
  });

  it('lets the person choose among several remotes of which none is called origin', async () => {
    const folder = path.join(temporary.path, 'second-clone');
    await git(temporary.path, 'clone', '--quiet', 'with-several-remotes.git', folder);
    await git(folder, 'config', `url.${path.join(temporary.path, 'with-several-remotes.git')}.insteadOf`, upstream);
    await git(folder, 'remote', 'rename', 'origin', 'upstream');
    await git(folder, 'remote', 'set-url', 'upstream', upstream);
    await git(folder, 'remote', 'add', 'fork', 'https://me:canary-token@code.example/me/with-several-remotes');
    await deployFrom(folder);
    await workbench.quickInput.row('upstream').waitFor();
    expect(await workbench.quickInput.rows()).toEqual([
      `upstream ${upstream}`,
      'fork https://code.example/me/with-several-remotes',
    ]);
    await workbench.screenshot('bad-input-several-remotes');
    await workbench.quickInput.choose('upstream');
    expect(await reviewRows('Deploy with-several-remotes to Test')).toContain('upstream/main is at');
  });

  it('deploys the default branch while no branch is checked out, and says so', async () => {
    const folder = path.join(temporary.path, 'with-detached-head');
    await git(folder, 'checkout', '--quiet', '--detach');
    await deployFrom(folder);
    const rows = await reviewRows('Deploy with-detached-head to Test');
    expect(rows).toMatch(/origin\/main is at [0-9a-f]{7};\nno branch is checked out here \(detached HEAD\)\./);
    expect(rows).toContain('Branch main');
  });

  it('says that the remote does not have the branch, and offers to push it', async () => {
    const folder = path.join(temporary.path, 'with-new-branch');
    await git(folder, 'checkout', '--quiet', '-b', 'idea');
    await deployFrom(folder);
    expect(await reviewRows('Push the branch idea first')).toContain('origin does not have the branch idea');
    await workbench.quickInput.choose('Push the branch idea first');
    await expect
      .poll(async () => (await workbench.quickInput.rows()).join('\n'))
      .toMatch(/origin\/idea is at [0-9a-f]{7}/);
    await workbench.quickInput.cancel();
    expect(await git(folder, 'ls-remote', '--heads', 'origin', 'idea')).toContain('refs/heads/idea');
  });

  it('is offered a new config file when it has none', async () => {
    await deployFrom(path.join(temporary.path, 'without-config'));
    await expectError('This repository has no application config file, such as graph.json.', [
      'Choose File…',
      'New Config File',
      'Open Settings',
    ]);
    const notification = await workbench.notification('no application config file');
    await notification.getByText('New Config File').click();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: '"graphs"' }).waitFor();
  });

  it('takes no config file from outside of it', async () => {
    const folder = path.join(temporary.path, 'without-config');
    const outside = path.join(temporary.path, 'elsewhere/graph.json');
    await mkdir(path.dirname(outside));
    await writeFile(outside, '{}\n');
    await deployFrom(folder);
    const missing = await workbench.notification('no application config file');
    await missing.locator('.monaco-button', { hasText: 'Choose File…' }).click();
    await workbench.quickInput.openFile('Application Config File', outside);
    const refusal = await workbench.notification(`${outside} is outside of the repository ${folder}`);
    await workbench.screenshot('bad-input-config-outside');
    await refusal.locator('.monaco-button', { hasText: 'Choose File…' }).click();
    await workbench.quickInput.openFile('Application Config File', path.join(folder, 'README.md'));
    const rows = await reviewRows('Cannot be deployed yet');
    expect(rows).toContain('README.md cannot be used:');
  });

  it('opens a config file that does not parse at the line that is wrong', async () => {
    await deployFrom(path.join(temporary.path, 'with-broken-config'));
    const rows = await reviewRows('Cannot be deployed yet');
    expect(rows).toContain('graph.json cannot be used: not valid JSON:\nexpected a value (line 2, column 24).');
    await workbench.quickInput.choose('Cannot be deployed yet');
    await workbench.statusBarEntry('Ln 2, Col 24').waitFor();
    await workbench.screenshot('bad-input-broken-config');
  });

  it('is said to be missing on the service, with the way to repair that', async () => {
    const folder = await known('without-integration');
    await deployFrom(folder);
    await expectError(
      'No integration of "Test" has the repository acme/without-integration. Give the service access to it on the code host, then try again.',
      ['Try Again', 'Copy Repository URL', 'Switch Connection'],
    );
    await workbench.screenshot('bad-input-no-integration');
  });

  const faults = [
    { what: 'a web page answers', fault: webPage, says: 'sent a web page instead of data.' },
    { what: 'the answer is no JSON', fault: truncatedJson, says: 'sent an answer that is not valid JSON' },
  ];

  it.each(faults)('keeps the rows while $what, and loads them again', async ({ fault, says }) => {
    const before = await openDeployments();
    gateway.answer(fault);
    await expectFailureAboveRows(`Could not load, click to retry`, says, before);
    await workbench.runCommand(deploy);
    await expectError(says, ['Try Again', 'Show Log']);
    gateway.answer(passTo(service.url));
    await workbench.row(view, 'Could not load').click();
    await expect.poll(async () => namesIn(await workbench.tree(view))).toEqual(namesIn(before));
  });

  it('keeps the rows while the key is refused, and loads them again with another key', async () => {
    const says = 'did not accept the API key (401): Invalid API key. Use Set API Key.';
    const before = await openDeployments();
    gateway.answer(json({ detail: 'Invalid API key' }, 401));
    await expectFailureAboveRows('The API key was refused, click to set another one', says, before);
    await workbench.runCommand(deploy);
    await expectError(says, ['Set API Key', 'Try Again', 'Show Log']);
    await workbench.screenshot('bad-input-refused-key');
    await workbench.runCommand('Notifications: Clear All Notifications');
    gateway.answer(json({ detail: 'Invalid API key, [get one](command:workbench.action.files.newUntitledFile)' }, 401));
    await workbench.runCommand(deploy);
    await expectError('Invalid API key, [get one] (command:', ['Set API Key', 'Try Again', 'Show Log']);
    expect(await workbench.page.locator('.notification-toast a', { hasText: 'get one' }).count()).toBe(0);
    gateway.answer(passTo(service.url));
    await workbench.row(view, 'The API key was refused').click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await expect.poll(async () => namesIn(await workbench.tree(view))).toEqual(namesIn(before));
  });

  it('keeps the rows when the service is not running', async () => {
    const before = await openDeployments();
    await gateway[Symbol.asyncDispose]();
    const says = `Nothing answers at ${gateway.url}. Check the base URL, and that the service is running.`;
    await expectFailureAboveRows('Could not load, click to retry', says, before);
    await workbench.runCommand(deploy);
    await expectError(says, ['Open Settings', 'Try Again', 'Show Log']);
    await workbench.screenshot('bad-input-service-down');
  });

  /** Opens the sample with its list, and gives the picture of the list. */
  async function openDeployments(): Promise<string> {
    gateway.answer(passTo(service.url));
    await workbench.openFolder(path.join(temporary.path, 'sample-agent'));
    await workbench.openContainer('Deployments');
    await workbench.row(view, 'weather-agent').waitFor();
    return workbench.tree(view);
  }

  async function expectFailureAboveRows(row: string, says: string, before: string): Promise<void> {
    await workbench.runCommand('Deployment Manager: Refresh');
    await workbench.row(view, row).waitFor();
    const [failure, ...kept] = (await workbench.tree(view)).split('\n');
    expect(failure).toContain(says);
    expect(namesIn(kept.join('\n'))).toEqual(namesIn(before));
  }
});

// On Windows the editor looks for git in more places than the PATH.
describe.skipIf(process.platform === 'win32')('A machine without git', () => {
  let temporary: TemporaryFolder;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const programs = path.join(temporary.path, 'programs');
    await mkdir(programs);
    const { folder } = await createSampleRepository(temporary.path);
    // VS Code asks the shell of the person for its PATH, unless there is none.
    const env = { PATH: programs, SHELL: path.join(programs, 'no-shell') };
    workbench = await openWorkbench({ folder, theme: 'Dark Modern', env });
    // Nothing listens there: git is looked for before the service is asked.
    await addConnection(workbench, { name: 'Test', url: 'http://127.0.0.1:9', apiKey: 'key' });
  });

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed-${task.name}`);
  });

  it('is told that git is missing, and where to get it', async () => {
    await workbench.runCommand(deploy);
    const notification = await workbench.notification(
      'Git is disabled or not installed. Enable it, or install git, and try again.',
    );
    await expect
      .poll(() => notification.locator('.monaco-button').allInnerTexts())
      .toEqual(['Open Settings', 'Download Git']);
    await workbench.screenshot('bad-input-no-git');
  });
});

const upstream = 'https://code.example/acme/with-several-remotes';

/** The names of the deployments in the picture of the tree: what follows them may age. */
function namesIn(picture: string): string[] {
  return picture.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '));
}
