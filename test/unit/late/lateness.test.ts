import { expect, it } from 'vitest';
import { createLateness } from '../../late/lateness.ts';

const kinds = ['prompt', 'rows', 'answer'] as const;

it('delays by 0 to 700 ms, and gives each kind the same delays for the same seed in any order', () => {
  const [lateness, inAnotherOrder, ofAnotherSeed] = [createLateness(7), createLateness(7), createLateness(8)];
  const times = Array.from({ length: 2_000 }, () => kinds.map(lateness));
  const byKind = kinds.map((_, index) => times.map((each) => each[index]));

  const again = kinds.toReversed().map((kind) => times.map(() => inAnotherOrder(kind)));
  expect(again.toReversed()).toEqual(byKind);
  expect(times.map(() => kinds.map(ofAnotherSeed))).not.toEqual(times);
  expect(new Set(byKind.map(String)).size).toBe(kinds.length);
  expect([Math.min(...times.flat()), Math.max(...times.flat())]).toEqual([0, 700]);
});
