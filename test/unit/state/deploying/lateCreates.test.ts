import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { ServiceConnection } from '../../../../src/state/connections/connection.ts';
import { LateCreates } from '../../../../src/state/deploying/lateCreates.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { work } from '../../../support/testConnections.ts';

const seconds = 1_000;

describe('a create whose answer was not read', () => {
  let clock: FakeClock;
  let creates: LateCreates;
  let looks: number[];
  let client: TestClient;
  let edited: TestClient;
  let asked: Client[];
  /** The connection as it is now; undefined once it is removed. */
  let present: ServiceConnection | undefined;

  beforeEach(() => {
    clock = new FakeClock();
    client = testClient({ baseUrl: work.baseUrl });
    edited = testClient({ baseUrl: work.baseUrl });
    present = work;
    creates = new LateCreates(clock, {
      find: () => present,
      clientOf: async (given) => (given === work ? client : edited),
    });
    looks = [];
    asked = [];
  });

  afterEach(() => Promise.all([client.close(), edited.close()]));

  /** Looks, and finds something from a number of looks on. */
  function look(key: string, foundFrom: number, failsUntil = 0) {
    const start = clock.monotonic();
    return creates.find(key, { connection: work }, async (given) => {
      asked.push(given);
      looks.push(clock.monotonic() - start);
      if (looks.length <= failsUntil) throw new Error('The service is out of order.');
      return looks.length >= foundFrom ? 'agent' : undefined;
    });
  }

  /** Moves on a second at a time, so that each look can begin the next wait. */
  async function pass(duration: number): Promise<void> {
    for (let passed = 0; passed < duration; passed += seconds) {
      clock.advance(seconds);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
  }

  it('is looked for three times within 30 seconds', async () => {
    const late = look('agent', 4);
    await pass(60 * seconds);
    expect(await late).toEqual({ kind: 'notFound' });
    expect(looks).toEqual([3 * seconds, 12 * seconds, 30 * seconds]);
    expect(creates.isOpen('agent')).toBe(false);
  });

  it('is found by the first look that has it, after ones that failed', async () => {
    const late = look('agent', 2, 1);
    await pass(20 * seconds);
    expect(await late).toEqual({ kind: 'found', found: 'agent' });
    expect(looks).toHaveLength(2);
  });

  it('is no longer looked for once it is sent again', async () => {
    const late = look('agent', 1);
    expect(creates.isOpen('agent')).toBe(true);
    creates.stop('agent');
    await pass(60 * seconds);
    expect(await late).toEqual({ kind: 'stopped' });
    expect(looks).toEqual([]);
  });

  it('is sent until it has its answer, also if that is a failure, and nothing is looked for meanwhile', async () => {
    const late = look('agent', 1);
    let fail = (_reason: Error): void => undefined;
    const sent = creates.send('agent', () => new Promise<void>((_resolve, reject) => (fail = reject)));
    expect(await late).toEqual({ kind: 'stopped' });
    expect([creates.isSent('agent'), creates.isSent('other')]).toEqual([true, false]);
    fail(new Error('The service is out of order.'));
    await expect(sent).rejects.toThrow('out of order');
    expect(creates.isSent('agent')).toBe(false);
  });

  it('is looked for with the client of the connection as it is now', async () => {
    const late = look('agent', 2);
    await pass(5 * seconds);
    present = { ...work, authHeader: 'X-Other' };
    await pass(10 * seconds);
    expect(await late).toMatchObject({ kind: 'found' });
    expect(asked).toEqual([client, edited]);
    expect(asked[1]).toBe(edited);
  });

  it.each([
    ['has another base URL', { ...work, baseUrl: 'https://other.example' }],
    ['is removed', undefined],
  ])('is no longer looked for once its connection %s', async (_, other) => {
    const late = look('agent', 3);
    await pass(5 * seconds);
    present = other;
    await pass(60 * seconds);
    expect(await late).toEqual({ kind: 'stopped' });
    expect(looks).toHaveLength(1);
    expect(creates.isOpen('agent')).toBe(false);
  });

  it('leaves no timer behind', async () => {
    const late = look('agent', 1);
    creates.dispose();
    expect(await late).toEqual({ kind: 'stopped' });
    expect(clock.pending).toEqual([]);
  });
});
