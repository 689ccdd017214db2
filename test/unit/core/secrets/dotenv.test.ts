import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDotenv } from '../../../../src/core/secrets/dotenv.ts';

function values(text: string): Record<string, string> {
  return Object.fromEntries(parseDotenv(text).variables.map(({ name, value }) => [name, value]));
}

describe('a line of a dotenv file', () => {
  test.each([
    ['A=1', '1'],
    ['A=', ''],
    ['A = 1 ', '1'],
    ['  A=1', '1'],
    ['export A=1', '1'],
    ['A=1 # why', '1'],
    ['A=# why', ''],
    ['A=http://host/#part', 'http://host/#part'],
    ['A=a=b==', 'a=b=='],
    ["A='single # quoted'", 'single # quoted'],
    [String.raw`A='raw \n'`, String.raw`raw \n`],
    [String.raw`A='C:\'`, 'C:\\'],
    ['A="double # quoted"', 'double # quoted'],
    [String.raw`A="line\nnext\ttab \"quoted\" back\\slash"`, 'line\nnext\ttab "quoted" back\\slash'],
    [String.raw`A="unknown \x stays"`, String.raw`unknown \x stays`],
    ['A=`back "quoted" \'too\'`', 'back "quoted" \'too\''],
    ['A="" # empty', ''],
    ['A="  kept  "', '  kept  '],
    ['A=${B}', '${B}'],
    ['A.b-c=1', undefined],
    ['\uFEFFA=1', '1'],
    ['A=1\uFEFF2', '1\uFEFF2'],
  ])('%j sets A to %j', (line, value) => {
    expect(values(line)['A']).toBe(value);
    expect(parseDotenv(line).findings).toEqual([]);
  });

  test.each(['', '   ', '# A=1', '   # A=1'])('%j sets nothing and gives no finding', (line) => {
    expect(parseDotenv(line)).toEqual({ variables: [], findings: [] });
  });

  test.each(['just words', '=value', '1A=1', 'A B=1', 'export', '-----BEGIN PRIVATE KEY-----'])(
    '%j is a problem and sets nothing',
    (line) => {
      expect(parseDotenv(`OK=1\n${line}\nALSO=2`)).toEqual({
        variables: [
          { name: 'OK', value: '1', line: 1 },
          { name: 'ALSO', value: '2', line: 3 },
        ],
        findings: [{ line: 2, message: "This line isn't in the form NAME=value and was skipped." }],
      });
    },
  );
});

describe('a whole dotenv file', () => {
  test('keeps the lines of quoted values with any line endings', () => {
    const text = ['KEY="-----BEGIN-----', 'MII=  ', "it's", '-----END-----" # done', 'NEXT=1'];
    for (const end of ['\n', '\r\n', '\r']) {
      expect(parseDotenv(text.join(end))).toEqual({
        variables: [
          { name: 'KEY', value: "-----BEGIN-----\nMII=  \nit's\n-----END-----", line: 1 },
          { name: 'NEXT', value: '1', line: 5 },
        ],
        findings: [],
      });
    }
  });

  test('goes on after empty lines and comments', () => {
    expect(values('A=1\n\n# B=2\nC=3')).toEqual({ A: '1', C: '3' });
  });

  test('uses the last value of a repeated name and reports it', () => {
    expect(parseDotenv('A=1\nB=2\nA=3')).toEqual({
      variables: [
        { name: 'A', value: '3', line: 3 },
        { name: 'B', value: '2', line: 2 },
      ],
      findings: [{ line: 3, message: 'A is set more than once. The last value counts.' }],
    });
  });

  test('ends at an unclosed quote, because the lines of a secret could look like names', () => {
    expect(parseDotenv('A=1\nKEY="-----BEGIN-----\nMIIcanary==\nB=2')).toEqual({
      variables: [{ name: 'A', value: '1', line: 1 }],
      findings: [
        {
          line: 2,
          message: 'The opening quote of KEY is never closed. The rest of the file was skipped.',
        },
      ],
    });
  });

  test.each([`A='it's'`, `A=""x`, 'A="1" 2'])('leaves out %j, with text after its closing quote', (line) => {
    expect(parseDotenv(`${line}\nB=2`)).toEqual({
      variables: [{ name: 'B', value: '2', line: 2 }],
      findings: [{ line: 1, message: 'Text follows the closing quote of A. The line was skipped.' }],
    });
  });
});

describe('any dotenv file', () => {
  test('reports a file that is too long without reading it', () => {
    expect(parseDotenv(`A=1\n${'#'.repeat(1_000_000)}`)).toEqual({
      variables: [],
      findings: [{ line: 1, message: 'This file is too long for a dotenv file.' }],
    });
  });

  test.each(['A=\n', 'x\n', 'A="1"\n'])('ends after 1,000 variables and findings, and says so: %j', (line) => {
    const { variables, findings } = parseDotenv(`${line.repeat(300_000 / line.length)}B=2`);
    expect(variables.map(({ name }) => name)).not.toContain('B');
    expect(findings.at(-1)).toEqual({
      line: 1001,
      message: 'Only the first 1000 variables were read. The rest of the file was skipped.',
    });
  });

  test('may have 1,000 variables', () => {
    const { variables, findings } = parseDotenv(
      Array.from({ length: 1000 }, (_, index) => `A${index}=1\n\n#\n`).join(''),
    );
    expect(variables).toHaveLength(1000);
    expect(findings).toEqual([]);
  });

  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,10}$/);

  test('reads back any value in double quotes', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ' ', '#', "'", '"', '\\', '\n', '\t', '=', '$', 'é', '\r') });
    fc.assert(
      fc.property(name, value, (key, text) => {
        const escaped = text
          .replaceAll('\\', '\\\\')
          .replaceAll('"', '\\"')
          .replaceAll('\n', '\\n')
          .replaceAll('\r', '\\r');
        expect(parseDotenv(`BEFORE=1\nexport ${key}_="${escaped}" # note\n`).variables.at(-1)).toEqual({
          name: `${key}_`,
          value: text,
          line: 2,
        });
      }),
    );
  });

  test('never puts a value into a finding', () => {
    const canary = 'canary5f1e';
    const around = fc.array(fc.constantFrom('=', '"', "'", '`', '\n', ' ', '#', 'A', 'export ', '\\', '1'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const { findings } = parseDotenv(`${before.join('')}=${canary}${after.join('')}`);
        return !JSON.stringify(findings).includes(canary);
      }),
      { numRuns: 1_000 },
    );
  });

  test('gives only line numbers of the file', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', '=', '"', "'", '\n', ' ', '#', '\\') }), (text) => {
        const { variables, findings } = parseDotenv(text);
        const lines = text.split('\n').length;
        return [...variables, ...findings].every(({ line }) => line >= 1 && line <= lines);
      }),
    );
  });
});
