import { expect, it } from 'vitest';
import {
  coresWords,
  countedWords,
  describeSpec,
  groupWords,
  memoryWords,
  reservedWords,
} from '../../../../src/core/spec/specWords.ts';
import { specTotals } from '../../../../src/core/spec/totals.ts';

it.each([
  [coresWords(1), '1 core'],
  [coresWords(1.5), '1.5 cores'],
  [coresWords(0.1 + 0.2), '0.3 cores'],
  [coresWords(0.0004), '0 cores'],
  [memoryWords(8320), '8320 MB'],
  [memoryWords(1_048_576.5), '1048576.5 MB'],
  [reservedWords({ cpu: 3, memoryMb: 8192 }), '3 cores, 8192 MB'],
  [reservedWords({ cpu: 0, memoryMb: undefined }), '0 cores'],
  [reservedWords({ cpu: undefined, memoryMb: undefined }), 'service default'],
])('writes %s with the number as a field accepts it', (words, expected) => {
  expect(words).toBe(expected);
});

it.each([
  [{}, 'service defaults'],
  [{ cpu: null }, 'service defaults'],
  [
    {
      min_scale: 2,
      max_scale: 2,
      cpu: 1.5,
      memory_mb: 4096,
      volumes: [{ name: 'config' }],
      sidecars: [{ name: 'proxy' }],
    },
    '2 replicas, 1.5 cores, 4096 MB, 1 volume, 1 sidecar',
  ],
  [{ min_scale: 1, max_scale: 1, cpu: 1 }, '1 replica, 1 core'],
  [{ cpu: 0 }, '0 cores'],
  [{ min_scale: 3, max_scale: 5 }, '3 to 5 replicas'],
  [{ min_scale: 0, max_scale: 0 }, '0 replicas'],
  [{ min_scale: 3 }, 'at least 3 replicas'],
  [{ max_scale: 3, init_containers: [{ name: 'a' }, { name: 'b' }] }, 'at most 3 replicas, 2 init containers'],
  [{ memory_mb: 512, cpu_limit: 2 }, '512 MB and 1 more key'],
  [{ volume_mounts: [{ name: 'a' }] }, '1 mount'],
  [{ volumes: [{ name: 'a' }], volume_mounts: [{ name: 'a' }, { name: 'a' }] }, '1 volume, 2 mounts'],
  [{ cpu: 1, labels: {}, cpu_limit: 2 }, '1 core and 2 more keys'],
  [{ db_cpu: 2, db_memory_mb: 8192, labels: {} }, '3 keys set'],
  [{ service_account_name: 'agent', volumes: [] }, '1 key set'],
])('%j is "%s"', (spec, words) => {
  expect(describeSpec(spec)).toBe(words);
});

it.each([
  ['scale', {}, ''],
  ['scale', { max_scale: 3 }, 'at most 3 replicas'],
  ['main', { min_scale: 2, cpu: 2, cpu_limit: 4, memory_limit_mb: 4096 }, '2 cores, at most 4096 MB'],
  ['queue', { queue_min_scale: 2, queue_max_scale: 2, queue_cpu: 1 }, '2 replicas, 1 core'],
  ['database', { db_storage_gi: 20, db_max_connections: 100 }, '20 Gi, 100 connections'],
  ['database', { db_storage_gi: 'x' }, ''],
] as const)('says of %s with %j only what is set: "%s"', (group, spec, words) => {
  expect(groupWords(spec, group)).toBe(words);
});

it.each([
  [{ cpu: 2, memory_mb: 4096 }, 'Scale not set, not counted: Main service.'],
  [{ cpu: 2, memory_mb: 4096, min_scale: 3 }, 'Maximum scale not set, not counted there: Main service.'],
  [
    { cpu: 2, min_scale: 3, queue_cpu: 1, queue_max_scale: 3 },
    'Minimum scale not set, not counted there: Queue. Maximum scale not set, not counted there: Main service.',
  ],
])('names for %j what a missing scale leaves out of the totals: "%s"', (spec, words) => {
  expect(countedWords(specTotals(spec)).replace(/ ?Service defaults.*/, '')).toBe(words);
});
