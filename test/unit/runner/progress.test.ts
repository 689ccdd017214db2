import { describe, expect, it } from 'vitest';
import { progressLine, RunningTests } from '../../support/progress.ts';

describe('The tests that are running', () => {
  it('are those that were reported to begin and not to end', () => {
    const running = new RunningTests();
    for (const name of ['a > works', 'a > fails', 'b > works']) running.read(progressLine('began', name));
    for (const name of ['a > works', 'b > works']) running.read(progressLine('ended', name));
    expect(running.names).toEqual(['a > fails']);
  });

  it('are named without the files and tests around them', () => {
    const running = new RunningTests();
    for (const name of ['a', 'a > works', 'a > works > afterEach', 'ab']) running.read(progressLine('began', name));
    expect(running.names).toEqual(['a > works > afterEach', 'ab']);
  });

  it('end with what is around them', () => {
    const running = new RunningTests();
    for (const name of ['a', 'a > crashes', 'ab']) running.read(progressLine('began', name));
    running.read(progressLine('ended', 'a'));
    expect(running.names).toEqual(['ab']);
  });

  it('are told from other lines, and have names of one line', () => {
    const running = new RunningTests();
    expect(running.read('a line of a test')).toBe(false);
    expect(running.read(progressLine('began', 'reads\n two lines'))).toBe(true);
    expect(running.names).toEqual(['reads two lines']);
  });
});
