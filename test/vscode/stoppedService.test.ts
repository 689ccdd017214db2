import { after, before, describe, it } from 'mocha';
import { createFromImage } from '../support/serviceSeed.ts';
import { startedService, useSettings } from './support/suite.ts';
import { editorText, expect, quickInput, run, statusBar, told, tree } from './support/window.ts';

const view = () => tree('Deployments');
const usesLocalService = () => told.contextKeys.get('deploymentManager.usesLocalService');
const paused = 'paused: the local service is stopped';

describe('A local service that is stopped in the middle of a deployment', () => {
  before(async () => {
    // Steps this long are never taken here.
    await useSettings({ 'localService.stepMilliseconds': 600_000 });
    await view().open();
    await run('startLocalService');
    await createFromImage(await startedService(), 'stopped-agent');
    await run('refresh');
    await run('followDeployment', await view().shows('stopped-agent'));
    await run('openDetails', await view().shows('stopped-agent'));
    await expect.poll(statusBar).toBe('stopped-agent: Creating');
  });

  after(async () => {
    await run('stopFollowing', await view().shows('stopped-agent'));
    await stop();
  });

  it('is stopped only after a question', async () => {
    const stopping = run('stopLocalService');
    const question = await told.message('Stop the local service?');
    expect(question.isModal).toBe(true);
    expect(question.detail).toBe('A deployment is in progress. It continues when the service is started again.');
    question.press();
    await stopping;
    await run('refresh');
    await expect.poll(() => view().rows()).toMatch(/stopped-agent Creating \d/);
  });

  it('is stopped in every place, without a refresh', async () => {
    const { pid } = await startedService();
    await stop();
    await saysThatItIsStopped();
    await isListedAsPaused();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('goes on everywhere when it is started', async () => {
    await run('startLocalService');
    await saysThatItGoesOn();
  });

  it('is stopped in every place if another window stops it, and is not started again', async () => {
    const { pid } = await startedService();
    process.kill(pid, 'SIGTERM');
    await saysThatItIsStopped();
    await run('refresh');
    await saysThatItIsStopped();
    await isListedAsPaused();
    await run('startLocalService');
    await saysThatItGoesOn();
  });

  async function saysThatItIsStopped(): Promise<void> {
    await expect.poll(statusBar).toBe('st…-agent: paused: local service stopped');
    await expect
      .poll(() => view().rows())
      .toMatch(/Local service isn't running.*\n.*stopped-agent Creating · last checked at \d/);
    expect(view().icon('stopped-agent')).toBe('debug-disconnect');
    expect(usesLocalService()).toBe(false);
    await expect.poll(editorText).toContain('The local service was stopped.');
  }

  async function isListedAsPaused(): Promise<void> {
    const listed = run('showFollowed');
    await expect.poll(() => quickInput.rows()[0]).toMatch(new RegExp(paused));
    await quickInput.cancel();
    await listed;
  }

  async function saysThatItGoesOn(): Promise<void> {
    await expect.poll(statusBar).toBe('stopped-agent: Creating');
    await expect.poll(() => view().rows()).toMatch(/stopped-agent Creating \d/);
    expect(usesLocalService()).toBe(true);
    await expect.poll(() => editorText().includes('The local service was stopped.')).toBe(false);
  }

  async function stop(): Promise<void> {
    const stopping = run('stopLocalService');
    (await told.message('Stop the local service?')).press('Stop Local Service');
    await stopping;
  }
});
