import { before, describe, it } from 'mocha';
import { passTo } from '../support/faultRelay.ts';
import { held, json, webPage } from '../support/faults.ts';
import { createFromImage, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { passTime } from './support/time.ts';
import { pollQuickly, startRelay, startService, useSettings } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';

const view = () => tree('Deployments');
const building = 'net: Building';

describe('A deployment that is followed over a bad network', () => {
  let service: Service;
  let relay: Relay;
  let deployment: SeededDeployment;
  let firstText: number;

  before(async () => {
    service = await startService({ stepMs: 600_000, devControls: true });
    relay = await startRelay(service);
    deployment = await createFromImage(service, 'net');
    await holdRevision(service, deployment.latest_revision_id, 'BUILDING');
    await pollQuickly();
    await view().open();
    await addConnection('Network', relay);
    firstText = statusBarEntry().texts.length;
    await run('followDeployment', await view().shows('net'));
    await expect.poll(statusBar).toBe(building);
  });

  it('is as of the last answer while the machine is offline, and continues with the network', async () => {
    await relay.stop();
    await isLastChecked();
    await relay.start();
    await continues();
  });

  it('is as of the last answer behind the page of a captive portal, and continues after it', async () => {
    relay.break(/^GET/, webPage);
    await isLastChecked();
    relay.mend();
    await continues();
  });

  it('is as of the last answer while the service is slow, and continues with its answer', async () => {
    const { fault, release } = held(passTo(service.url));
    relay.requests.length = 0;
    relay.break(/\/revisions\//, fault);
    await expect.poll(() => relay.requests.some((request) => request.includes('/revisions/'))).toBe(true);
    passTime(60_000);
    await expect.poll(statusBar).toBe(`${building} · last checked 1m ago`);
    relay.mend();
    release();
    await continues();
  });

  it('continues with the first success, whatever it waits for', async () => {
    await useSettings({ 'follow.minIntervalSeconds': 2, 'follow.maxIntervalSeconds': 300 });
    relay.requests.length = 0;
    relay.break(/\/revisions\//, json({ detail: 'The database is away.' }, 500));
    await run('followDeployment', await view().shows('net'));
    // An answer to the poll before, which may be late, would be news of after that time.
    await expect.poll(() => relay.requests.join()).toContain('/revisions/');
    passTime(20_000);
    // What was known before stays, with its age.
    await expect.poll(statusBar).toMatch(/^net: Building · last checked/);
    // Each failure doubles the wait, here to over a minute.
    for (const failures of [2, 3, 4, 5, 6]) {
      const asked = async () => {
        // While a poll is under way, a refresh starts no other.
        await run('refresh');
        return relay.requests.filter((request) => request.includes('/revisions/')).length;
      };
      await expect.poll(asked).toBeGreaterThanOrEqual(failures);
    }
    relay.mend();
    // The last of these polls may still be under way, and fail.
    const shown = async () => {
      await run('refresh');
      return statusBar();
    };
    await expect.poll(shown).toBe(building);
    await continues();
  });

  it('has never said anything else', () => {
    const said =
      /^net: (?:Checking its status(?: · the service …)?|Building(?: \d+ m)?(?: \d+ s)?(?: · last checked [^·]+ ago)?)$/;
    const texts = statusBarEntry().texts.slice(firstText);
    expect(texts.filter((text) => !said.test(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(5);
    expect(told.messages).toEqual([]);
  });

  async function isLastChecked(): Promise<void> {
    passTime(20_000);
    await expect.poll(statusBar).toMatch(new RegExp(`^${building} · last checked \\d+s ago$`));
    expect(statusBarEntry().icon()).toBe('debug-disconnect');
    expect(statusBarEntry().isFailure()).toBe(false);
    await expect.poll(() => view().rows()).toMatch(/net Building · last checked \d+ seconds ago/);
  }

  async function continues(): Promise<void> {
    await expect.poll(statusBar).toBe(building);
    expect(statusBarEntry().icon()).toBe('loading~spin');
    await expect.poll(() => view().rows()).toMatch(/net Building \d/);
  }
});
