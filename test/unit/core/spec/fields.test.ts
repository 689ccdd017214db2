import { expect, it } from 'vitest';
import { resourceSpecWire } from '../../../../src/api/schema/resourceSpec.ts';
import { fieldGroups, fieldPairs, isWhole, numberFields, specKeys } from '../../../../src/core/spec/fields.ts';
import { fieldHelp, fieldLabel } from '../../../../src/core/spec/help.ts';

it('lists exactly the fields of the interface', () => {
  expect(specKeys.toSorted()).toEqual(Object.keys(resourceSpecWire.shape).toSorted());
});

it('puts every numeric field into exactly one row of one group', () => {
  const inRows = fieldGroups.flatMap((group) => group.rows.flat().map((field) => field.key));
  expect(inRows.toSorted()).toEqual(numberFields.map((field) => field.key).toSorted());
  expect(new Set(inRows).size).toBe(inRows.length);
});

it('gives every field its own label and help', () => {
  expect(new Set(specKeys.map(fieldLabel)).size).toBe(specKeys.length);
  for (const key of specKeys) expect(fieldHelp(key), key).toMatch(/^\S.{20,}\.$/);
});

it('pairs each minimum with its maximum and each request with its limit', () => {
  expect(fieldPairs.map(({ lower, upper }) => `${lower.key} <= ${upper.key}`)).toEqual([
    'min_scale <= max_scale',
    'cpu <= cpu_limit',
    'memory_mb <= memory_limit_mb',
    'queue_min_scale <= queue_max_scale',
    'queue_cpu <= queue_cpu_limit',
    'queue_memory_mb <= queue_memory_limit_mb',
    'orchestrator_min_scale <= orchestrator_max_scale',
    'orchestrator_cpu <= orchestrator_cpu_limit',
    'orchestrator_memory_mb <= orchestrator_memory_limit_mb',
    'executor_cpu <= executor_cpu_limit',
    'executor_memory_mb <= executor_memory_limit_mb',
    'redis_cpu <= redis_cpu_limit',
    'redis_memory_mb <= redis_memory_limit_mb',
    'db_cpu <= db_cpu_limit',
    'db_memory_mb <= db_memory_limit_mb',
  ]);
});

it('allows fractions only for CPU', () => {
  for (const { key, role } of numberFields) expect(isWhole(role), key).toBe(!/cpu/.test(key));
});
