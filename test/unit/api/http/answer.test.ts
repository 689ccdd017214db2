import { describe, expect, it } from 'vitest';
import { isParsable } from '../../../../src/api/http/answer.ts';
import { MAX_DEPTH, MAX_MEMBERS, MAX_VALUES } from '../../../../src/api/schema/limits.ts';

const list = (values: number): string => `[${'0,'.repeat(values - 2)}0]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const wide = (members: number): string =>
  `{${Array.from({ length: members }, (_, index) => `"${index}":{"a":0}`).join()}}`;

describe('JSON', () => {
  it.each([
    ['values', list, MAX_VALUES],
    ['levels', nested, MAX_DEPTH],
    ['members in one object', wide, MAX_MEMBERS],
  ])('is parsed up to a number of %s', (_what, make, limit) => {
    expect(isParsable(Buffer.from(make(limit)))).toBe(true);
    expect(isParsable(Buffer.from(make(limit + 1)))).toBe(false);
  });

  it('is parsed with texts that look like values', () => {
    const marks = '[{,:'.repeat(MAX_VALUES);
    expect(isParsable(Buffer.from(JSON.stringify([`"${marks}"\\`, { [`\\"${marks}`]: marks }])))).toBe(true);
  });

  it('is checked after a text that ends with a backslash', () => {
    expect(isParsable(Buffer.from(`[${JSON.stringify('\\')},${list(MAX_VALUES)}]`))).toBe(false);
  });
});
