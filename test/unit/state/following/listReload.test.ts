import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { ReadySession } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { Poller } from '../../../../src/state/following/poller.ts';
import { Deployments } from '../../../../src/state/lists/deployments.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { TestClient } from '../../../support/faultClient.ts';
import { startSmallService } from '../../../support/smallService.ts';
import type { SmallService } from '../../../support/smallService.ts';

const looking = { focused: true, visible: true };
const minute = 60_000;

let service: SmallService;
let client: TestClient;
let clock: FakeClock;
let deployments: Deployments;
let poller: Poller;

beforeEach(async () => {
  service = await startSmallService();
  service.deployments = [{ id: 'd1', name: 'agent' }];
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  const session: ReadySession = { kind: 'ready', connection: localConnection, client: async () => client };
  const connections = { session, onDidChange: new Emitter<never>().event, clientNamed: async () => client };
  const workspaceMemory = new InMemoryMemory();
  deployments = new Deployments({ connections, workspaceMemory, pageSize: () => 20, clock });
  const settings = () => ({ minMilliseconds: 2000, maxMilliseconds: 30_000 });
  poller = new Poller({ connections, deployments, settings, clock });
});

afterEach(async () => {
  poller.dispose();
  deployments.dispose();
  await client.close();
  await service[Symbol.asyncDispose]();
});

it('reloads the list once a minute while the user is looking', async () => {
  await deployments.load();
  poller.setAttention(looking);
  service.asked();
  clock.advance(minute - 1);
  expect(service.asked()).toEqual([]);
  for (const name of ['renamed', 'renamed again']) {
    service.deployments = [{ id: 'd1', name }];
    clock.advance(minute);
    await vi.waitFor(() => expect(deployments.find('d1')?.name).toBe(name));
    expect(service.asked()).toHaveLength(1);
    await vi.waitFor(() => expect(clock.pending).toHaveLength(1));
  }
});

it.each([-60 * minute, -30 * 24 * 60 * minute, 30 * 24 * 60 * minute])(
  'reloads the list after a minute even if the wall clock changes by %i ms',
  async (shift) => {
    await deployments.load();
    service.asked();
    clock.shiftWall(shift);
    poller.setAttention(looking);
    expect(clock.pending).toEqual([minute]);
    clock.advance(minute);
    await vi.waitFor(() => expect(service.asked()).toHaveLength(1));
    await vi.waitFor(() => expect(clock.pending).toEqual([minute]));
  },
);

it("doesn't reload the list while the user is away, and reloads an old one at once on return", async () => {
  await deployments.load();
  poller.setAttention(looking);
  for (const away of [
    { focused: false, visible: true },
    { focused: true, visible: false },
  ]) {
    poller.setAttention(away);
    expect(clock.pending).toEqual([]);
  }
  service.asked();
  clock.advance(10 * minute);
  service.deployments = [{ id: 'd1', name: 'renamed' }];
  poller.setAttention(looking);
  expect(clock.pending).toEqual([0]);
  clock.advance(0);
  await vi.waitFor(() => expect(deployments.find('d1')?.name).toBe('renamed'));
  expect(service.asked()).toHaveLength(1);
});

it("doesn't load a list that was never loaded", async () => {
  poller.setAttention(looking);
  clock.advance(10 * minute);
  expect(clock.pending).toEqual([]);
  expect(service.asked()).toEqual([]);
});

it('waits for a minute after a failure too', async () => {
  await deployments.load();
  await service[Symbol.asyncDispose]();
  poller.setAttention(looking);
  clock.advance(minute);
  await vi.waitFor(() => expect(deployments.state.error).toBeDefined());
  await vi.waitFor(() => expect(clock.pending).toEqual([minute]));
});
