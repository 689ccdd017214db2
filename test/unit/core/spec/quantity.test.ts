import { expect, it } from 'vitest';
import { quantityOf } from '../../../../src/core/spec/numbers.ts';
import type { SpecValue } from '../../../../src/core/yaml/value.ts';

it.each<[SpecValue | undefined, number | undefined]>([
  ['500m', 0.5],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['2.', 2],
  [2, 2],
  [0.25, 0.25],
  ['100u', 1e-4],
  ['64Mi', 64 * 2 ** 20],
  ['1Gi', 2 ** 30],
  ['1.5Ki', 1536],
  ['256M', 256e6],
  ['1k', 1000],
  ['1e3', 1000],
  ['1E3', 1000],
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
  [undefined, undefined],
  [['1'], undefined],
  [{ a: 1 }, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [Number.NaN, undefined],
  ['1e999', undefined],
])('the quantity %j is %j', (value, amount) => {
  if (amount === undefined) expect(quantityOf(value)).toBeUndefined();
  else expect(quantityOf(value)).toBeCloseTo(amount, 12);
});
