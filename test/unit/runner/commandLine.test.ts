import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../runner/commandLine.ts';

describe('The words after "npm test --"', () => {
  it('are names, and may have the seed of a late run among them', () => {
    expect(readCommandLine(['e2e', 'late'])).toEqual({ names: ['e2e', 'late'], lateSeed: undefined });
    expect(readCommandLine(['e2e', '--late=7'])).toEqual({ names: ['e2e'], lateSeed: 7 });
  });

  it('may leave the seed to the time', () => {
    expect(readCommandLine(['--late'], 123_456)).toEqual({ names: [], lateSeed: 3_456 });
  });

  it('are refused with a seed that is no number', () => {
    expect(() => readCommandLine(['--late=x'])).toThrow('"x" is no seed.');
    expect(() => readCommandLine(['--late='])).toThrow('"" is no seed.');
  });
});
