import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RevisionStatus } from '../../../src/api/schema/enums.ts';
import type { BuildOutcome } from '../../../src/localService/build/outcome.ts';
import { Lifecycle } from '../../../src/localService/lifecycle.ts';
import { createService } from '../../../src/localService/service.ts';
import type { Service } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import type { Database } from '../../../src/localService/store/database.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const step = 1000;
/** The states of an image that is deployed, one for each step. */
const states = ['CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED'];

let folder: string;
let database: Database;
let service: Service;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  folder = await mkdtemp(path.join(tmpdir(), 'service-clock-'));
  start();
});

afterEach(async () => {
  await stop();
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

describe('a change of the wall clock', () => {
  it.each([-hour, -30 * day, hour, 30 * day])('by %i ms stops no revision and skips no step', async (shift) => {
    await deploy();
    vi.setSystemTime(Date.now() + shift);
    await expectEachStep();
  });

  it.each([-hour, -30 * day, 30 * day])(
    'by %i ms between two runs stops no revision and skips no step',
    async (shift) => {
      await deploy();
      await stop();
      vi.setSystemTime(Date.now() + shift);
      start();
      await expectEachStep();
    },
  );

  it('is visible in timestamps', async () => {
    vi.setSystemTime('2026-11-21T10:00:00Z');
    await deploy();
    const { resources } = (await ask('/v2/deployments')) as { resources: { created_at: string }[] };
    expect(resources[0]?.created_at).toBe('2026-11-21T10:00:00.000Z');
  });
});

it('ignores the outcome of a build whose revision has moved meanwhile', async () => {
  await deploy();
  const { deployments, revisions, clock } = service;
  const [revision] = revisions.due(Infinity);
  let end: (outcome: BuildOutcome) => void = () => {};
  const build = async () => new Promise<BuildOutcome>((resolve) => (end = resolve));
  const onError = (error: unknown) => expect.fail(String(error));
  const lifecycle = new Lifecycle({ database, deployments, revisions, clock, build, stepMilliseconds: step, onError });
  const move = (to: RevisionStatus, stepDueAt: number | null): void =>
    revisions.change(revision!.id, { status: to, message: null, stepDueAt }, clock.now());
  move('BUILDING', clock.monotonic());
  lifecycle.wake();
  move('INTERRUPTED', null);
  end({ config: revision!.config, problem: 'Too late.' });
  await lifecycle.settle();
  expect(await status()).toBe('INTERRUPTED');
});

function start(): void {
  database = openDatabase(sqlite, path.join(folder, 'service.sqlite')) as Database;
  service = createService(database, {
    dataFolder: folder,
    git: undefined,
    stepMilliseconds: step,
    sample: false,
    apiKey: 'key',
    onError: (error) => expect.fail(String(error)),
    onStop: () => {},
  });
  service.start();
}

async function stop(): Promise<void> {
  await service.stop();
  database.close();
}

async function deploy(): Promise<void> {
  const source = { source: 'external_docker', source_revision_config: { image_uri: 'registry.example/agent:1' } };
  await ask('/v2/deployments', { name: 'agent', source_config: {}, secrets: [], ...source });
}

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
  const { resources } = (await ask('/v2/deployments')) as { resources: { id: string }[] };
  const revisions = (await ask(`/v2/deployments/${resources[0]?.id}/revisions`)) as { resources: { status: string }[] };
  return revisions.resources[0]?.status;
}

async function ask(address: string, body?: object): Promise<unknown> {
  const response = await service.app.request(`http://127.0.0.1${address}`, {
    headers: { host: '127.0.0.1', 'x-api-key': 'key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(response.status).toBeLessThan(300);
  return response.json();
}
