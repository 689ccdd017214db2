import { describe, expect, it } from 'vitest';
import { isParsable } from '../../../../src/api/schema/parsable.ts';
import { MAX_DEPTH, MAX_DIGIT_TEXTS, MAX_MEMBERS, MAX_VALUES } from '../../../../src/api/schema/limits.ts';

const list = (values: number): string => `[${'0,'.repeat(values - 2)}0]`;
const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const wide = (members: number): string =>
  `{${Array.from({ length: members }, (_, index) => `"${index}":{"a":0}`).join()}}`;
const digits = (texts: number): string =>
  `[${Array.from({ length: texts }, (_, index) => `"${(index + 100) * 2 ** 14}"`).join()}]`;
const escapedDigits = (texts: number): string => digits(texts).replaceAll('1', String.raw`\u0031`);
const digitNames = (names: number): string =>
  `[${Array.from({ length: names }, (_, index) => `{"${(index + 100) * 2 ** 14}":0}`).join()}]`;

describe('JSON', () => {
  it.each([
    ['values', list, MAX_VALUES],
    ['levels', nested, MAX_DEPTH],
    ['levels of objects', nestedObjects, MAX_DEPTH],
    ['members in one object', wide, MAX_MEMBERS],
    ['texts of digits', digits, MAX_DIGIT_TEXTS],
    ['texts of escaped digits', escapedDigits, MAX_DIGIT_TEXTS],
    ['names of digits', digitNames, MAX_DIGIT_TEXTS],
  ])('is parsed up to a number of %s', (_what, make, limit) => {
    expect(isParsable(Buffer.from(make(limit)))).toBe(true);
    expect(isParsable(Buffer.from(make(limit + 1)))).toBe(false);
  });

  it('is parsed with texts that look like values', () => {
    const marks = '[{,:'.repeat(MAX_VALUES);
    expect(isParsable(Buffer.from(JSON.stringify([`"${marks}"\\`, { [`\\"${marks}`]: marks }])))).toBe(true);
  });

  it('is parsed with many numbers, empty texts, and texts that are partly digits', () => {
    const many = Array.from({ length: MAX_DIGIT_TEXTS + 1 }, (_, index) => [
      index * 2 ** 14,
      '',
      String(index),
      `${index}000000a`,
      `-${index}000000`,
    ]);
    expect(isParsable(Buffer.from(JSON.stringify(many)))).toBe(true);
  });

  it('is checked after a text that ends with a backslash', () => {
    expect(isParsable(Buffer.from(`[${JSON.stringify('\\')},${list(MAX_VALUES)}]`))).toBe(false);
  });
});
