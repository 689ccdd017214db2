import { expect, it } from 'vitest';
import type { NumberRole } from '../../../../src/core/spec/fields.ts';
import { numberWithUnit } from '../../../../src/core/spec/numbers.ts';

it.each<[NumberRole, string, number | undefined]>([
  ['memory', '4 GB', 4096],
  ['memory', '4Gi', 4096],
  ['memory', '4g', 4096],
  ['memory', '4096 MB', 4096],
  ['memory', '512Mi', 512],
  ['memory', '1.5 GB', 1536],
  ['memory', '1TB', 1_048_576],
  ['memoryLimit', '2 GiB', 2048],
  ['storage', '20 GB', 20],
  ['storage', '1Ti', 1024],
  ['cpu', '500m', 0.5],
  ['cpuLimit', '1500m', 1.5],
  ['memory', '500M', 500],
  ['memory', '500mb', 500],
  ['memory', '500m', undefined],
  ['memoryLimit', '500 m', undefined],
  ['storage', '500m', undefined],
  ['maxScale', '500m', undefined],
  ['cpu', '2G', undefined],
  ['memory', '4096', undefined],
  ['memory', '64Ki', undefined],
  ['memory', '-1 GB', undefined],
  ['memory', 'GB', undefined],
  ['memory', '4 cores', undefined],
  ['storage', '500 MB', undefined],
  ['cpu', '2', undefined],
  ['cpu', '2 GB', undefined],
  ['maxScale', '2 GB', undefined],
  ['connections', '2k', undefined],
])('%s: %j means %j', (role, text, expected) => {
  expect(numberWithUnit(role, text)).toBe(expected);
});
