import { request as httpRequest } from 'node:http';
import { before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { readToPage, type PageDeployment } from '../../src/ui/deploy/page/protocol.ts';
import { passTo } from '../support/faultRelay.ts';
import type { Fault } from '../support/faultServer.ts';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { newDraft } from './support/drafts.ts';
import { addSecret, inNewDeployment, openDraft } from './support/newDeployment.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

const secretValue = 'canary-77d0-secret-value';
const create = /^POST \/v2\/deployments$/;
const registration = /^POST \/v2\/listeners$/;
const listing = /^GET \/v1\/integrations\/repohost\//;
const otherListing = /^GET \/v1\/integrations\/forge\/repohost\/[^/]+\/repos/;
const nameLookUp = /^GET \/v2\/deployments\?.*name_contains/;

describe('A slow or faulty service', () => {
  let service: Service;
  let relay: Relay;
  /** The creates that arrived: what they carried, and whether anybody still waits for their answer. */
  let creates: { readonly body: Promise<string>; readonly isCutOff: () => boolean }[];

  before(async () => {
    const { folder } = await openSample();
    service = await startService({ repositories: [folder], stepMs: 1 });
    relay = await startRelay(service);
    await addConnection('Slow', relay);
  });

  beforeEach(() => {
    relay.mend();
    relay.requests.length = 0;
    creates = [];
  });

  /** Takes a create, which the service gets or not; the answer never comes. */
  const unanswered =
    (reachesService: boolean): Fault =>
    (response, request) => {
      let isClosed = false;
      response.on('close', () => (isClosed = true));
      const chunks: Buffer[] = [];
      const body = new Promise<string>((resolve) => {
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => resolve(Buffer.concat(chunks).toString()));
      });
      creates.push({ body, isCutOff: () => isClosed });
      if (!reachesService) return;
      const { method, url, headers } = request;
      request.pipe(httpRequest(`${service.url}${url}`, { method, headers }, (answer) => answer.resume()));
    };

  /** Answers the questions of Create Listener; the last answer sends the request. */
  async function registerCluster(id: string): Promise<void> {
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', id);
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '2.0.0');
  }

  it('loses no answer when the registration of a cluster is canceled', async () => {
    relay.break(registration, unanswered(true));
    const ended = run('createListener');
    await registerCluster('production-cluster');
    await expect.poll(() => creates).toHaveLength(1);
    await told.cancel('Registering production-cluster with Slow…');
    await quickInput.asked('Create Listener (4/4)');
    expect(quickInput.message()).toContain(
      'The request was cancelled, but the service may have registered production-cluster.',
    );
    relay.mend();
    await quickInput.accept();
    await quickInput.asked('Create Listener (2/4)');
    expect(quickInput.message()).toContain('The cluster "production-cluster" is already registered.');
    await quickInput.cancel();
    await ended;
  });

  for (const [does, fault, words] of [
    ['refuses a cluster', json({ detail: 'The version is too old.' }, 422), 'The version is too old.'],
    ['fails with it', json({}, 500), 'The cluster "second-cluster" may have been registered, but isn\'t listed yet.'],
  ] as const) {
    it(`loses no answer when it ${does}`, async () => {
      relay.break(registration, fault);
      const ended = run('createListener');
      await registerCluster('second-cluster');
      await expect.poll(() => quickInput.message()).toContain(words);
      expect(quickInput.title()).toBe('Create Listener (4/4)');
      expect(quickInput.box()).toMatchObject({ value: '2.0.0' });
      await quickInput.cancel();
      await ended;
    });
  }

  const locked = {
    isLocked: true,
    help: 'Locked while the service is asked whether the deployment was created.',
  };

  const nameField = ({ groups }: PageDeployment) =>
    groups.flatMap(({ fields }) => fields).find(({ key }) => key === 'name');

  /** The deployments of a message to the page. */
  const deploymentsIn = (text: string): readonly PageDeployment[] => {
    const message = readToPage(JSON.parse(text));
    return message?.type === 'state' ? message.state.deployments : [];
  };

  const cancelled = 'warning: The request was cancelled, but the service may have created sample-agent.';

  it('gets no more requests when a search is canceled, until the user searches again', async () => {
    relay.break(listing, stallBeforeHeaders);
    relay.break(otherListing, stallBeforeHeaders);
    await run('deployCurrentRepository');
    await expect.poll(() => relay.requests.filter((asked) => asked.includes('/repos'))).toHaveLength(2);
    await told.cancel('Looking for acme/sample-agent in Slow…');
    const page = await pages.inFront();
    expect(page.state().deploy).toBeUndefined();
    expect(page.findings().join()).toContain('error: Choose the integration that has access to https://code.example/');
    expect(relay.requests.filter((asked) => asked.includes('/repos'))).toHaveLength(2);
    expect(told.messages).toEqual([]);
    relay.mend();
    await page.press('Try Again');
    await expect.poll(() => page.state().deploy?.label).toBe('Deploy');
    await page.close();
  });

  it('is searched once, whatever the user types meanwhile', async () => {
    relay.break(listing, json({ detail: 'Out of order' }, 500));
    relay.break(otherListing, json([]));
    await inNewDeployment(async (page) => {
      relay.mend();
      relay.requests.length = 0;
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      const late: Fault = (response, request) => void held.then(() => passTo(service.url)(response, request));
      relay.break(listing, late);
      relay.break(otherListing, late);
      const lists = () => relay.requests.filter((asked) => asked.includes('/repos'));
      await page.press('Try Again');
      await expect.poll(lists).toHaveLength(2);
      await page.type('type', 'prod');
      await page.type('type', 'dev');
      goOn();
      await expect.poll(() => page.state().deploy?.label).toBe('Deploy');
      expect(lists()).toHaveLength(2);
    });
  });

  it('answers some lists, and the page says which list failed', async () => {
    relay.break(otherListing, json({ detail: 'Not for this key' }, 403));
    await inNewDeployment(async (page) => {
      const failed = expect.stringMatching(/^Couldn't list all repositories of .*Not for this key/);
      expect(page.deployment().facts).toContainEqual(failed);
      await page.type('type', 'prod');
      await expect.poll(() => page.deployment().isChecking).toBe(false);
      expect(page.deployment().facts).toContainEqual(failed);
    });
  });

  it('is reported with its error and a retry if no integration that answers has the repository', async () => {
    relay.break(listing, json({ detail: 'Out of order' }, 500));
    relay.break(otherListing, json([]));
    await inNewDeployment(async (page) => {
      const found = page.deployment().findings.find(({ message }) => message.includes('Out of order'));
      expect(found).toMatchObject({ severity: 'error', key: 'integration' });
      expect(page.state()).toMatchObject({ words: '1 problem to correct' });
      relay.mend();
      await page.press('Try Again');
      await expect.poll(() => page.state().deploy?.label).toBe('Deploy');
    });
  });

  it('leaves the draft unchanged when the create is canceled, and the page reports what is known', () =>
    inNewDeployment(async (page) => {
      await addSecret(page, 'MODEL_API_KEY', secretValue);
      relay.break(create, unanswered(false));
      const pressed = page.press('Deploy');
      await expect.poll(() => creates).toHaveLength(1);
      // Another quick input, such as Ctrl+P, ends nothing.
      await vscode.commands.executeCommand('workbench.action.quickOpen');
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      expect(creates[0]?.isCutOff()).toBe(false);
      await told.cancel('Creating sample-agent on Slow…');
      await pressed;
      await expect.poll(() => page.findings()).toContain(cancelled);
      expect(nameField(page.deployment())).toMatchObject(locked);
      await expect.poll(() => creates[0]?.isCutOff()).toBe(true);
      expect(await creates[0]?.body).toContain(secretValue);
      expect(page.heard() + describeWindow()).not.toContain(secretValue);
      expect(page.deployment().tables[0]?.rows).toMatchObject([{ name: 'MODEL_API_KEY', state: 'set' }]);
    }));

  it('is asked for the name after a canceled create, and the page says so until it answers', async () => {
    const page = await openDraft();
    relay.break(create, unanswered(false));
    const pressed = page.press('Deploy');
    await expect.poll(() => creates).toHaveLength(1);
    const lookUps: { isCutOff: boolean }[] = [];
    relay.break(nameLookUp, (response) => {
      const lookUp = { isCutOff: false };
      lookUps.push(lookUp);
      response.on('close', () => (lookUp.isCutOff = true));
    });
    await told.cancel('Creating sample-agent on Slow…');
    await pressed;
    await expect.poll(() => page.findings()).toContain(cancelled);
    await expect.poll(() => lookUps).toContainEqual({ isCutOff: false });
    expect(page.deployment().isChecking).toBe(true);
    await page.close();
    // Much sooner than its own time-out would end it.
    await expect.poll(() => lookUps.filter(({ isCutOff }) => !isCutOff)).toEqual([]);
  });

  it('is asked no longer for a name that the user has changed meanwhile', () =>
    inNewDeployment(async (page) => {
      // A name may be asked for more than once: git's news begins the check again.
      const waiting = new Set<object>();
      let asked = '';
      relay.break(nameLookUp, (response, request) => {
        waiting.add(response);
        asked = new URL(request.url ?? '', relay.url).searchParams.get('name_contains') ?? '';
        response.on('close', () => waiting.delete(response));
      });
      await page.type('name', 'first-name');
      await expect.poll(() => [asked, waiting.size]).toEqual(['first-name', 1]);
      await page.type('name', 'second-name');
      await expect.poll(() => [asked, waiting.size]).toEqual(['second-name', 1]);
      relay.mend();
    }));

  it('is awaited for the resources of a deployment only until the user cancels', async () => {
    let isCutOff = false;
    relay.break(/^GET \/v2\/deployments\?limit=100&/, (response) => response.on('close', () => (isCutOff = true)));
    const form = await newDraft();
    const left = form.ask('loadDeployment');
    await expect.poll(() => relay.requests).toContain('GET /v2/deployments?limit=100&offset=0');
    await told.cancel('Loading the deployments of Slow…');
    await quickInput.closed();
    expect(await left).toMatchObject({ failed: false, message: '' });
    // Much sooner than its own time-out would end it.
    await expect.poll(() => isCutOff).toBe(true);
    relay.mend();
    const none = 'No deployment on Slow reports its resources.';
    expect(await form.ask('loadDeployment')).toMatchObject({ failed: true, message: none });
  });

  it('that created a deployment anyway has it shown in the list', async () => {
    await tree('Deployments').open();
    await inNewDeployment(async (page) => {
      relay.break(create, unanswered(true));
      const pressed = page.press('Deploy');
      await expect.poll(() => creates).toHaveLength(1);
      await expect.poll(namesAtService).toContain('sample-agent');
      await told.cancel('Creating sample-agent on Slow…');
      await pressed;
      await expect.poll(() => page.findings()).toContain(cancelled);
      await expect.poll(() => page.state().deploy).toBeUndefined();
      expect(page.field('name')).toBe('sample-agent');
      await tree('Deployments').shows('sample-agent');
      expect(creates).toHaveLength(1);
      // The name was locked, and no other one was offered for it, until the deployment was found.
      const shown = page.heard().split('\n').flatMap(deploymentsIn);
      const whileLocked = shown.filter((deployment) => nameField(deployment)?.isLocked === true);
      expect(whileLocked).not.toEqual([]);
      const offered = whileLocked.flatMap(({ findings }) => findings.flatMap(({ buttons }) => buttons));
      expect(offered.filter(({ label }) => label.startsWith('Use '))).toEqual([]);
    });
  });

  async function namesAtService(): Promise<string[]> {
    const { resources } = await callService(service, 'GET', '/v2/deployments');
    return resources.map(({ name }: { name: string }) => name);
  }
});
