import { describe, expect, it } from 'vitest';
import { emptyLog, isApart, MAX_LOG_LINES, withEntries } from '../../../../src/core/logs/keptLog.ts';
import type { WrittenEntry } from '../../../../src/core/logs/logLines.ts';

function entry(key: string, time = Number(key), lines: readonly string[] = [key]): WrittenEntry {
  return { key, time, isError: false, lines };
}

const keysOf = ({ entries }: typeof emptyLog): string => entries.map(({ key }) => key).join(' ');
const some = (...keys: readonly string[]) => keys.map((key) => entry(key));

describe('a kept log', () => {
  it('has each entry once, in the order of times', () => {
    const log = withEntries(withEntries(emptyLog, some('3', '5')), some('5', '4', '6', '6'));
    expect(keysOf(log)).toBe('3 4 5 6');
  });

  it('keeps the order in which entries of one time came', () => {
    const log = withEntries(emptyLog, [entry('b', 1), entry('a', 1)]);
    expect(keysOf(withEntries(log, [entry('c', 1)]))).toBe('b a c');
    expect(keysOf(withEntries(log, [entry('c', 1)], true))).toBe('c b a');
    const timeless = withEntries(emptyLog, [entry('x', -Infinity)]);
    expect(keysOf(withEntries(timeless, [entry('y', -Infinity)]))).toBe('x y');
    expect(keysOf(withEntries(log, [entry('z', -Infinity)]))).toBe('b a z');
  });

  it('stays the same if nothing is new', () => {
    const log = withEntries(emptyLog, some('1', '2'));
    expect(withEntries(log, some('2', '1'))).toBe(log);
  });

  it('drops the oldest entries beyond its limit, and says so', () => {
    const lines = Array.from({ length: MAX_LOG_LINES / 2 }, () => 'x');
    const full = withEntries(emptyLog, [entry('1', 1, lines), entry('2', 2, lines)]);
    expect(full.isCut).toBe(false);
    const log = withEntries(full, some('3'));
    expect([keysOf(log), log.isCut]).toEqual(['2 3', true]);
    expect(withEntries(log, some('4')).isCut).toBe(true);
  });

  it('drops older entries that have no room', () => {
    const lines = Array.from({ length: MAX_LOG_LINES }, () => 'x');
    const log = withEntries(withEntries(emptyLog, [entry('2', 2, lines)]), some('1'), true);
    expect([keysOf(log), log.isCut]).toEqual(['2', true]);
  });

  it('keeps the newest entry, however long it is', () => {
    const lines = Array.from({ length: 2 * MAX_LOG_LINES }, () => 'x');
    expect(keysOf(withEntries(emptyLog, [entry('1'), entry('2', 2, lines)]))).toBe('2');
  });

  it('counts characters as well, because lines may be long', () => {
    const lines = Array.from({ length: 400 }, () => 'x'.repeat(10_000));
    expect(keysOf(withEntries(emptyLog, [entry('1', 1, lines), entry('2', 2, lines)]))).toBe('2');
  });

  it('tells whether a page has anything in common with it', () => {
    const log = withEntries(emptyLog, some('1', '2'));
    expect(isApart(log, some('3', '4'))).toBe(true);
    expect(isApart(log, some('2', '3'))).toBe(false);
    expect(isApart(log, [])).toBe(false);
    expect(isApart(emptyLog, some('1'))).toBe(false);
  });
});
