import { after, before, describe, it } from 'mocha';
import { createFromImage } from '../support/serviceSeed.ts';
import { pollQuickly, startedService, useSettings } from './support/suite.ts';
import { expect, quickInput, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';

const view = () => tree('Deployments');

describe('A local service that is killed in the middle of a deployment', () => {
  before(async () => {
    // Steps this long are never taken here.
    await useSettings({ 'localService.stepMilliseconds': 600_000 });
    await view().open();
    await run('startLocalService');
    await createFromImage(await startedService(), 'killed-agent');
    await run('refresh');
  });

  after(async () => {
    void run('showFollowed');
    await quickInput.pressInRow('killed-agent', 'Dismiss');
    await quickInput.cancel();
    await run('stopLocalService');
  });

  it('is started again, where the deployment goes on, and no text says otherwise', async () => {
    await pollQuickly();
    const firstText = statusBarEntry().texts.length;
    await run('followDeployment', await view().shows('killed-agent'));
    await expect.poll(statusBar).toBe('killed-agent: Creating');
    await useSettings({ 'localService.stepMilliseconds': 50 });
    const { pid } = await startedService();
    process.kill(pid, 'SIGKILL');
    const live = 'registry.example/acme/killed-agent:1.0 is live';
    const shownLive = 'regis…-agent:1.0 is live';
    await expect.poll(statusBar).toBe(`killed-agent: ${shownLive}`);
    expect((await startedService()).pid).not.toBe(pid);
    const working = 'Creating|Queued|Waiting for build|Building|Waiting for deploy|Deploying';
    const said = new RegExp(
      `^(?:killed-agent|ki…agent): (?:Checking its status|(?:${working})(?: \\d+ s)?(?: · last [^·]+)?|Deployed|${shownLive})$`,
    );
    expect(
      statusBarEntry()
        .texts.slice(firstText)
        .filter((text) => !said.test(text)),
    ).toEqual([]);
    await told.message(live);
    expect(told.messages).toHaveLength(1);
  });
});
