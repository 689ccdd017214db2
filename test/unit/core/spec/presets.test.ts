import { expect, it } from 'vitest';
import { isNumberKey, specKeys } from '../../../../src/core/spec/fields.ts';
import { specPresets } from '../../../../src/core/spec/presets.ts';
import { checkSpec } from '../../../../src/core/spec/rules.ts';

const presets = specPresets();
const [, small, medium, large] = presets.map(({ numbers }) => numbers);

it('describes what the service chooses, and the loads, replicas and queue workers of the published examples', () => {
  expect(presets.map(({ label, description }) => `${label}: ${description}`)).toEqual([
    'Service defaults: The service chooses every number.',
    'Small: About 5 reads and 5 writes a second. Replicas: 1, queue workers: 1.',
    'Medium: About 50 reads and 50 writes a second. Replicas: 3, queue workers: 5.',
    'Large: About 500 reads and 500 writes a second. Replicas: 15–25, queue workers: 10–20.',
  ]);
});

it.each(presets)('finds nothing in the preset $label', ({ numbers }) => {
  expect(checkSpec({ ...numbers }, 'standard')).toEqual([]);
  expect(checkSpec({ ...numbers }, 'langsmith')).toEqual([]);
});

it('sets nothing for the service defaults', () => {
  expect(presets[0]?.numbers).toEqual({});
});

it('has limits from the medium size on, as the published examples', () => {
  const limitsOf = (numbers = {}) => Object.keys(numbers).filter((key) => key.includes('_limit'));
  expect(limitsOf(small)).toEqual([]);
  expect(limitsOf(medium)).toHaveLength(7);
  expect(limitsOf(large)).toEqual(limitsOf(medium));
});

it('gives a larger size no less of anything', () => {
  for (const key of specKeys.filter(isNumberKey)) {
    const sizes = [small, medium, large].map((numbers) => numbers?.[key] ?? 0);
    expect(sizes, key).toEqual(sizes.toSorted((one, other) => one - other));
  }
});
