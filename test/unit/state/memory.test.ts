import { beforeEach, describe, expect, it } from 'vitest';
import { localConnection } from '../../../src/state/connections/connection.ts';
import { renameInMemory } from '../../../src/state/connections/connectionMemory.ts';
import type { Followed } from '../../../src/state/following/follower.ts';
import { Agents } from '../../../src/state/lists/agents.ts';
import { Deployments } from '../../../src/state/lists/deployments.ts';
import { readTexts, type Memory, withLoggedFailures } from '../../../src/state/memory.ts';
import { testAnswers } from '../../support/answers.ts';
import { InMemoryMemory } from '../../support/editorStorage.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { followingStores } from '../../support/followingStores.ts';
import { testClient } from '../../support/faultClient.ts';
import { startSmallService } from '../../support/smallService.ts';
import { readySession, TestConnections } from '../../support/testConnections.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const connections = new TestConnections(readySession(localConnection));

describe('a failed write', () => {
  let warnings: unknown[][];
  let clock: FakeClock;
  let workspaceMemory: Memory;

  beforeEach(() => {
    warnings = [];
    clock = new FakeClock();
    workspaceMemory = withLoggedFailures(new FullMemory(), { warn: (...words) => void warnings.push(words) });
  });

  it('is logged with its reason, and the new value is still read', async () => {
    await workspaceMemory.update('connection', 'Work');
    expect(warnings).toEqual([['"connection" was not stored.', new Error('The disk is full.')]]);
    expect(workspaceMemory.get('connection')).toBe('Work');
  });

  it("is logged if it fails at once, as for a value that can't be stored", async () => {
    const memory = withLoggedFailures(new InMemoryMemory(), { warn: (...words) => void warnings.push(words) });
    await memory.update('connection', 1n);
    expect(warnings).toHaveLength(1);
  });

  it("doesn't stop following, polling and announcing", async () => {
    await using service = await startSmallService();
    await using client = testClient({ baseUrl: service.url });
    const asked = new TestConnections(readySession(localConnection, client));
    const stores = followingStores({ connections: asked, workspaceMemory, clock });
    const { follower } = stores;
    let changes = 0;
    follower.onDidChange(() => (changes += 1));
    await follower.follow(id);
    expect(changes).toBe(1);
    expect(clock.pending).toEqual([0]);
    const ended = new Promise((resolve) => follower.onDidEnd(resolve));
    clock.advance(0);
    expect(await ended).toMatchObject({ ...id, outcome: 'gone' });
    await follower.stop('Work', 'd1');
    expect(follower.followed).toEqual([]);
    stores.dispose();
  });

  it("doesn't stop agents from being shown and filters from being used", async () => {
    const agents = new Agents({ connections, workspaceMemory, clock });
    let changes = 0;
    agents.onDidChange(() => (changes += 1));
    await agents.add('weather');
    expect(agents.ids).toEqual(['sample-agent', 'weather']);
    await agents.remove('sample-agent');
    expect(agents.ids).toEqual(['weather']);
    expect(changes).toBe(2);
    agents.dispose();
    const { answers } = testAnswers({ workspaceMemory, clock });
    const deployments = new Deployments({ connections, answers, workspaceMemory, pageSize: () => 20, clock });
    await deployments.setFilter({ status: 'READY' });
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    expect(deployments.filter).toEqual({ status: 'READY' });
    expect(deployments.filters.revisions).toEqual({ status: ['DEPLOYED'] });
    deployments.dispose();
  });

  it("doesn't stop the other values from being renamed", async () => {
    await workspaceMemory.update('agents:Work', ['weather']);
    await workspaceMemory.update('connection', 'Work');
    await renameInMemory(workspaceMemory, { from: 'Work', to: 'Office' });
    expect(workspaceMemory.get('agents:Office')).toEqual(['weather']);
    expect(workspaceMemory.get('connection')).toBe('Office');
  });
});

describe('a value to store', () => {
  let memory: InMemoryMemory;
  let warnings: string[];
  let bounded: Memory;

  beforeEach(() => {
    memory = new InMemoryMemory();
    warnings = [];
    bounded = withLoggedFailures(memory, { warn: (words) => void warnings.push(words) });
  });

  it('has at most a thousand entries and a million characters, and what is left out is logged', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ name: `entry ${index}` }));
    await bounded.update('drafts', [{ name: 'x'.repeat(2_000_000) }, ...many]);
    expect(memory.get('drafts')).toEqual(many.slice(0, 1000));
    expect(warnings).toEqual(['"drafts" was stored without 4001 entries.']);
  });

  it('is not stored if it is no list and too long', async () => {
    await bounded.update('filter:Work', { name_contains: 'agent' });
    await bounded.update('filter:Work', { name_contains: 'x'.repeat(2_000_000) });
    expect(memory.get('filter:Work')).toEqual({ name_contains: 'agent' });
    expect(warnings).toEqual(['"filter:Work" was not stored.']);
    await bounded.update('filter:Work', undefined);
    expect(memory.get('filter:Work')).toBeUndefined();
  });
});

describe('a stored value', () => {
  const long = 'x'.repeat(501);
  let memory: InMemoryMemory;

  beforeEach(() => {
    memory = new InMemoryMemory();
  });

  it.each([
    [
      ['a', 'b', 'a', '', 7, null, ['c'], { d: 1 }, long],
      ['a', 'b'],
    ],
    ['a', []],
    [{ 0: 'a', length: 1 }, []],
    [undefined, []],
  ])('of %j is read as %j', async (stored, expected) => {
    await memory.update('texts', stored);
    expect(readTexts(memory, 'texts')).toEqual(expected);
  });

  it('is limited to a thousand entries', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => String(index));
    await memory.update('texts', many);
    expect(readTexts(memory, 'texts')).toHaveLength(1000);
    await memory.update(
      'follows',
      many.map((deploymentId) => ({ ...id, deploymentId })),
    );
    expect(resumed(memory)).toHaveLength(1000);
  });

  it.each([
    { ...id, connection: '' },
    { ...id, deploymentId: long },
    { ...id, revisionId: 7 },
    [id.connection, id.deploymentId, id.revisionId],
    'Work',
    null,
  ])("isn't read as a follow if it is %j", async (stored) => {
    await memory.update('follows', [stored, { ...id, waited: 3 }]);
    expect(resumed(memory)).toEqual([{ ...id, waited: 3, failures: 0, resumed: true }]);
  });

  it('is read as a follow without unknown fields', async () => {
    await memory.update('follows', [{ ...id, waited: 3, revision: { status: 'DEPLOYED' }, outcome: 'ended' }]);
    expect(resumed(memory)).toEqual([{ ...id, waited: 3, failures: 0, resumed: true }]);
  });
});

/** What a new window follows again. */
function resumed(workspaceMemory: Memory): readonly Followed[] {
  const { follower } = followingStores({ connections, workspaceMemory, clock: new FakeClock() });
  follower.resume();
  return follower.followed;
}

/** Keeps what it is given as long as the window lives, as VS Code does, and cannot write it anywhere. */
class FullMemory extends InMemoryMemory {
  override async update(key: string, value: unknown): Promise<void> {
    await super.update(key, value);
    throw new Error('The disk is full.');
  }
}
