import path from 'node:path';
import * as vscode from 'vscode';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { PathEdit } from '../../src/core/yaml/edit.ts';
import { createRepository } from '../support/gitRepositories.ts';
import { passTo } from '../support/faultRelay.ts';
import { held, json, stallBeforeHeaders } from '../support/faults.ts';
import { callService, createFromImage } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection, removeConnection, switchConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import {
  addSecret,
  discard,
  finish,
  inNewDeployment,
  leave,
  openDraft,
  openNewDraft,
} from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, run, told } from './support/window.ts';
import { openFolder, showFile, suiteFolder } from './support/workspace.ts';

const list = 'Deploy Several Applications';
const paths = ['apps/billing/graph.json', 'apps/chat/graph.json', 'tools/chat/graph.json'];
const deployAll = 'Deploy All 3';

describe('Several applications of a repository', () => {
  let temporary: string;
  let folder: string;
  let service: Service;
  let relay: Relay;
  let count = 0;
  /** Each test has its own, for which nothing was chosen before. */
  let connection: string;

  before(async () => {
    temporary = await suiteFolder();
    ({ folder } = await createRepository(temporary, {
      name: 'shop',
      url: 'https://code.example/acme/shop',
      files: {
        'README.md': 'Three applications.\n',
        ...Object.fromEntries(
          paths.flatMap((each) => [
            [each, config],
            [each.replace('graph.json', 'agent.py'), 'graph = None\n'],
          ]),
        ),
      },
    }));
    await openFolder(folder);
  });

  /** Each test finds a service that has nothing. */
  beforeEach(async () => {
    await showFile(path.join(folder, 'README.md'));
    service = await startService({ repositories: [folder], stepMs: 1 });
    relay = await startRelay(service);
    count += 1;
    connection = `Several ${count}`;
    await addConnection(connection, relay);
  });

  afterEach(async () => {
    await removeConnection(connection);
    await relay[Symbol.asyncDispose]();
    await service.stop();
  });

  const posts = (): string[] => relay.requests.filter((request) => request.startsWith('POST '));

  /** The applications that can be added to a page, as the selection describes them. */
  async function offered(page: Page): Promise<readonly string[]> {
    const added = page.press('Deploy Several…');
    await quickInput.asked(list);
    const rows = quickInput.rows();
    await quickInput.cancel();
    await added;
    return rows;
  }

  async function add(page: Page, ...applications: readonly string[]): Promise<void> {
    const added = page.press('Deploy Several…');
    await quickInput.asked(list);
    await quickInput.tick(...applications);
    await added;
  }

  /** Opens the page of the first application, and adds the others. */
  async function openAll(): Promise<Page> {
    const page = await openNewDraft();
    await add(page, ...paths.slice(1));
    await says(page, deployAll);
    return page;
  }

  /** Waits until the page is checked, and its button says this. */
  async function says(page: Page, label: string): Promise<void> {
    const state = () => ({
      label: page.state().deploy?.label,
      isChecking: page.state().deployments.some(({ isChecking }) => isChecking),
    });
    await expect.poll(state).toEqual({ label, isChecking: false });
  }

  const titles = (page: Page): string[] => page.state().deployments.map(({ title }) => title);

  const looks = (page: Page) => page.state().deployments.map(({ progress }) => progress?.look);

  async function deployments(): Promise<Record<string, string>> {
    const { resources } = await callService(service, 'GET', '/v2/deployments');
    return Object.fromEntries(
      resources.map((row: { name: string; source_revision_config: { graph_config_path?: string } }) => [
        row.name,
        row.source_revision_config.graph_config_path,
      ]),
    );
  }

  async function followed(): Promise<string> {
    const shown = run('showFollowed');
    await quickInput.asked(/Followed/);
    const followed = quickInput.rows().join('\n');
    await quickInput.cancel();
    await shown;
    return followed;
  }

  it('are created and followed in one go, each with a name of its own', async () => {
    const page = await openAll();
    expect(page.state().title).toBe('Deploy 3 Applications');
    expect(titles(page)).toEqual(['shop-billing', 'shop-chat', 'shop-chat-2']);
    expect(paths.map((_, index) => page.field('config', index))).toEqual(paths);
    await page.press(deployAll);
    await expect.poll(() => looks(page)).toEqual(['success', 'success', 'success']);
    expect(page.state().deploy).toBeUndefined();
    expect(posts()).toHaveLength(3);
    expect(await deployments()).toEqual({
      'shop-billing': 'apps/billing/graph.json',
      'shop-chat': 'apps/chat/graph.json',
      'shop-chat-2': 'tools/chat/graph.json',
    });
    const names = await followed();
    for (const name of ['shop-billing', 'shop-chat', 'shop-chat-2']) expect(names).toContain(name);
    await finish(page);
  });

  it('are named by the keys that deploy, and not deployed again by accident', async () => {
    const page = await openAll();
    await page.press(deployAll);
    await finish(page);
    const opened = openDraft();
    await expect
      .poll(() => quickInput.message())
      .toBe(`main is deployed on ${connection} as shop-billing, shop-chat-2, shop-chat`);
    const again = await opened;
    expect(titles(again)).toEqual(['shop-billing-2']);
    expect(await offered(again)).toEqual([
      'apps/chat/graph.json deployed as shop-chat',
      'tools/chat/graph.json deployed as shop-chat-2',
    ]);
    await discard(again);
    expect(posts()).toHaveLength(3);
  });

  it('are each offered what brings them live first, if they are deployed already', async () => {
    const page = await openAll();
    await page.press(deployAll);
    await finish(page);
    const again = await openDraft();
    const added = again.press('Deploy Several…');
    await quickInput.asked(list);
    await quickInput.tick('apps/chat/graph.json', 'tools/chat/graph.json');
    await quickInput.asked('Deploy apps/chat/graph.json');
    expect(quickInput.message()).toContain(`main is deployed on ${connection} as shop-chat,`);
    expect(quickInput.rows().join('\n')).toMatch(/Show shop-chat [^]*Rebuild [^]*Deploy as a new deployment…/);
    await quickInput.choose(words.deployed.deployNew);
    // The other one is not to be deployed again.
    await quickInput.asked('Deploy tools/chat/graph.json');
    await quickInput.cancel();
    await added;
    await expect
      .poll(() => again.state().deployments.length === 2 && again.findings(1))
      .toContain(`error: "shop-chat" is taken on ${connection}; choose another name.`);
    await discard(again);
    expect(posts()).toHaveLength(3);
  });

  it('are created although the service refuses one, which stays on the page with the reason', async () => {
    const page = await openAll();
    await page.type('name', 'shop-support', 1);
    let count = 0;
    const refused = json({ detail: 'The quota is used up.' }, 422);
    relay.break(/^POST \/v2\/deployments/, (response, request) => {
      count += 1;
      (count === 2 ? refused : passTo(service.url))(response, request);
    });
    await says(page, deployAll);
    await page.press(deployAll);
    await expect.poll(() => looks(page)).toEqual(['success', undefined, 'success']);
    expect(page.findings(1).join()).toContain('The quota is used up.');
    expect(posts()).toHaveLength(3);
    relay.mend();

    // What was not created is continued under its name, beside what was.
    await leave(page);
    const again = await openDraft();
    expect(looks(again)).toEqual(['success', undefined, 'success']);
    expect(titles(again)).toEqual(['shop-billing', 'shop-support', 'shop-chat-2']);
    await again.type('name', 'shop support', 1);
    await says(again, 'Deploy 1 of 3 with 1 Warning');
    await again.press('Deploy 1 of 3 with 1 Warning');
    await expect.poll(() => looks(again)).toEqual(['success', 'success', 'success']);
    expect(await deployments()).toEqual({
      'shop-billing': 'apps/billing/graph.json',
      'shop-chat-2': 'tools/chat/graph.json',
      'shop support': 'apps/chat/graph.json',
    });
    const names = await followed();
    for (const name of ['shop-billing', 'shop-chat-2', 'shop support']) expect(names).toContain(name);
    await finish(again);
  });

  it('are created but for one that is changed meanwhile, which is said', async () => {
    const page = await openAll();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    relay.break(/^POST \/v2\/deployments/, (response, request) => {
      void held.then(() => passTo(service.url)(response, request));
    });
    const pressed = page.press(deployAll);
    await expect.poll(posts).toHaveLength(1);
    await page.type('name', 'shop-support', 1);
    goOn();
    const message = 'shop-chat changed meanwhile. Look at it and deploy it again.';
    expect(await pressed).toMatchObject({ failed: true, message });
    relay.mend();
    await expect.poll(() => looks(page)).toEqual(['success', undefined, 'success']);
    expect(Object.keys(await deployments())).toEqual(expect.not.arrayContaining(['shop-chat', 'shop-support']));
    await discard(page);
  });

  it('keep the secrets of what is still to come, and the connection that the user chooses meanwhile', async () => {
    const page = await openAll();
    await addSecret(page, 'FIRST', 'canary-5d21-secret');
    await addSecret(page, 'SECOND', 'canary-5d22-secret', 1);
    await says(page, deployAll);
    const other = await startRelay(service);
    await addConnection('Elsewhere', other);
    await switchConnection(connection);
    await says(page, deployAll);
    const { fault, release } = held(passTo(service.url));
    let count = 0;
    relay.break(/^POST \/v2\/deployments/, (...exchange) => {
      count += 1;
      (count === 1 ? fault : json({ detail: 'The quota is used up.' }, 422))(...exchange);
    });
    const pressed = page.press(deployAll);
    await expect.poll(posts).toHaveLength(1);
    await showFile(path.join(folder, 'README.md'));
    await switchConnection('Elsewhere');
    release();
    await pressed;
    expect(posts()).toHaveLength(3);
    relay.mend();
    const switched = run('switchConnection');
    await quickInput.asked('Switch Connection');
    expect(quickInput.rows().join('\n')).toContain('Elsewhere in use');
    await quickInput.choose(connection);
    await switched;
    const again = await openDraft();
    await expect.poll(() => looks(again)).toEqual(['success', undefined, undefined]);
    expect(again.deployment(1).tables[0]?.rows).toMatchObject([{ name: 'SECOND', state: 'set' }]);
    await discard(again);
    await removeConnection('Elsewhere');
    await other[Symbol.asyncDispose]();
  });

  it('are sent but for one whose name is taken meanwhile, until the user has seen that', async () => {
    const page = await openAll();
    await page.type('name', 'shop-support', 1);
    await says(page, deployAll);
    await createFromImage(service, 'shop-support');
    expect(await page.press(deployAll)).toMatchObject({
      failed: true,
      message: `shop-support wasn't sent, because this is new: "shop-support" is taken on ${connection}; choose another name.`,
    });
    expect(page.findings(1)).toContain(`error: "shop-support" is taken on ${connection}; choose another name.`);
    expect(posts()).toHaveLength(2);
    await expect.poll(() => looks(page)).toEqual(['success', undefined, 'success']);
    await discard(page);
  });

  it('stay on the page after a cancel, with the name that was sent and whether it may exist', async () => {
    relay.break(/^POST \/v2\/deployments/, stallBeforeHeaders);
    const page = await openAll();
    const pressed = page.press(deployAll);
    await expect.poll(posts).toHaveLength(1);
    await createFromImage(service, 'shop-billing');
    await told.cancel(`Creating shop-billing on ${connection}…`);
    await pressed;
    expect(page.findings()).toContain(
      'warning: The request was cancelled, but the service may have created shop-billing.',
    );
    await says(page, 'Deploy 2 of 3');
    expect(titles(page)).toEqual(['shop-billing', 'shop-chat', 'shop-chat-2']);
    const mayBeOwn = `error: "shop-billing" exists on ${connection}. This draft was sent under that name before`;
    expect(page.findings().join()).toContain(mayBeOwn);
    expect(posts()).toHaveLength(1);
    relay.mend();
    await page.press('Deploy 2 of 3');
    await expect.poll(() => looks(page)).toEqual([undefined, 'success', 'success']);
    await discard(page);
  });

  it('are deployed on the page when they are found late', async () => {
    relay.break(/^POST \/v2\/deployments/, passTo(service.url, stallBeforeHeaders));
    const page = await openAll();
    const pressed = page.press(deployAll);
    await expect.poll(deployments).toHaveProperty('shop-billing');
    await told.cancel(`Creating shop-billing on ${connection}…`);
    await pressed;
    relay.mend();
    await told.message(`shop-billing was created on ${connection} after all, and is being followed.`);
    await expect.poll(() => looks(page)).toEqual(['success', undefined, undefined]);
    expect(page.findings()).toEqual([]);
    await says(page, 'Deploy 2 of 3');
    await page.press('Deploy 2 of 3');
    await expect.poll(() => looks(page)).toEqual(['success', 'success', 'success']);
    await finish(page);
  });

  it('are continued with what was entered, once their page was closed', async () => {
    const page = await openAll();
    await page.type('name', 'shop-support', 1);
    await leave(page);
    const again = await openDraft();
    expect(titles(again)).toEqual(['shop-billing', 'shop-support', 'shop-chat-2']);
    expect(paths.map((_, index) => again.field('config', index))).toEqual(paths);
    await discard(again);
  });

  it('leave what was typed for the first one and can not be read, which is asked about before it is gone', async () => {
    const page = await openNewDraft();
    const problem = '1 problem to correct';
    page.keep('cpu: [');
    await expect.poll(() => page.state().words).toBe(problem);
    await add(page, ...paths.slice(1));
    await expect.poll(() => titles(page)).toHaveLength(3);
    await expect.poll(() => page.state().words).toBe(problem);
    const kept = page.press('Start Over');
    (await told.message('Start over?')).press();
    await kept;
    expect(page.state().words).toBe(problem);
    expect(titles(page)).toHaveLength(3);
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => titles(page)).toHaveLength(1);
    await expect.poll(() => page.state().words).toBe(problem);
    const begun = page.press('Start Over');
    (await told.message('Start over?')).press('Start Over');
    await begun;
    await expect.poll(() => page.state().words).not.toBe(problem);
    await discard(page);
  });

  it('share no name, and one with an error stops none of the others', async () => {
    const page = await openDraft();
    await add(page, 'tools/chat/graph.json');
    await add(page, 'apps/chat/graph.json');
    await says(page, deployAll);
    expect(titles(page)).toEqual(['shop-billing', 'shop-chat', 'shop-chat-2']);
    await page.type('name', 'shop-billing', 2);
    // One that was only suggested goes out of the way.
    await expect.poll(() => titles(page)).toEqual(['shop-billing-2', 'shop-chat', 'shop-billing']);
    await page.type('name', 'shop-billing', 1);
    await says(page, 'Deploy 2 of 3');
    expect(page.findings(2)).toContain('error: Another deployment in this file has the same name.');
    await page.press('Deploy 2 of 3');
    await expect.poll(() => looks(page)).toEqual(['success', 'success', undefined]);
    expect(await deployments()).toEqual({
      'shop-billing-2': 'apps/billing/graph.json',
      'shop-billing': 'tools/chat/graph.json',
    });
    await discard(page);
  });

  it('have on top what they share, which changes for all at once', async () => {
    const page = await openAll();
    const { document } = page;
    const shared = () => page.state().shared?.fields.map(({ key, value, usual }) => [key, value || usual]);
    const refs = () => [0, 1, 2].map((index) => page.field('ref', index));
    const folded = () =>
      page.state().deployments.map(({ groups }) => groups.map(({ fields }) => fields.some(({ key }) => key === 'ref')));
    const before = document.getText();
    expect(shared()).toEqual([
      ['connection', ''],
      ['ref', 'main'],
    ]);
    expect(folded()).toEqual([
      [false, true],
      [false, true],
      [false, true],
    ]);
    await page.typeShared('ref', 'next');
    expect(refs()).toEqual(['next', 'next', 'next']);
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText()).toBe(before);
    await expect.poll(refs).toEqual(['main', 'main', 'main']);
    await page.type('ref', 'next', 1);
    await expect.poll(shared).toEqual([
      ['connection', ''],
      ['ref', 'different for each'],
    ]);
    expect(folded()[1]).toEqual([true, false]);
    const chosen = page.press('All Branch');
    await quickInput.choose('main');
    await chosen;
    await expect.poll(refs).toEqual(['main', 'main', 'main']);

    const edit = new vscode.WorkspaceEdit();
    const place = document.positionAt(document.getText().indexOf('name: shop-chat\n'));
    edit.insert(document.uri, place, 'resources: { cpu: 2 } # ours\n');
    await vscode.workspace.applyEdit(edit);
    const resources = () =>
      page
        .state()
        .shared?.fields.at(-1)
        ?.options.map(({ label }) => label);
    await expect
      .poll(resources)
      .toEqual([
        'different for each',
        'as shop-billing: service defaults',
        expect.stringMatching(/^as shop-chat: 2 cores/),
        'as shop-chat-2: service defaults',
      ]);
    await page.typeShared('resources', '1');
    expect(document.getText().match(/cpu: 2/g)).toHaveLength(3);
    expect(document.getText()).toContain('resources: { cpu: 2 } # ours\nname: shop-chat\n');
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText().match(/cpu: 2/g)).toHaveLength(1);
    expect(page.state().sharedResources).toBeUndefined();
    await page.typeShared('resources', '0');
    expect(document.getText()).not.toContain('cpu');

    await page.type('repository', 'https://code.example/acme/other', 2);
    await expect.poll(() => shared()?.map(([key]) => key)).toEqual(['connection']);
    await discard(page);
  });

  it('have resources on top, which are edited for all at once while they are the same', async () => {
    await createFromImage(service, 'sized', { source_config: { resource_spec: { cpu: 4 } } });
    const page = await openAll();
    const { document } = page;
    const before = document.getText();
    const cores = () => document.getText().match(/^ {2}cpu: .*/gm);
    const set = (text: string): readonly PathEdit[] => [
      { kind: 'set', path: ['cpu'], value: { style: 'inline', text } },
    ];
    expect(await page.editShared(set('2'))).toBe('');
    expect(cores()).toEqual(['  cpu: 2', '  cpu: 2', '  cpu: 2']);
    await expect.poll(() => page.state().sharedResources?.text).toBe('cpu: 2\n');
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText()).toBe(before);
    await page.editShared(set('2'));
    await page.edit(set('3'), 1);
    expect(cores()).toEqual(['  cpu: 2', '  cpu: 3', '  cpu: 2']);
    await expect.poll(() => page.state().sharedResources).toBeUndefined();
    await page.typeShared('resources', '1');
    expect(cores()).toEqual(['  cpu: 3', '  cpu: 3', '  cpu: 3']);
    const started = page.press('All Deployment…');
    await quickInput.choose('sized');
    await started;
    expect(cores()).toEqual(['  cpu: 4', '  cpu: 4', '  cpu: 4']);
    expect(await page.editShared(set('['))).toMatch(/./);
    page.hear();
    expect(await page.editShared(set('5'))).toBe('');
    expect(cores()).toEqual(['  cpu: 5', '  cpu: 5', '  cpu: 5']);
    await discard(page);
  });

  it('go to another connection together, except for those that are deployed', async () => {
    await addConnection('Elsewhere', relay);
    const page = await openAll();
    await page.type('name', 'shop-support', 1);
    await expect.poll(() => page.deployment(1).deploy?.label).toBe('Deploy');
    await page.press(/^Deploy$/, 1);
    await expect.poll(() => looks(page)).toEqual([undefined, 'success', undefined]);
    expect(page.state().shared?.title).toBe('Shared by 2 Deployments');
    await page.typeShared('connection', 'Elsewhere');
    expect([0, 1, 2].map((index) => page.field('connection', index))).toEqual(['Elsewhere', '', 'Elsewhere']);
    await discard(page);
    await removeConnection('Elsewhere');
  });

  it('take no name that another one on the page has, if theirs is taken', async () => {
    await createFromImage(service, 'shop-chat');
    const page = await openDraft();
    await page.type('name', 'shop-chat-2');
    await add(page, 'tools/chat/graph.json');
    await says(page, 'Deploy All 2');
    expect(titles(page)).toEqual(['shop-chat-2', 'shop-chat-3']);
    await discard(page);
  });

  it('have their warnings beside the button of each, and are sent one by one', async () => {
    const page = await openAll();
    await page.type('name', 'not usual', 1);
    await expect.poll(() => page.deployment(1).deploy?.label).toBe('Deploy with 1 Warning');
    expect(page.findings(1).join()).toContain('warning: Services usually take only lowercase letters');
    expect(page.deployment(0).deploy?.label).toBe('Deploy');
    await says(page, 'Deploy All 3 with 1 Warning');
    expect(posts()).toEqual([]);
    await page.press('Deploy with 1 Warning', 1);
    await expect.poll(() => looks(page)).toEqual([undefined, 'success', undefined]);
    expect(Object.keys(await deployments())).toEqual(['not usual']);
    await discard(page);
  });

  it('begin with what was chosen for them the last time, and with their own stored secrets', async () => {
    const page = await openAll();
    await page.type('install_command', 'make chat', 1);
    await addSecret(page, 'TOKEN', 'canary-57e2', 1);
    const stored = page.press('Where From…', 1);
    await quickInput.choose('Stored on This Machine');
    await stored;
    await says(page, deployAll);
    await page.press(deployAll);
    await expect.poll(() => looks(page)).toEqual(['success', 'success', 'success']);
    await finish(page);

    relay.sent.length = 0;
    const again = await openDraft();
    const added = again.press('Deploy Several…');
    await quickInput.asked(list);
    await quickInput.tick(...paths.slice(1));
    for (const path of paths.slice(1)) {
      await quickInput.asked(`Deploy ${path}`);
      await quickInput.choose(words.deployed.deployNew);
    }
    await added;
    await expect.poll(() => again.state().deployments.map(({ tables }) => tables[0]?.rows.length)).toEqual([0, 1, 0]);
    expect([1, 2].map((index) => again.field('install_command', index))).toEqual(['make chat', '']);
    await again.type('name', 'shop-support', 1);
    await expect
      .poll(() => again.deployment(1).tables[0]?.rows)
      .toMatchObject([{ name: 'TOKEN', from: 'this machine', state: 'set' }]);
    await expect.poll(() => again.deployment(1).deploy?.label).toBe('Deploy');
    await again.press(/^Deploy$/, 1);
    expect(relay.sent).toMatchObject([{ name: 'shop-support', secrets: [{ name: 'TOKEN', value: 'canary-57e2' }] }]);
    // Other suites list what is stored.
    const forgotten = again.press('Where From…', 1);
    await quickInput.choose('Stop Remembering');
    await forgotten;
    await discard(again);
  });

  it('are not added on Escape, which leaves their list', async () => {
    await inNewDeployment(async (page) => {
      expect(await offered(page)).toEqual(paths.slice(1));
      expect(titles(page)).toEqual(['shop-billing']);
    });
    expect(posts()).toEqual([]);
  });
});
