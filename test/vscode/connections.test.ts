import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { addConnection, removeConnection, setKey, storedConnections, switchConnection } from './support/connections.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, quickInput, run, told, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

const first = 'Connections first';
const second = 'Connections second';
const address = 'Add Connection (2/4)';
const nameStep = 'Add Connection (3/4)';
const keyStep = 'Add Connection (4/4)';

describe('A connection', () => {
  let firstService: Service;
  let secondService: Service;

  before(async () => {
    const { folder } = await openSample();
    [firstService, secondService] = await Promise.all([
      startService({ repositories: [folder], stepMs: 1 }),
      startService({ repositories: [folder], stepMs: 1 }),
    ]);
    await createSampleDeployments(firstService);
    await tree('Deployments').open();
  });

  const state = () => told.contextKeys.get('deploymentManager.connection');
  const names = () =>
    tree('Deployments')
      .rows()
      .split('\n')
      .flatMap((row) => /▸ (\S+)/.exec(row)?.[1] ?? []);
  // The one that belongs to the open repository stands in a group of its own, on top.
  const expectRows = (): Promise<void> => expect.poll(names).toEqual(['sample-agent-staging', 'weather-agent']);
  const typed = () => quickInput.box().value;

  it('is refused an unusable address, with the reason', async () => {
    const added = run('addConnection');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, 'http://deployments.example.com');
    await quickInput.choose('Enter another base URL');
    await quickInput.answer(address, 'https://user:secret@deployments.example.com');
    await expect.poll(() => quickInput.message()).toContain('user');
    await quickInput.cancel();
    await added;
  });

  it('is offered the right address for that of the tracing service, and keeps its answers on the way back', async () => {
    const added = run('addConnection');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, 'https://api.smith.langchain.com');
    await quickInput.choose('Use https://api.host.langchain.com');
    await quickInput.asked(nameStep);
    expect(typed()).toBe('api.host.langchain.com');

    await quickInput.goBack();
    await quickInput.asked(address);
    expect(typed()).toBe('https://api.host.langchain.com');
    await quickInput.goBack();
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, firstService.url);
    await quickInput.asked(nameStep);
    expect(typed()).toBe(new URL(firstService.url).host);
    await quickInput.cancel();
    await added;
  });

  it('masks its key, and shows the rows of the service', async () => {
    const added = run('addConnection');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, firstService.url);
    await quickInput.answer(nameStep, first);
    await quickInput.asked(keyStep);
    const box = quickInput.box();
    expect(box).toHaveProperty('password', true);
    expect(quickInput.message()).toBe(
      `The API key of "${first}". It is kept encrypted on this machine and sent only to ${firstService.url}.`,
    );
    await quickInput.answer(keyStep, firstService.apiKey);
    await added;
    // VS Code keeps its input box and what was typed into it last.
    expect(box.value).toBe('');
    await expectRows();
  });

  it('never shows the rows of another one', async () => {
    await addConnection(second, secondService);
    await expect.poll(() => tree('Deployments').heading()).toBe(`${second} · 0`);
    await expect.poll(() => tree('Deployments').rows()).toBe('');
    await switchConnection(first);
    await expectRows();
    await switchConnection(second);
    await expect.poll(() => tree('Deployments').heading()).toBe(`${second} · 0`);
    await expect.poll(() => tree('Deployments').rows()).toBe('');
    expect(state()).toBe('ready');
    expect(told.contextKeys.get('deploymentManager.connectionKind')).toBe('service');
    await switchConnection(first);
    await expectRows();
  });

  it('asks for its key again after it was forgotten', async () => {
    const forgotten = run('forgetApiKey');
    await quickInput.asked('Forget API Key');
    expect(quickInput.rows()).toEqual([`${first} in use ${firstService.url}`, `${second} ${secondService.url}`]);
    await quickInput.choose(first);
    const question = await told.message(first);
    expect(question).toMatchObject({ isModal: true, buttons: ['Forget'] });
    question.press('Forget');
    await forgotten;
    await expect.poll(state).toBe('keyMissing');
    await setKey(firstService.apiKey);
    await expectRows();
  });

  it('is in the settings without its key', () => {
    expect(storedConnections()).toEqual([
      { name: first, baseUrl: firstService.url, flavor: 'standard' },
      { name: second, baseUrl: secondService.url, flavor: 'standard' },
    ]);
    const settings = JSON.stringify(vscode.workspace.getConfiguration('deploymentManager'));
    expect(settings).toContain(firstService.url);
    expect(settings).not.toContain(firstService.apiKey);
  });

  it('is removed after a question, and no other one replaces it', async () => {
    await removeConnection(first);
    expect(storedConnections()).toEqual([{ name: second, baseUrl: secondService.url, flavor: 'standard' }]);
    await expect.poll(state).toBe('none');
    const hasConnections = () => told.contextKeys.get('deploymentManager.hasConnections');
    expect(hasConnections()).toBe(true);
    // The only connection is meant without a question.
    const removed = run('removeConnection');
    (await told.message(`Remove the connection "${second}"?`)).press('Remove');
    await removed;
    expect(storedConnections()).toEqual([]);
    await expect.poll(hasConnections).toBe(false);
  });
});
