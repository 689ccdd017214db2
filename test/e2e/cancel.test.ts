import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import type { Fault } from '../support/faultServer.ts';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { addConnection } from './support/connection.ts';
import { reviewOf } from './support/review.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = 'Deployment Manager: Deploy Current Repository…';
const title = 'Deploy Current Repository';
const secretValue = 'canary-77d0-secret-value';
const theCreate = /^POST \/v2\/deployments$/;
const theRegistration = /^POST \/v2\/listeners$/;
const theListing = /^GET \/v1\/integrations\/repohost\//;
const theOtherListing = /^GET \/v1\/integrations\/forge\/repohost\/[^/]+\/repos/;

describe('A service that is slow or half broken', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;
  /** The bodies of the creates that arrived, and how many of them nobody waits for any more. */
  let creates: { readonly body: Promise<string>; readonly isCutOff: () => boolean }[];

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [folder], stepMs: 1 });
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({ folder, theme: 'Dark Modern' });
    await addConnection(workbench, { name: 'Test', url: relay.url, apiKey: service.apiKey });
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository', exact: true }).waitFor();
  });

  beforeEach(() => {
    relay.mend();
    relay.requests.length = 0;
    creates = [];
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.screenshot(`failed-${task.name}`);
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
  });

  failuresShowTheWindow(() => workbench);
  const { edit: chooseInReview } = reviewOf(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  /** Takes a create, and lets the service have it or not; the answer never comes. */
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

  async function openReview(): Promise<void> {
    await workbench.runCommand(deploy);
    await workbench.quickInput.row('Deploy sample-agent to Test').waitFor();
  }

  async function addSecret(): Promise<void> {
    const { quickInput } = workbench;
    await chooseInReview('Secrets');
    await quickInput.choose('Add Secret…');
    await quickInput.answer('Add Secret (1/2)', 'MODEL_API_KEY');
    await quickInput.answer('Value of MODEL_API_KEY (2/2)', secretValue);
    await quickInput.choose('Done');
    await workbench.page.locator('.quick-input-title', { hasText: `${title}: Review` }).waitFor();
  }

  /** The lines that are long are shown in several rows. */
  async function expectInReview(text: string): Promise<void> {
    await expect.poll(async () => (await workbench.quickInput.rows()).join(' ')).toContain(text);
  }

  it('while a cluster is registered can be cancelled, and keeps every answer', async () => {
    const { quickInput } = workbench;
    relay.break(theRegistration, unanswered(true));
    await workbench.runCommand('Deployment Manager: Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'production-cluster');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '2.0.0');
    await quickInput.row('Registering production-cluster with Test…').waitFor();
    await expect.poll(() => creates.length).toBe(1);
    await quickInput.choose('Cancel');
    await workbench.page.locator('.quick-input-title', { hasText: 'Create Listener (4/4)' }).waitFor();
    expect(await quickInput.message()).toContain(
      'The request was cancelled; the service may have registered production-cluster all the same.',
    );
    await workbench.screenshot('listener-cancelled');
    relay.mend();
    await quickInput.accept();
    await workbench.page.locator('.quick-input-title', { hasText: 'Create Listener (2/4)' }).waitFor();
    expect(await quickInput.message()).toContain('The cluster "production-cluster" is registered already.');
  });

  it.for([
    ['refuses a cluster', json({ detail: 'The version is too old.' }, 422), 'The version is too old.'],
    ['fails with it', json({}, 500), 'The cluster "second-cluster" was not found, so it was probably not'],
  ] as const)('keeps every answer when it %s', async ([, answer, words]) => {
    const { quickInput } = workbench;
    relay.break(theRegistration, answer);
    await workbench.runCommand('Deployment Manager: Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'second-cluster');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '2.0.0');
    await expect.poll(() => quickInput.message()).toContain(words);
    expect(await quickInput.title()).toBe('Create Listener (4/4)');
    expect(await quickInput.box.locator('input.input').inputValue()).toBe('2.0.0');
    await workbench.screenshot('listener-failed');
  });

  it('is told what is looked for, and is asked no more when that is cancelled', async () => {
    relay.break(theListing, stallBeforeHeaders);
    relay.break(theOtherListing, stallBeforeHeaders);
    await workbench.runCommand(deploy);
    await workbench.quickInput.row('Looking for acme/sample-agent in Test…').waitFor();
    expect(await workbench.quickInput.title()).toBe(title);
    await expect.poll(() => relay.requests.filter((asked) => asked.includes('/repos'))).toHaveLength(2);
    await workbench.screenshot('deploy-looking');
    await workbench.quickInput.choose('Cancel');
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
    expect(await workbench.statusBar()).not.toContainEqual(expect.stringContaining('error'));
    await openAfterMending();
  });

  /** Whoever cancelled can begin anew at once. */
  async function openAfterMending(): Promise<void> {
    relay.mend();
    await openReview();
  }

  it('is used as far as it answers, and what could not be listed is said', async () => {
    relay.break(theOtherListing, json({ detail: 'Not for this key' }, 403));
    await openReview();
    await expectInReview('Not all repositories of');
    await expectInReview('Not for this key');
    await workbench.screenshot('deploy-half-listed');
  });

  it('is shown with its failure, and a way to look again, where nothing that answers has the repository', async () => {
    relay.break(theListing, json({ detail: 'Out of order' }, 500));
    relay.break(theOtherListing, json([]));
    await workbench.runCommand(deploy);
    const notification = await workbench.notification('Out of order');
    expect(await notification.locator('.monaco-button').allInnerTexts()).toEqual(['Try Again', 'Show Log']);
    relay.mend();
    await notification.locator('.monaco-button', { hasText: 'Try Again' }).click();
    await workbench.quickInput.row('Deploy sample-agent to Test').waitFor();
  });

  it('leaves the draft as it was when the request is cancelled, and what is known is said', async () => {
    await openReview();
    await addSecret();
    relay.break(theCreate, unanswered(false));
    await chooseInReview('Deploy sample-agent to Test');
    await workbench.quickInput.row('Creating sample-agent on Test…').waitFor();
    await expect.poll(() => creates.length).toBe(1);
    await workbench.screenshot('deploy-creating');
    await workbench.quickInput.cancel();
    await expectInReview('The request was cancelled; the service may have created sample-agent all the same.');
    await expectInReview('No deployment named "sample-agent" was found, so it was probably not created.');
    await workbench.screenshot('deploy-cancelled');
    expect(creates[0]?.isCutOff()).toBe(true);
    expect(await creates[0]?.body).toContain(secretValue);
    expect(await workbench.page.content()).not.toContain(secretValue);
    await workbench.quickInput.fill('1 secret');
    await workbench.quickInput.row('Secrets').waitFor();
  });

  it('is looked at after a cancelled request, and while it is silent that is said', async () => {
    await openReview();
    relay.break(theCreate, unanswered(false));
    await chooseInReview('Deploy sample-agent to Test');
    await expect.poll(() => creates.length).toBe(1);
    const lookups: { isCutOff: boolean }[] = [];
    relay.break(/^GET \/v2\/deployments\?.*name_contains/, (response) => {
      const lookup = { isCutOff: false };
      lookups.push(lookup);
      response.on('close', () => (lookup.isCutOff = true));
    });
    await workbench.quickInput.cancel();
    await expectInReview('The request was cancelled; the service may have created sample-agent all the same.');
    expect((await workbench.quickInput.rows())[0]).toBe('Checking…');
    await workbench.screenshot('deploy-cancelled-checking');
    await expect.poll(() => lookups).toEqual([{ isCutOff: false }]);
    await workbench.quickInput.cancel();
    // Much sooner than its own time-out would end it.
    await expect.poll(() => lookups, { timeout: 10_000 }).toEqual([{ isCutOff: true }]);
  });

  it('that created a deployment all the same is found out, and the deployment is in the list', async () => {
    await openReview();
    relay.break(theCreate, unanswered(true));
    await chooseInReview('Deploy sample-agent to Test');
    await expect.poll(() => creates.length).toBe(1);
    await expect.poll(() => namesAtService()).toContain('sample-agent');
    await workbench.quickInput.choose('Cancel');
    await expectInReview('A deployment named "sample-agent" exists now. Look at it before you create another one.');
    await expectInReview('Cannot be deployed yet');
    await workbench.row('Deployments', 'sample-agent').waitFor();
    await workbench.screenshot('deploy-cancelled-exists');
    expect(creates).toHaveLength(1);
  });

  it('is not waited for where the resources of one of its deployments are wanted', async () => {
    let isCutOff = false;
    relay.break(/^GET \/v2\/deployments\?limit=100&/, (response) => response.on('close', () => (isCutOff = true)));
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const form = await workbench.webview();
    await form.getByRole('button', { name: 'Deployment…' }).click();
    await workbench.quickInput.row('Loading the deployments of Test…').waitFor();
    await expect.poll(() => relay.requests).toContain('GET /v2/deployments?limit=100&offset=0');
    await workbench.screenshot('form-deployments-loading');
    await workbench.quickInput.choose('Cancel');
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
    // Much sooner than its own time-out would end it.
    await expect.poll(() => isCutOff, { timeout: 10_000 }).toBe(true);
    relay.mend();
    await form.getByRole('button', { name: 'Deployment…' }).click();
    await form.getByText('No deployment of Test says what resources it has.').waitFor();
  });

  async function namesAtService(): Promise<string[]> {
    const answer = await fetch(`${service.url}/v2/deployments`, { headers: { 'x-api-key': service.apiKey } });
    const { resources } = (await answer.json()) as { resources: { name: string }[] };
    return resources.map(({ name }) => name);
  }
});
