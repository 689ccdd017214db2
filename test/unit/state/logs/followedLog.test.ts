import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { LogEntry, LogPage, LogQuery } from '../../../../src/api/resources/logs.ts';
import { Scheduler } from '../../../../src/state/following/scheduler.ts';
import { FollowedLog } from '../../../../src/state/logs/followedLog.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const startedAt = Date.UTC(2026, 2, 2);

let clock: FakeClock;
let scheduler: Scheduler;
/** What the program has printed. */
let printed: LogEntry[];
let queries: LogQuery[];
let failure: unknown;
let pageSize: number;
let endedAt: number | undefined;
let changes: number;
let secrets: readonly string[];
let signal: AbortSignal | undefined;
/** Answers wait for it. */
let gate: Promise<void>;
let log: FollowedLog;

beforeEach(() => {
  clock = new FakeClock();
  scheduler = new Scheduler(clock);
  printed = [];
  queries = [];
  failure = undefined;
  pageSize = 1_000;
  endedAt = undefined;
  changes = 0;
  secrets = [];
  gate = Promise.resolve();
  log = create();
});

function create(filter: ConstructorParameters<typeof FollowedLog>[0] = {}): FollowedLog {
  return new FollowedLog(filter, {
    ask: async (query, asked) => {
      queries.push(query);
      signal = asked;
      await gate;
      if (failure !== undefined) throw failure;
      return answer(query);
    },
    endedAt: () => endedAt,
    secrets: async () => secrets,
    clock,
    scheduler,
    slowest: () => 30_000,
    onChange: () => (changes += 1),
  });
}

/** As a service does: in pages, from a time on, in either order. */
function answer({ order, start_time: start, offset, limit = 1_000 }: LogQuery): LogPage {
  const from = start === undefined || start === null ? -Infinity : Date.parse(start);
  const meant = printed.filter(({ time = 0 }) => time >= from);
  const ordered = order === 'desc' ? meant.toReversed() : meant;
  const first = Number(offset ?? 0);
  const end = first + Math.min(limit ?? 1_000, pageSize);
  return { entries: ordered.slice(first, end), nextOffset: end < ordered.length ? String(end) : undefined };
}

/** Prints lines, a millisecond apart. */
function print(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const line = printed.length;
    printed.push({ id: `id-${line}`, time: startedAt + line, level: 'INFO', message: `line ${line}` });
  }
}

/** Lets time pass in steps, with what is asked in each. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    clock.advance(500);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

async function show(): Promise<void> {
  await log.open();
  log.setVisible(true);
}

const keys = (): readonly string[] => log.log.entries.map(({ key }) => key);
const error = (kind: ApiError['kind']) => new ApiError({ kind, message: 'It failed.', sent: true });

describe('an opened log', () => {
  it('has the newest lines, and is asked for once', async () => {
    print(3_000);
    await Promise.all([log.open(), log.open()]);
    expect(queries).toEqual([{ limit: 1_000, order: 'desc' }]);
    expect([keys().length, keys()[0], keys().at(-1)]).toEqual([1_000, 'id-2000', 'id-2999']);
    expect([log.hasOlder, log.asOf, changes]).toEqual([true, clock.now(), 1]);
    await log.open();
    expect(queries).toHaveLength(1);
  });

  it('asks the service for its filter', async () => {
    log = create({ level: 'ERROR', text: 'graph' });
    await log.open();
    expect(queries).toEqual([{ limit: 1_000, order: 'desc', level: 'ERROR', query: 'graph' }]);
  });

  it('loads older lines on demand', async () => {
    print(1_500);
    await show();
    await log.loadOlder();
    expect([keys().length, keys()[0], log.hasOlder]).toEqual([1_500, 'id-0', false]);
    await log.loadOlder();
    expect(queries).toHaveLength(2);
  });

  it('loads older lines after a request under way', async () => {
    print(1_500);
    await show();
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    await pass(2_000);
    expect(queries).toHaveLength(2);
    const loading = log.loadOlder();
    open();
    await loading;
    expect(keys()).toHaveLength(1_500);
  });

  it('offers no older lines beyond what is kept', async () => {
    print(12_000);
    await show();
    for (let page = 0; page < 12 && log.hasOlder; page += 1) await log.loadOlder();
    expect(keys()).toHaveLength(10_000);
    expect(log.log.isCut).toBe(true);
  });

  it('hides secrets', async () => {
    secrets = ['canary-secret'];
    printed.push({ id: '1', time: startedAt, level: 'INFO', message: 'key canary-secret' });
    await log.open();
    expect(JSON.stringify(log.log)).not.toContain('canary');
  });
});

describe('following', () => {
  it('asks for what is newer than the last line, at most once in two seconds', async () => {
    print(2);
    await show();
    for (let second = 0; second < 60; second += 1) {
      print(1);
      await pass(1_000);
    }
    expect(queries.length - 1).toBe(30);
    expect(queries[1]).toEqual({ limit: 1_000, order: 'asc', start_time: new Date(startedAt + 1).toISOString() });
    expect(keys()).toHaveLength(62);
    expect(new Set(keys()).size).toBe(62);
  });

  it('asks for nothing while nobody looks, and at once when somebody does', async () => {
    await show();
    log.setVisible(false);
    await pass(60_000);
    expect(queries).toHaveLength(1);
    log.setVisible(true);
    scheduler.setAttention({ focused: false, visible: false });
    await pass(60_000);
    expect(queries).toHaveLength(1);
    scheduler.setAttention({ focused: true, visible: false });
    await pass(500);
    expect(queries).toHaveLength(2);
  });

  it('ends some seconds after the build, because its last lines may come late', async () => {
    await show();
    endedAt = clock.monotonic();
    expect(log.isGrowing).toBe(true);
    await pass(60_000);
    expect(queries).toHaveLength(6);
    expect(log.isGrowing).toBe(false);
  });

  it('asks once for the log of a build that ended long ago', async () => {
    endedAt = clock.monotonic() - 60_000;
    await show();
    await pass(10_000);
    expect(queries).toHaveLength(1);
  });

  it('asks for the newest after more lines than one page has, and knows those between', async () => {
    print(10);
    await show();
    print(1_500);
    await pass(4_000);
    expect(queries.map(({ order }) => order)).toEqual(['desc', 'asc', 'desc']);
    expect(keys()).toHaveLength(1_510);
  });

  it('leaves out what lies between if that is more than two pages, and can load it', async () => {
    print(10);
    await show();
    print(5_000);
    await pass(4_000);
    expect([keys()[0], keys().at(-1), log.hasOlder]).toEqual(['id-4010', 'id-5009', true]);
    await log.loadOlder();
    expect(keys()[0]).toBe('id-3010');
  });

  it('goes on by asking for the newest where lines have no times', async () => {
    const line = (id: string) => ({ id, time: undefined, level: '', message: id });
    printed.push(line('a'));
    await show();
    printed.push(line('b'));
    await pass(2_000);
    expect(keys()).toEqual(['a', 'b']);
    expect(queries[1]?.order).toBe('desc');
  });

  it('stops with its disposal', async () => {
    await show();
    log.dispose();
    await pass(10_000);
    expect(queries).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('keeps the lines and their age, and is followed by ever rarer requests', async () => {
    print(2);
    await show();
    const { asOf } = log;
    failure = error('network');
    await pass(62_000);
    expect(queries.length).toBeLessThan(8);
    expect([keys().length, log.error, log.asOf]).toEqual([2, failure, asOf]);
    failure = undefined;
    print(1);
    await pass(30_000);
    expect([keys().length, log.error]).toEqual([3, undefined]);
  });

  it('that a further request cannot mend is the last until something changes', async () => {
    failure = error('unauthorized');
    await show();
    await pass(60_000);
    expect(queries).toHaveLength(1);
    failure = undefined;
    log.retry();
    await pass(500);
    expect([queries.length, log.error]).toEqual([2, undefined]);
  });

  it('waits as long as the service asks', async () => {
    failure = new ApiError({ kind: 'rateLimited', message: 'Wait.', sent: true, retryAfterMs: 20_000 });
    await show();
    await pass(19_000);
    expect(queries).toHaveLength(1);
    await pass(2_000);
    expect(queries).toHaveLength(2);
  });

  it('is none if the request was given up, because nobody looks', async () => {
    await show();
    gate = new Promise(() => undefined);
    await pass(2_000);
    log.setVisible(false);
    expect([signal?.aborted, log.error]).toEqual([true, undefined]);
  });
});

describe('another service under the same name', () => {
  it('starts the log over', async () => {
    print(2);
    await show();
    printed = [{ id: 'other', time: startedAt, level: 'INFO', message: 'Another service' }];
    log.restart();
    expect([keys(), log.asOf]).toEqual([[], undefined]);
    await pass(2_000);
    expect(keys()).toEqual(['other']);
  });
});
