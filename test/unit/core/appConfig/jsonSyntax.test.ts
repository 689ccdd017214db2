import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonError } from '../../../../src/core/appConfig/jsonSyntax.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the place where a text stops being JSON', () => {
  test.each([
    ['{"a": 1,}', 8, 'a name in double quotes'],
    ['{"a": 1 "b": 2}', 8, 'a comma or "}"'],
    ['[1 2]', 3, 'a comma or "]"'],
    ['[1,]', 3, 'a value'],
    ['{"a" 1}', 5, 'a colon'],
    ["{'a': 1}", 1, 'a name in double quotes'],
    ['{"a": // why\n1}', 6, 'a value'],
    ['{} x', 3, 'the end of the file'],
    ['', 0, 'a value'],
    ['{"a": 1', 7, 'a comma or "}"'],
    ['{"a": "b\n"}', 8, 'a closing double quote'],
    [String.raw`{"a": "C:\path"}`, 9, String.raw`an escape such as \n, or \\ for a backslash`],
    ['01', 1, 'the end of the file'],
    ['[1}', 2, 'a comma or "]"'],
  ])('%j at %i: expected %s', (text, offset, expected) => {
    expect(findJsonError(text)).toEqual({ offset, expected });
  });

  test('does not exist in anything that JSON.stringify makes', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ depthSize: 'medium' }),
        (value) => findJsonError(JSON.stringify(value, null, 2)) === undefined,
      ),
    );
  });

  test('exists exactly when JSON.parse refuses the text', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '\\u00e9',
        '1',
        '-',
        '0',
        '.5',
        'e+3',
        'true',
        'null',
        ' ',
        '\n',
        '\t',
        '\u0001',
        '\u00a0',
        'é',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(findJsonError(text) === undefined, JSON.stringify(text)).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('exists exactly when JSON.parse refuses JSON that was damaged in one place', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '0', 'x'),
        (json, at, damage) => {
          const place = at % (json.length + 1);
          const text = json.slice(0, place) + damage + json.slice(place + 1);
          expect(findJsonError(text) === undefined, text).toBe(isJson(text));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is found without recursion, however deep the nesting', () => {
    expect(findJsonError('['.repeat(100_000))).toEqual({ offset: 100_000, expected: 'a value' });
    expect(findJsonError('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  });
});
