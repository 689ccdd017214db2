import * as vscode from 'vscode';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { createRepository } from '../support/gitRepositories.ts';
import { stallBeforeHeaders } from '../support/faults.ts';
import { callService, createFromImage, createFromRepository } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection, removeConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { answer, checked, deployAnyway, inReview, openReview, rows } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, run, told } from './support/window.ts';
import { openFolder, suiteFolder } from './support/workspace.ts';

const list = 'Deploy Several Applications';
const connection = 'Several A';
const paths = ['apps/billing/graph.json', 'apps/chat/graph.json', 'tools/chat/graph.json'];
const deployAll = `Deploy 3 applications to ${connection}`;

describe('Several applications of a repository', () => {
  let temporary: string;
  let folder: string;
  let service: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    ({ folder } = await createRepository(temporary, {
      name: 'shop',
      url: 'https://code.example/acme/shop',
      files: {
        'README.md': 'Three applications.\n',
        ...Object.fromEntries(
          paths.flatMap((path) => [
            [path, config],
            [path.replace('graph.json', 'agent.py'), 'graph = None\n'],
          ]),
        ),
      },
    }));
    await openFolder(folder);
  });

  /** Each test finds a service that has nothing. */
  beforeEach(async () => {
    service = await startService({ repositories: [folder], stepMs: 1 });
    relay = await startRelay(service);
    await addConnection(connection, relay);
  });

  afterEach(async () => {
    await removeConnection(connection);
    await relay[Symbol.asyncDispose]();
    await service.stop();
  });

  const posts = (): string[] => relay.requests.filter((request) => request.startsWith('POST '));

  /** Opens the list from the review, with the applications of all config files. */
  async function openList(): Promise<{ readonly ended: Promise<void> }> {
    const { ended } = await openReview();
    await quickInput.choose('Deploy Several…');
    await quickInput.asked(list);
    await expect.poll(rows).toMatch(/^(?:Deploy \d|Can't be deployed yet|apps\/)/);
    if (rows().includes(words.review.startOver)) await quickInput.choose(words.review.startOver);
    await quickInput.tick(...paths);
    await listSays('Deploy ');
    return { ended };
  }

  /** Waits until the list is asked and says this. */
  async function listSays(text: string): Promise<void> {
    await quickInput.asked(list);
    await expect.poll(rows).toMatch(/^(?:Deploy \d|Can't be deployed yet)/);
    await expect.poll(rows).toContain(text);
  }

  /** Opens the review of an application from the list, and names it. */
  async function rename(from: string, path: string, to: string): Promise<void> {
    await quickInput.choose(from);
    await quickInput.asked(`Deploy ${path}: Review`);
    await expect.poll(rows).toContain('Back to Applications');
    await quickInput.choose('Name');
    await answer('The name of the deployment.', to);
    await expect.poll(rows).toContain('Back to Applications');
    await expect.poll(rows).toContain(`Name ${to} · you`);
    await quickInput.choose('Back to Applications');
  }

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
    const followed = rows();
    await quickInput.cancel();
    await shown;
    return followed;
  }

  it('are created and followed in one go, each with a name of its own', async () => {
    const { ended } = await openList();
    expect(quickInput.rows()).toEqual([
      deployAll,
      'shop-billing apps/billing/graph.json',
      'shop-chat apps/chat/graph.json',
      'shop-chat-2 tools/chat/graph.json',
    ]);
    await quickInput.choose(deployAll);
    await ended;
    const message = await told.message('Created shop-billing, shop-chat, shop-chat-2 on Several A.');
    expect(message.kind).toBe('information');
    expect(posts()).toHaveLength(3);
    expect(await deployments()).toEqual({
      'shop-billing': 'apps/billing/graph.json',
      'shop-chat': 'apps/chat/graph.json',
      'shop-chat-2': 'tools/chat/graph.json',
    });
    const names = await followed();
    for (const name of ['shop-billing', 'shop-chat', 'shop-chat-2']) expect(names).toContain(name);
  });

  it('are named by the keys that deploy, and not deployed again by accident', async () => {
    const { ended } = await openList();
    await quickInput.choose(deployAll);
    await ended;
    const offered = run('deployCurrentRepository');
    await expect
      .poll(() => quickInput.message())
      .toBe('main is deployed on Several A as shop-billing, shop-chat-2, shop-chat');
    await quickInput.choose(words.deployed.deployNew);
    await checked();
    await quickInput.choose('Deploy Several…');
    await quickInput.asked(list);
    await expect
      .poll(() => quickInput.rows())
      .toEqual([
        'apps/billing/graph.json deployed as shop-billing',
        'apps/chat/graph.json deployed as shop-chat',
        'tools/chat/graph.json deployed as shop-chat-2',
      ]);
    expect(quickInput.box()).toHaveProperty('selectedItems', []);
    await quickInput.tick('apps/chat/graph.json');
    await listSays("Can't be deployed yet");
    expect(rows()).toContain('"shop-chat" is taken on Several A; choose another name.');
    expect(rows()).not.toContain('shop-chat-2');
    await quickInput.cancel();
    await offered;
    expect(posts()).toHaveLength(3);
  });

  it('are created although the service refuses one, which stays in the list with the reason', async () => {
    const { ended } = await openList();
    // Somebody takes the name while the list is open.
    await createFromImage(service, 'shop-chat');
    await quickInput.choose(deployAll);
    const message = await told.message('Created shop-billing, shop-chat-2 on Several A. shop-chat was not created:');
    expect(message.kind).toBe('warning');
    await listSays("Can't be deployed yet");
    expect(rows()).toMatch(/shop-chat apps\/chat\/graph\.json .*shop-chat/);
    expect(rows()).not.toContain('shop-billing');
    expect(posts()).toHaveLength(3);

    await rename('shop-chat', 'apps/chat/graph.json', 'shop support');
    await listSays(`Deploy 1 application to ${connection}`);
    await quickInput.choose(`Deploy 1 application to ${connection}`);
    const question = `Deploy shop support to ${connection}?`;
    await quickInput.asked(question);
    // However the list ends, only what wasn't created is continued.
    await quickInput.cancel();
    await ended;
    const { ended: again } = await openReview();
    await quickInput.choose('Deploy Several…');
    await listSays(`Deploy 1 application to ${connection}`);
    expect(rows()).not.toContain('shop-billing');
    await quickInput.choose(`Deploy 1 application to ${connection}`);
    await deployAnyway(question);
    await again;
    expect(await deployments()).toMatchObject({
      'shop-billing': 'apps/billing/graph.json',
      'shop-chat-2': 'tools/chat/graph.json',
      'shop support': 'apps/chat/graph.json',
    });
    const names = await followed();
    for (const name of ['shop-billing', 'shop-chat-2', 'shop support']) expect(names).toContain(name);
  });

  it('stay in the list after a cancel, with the name that was sent and whether it may exist', async () => {
    relay.break(/^POST \/v2\/deployments/, stallBeforeHeaders);
    const { ended } = await openList();
    await quickInput.choose(deployAll);
    const creating = await told.waitsFor('Creating shop-billing on Several A, 1 of 3…');
    await expect.poll(posts).toHaveLength(1);
    await createFromImage(service, 'shop-billing');
    creating.cancel();
    const { text } = await told.message('The request was cancelled, but the service may have created shop-billing.');
    expect(text).toContain('shop-chat, shop-chat-2 were not created: The request was cancelled before it was sent.');
    await listSays(`Deploy 2 applications to ${connection} not yet: shop-billing`);
    expect(posts()).toHaveLength(1);
    relay.mend();
    await quickInput.choose(`Deploy 2 applications to ${connection}`);
    await told.message('Created shop-chat, shop-chat-2 on Several A.');
    await listSays('shop-billing apps/billing/graph.json');
    await quickInput.cancel();
    await ended;
  });

  it('leave the list when they are found late', async () => {
    relay.break(/^POST \/v2\/deployments/, stallBeforeHeaders);
    const { ended } = await openList();
    await quickInput.choose(deployAll);
    const creating = await told.waitsFor('Creating shop-billing on Several A, 1 of 3…');
    await expect.poll(posts).toHaveLength(1);
    await createFromRepository(service, 'shop-billing');
    creating.cancel();
    await told.message('The request was cancelled, but the service may have created shop-billing.');
    relay.mend();
    await told.message('shop-billing was created on Several A after all, and is being followed.');
    await quickInput.choose(/^Deploy 2 applications/);
    await told.message('Created shop-chat, shop-chat-2 on Several A.');
    await ended;
  });

  it('are continued with what was entered, once their list was left', async () => {
    const { ended } = await openList();
    await rename('shop-chat', 'apps/chat/graph.json', 'shop-support');
    await listSays('shop-support apps/chat/graph.json');
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await ended;
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const { ended: again } = await openReview();
    await quickInput.choose('Deploy Several…');
    await listSays('shop-support apps/chat/graph.json');
    await quickInput.cancel();
    await again;
  });

  it('share no name, and one with an error stops none of the others', async () => {
    const { ended } = await openList();
    await rename('shop-chat-2', 'tools/chat/graph.json', 'shop-billing');
    await listSays('shop-billing-2 apps/billing/graph.json');
    await rename('shop-chat', 'apps/chat/graph.json', 'shop-billing');
    await listSays('Another of the applications is named "shop-billing"; choose another name.');
    expect(rows()).toContain(`Deploy 1 application to ${connection} not yet: shop-billing, shop-billing`);
    await quickInput.choose(`Deploy 1 application to ${connection}`);
    await listSays("Can't be deployed yet");
    expect(quickInput.rows()).toHaveLength(3);
    await quickInput.cancel();
    await ended;
    expect(await deployments()).toEqual({ 'shop-billing-2': 'apps/billing/graph.json' });
  });

  it('are sent after one question about all warnings, which names them', async () => {
    const { ended } = await openList();
    await rename('shop-chat', 'apps/chat/graph.json', 'not usual');
    await listSays('not usual apps/chat/graph.json');
    await quickInput.choose(deployAll);
    const question = 'Deploy shop-billing, not usual, shop-chat-2 to Several A?';
    await quickInput.asked(question);
    expect(quickInput.message()).toBe('The review has 1 warning');
    await quickInput.choose('Back to Review');
    await listSays(deployAll);
    expect(posts()).toEqual([]);
    await quickInput.choose(deployAll);
    await deployAnyway(question);
    await ended;
    expect(Object.keys(await deployments()).toSorted()).toEqual(['not usual', 'shop-billing', 'shop-chat-2']);
  });

  it('are not sent on Escape, which leaves their list, while the arrow leads from a review to the list', async () => {
    await inReview(async () => {
      await quickInput.choose('Deploy Several…');
      await quickInput.asked(list);
      await quickInput.goBack();
      await checked();
    });
    const { ended } = await openList();
    await quickInput.choose('shop-chat');
    await quickInput.asked('Deploy apps/chat/graph.json: Review');
    await quickInput.goBack();
    await listSays(deployAll);
    await quickInput.choose('shop-chat');
    await quickInput.asked('Deploy apps/chat/graph.json: Review');
    await quickInput.cancel();
    await ended;
    expect(posts()).toEqual([]);
  });
});
