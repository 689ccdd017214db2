import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { commitFiles, createRepository, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { startSmallService } from '../support/smallService.ts';
import { words } from '../support/words.ts';
import {
  addConnection,
  removeConnection,
  setKey,
  storeConnections,
  storedConnections,
  switchConnection,
} from './support/connections.ts';
import { config } from './support/layouts.ts';
import { deployAndClose, discard, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { pollQuickly, startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { passTime } from './support/time.ts';
import { describeWindow, expect, pages, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { activeTab, openFolder, showFile, suiteFolder } from './support/workspace.ts';

const connection = 'Daily';
const { deployed } = words;

/** The rows of the list that is asked, a line each. */
const rows = (): string => quickInput.rows().join('\n');

describe('A branch that is deployed already', () => {
  let temporary: string;
  let sample: SampleRepository;
  let service: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    sample = await createSampleRepository(temporary);
    service = await startService({ repositories: [sample.folder], stepMs: 1, devControls: true });
    relay = await startRelay(service);
    await pollQuickly();
    await addConnection(connection, relay);
    await openFolder(sample.folder);
    await tree('Deployments').open();
    const page = await openDraft();
    expect(page.state().words).toBe(`sample-agent to ${connection}`);
    await page.type('type', 'prod');
    await deployAndClose(page);
    await isLive();
  });

  const posts = (): string[] => relay.requests.filter((request) => request.startsWith('POST '));
  const commit = async (): Promise<string> => (await git(sample.folder, 'rev-parse', 'origin/main')).slice(0, 7);
  const message = (): Promise<string> => git(sample.bare, 'log', '-1', '--format=%s', 'main');

  async function isLive(): Promise<void> {
    await expect.poll(statusBar).toBe(`sample-agent: main @ ${await commit()} is live`);
  }

  /** Opens what is offered, and waits for a row of it. */
  async function offer(row: string): Promise<{ readonly ended: Promise<void> }> {
    const ended = run('deployCurrentRepository');
    await offers(row);
    return { ended };
  }

  async function offers(row: string): Promise<void> {
    await quickInput.asked(deployed.title);
    await expect.poll(rows).toContain(row);
  }

  async function write(name: string): Promise<void> {
    await commitFiles(sample.folder, { [name]: 'One more.\n' }, `Add ${name}`);
  }

  async function hook(name: 'pre-receive', lines: readonly string[]): Promise<() => Promise<void>> {
    const file = path.join(sample.bare, 'hooks', name);
    await writeFile(file, ['#!/bin/sh', ...lines, ''].join('\n'));
    await chmod(file, 0o755);
    return () => rm(file);
  }

  it('is shown as live, with a rebuild and a new deployment below', async () => {
    const { ended } = await offer(deployed.isLive('sample-agent'));
    expect(quickInput.rows()).toEqual([
      `${deployed.isLive('sample-agent')} live: ${await commit()}`,
      deployed.rebuild('sample-agent'),
      expect.stringContaining(deployed.deployNew),
      'Fetch from origin',
    ]);
    await quickInput.accept();
    await ended;
    await expect.poll(() => tree('Deployments').selected()).toContain('sample-agent');
    expect(posts()).toEqual([]);
  });

  it('is live two key presses after a commit', async () => {
    await write('one.md');
    await write('two.md');
    const { ended } = await offer(deployed.push('2 commits', 'sample-agent'));
    expect(quickInput.rows()[0]).toBe(deployed.push('2 commits', 'sample-agent'));
    await quickInput.accept();
    await ended;
    await isLive();
    expect(await commit()).toBe((await git(sample.folder, 'rev-parse', 'HEAD')).slice(0, 7));
    await tree('Deployments').shows('sample-agent');
    await expect.poll(() => tree('Deployments').rows()).toContain(words.row.liveIsHead);
    expect(posts()).toEqual([]);
  });

  it('is followed after a push from the page of a new deployment', async () => {
    await write('from-page.md');
    const page = await openDraft();
    await page.press(deployed.push('1 commit', 'sample-agent'));
    expect(told.progress.map(({ title }) => title)).toContain('Waiting for a build of sample-agent…');
    await isLive();
    await discard(page);
  });

  it('is neither pushed nor created before the service has answered, and the wait can be canceled', async () => {
    await write('early.md');
    relay.break(/deployments/, stallBeforeHeaders);
    const ended = run('deployCurrentRepository');
    await told.waitsFor(`Looking for deployments of main on ${connection}…`);
    expect(quickInput.isOpen()).toBe(false);
    await told.cancel(`Looking for deployments of main on ${connection}…`);
    await ended;
    expect(quickInput.isOpen()).toBe(false);
    expect(posts()).toEqual([]);
    expect(await git(sample.folder, 'rev-list', '--count', 'origin/main..main')).toBe('1');
  });

  it('leaves uncommitted files behind, and says so', async () => {
    await writeFile(path.join(sample.folder, 'draft.md'), 'Not yet.\n');
    const { ended } = await offer(deployed.push('1 commit', 'sample-agent'));
    expect(rows()).toContain('1 uncommitted file will not be deployed.');
    await quickInput.accept();
    await ended;
    await isLive();
    await rm(path.join(sample.folder, 'draft.md'));
  });

  it('is rebuilt by an empty commit, once the user has confirmed it', async () => {
    const before = await commit();
    const source = vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1);
    const { inputBox } = source.getRepository(vscode.Uri.file(sample.folder));
    inputBox.value = 'A message that I am typing';
    const first = await offer(deployed.rebuild('sample-agent'));
    await quickInput.choose(deployed.rebuild('sample-agent'));
    const question = await told.message('Rebuild sample-agent with an empty commit on main?');
    question.press();
    await offers(deployed.rebuild('sample-agent'));
    expect(await commit()).toBe(before);
    await quickInput.choose(deployed.rebuild('sample-agent'));
    await expect.poll(() => told.messages.filter(({ text }) => text.startsWith('Rebuild ')).length).toBe(1);
    const again = await told.message('Rebuild sample-agent');
    // What is committed or staged while the question is open stays at home.
    await write('meanwhile.md');
    await writeFile(path.join(sample.folder, 'staged.md'), 'Staged.\n');
    await git(sample.folder, 'add', 'staged.md');
    again.press(deployed.pushEmptyCommit);
    await first.ended;
    await expect.poll(async () => await message()).toBe('Rebuild sample-agent');
    await isLive();
    expect(await git(sample.bare, 'diff', '--stat', `${before}..main`)).toBe('');
    expect(inputBox.value).toBe('A message that I am typing');
    inputBox.value = '';
    expect(await git(sample.folder, 'log', '-1', '--format=%s', 'main')).toBe('Add meanwhile.md');
    expect(await git(sample.folder, 'diff', '--cached', '--name-only')).toBe('staged.md');
    await git(sample.folder, 'reset', '--quiet', '--hard', 'origin/main');
  });

  it('is brought live from the page of a file that describes it, or deployed under a free name', async () => {
    const file = path.join(sample.folder, 'sample.deployment-spec.yaml');
    await writeFile(file, 'name: sample-agent\ntype: prod\n');
    const page = await pages.open(vscode.Uri.file(file));
    expect(page.findings()).toContain(`error: "sample-agent" is taken on ${connection}; choose another name.`);
    const before = await commit();
    const rebuilt = page.press('Bring main Live…');
    await quickInput.asked('Deploy sample.deployment-spec.yaml');
    await quickInput.choose(deployed.rebuild('sample-agent'));
    (await told.message('Rebuild sample-agent with an empty commit')).press(deployed.pushEmptyCommit);
    await rebuilt;
    expect(await commit()).not.toBe(before);
    await isLive();
    expect(page.document.getText()).toBe('name: sample-agent\ntype: prod\n');
    const renamed = page.press('Bring main Live…');
    await quickInput.choose(deployed.deployNew);
    await renamed;
    expect(page.document.getText()).toBe('name: sample-agent-2\ntype: prod\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
    await rm(file);
    expect(posts()).toEqual([]);
  });

  it('leaves nothing behind of an empty commit that the remote refuses, and says why without a password', async () => {
    const open = await hook('pre-receive', ['echo "Ask at https://bot:canary-31aa@code.example/rules" >&2', 'exit 1']);
    const { ended } = await offer(deployed.rebuild('sample-agent'));
    await quickInput.choose(deployed.rebuild('sample-agent'));
    (await told.message('Rebuild sample-agent')).press(deployed.pushEmptyCommit);
    await expect
      .poll(() => quickInput.rows().join(' '))
      .toContain('The push failed. The remote declined the push. Git says: Ask at https://code.example/rules.');
    expect(quickInput.rows().join(' ')).toContain('pre-receive hook declined');
    expect(rows()).not.toContain('Push 1 commit');
    expect(describeWindow()).not.toContain('canary-31aa');
    expect(await git(sample.folder, 'status', '--porcelain', '--branch')).toBe('## main...origin/main');
    await open();
    await quickInput.choose(deployed.rebuild('sample-agent'));
    (await told.message('Rebuild sample-agent')).press(deployed.pushEmptyCommit);
    await ended;
    await isLive();
    expect(await message()).toBe('Rebuild sample-agent');
    expect(await git(sample.folder, 'status', '--porcelain', '--branch')).toBe('## main...origin/main');
  });

  it('is not pushed over the commits of somebody else', async () => {
    const elsewhere = path.join(temporary, 'elsewhere');
    await git(temporary, 'clone', '--quiet', sample.bare, elsewhere);
    await git(elsewhere, 'config', 'user.name', 'Other Author');
    await git(elsewhere, 'config', 'user.email', 'other@code.example');
    await commitFiles(elsewhere, { 'theirs.md': 'Theirs.\n' }, 'Add theirs');
    await git(elsewhere, 'push', '--quiet', 'origin', 'main');
    await write('mine.md');
    const { ended } = await offer(deployed.push('1 commit', 'sample-agent'));
    await quickInput.accept();
    await expect.poll(() => quickInput.rows().join(' ')).toContain("The remote has commits that you don't have.");
    await offers(deployed.pullAndPush('1 commit', 'sample-agent'));
    expect(rows()).toContain('origin/main has new commits.');
    await quickInput.choose('Fetch from origin');
    await expect.poll(rows).toContain('origin/main has 1 new commit.');
    expect(quickInput.rows()[0]).toBe(deployed.pullAndPush('1 commit', 'sample-agent'));
    await quickInput.accept();
    await ended;
    await isLive();
    expect(await git(sample.bare, 'ls-tree', '--name-only', 'main')).toMatch(/mine\.md[^]*theirs\.md/);
  });

  it('is not pushed by one key press where its build will fail', async () => {
    const config = await readFile(path.join(sample.folder, 'graph.json'), 'utf8');
    const gone = config.replaceAll('.py:', '_gone.py:');
    await commitFiles(sample.folder, { 'graph.json': gone }, 'Name a file that is missing');
    const { ended } = await offer('Push 1 commit to main will fail:');
    expect(quickInput.rows()[0]).toMatch(/^Push 1 commit to main will fail: \S+_gone\.py is missing$/);
    await quickInput.accept();
    await ended;
    expect(await git(sample.folder, 'rev-list', '--count', 'origin/main..main')).toBe('1');
    await git(sample.folder, 'reset', '--quiet', '--hard', 'origin/main');
  });

  it('can be looked for again, or deployed, where the service refuses the search', async () => {
    relay.break(/v2\/deployments\?/, json({ detail: 'Not for this key.' }, 403));
    const { ended } = await offer("Couldn't check whether main is deployed already:");
    relay.mend();
    await quickInput.choose('Try Again');
    await offers(deployed.isLive('sample-agent'));
    await quickInput.cancel();
    await ended;
  });

  it('is shown as it was last known where the service says nothing of its revisions', async () => {
    relay.break(/\/revisions\//, json({ detail: 'Not now.' }, 422));
    const { ended } = await offer(deployed.isLive('sample-agent'));
    expect(quickInput.rows()[0]).toBe(`${deployed.isLive('sample-agent')} live: ${await commit()}`);
    await quickInput.cancel();
    await ended;
  });

  /** A field of the page, with where its value comes from. */
  function valueOf(page: Page, key: string): string {
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    return `${page.field(key)} · ${fields.find((field) => field.key === key)?.from}`;
  }

  it('starts a new deployment as last time, under a free name', async () => {
    const page = await openDraft();
    expect(valueOf(page, 'type')).toBe('prod · as last time');
    expect(valueOf(page, 'build_on_push')).toBe('true · as last time');
    expect(valueOf(page, 'name')).toBe('sample-agent-2 · made for you');
    await page.type('build_on_push', 'false');
    await expect.poll(() => valueOf(page, 'build_on_push')).toBe('false · chosen');
    await deployAndClose(page);
    expect(posts().filter((request) => request.includes('/v2/deployments'))).toHaveLength(1);
  });

  it('says that nothing rebuilds one that does not build on push', async () => {
    const { ended } = await offer(deployed.noRebuild('sample-agent-2'));
    expect(rows()).toContain(deployed.rebuild('sample-agent'));
    expect(rows()).not.toContain(deployed.openPage('sample-agent-2'));
    await quickInput.cancel();
    await ended;
    const page = await openDraft();
    expect(valueOf(page, 'build_on_push')).toBe('false · as last time');
    await page.close();
  });

  it("leads to the service's page where a push does not rebuild it", async () => {
    await using hosted = await startSmallService();
    hosted.deployments = [
      {
        id: 'd1',
        name: 'hosted-agent',
        tenant_id: 't1',
        source: 'github',
        source_config: { repo_url: sample.url, build_on_push: false },
        source_revision_config: { repo_ref: 'main', langgraph_config_path: 'graph.json' },
      },
    ];
    await storeConnections([...storedConnections(), { name: 'Hosted', baseUrl: hosted.url, flavor: 'langsmith' }]);
    await switchConnection('Hosted');
    await setKey('canary-77-key');
    const hasPages = () => told.contextKeys.get('deploymentManager.servicePages');
    expect(hasPages()).toBe(true);
    const { ended } = await offer(deployed.noRebuild('hosted-agent'));
    expect(quickInput.rows().slice(0, 3)).toEqual([
      expect.stringMatching(/^Show hosted-agent/),
      deployed.openPage('hosted-agent'),
      expect.stringContaining(deployed.deployNew),
    ]);
    await quickInput.choose(deployed.openPage('hosted-agent'));
    await ended;
    expect(told.opened.at(-1)).toBe(`${hosted.url}/o/t1/host/deployments/d1`);
    await removeConnection('Hosted');
    await switchConnection(connection);
    expect(hasPages()).toBe(false);
  });

  /** Pushes a file to a service that answers this for five minutes. The message about it may be pressed. */
  async function reported(name: string, answer: ReturnType<typeof json>, message: RegExp) {
    await write(name);
    // The list, which is reloaded while it is visible, would show the new revision.
    await vscode.commands.executeCommand('workbench.view.explorer');
    const { ended } = await offer('Push 1 commit to main (rebuilds sample-agent)');
    relay.break(/deployment_ids=/, answer);
    await quickInput.accept();
    await ended;
    await expect.poll(() => told.progress.map(({ title }) => title)).toContain('Waiting for a build of sample-agent…');
    passTime(5 * 60_000);
    return told.message(message);
  }

  it('is reported if the service refuses to say for five minutes what a push started', async () => {
    const refusal = json({ detail: 'Not for this key.' }, 403);
    const unknown = /^Couldn't check whether the push started a build of sample-agent: .*Not for this key\.$/;
    await reported('refused.md', refusal, unknown);
  });

  it('is reported if the service makes no revision within five minutes of a push', async () => {
    const none = /^No new revision of sample-agent within five minutes of the push\.$/;
    const message = await reported('unnoticed.md', json({ resources: [], offset: 0 }), none);
    message.press('Open Details');
    await activeTab('sample-agent.yaml');
  });
});

describe('Each of three applications of a repository', () => {
  const names = ['billing', 'chat', 'search'];
  let folder: string;
  let service: Service;

  before(async () => {
    const files = names.map((name) => [`apps/${name}/graph.json`, config]);
    ({ folder } = await createRepository(await suiteFolder(), {
      name: 'shop',
      url: 'https://code.example/acme/shop',
      files: { 'README.md': 'Three applications.\n', ...Object.fromEntries(files) },
    }));
    service = await startService({ repositories: [folder], stepMs: 1 });
    for (const name of names) await create(name);
    await addConnection('Three', service);
    await openFolder(folder);
  });

  async function create(name: string): Promise<void> {
    const [integration] = await callService(service, 'GET', '/v1/integrations/forge/repohost/install');
    await callService(service, 'POST', '/v2/deployments', {
      name: `${name}-agent`,
      source: 'repohost',
      source_config: {
        integration_id: integration.id,
        repo_url: 'https://code.example/acme/shop',
        deployment_type: 'dev',
        build_on_push: true,
      },
      source_revision_config: { repo_ref: 'main', graph_config_path: `apps/${name}/graph.json` },
      secrets: [],
    });
  }

  it('finds its own deployment before the others that a push rebuilds', async () => {
    await showFile(path.join(folder, 'apps/chat/graph.json'));
    const ended = run('deployCurrentRepository');
    const all = 'chat-agent, search-agent, billing-agent';
    await expect.poll(rows).toContain(deployed.rebuild(all));
    expect(quickInput.message()).toBe(`main is deployed on Three as ${all}`);
    await quickInput.cancel();
    await ended;
  });
});
