import { expect, it } from 'vitest';
import { specPresets } from '../../../src/core/specPresets.ts';
import { checkSpec } from '../../../src/core/specRules.ts';
import { specTotals } from '../../../src/core/specTotals.ts';

it('an empty spec reserves nothing that is known and names every part as left to the service', () => {
  const totals = specTotals({});
  expect(totals.minimum).toEqual({ cpu: 0, memoryMb: 0 });
  expect(totals.storageGi).toBeUndefined();
  expect(totals.uncountedCpu).toEqual(['main', 'queue', 'orchestrator', 'executor', 'redis', 'database']);
  expect(totals.uncountedMemory).toEqual(totals.uncountedCpu);
});

it('requests count once for every replica, at minimum and at maximum scale', () => {
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
  expect(totals.minimum).toEqual({ cpu: 3.2, memoryMb: 9216 });
  expect(totals.maximum).toEqual({ cpu: 8, memoryMb: 23_040 });
  expect(totals.storageGi).toBe(20);
  expect(totals.uncountedCpu).toEqual(['orchestrator', 'executor', 'redis']);
});

it('a maximum that is empty or below the minimum counts as the minimum', () => {
  expect(specTotals({ min_scale: 3, cpu: 1 }).maximum.cpu).toBe(3);
  expect(specTotals({ min_scale: 3, max_scale: 1, cpu: 1 }).maximum.cpu).toBe(3);
});

it('values that are no usable numbers are not counted', () => {
  const totals = specTotals({
    cpu: 'abc',
    memory_mb: Number.POSITIVE_INFINITY,
    redis_cpu: -1,
    executor_memory_mb: 1.5,
  });
  expect(totals.minimum).toEqual({ cpu: 0, memoryMb: 0 });
});

it('fractions of cores add up without rounding noise', () => {
  expect(specTotals({ cpu: 0.1, queue_cpu: 0.2 }).minimum.cpu).toBe(0.3);
});

it.each(specPresets())('the preset $label is a spec without any finding', ({ numbers }) => {
  expect(checkSpec({ ...numbers }, 'standard')).toEqual([]);
  expect(checkSpec({ ...numbers }, 'langsmith')).toEqual([]);
});
