import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RevisionStatus } from '../../../src/api/schema/enums.ts';
import type { BuildOutcome } from '../../../src/localService/build/outcome.ts';
import { Journal } from '../../../src/localService/journal.ts';
import { Lifecycle } from '../../../src/localService/lifecycle.ts';
import { ServiceInProcess } from './serviceInProcess.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const step = 1000;
/** The states of an image that is deployed, one for each step. */
const states = ['CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED'];

const onError = (error: unknown) => expect.fail(String(error));
const start = () => local.open({ onError }).start();

let local: ServiceInProcess;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  local = await ServiceInProcess.create();
  start();
});

afterEach(async () => {
  await local.remove();
  vi.useRealTimers();
});

describe('a change of the wall clock', () => {
  it.each([-hour, -30 * day, hour, 30 * day])('by %i ms stops no revision and skips no step', async (shift) => {
    await local.deploy();
    vi.setSystemTime(Date.now() + shift);
    await expectEachStep();
  });

  it.each([-hour, -30 * day, 30 * day])(
    'by %i ms between two runs stops no revision and skips no step',
    async (shift) => {
      await local.deploy();
      await local.stop();
      vi.setSystemTime(Date.now() + shift);
      start();
      await expectEachStep();
    },
  );

  it('is visible in timestamps', async () => {
    vi.setSystemTime('2026-11-21T10:00:00Z');
    await local.deploy();
    const { body } = await local.ask('/v2/deployments');
    expect(body['resources']).toMatchObject([{ created_at: '2026-11-21T10:00:00.000Z' }]);
  });
});

it('ignores the outcome of a build whose revision has moved meanwhile', async () => {
  await local.deploy();
  const { database, service } = local;
  const { revisions, clock } = service;
  const [revision] = revisions.due(Infinity);
  let end: (outcome: BuildOutcome) => void = () => {};
  const build = async () => new Promise<BuildOutcome>((resolve) => (end = resolve));
  const lifecycle = new Lifecycle({
    ...service,
    database,
    journal: new Journal(service),
    build,
    stepMilliseconds: step,
    onDeleted: () => {},
    onError,
  });
  const move = (to: RevisionStatus, stepDueAt: number | null): void =>
    revisions.change(revision!.id, { status: to, message: null, stepDueAt }, clock.now());
  move('BUILDING', clock.monotonic());
  lifecycle.wake();
  move('INTERRUPTED', null);
  end({ config: revision!.config, problem: 'Too late.' });
  await lifecycle.settle();
  expect(await status()).toBe('INTERRUPTED');
});

async function expectEachStep(): Promise<void> {
  const seen = [await status()];
  for (let count = 0; count < 8; count += 1) {
    await vi.advanceTimersByTimeAsync(step);
    seen.push(await status());
  }
  const distinct = [...new Set(seen)];
  // A step that was missed during a pause is taken at once, and it alone.
  expect(distinct).toEqual(states.slice(distinct.includes('CREATING') ? 0 : 1));
}

async function status(): Promise<string | undefined> {
  const { resources: deployments } = (await local.ask('/v2/deployments')).body as { resources: { id: string }[] };
  const { body } = await local.ask(`/v2/deployments/${deployments[0]?.id}/revisions`);
  return (body as { resources: { status: string }[] }).resources[0]?.status;
}
