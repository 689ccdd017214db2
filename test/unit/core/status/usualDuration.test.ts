import { describe, expect, it } from 'vitest';
import { usualDuration, usualWords } from '../../../../src/core/status/usualDuration.ts';

const minute = 60_000;

describe('the usual duration of a deployment', () => {
  it.each([
    [[], undefined],
    [[minute, minute], undefined],
    [[9 * minute, minute, 2 * minute], 2 * minute],
    [[9 * minute, minute, 2 * minute, 4 * minute], 3 * minute],
  ])('of %j is the median of at least three', (durations, expected) => {
    expect(usualDuration(durations)).toBe(expected);
  });

  it.each([
    [0, 'usually 0 s in all'],
    [59_499, 'usually 59 s in all'],
    [59_500, 'usually 1 min in all'],
    [6 * minute + 20_000, 'usually 6 min in all'],
    [90 * minute, 'usually 90 min in all'],
  ])('is said in whole units: %d ms', (milliseconds, words) => {
    expect(usualWords(milliseconds)).toBe(words);
  });
});
