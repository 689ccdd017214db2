import { expect, it } from 'vitest';
import { resourceSpecWire } from '../../../../src/api/schema/resourceSpec.ts';
import { fieldPairs, isWhole, numberFields, specKeys } from '../../../../src/core/spec/fields.ts';
import { fieldHelp, fieldLabel } from '../../../../src/core/spec/help.ts';

it('lists exactly the fields of the interface', () => {
  expect(specKeys.toSorted()).toEqual(Object.keys(resourceSpecWire.shape).toSorted());
});

it('gives every field its own label and help', () => {
  expect(new Set(specKeys.map(fieldLabel)).size).toBe(specKeys.length);
  for (const key of specKeys) expect(fieldHelp(key), key).toMatch(/^\S.{20,}\.$/);
});

it('pairs each minimum with its maximum and each request with its limit', () => {
  const lowerOf = (upper: string) => upper.replace('max_scale', 'min_scale').replace('_limit', '');
  expect(fieldPairs.map(({ lower, upper }) => [lower.key, upper.key])).toEqual(
    specKeys.filter((key) => lowerOf(key) !== key).map((key) => [lowerOf(key), key]),
  );
});

it('allows fractions only for CPU', () => {
  for (const { key, role } of numberFields) expect(isWhole(role), key).toBe(!/cpu/.test(key));
});
