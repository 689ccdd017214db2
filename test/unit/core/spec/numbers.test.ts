import { expect, it } from 'vitest';
import type { NumberRole } from '../../../../src/core/spec/fields.ts';
import { numberWithUnit, quantityOf } from '../../../../src/core/spec/numbers.ts';
import type { SpecValue } from '../../../../src/core/yaml/value.ts';

it.each<[NumberRole, string, number | undefined]>([
  ['memory', '4 GB', 4096],
  ['memory', '4Gi', 4096],
  ['memory', '1.25 GB', 1280],
  ['memory', '1TB', 1_048_576],
  ['memoryLimit', '2 GiB', 2048],
  ['storage', '20 GB', 20],
  ['storage', '1Ti', 1024],
  ['cpu', '500m', 0.5],
  ['memory', '500mb', 500],
  ['memory', '500m', undefined],
  ['memoryLimit', '500 m', undefined],
  ['maxScale', '500m', undefined],
  ['memory', '4096', undefined],
  ['memory', '64Ki', undefined],
  ['memory', '-1 GB', undefined],
  ['memory', 'GB', undefined],
  ['memory', '4 GB of it', undefined],
  ['storage', '500 MB', undefined],
  ['cpu', '2', undefined],
  ['cpu', '2 GB', undefined],
  ['maxScale', '2 GB', undefined],
  ['connections', '2k', undefined],
])('%s: %j means %j', (role, text, expected) => {
  expect(numberWithUnit(role, text)).toBe(expected);
});

it.each<[SpecValue | undefined, number | undefined]>([
  ['500m', 0.5],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['2.', 2],
  [2, 2],
  ['100u', 1e-4],
  ['64Mi', 64 * 2 ** 20],
  ['1Gi', 2 ** 30],
  ['1.5Ki', 1536],
  ['256M', 256e6],
  ['1k', 1000],
  ['1e3', 1000],
  ['2E', 2e18],
  ['2Ei', 2 * 2 ** 60],
  ['', undefined],
  ['Mi', undefined],
  ['64MB', undefined],
  ['64 Mi', undefined],
  ['1K', undefined],
  ['-1', undefined],
  ['0x10', undefined],
  ['1constructor', undefined],
  [true, undefined],
  [null, undefined],
  [['1'], undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['1e999', undefined],
])('the quantity %j is %j', (value, amount) => {
  if (amount === undefined) expect(quantityOf(value)).toBeUndefined();
  else expect(quantityOf(value)).toBeCloseTo(amount, 12);
});
