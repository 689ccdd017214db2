import { beforeEach, describe, expect, test } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { LookUp } from '../../../../src/api/resources/lookUp.ts';
import { ExistingDeployments } from '../../../../src/state/deploying/existingDeployments.ts';

let asked: string[];
let now: number;
let existing: ExistingDeployments;

beforeEach(() => {
  asked = [];
  now = 0;
  existing = new ExistingDeployments();
});

/** Asks a service that has these names, of which it may show only a part. */
async function ask(name: string, names: readonly string[], isWhole = true): Promise<LookUp | undefined> {
  const rows = names.map((each): Deployment => ({ id: each, name: each }));
  const deployments = {
    list: notAsked,
    listAll: notAsked,
    find: notAsked,
    create: notAsked,
    describeCreate: notAsked,
    lookUp: async (wanted: string) => {
      asked.push(wanted);
      const missing = isWhole ? 'notFound' : 'unknown';
      return { rows, isWhole, found: names.includes(wanted) ? ('found' as const) : missing } as const;
    },
  };
  await existing.ask({ deployments }, name, now);
  return existing.lookUp(name);
}

function notAsked(): never {
  throw new Error('This is not asked for.');
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
    now = 59_999;
    await ask('agent-2', []);
    expect([asked, existing.named('agent-2')]).toEqual([['agent'], { id: 'agent-2', name: 'agent-2' }]);
    now = 60_000;
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
});
