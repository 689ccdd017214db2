import { before, describe, it } from 'mocha';
import { passTo } from '../support/faultRelay.ts';
import { held, json } from '../support/faults.ts';
import { createFromImage, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { pollQuickly, startRelay, startService, useSettings } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';

const view = () => tree('Deployments');
const revisions = /\/revisions\//;

describe('The verdict on a followed deployment', () => {
  let service: Service;
  let relay: Relay;
  let deployment: SeededDeployment;

  before(async () => {
    service = await startService({ stepMs: 600_000, devControls: true });
    relay = await startRelay(service);
    deployment = await createFromImage(service, 'verdict-agent');
    await pollQuickly();
    await view().open();
    await addConnection('Verdicts', relay);
    await follow('verdict-agent');
  });

  const hold = (status: string) => holdRevision(service, deployment.latest_revision_id, status);

  async function follow(name: string): Promise<void> {
    await run('followDeployment', await view().shows(name));
  }

  for (const [kind, icon, status, label] of [
    ['has stopped', 'circle-slash', 'INTERRUPTED', 'Interrupted'],
    ['is unknown', 'question', 'UNKNOWN', 'Unknown'],
    ['is in progress', 'loading~spin', 'DEPLOYING', 'Deploying'],
  ] as const) {
    it(`is that it ${kind}, in the status bar and in the row`, async () => {
      await hold(status);
      await expect.poll(statusBar).toBe(`verdict-agent: ${label}`);
      expect(statusBarEntry().icon()).toBe(icon);
      expect(statusBarEntry().isFailure()).toBe(false);
      const row = new RegExp(`^▸ verdict-agent ${label}(?: \\d+s)? · nothing live yet`);
      await expect.poll(() => view().rows()).toMatch(row);
      expect(told.messages).toEqual([]);
    });
  }

  it('stays if a revision is not found, but the list still has its deployment', async () => {
    relay.requests.length = 0;
    relay.break(revisions, json({ detail: 'Not Found' }, 404));
    await untilAsked(2);
    expect(statusBar()).toBe('verdict-agent: Deploying');
    relay.mend();
    await hold('BUILDING');
    await expect.poll(statusBar).toBe('verdict-agent: Building');
    expect(told.messages).toEqual([]);
  });

  it('asks once for another key if the key is rejected, and continues with it', async () => {
    relay.break(/^GET/, json({ detail: 'This key was revoked.' }, 401));
    await expect.poll(statusBar).toBe('verdict-agent: paused: API key rejected');
    expect(statusBarEntry().icon()).toBe('key');
    await expect.poll(() => view().rows()).toMatch(/verdict-agent Building · paused: API key rejected/);
    const message = await told.message('Following on Verdicts is paused. API key rejected');
    expect(message.kind).toBe('error');
    expect(message.buttons).toEqual(['Set API Key', 'Edit Connection', 'Show Log']);
    expect(told.messages).toHaveLength(1);
    relay.mend();
    message.press('Set API Key');
    await quickInput.answer('Set API Key', `${service.apiKey} `);
    await expect.poll(statusBar).toBe('verdict-agent: Building');
    await expect.poll(() => view().rows()).toMatch(/verdict-agent Building \d/);
  });

  it('is that the deployment no longer exists if the list agrees', async () => {
    relay.break(revisions, json({ detail: 'Not Found' }, 404));
    relay.break(/^GET \/v2\/deployments\?/, json({ resources: [], offset: 0 }));
    await expect.poll(statusBar).toBe('verdict-agent: no longer exists');
    expect(statusBarEntry().isFailure()).toBe(false);
    const message = await told.message('verdict-agent (Verdicts): no longer exists');
    expect(message.kind).toBe('warning');
    relay.mend();
  });

  it('is live without a message if only failures are told', async () => {
    await useSettings({ 'follow.notify': 'failures' });
    await run('refresh');
    await follow('verdict-agent');
    await hold('DEPLOYED');
    await expect.poll(statusBar).toBe('verdict-agent: regis…-agent:1.0 is live');
    expect(statusBarEntry().icon()).toBe('rocket');
    await expect.poll(() => view().rows()).toMatch(/^▸ verdict-agent live: verdict-agent:1\.0 · /);
  });

  it('is told once of each that fails, in one message of those within seconds', async () => {
    const failures = [
      ['create-agent', 'CREATE_FAILED', 'Creation failed'],
      ['build-agent', 'BUILD_FAILED', 'Build failed'],
      ['deploy-agent', 'DEPLOY_FAILED', 'Deploy failed'],
    ] as const;
    const created: SeededDeployment[] = [];
    for (const [name] of failures) created.push(await createFromImage(service, name));
    await run('refresh');
    for (const [name] of failures) await follow(name);
    const { fault, release } = held(passTo(service.url));
    relay.break(revisions, fault);
    relay.requests.length = 0;
    // They fail only once each one is waiting, because a request that is under way could tell of one too early.
    for (const { latest_revision_id: id } of created) await untilAsked(1, new RegExp(`/revisions/${id}`));
    for (const [index, { latest_revision_id: id }] of created.entries()) {
      await holdRevision(service, id, failures[index]?.[1] ?? '');
    }
    relay.mend();
    release();
    await expect.poll(statusBar).toBe('3 failed');
    expect(statusBarEntry().isFailure()).toBe(true);
    // Those within two seconds are in one message, which on a busy machine may not be all of them.
    for (const [name, , label] of failures) {
      await expect.poll(() => view().rows()).toMatch(new RegExp(`^▸ ${name} ${label} · nothing live yet`, 'm'));
      const words = `${name} (Verdicts): ${label} · The service gives no reason · nothing live yet`;
      await expect.poll(() => told.messages.filter(({ text }) => text.includes(words))).toHaveLength(1);
    }
    for (const { text, kind, buttons } of told.messages) {
      const count = text.split('(Verdicts)').length - 1;
      expect(kind).toBe('error');
      expect(text.startsWith(`${count} deployments: `)).toBe(count > 1);
      expect(buttons).toEqual([count > 1 ? 'Show Followed Deployments' : 'Open Details']);
    }
  });

  async function untilAsked(count: number, what = revisions): Promise<void> {
    await expect.poll(() => relay.requests.filter((asked) => what.test(asked)).length).toBeGreaterThanOrEqual(count);
  }
});
