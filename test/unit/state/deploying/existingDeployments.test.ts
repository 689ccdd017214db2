import { beforeEach, describe, expect, test } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { LookUp } from '../../../../src/api/resources/lookUp.ts';
import type { Answers } from '../../../../src/state/answers/answers.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import { ExistingDeployments } from '../../../../src/state/deploying/existingDeployments.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient } from '../../../support/faultClient.ts';
import { readySession } from '../../../support/testConnections.ts';

const connection = localConnection.name;
const minute = 60_000;

let asked: string[];
let clock: FakeClock;
let answers: Answers;
let existing: ExistingDeployments;

beforeEach(() => {
  asked = [];
  clock = new FakeClock();
  ({ answers } = testAnswers({ workspaceMemory: new InMemoryMemory(), clock }));
  existing = new ExistingDeployments();
});

/** Asks a service that has these names, of which it may show only a part. */
async function ask(name: string, names: readonly string[], isWhole = true): Promise<LookUp | undefined> {
  const rows = names.map((each): Deployment => ({ id: each, name: each }));
  await using client = testClient({ baseUrl: 'http://127.0.0.1:1' });
  const lookUp = async (wanted: string) => {
    asked.push(wanted);
    const missing = isWhole ? 'notFound' : 'unknown';
    return { rows, isWhole, found: names.includes(wanted) ? ('found' as const) : missing } as const;
  };
  const session = readySession(localConnection, { ...client, deployments: { ...client.deployments, lookUp } });
  await existing.ask({ answers, clock }, session, name);
  return existing.lookUp(name);
}

describe('Whether a name is taken', () => {
  test('is not known before it was asked for', () => {
    expect(existing.lookUp('agent')).toBeUndefined();
    expect(existing.rows).toEqual([]);
  });

  test('is asked for once', async () => {
    expect(await ask('agent', ['agent', 'agent-2'])).toBe('found');
    expect(await ask('agent', [])).toBe('found');
    expect(asked).toEqual(['agent']);
    expect(existing.rows.map(({ name }) => name)).toEqual(['agent', 'agent-2']);
  });

  test('tells of longer names too, which contain the one that was asked for', async () => {
    await ask('agent', ['agent', 'agent-2']);
    expect(await ask('agent-2', [])).toBe('found');
    expect(await ask('agent-3', [])).toBe('notFound');
    expect(existing.lookUp('other')).toBeUndefined();
    expect(asked).toEqual(['agent']);
  });

  test('tells of no other name where the service has more than it showed', async () => {
    expect(await ask('agent', ['agent-1'], false)).toBe('unknown');
    expect(existing.lookUp('agent-2')).toBeUndefined();
    expect(await ask('agent-2', ['agent-2'], false)).toBe('found');
    expect(asked).toEqual(['agent', 'agent-2']);
  });

  test('is asked for again after a minute, and what is newer counts', async () => {
    await ask('agent', ['agent', 'agent-2']);
    clock.advance(minute - 1);
    await ask('agent-2', []);
    expect([asked, existing.named('agent-2')]).toEqual([['agent'], { id: 'agent-2', name: 'agent-2' }]);
    clock.advance(1);
    expect(await ask('agent-2', [])).toBe('notFound');
    expect(existing.named('agent-2')).toBeUndefined();
    expect(existing.lookUp('agent')).toBe('found');
    expect(await ask('agent', ['agent', 'agent-2'])).toBe('found');
    expect(existing.lookUp('agent-2')).toBe('found');
    expect(existing.rows.map(({ name }) => name)).toEqual(['agent', 'agent-2']);
    expect(asked).toEqual(['agent', 'agent-2', 'agent']);
  });

  test('is asked for again when it was forgotten', async () => {
    await ask('agent', []);
    existing.forget();
    expect(existing.rows).toEqual([]);
    expect(await ask('agent', ['agent'])).toBe('found');
  });

  test('is not told by an answer to a question that was forgotten', async () => {
    const late = ask('agent', []);
    existing.forget();
    expect(await late).toBeUndefined();
    expect(await ask('agent', ['agent'])).toBe('found');
  });

  test('is not asked for where there is no name', async () => {
    expect(await ask('', [])).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('The deployment that has the name', () => {
  test('is remembered of the connection', async () => {
    const askedAt = clock.monotonic();
    await ask('agent', ['agent', 'agent-2']);
    const { deployment, deploymentAt } = answers.observe(connection, 'agent');
    expect([deployment, deploymentAt]).toEqual([{ id: 'agent', name: 'agent' }, askedAt]);
    expect(answers.record(connection, 'agent-2')).toBeUndefined();
  });

  test('is gone once the name is not found, unless it is so new that it may not be listed yet', async () => {
    await ask('agent', ['agent']);
    clock.advance(2 * minute - 1);
    await ask('agent', []);
    expect(answers.named(connection, 'agent')).toBeDefined();
    clock.advance(minute);
    await ask('agent', [], false);
    expect(answers.named(connection, 'agent')).toBeDefined();
    clock.advance(minute);
    await ask('agent', []);
    expect(answers.named(connection, 'agent')).toBeUndefined();
    expect(answers.goneAt(connection, 'agent')).toBe(clock.monotonic());
  });
});
