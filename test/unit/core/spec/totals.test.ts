import { describe, expect, it } from 'vitest';
import { specTotals } from '../../../../src/core/spec/totals.ts';
import type { SpecMap } from '../../../../src/core/yaml/value.ts';

it('counts nothing for an empty spec and lists every part as uncounted', () => {
  const totals = specTotals({});
  expect(totals.minimum).toEqual({ cpu: undefined, memoryMb: undefined, unscaled: [] });
  expect(totals.maximum).toEqual(totals.minimum);
  expect(totals.storageGi).toBeUndefined();
  expect(totals.uncounted).toEqual(
    ['main', 'queue', 'orchestrator', 'executor', 'redis', 'database'].map((part) => ({
      part,
      cpu: true,
      memory: true,
    })),
  );
});

it('counts requests once per replica, at minimum and maximum scale', () => {
  const totals = specTotals({
    min_scale: 2,
    max_scale: 5,
    cpu: 1.5,
    memory_mb: 4096,
    queue_min_scale: 0,
    queue_max_scale: 3,
    queue_cpu: 0.1,
    queue_memory_mb: 512,
    db_cpu: 0.2,
    db_memory_mb: 1024,
    db_storage_gi: 20,
  });
  expect(totals.minimum).toEqual({ cpu: 3.2, memoryMb: 9216, unscaled: [] });
  expect(totals.maximum).toEqual({ cpu: 8, memoryMb: 23_040, unscaled: [] });
  expect(totals.storageGi).toBe(20);
  expect(totals.uncounted.map(({ part }) => part)).toEqual(['orchestrator', 'executor', 'redis']);
});

it('distinguishes zero from a missing value', () => {
  const totals = specTotals({ min_scale: 0, max_scale: 2, cpu: 1.5 });
  expect(totals.minimum).toEqual({ cpu: 0, memoryMb: undefined, unscaled: [] });
  expect(totals.maximum).toEqual({ cpu: 3, memoryMb: undefined, unscaled: [] });
});

describe('a number of replicas that is not set', () => {
  it('is not guessed, and its group is listed', () => {
    const { minimum, maximum } = specTotals({ cpu: 2, queue_min_scale: 3, queue_cpu: 1, redis_cpu: 0.5 });
    expect(minimum).toEqual({ cpu: 3.5, memoryMb: undefined, unscaled: ['main'] });
    expect(maximum).toEqual({ cpu: 0.5, memoryMb: undefined, unscaled: ['main', 'queue'] });
  });

  it('counts no containers either', () => {
    const sidecars = [{ name: 'a', resources: { requests: { cpu: '1' } } }];
    expect(specTotals({ sidecars, max_scale: 2 })).toMatchObject({
      minimum: { cpu: undefined, unscaled: ['main'] },
      maximum: { cpu: 2, unscaled: [] },
    });
  });

  it('is asked for only where there is something to count', () => {
    expect(specTotals({ cpu_limit: 2, queue_memory_mb: 'x' }).maximum.unscaled).toEqual([]);
  });
});

it('ignores unusable numbers', () => {
  const totals = specTotals({
    cpu: 'abc',
    memory_mb: Number.POSITIVE_INFINITY,
    redis_cpu: -1,
    executor_memory_mb: 1.5,
  });
  expect(totals.minimum).toEqual({ cpu: undefined, memoryMb: undefined, unscaled: [] });
});

it('adds fractions of cores without rounding errors', () => {
  expect(specTotals({ db_cpu: 0.1, redis_cpu: 0.2 }).minimum.cpu).toBe(0.3);
});

describe('init containers and sidecars', () => {
  const main = { min_scale: 2, max_scale: 3, cpu: 1, memory_mb: 1024 };
  const container = (resources: SpecMap, restartPolicy?: string): SpecMap => ({
    name: 'a',
    image: 'b',
    resources,
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const asking = (cpu: string, memory: string, restartPolicy?: string) =>
    container({ requests: { cpu, memory } }, restartPolicy);
  const partsOf = (spec: SpecMap) => specTotals(spec).uncounted.filter(({ part }) => part === 'containers');

  it('that run alongside the service count once per replica', () => {
    const totals = specTotals({ ...main, sidecars: [asking('250m', '64Mi'), asking('0.05', '1Gi')] });
    expect(totals.containers).toEqual({ cpu: 0.3, memoryMb: 1088 });
    expect(totals.minimum).toMatchObject({ cpu: 2.6, memoryMb: 4224 });
    expect(totals.maximum).toMatchObject({ cpu: 3.9, memoryMb: 6336 });
  });

  it.each<[string, SpecMap[], SpecMap[], { cpu: number; memoryMb: number }]>([
    [
      'are not counted while they need no more than what runs after them',
      [asking('1', '1Gi')],
      [],
      { cpu: 0, memoryMb: 0 },
    ],
    ['are counted with what they need more', [asking('1500m', '2Gi')], [], { cpu: 0.5, memoryMb: 1024 }],
    ['are compared one by one', [asking('1', '1Gi'), asking('1', '1Gi')], [], { cpu: 0, memoryMb: 0 }],
    ['are compared with sidecars too', [asking('1500m', '1Gi')], [asking('500m', '1Gi')], { cpu: 0.5, memoryMb: 1024 }],
    ['are counted in full where they run on', [asking('1', '1Gi', 'Always')], [], { cpu: 1, memoryMb: 1024 }],
    [
      'run beside those before them that run on',
      [asking('500m', '512Mi', 'Always'), asking('1', '1Gi')],
      [],
      { cpu: 0.5, memoryMb: 512 },
    ],
  ])('that run first %s', (_what, first, sidecars, wanted) => {
    expect(specTotals({ ...main, init_containers: first, sidecars }).containers).toEqual(wanted);
  });

  it('reserve their limit if they have no request', () => {
    const sidecars = [container({ limits: { cpu: '100m', memory: '32Mi' } })];
    expect(specTotals({ sidecars }).containers).toEqual({ cpu: 0.1, memoryMb: 32 });
    expect(partsOf({ sidecars })).toEqual([]);
  });

  it('are listed as uncounted if their request is missing or unreadable', () => {
    expect(partsOf({ sidecars: [asking('1', 'much'), asking('1', '1Gi')] })).toEqual([
      { part: 'containers', cpu: false, memory: true },
    ]);
    expect(partsOf({ init_containers: [container({})] })).toEqual([{ part: 'containers', cpu: true, memory: true }]);
    expect(partsOf({ sidecars: [{ name: 'a', image: 'b' }] })).toHaveLength(1);
  });

  it("of a wrong shape are the rules' matter", () => {
    for (const sidecars of ['x', null, [], [null, 'x'], { name: 'a' }]) {
      expect(specTotals({ sidecars })).toEqual(specTotals({}));
    }
  });
});
