import * as fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import {
  ageOf,
  formatAge,
  formatClock,
  formatDuration,
  formatEvent,
  formatInstant,
  formatMinutes,
  formatMoment,
  usualDuration,
  usualWords,
} from '../../../../src/core/status/duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const machine = new Intl.DateTimeFormat().resolvedOptions().locale;

describe('a duration', () => {
  test.each([
    [-5, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [1_000, '1 s'],
    [59_999, '59 s'],
    [minute, '1 m 0 s'],
    [80 * second, '1 m 20 s'],
    [hour - 1, '59 m 59 s'],
    [hour, '1 h 0 m'],
    [2 * hour + 5 * minute + 59 * second, '2 h 5 m'],
    [day, '1 d 0 h'],
    [3 * day + 4 * hour, '3 d 4 h'],
  ])('of %i ms is %s', (milliseconds, expected) => {
    expect(formatDuration(milliseconds)).toBe(expected);
  });

  test.each([
    [59_999, undefined],
    [minute, '1 m'],
    [hour - 1, '59 m'],
    [2 * hour + 5 * minute, '2 h 5 m'],
  ])('of %i ms without its seconds is %s', (milliseconds, expected) => {
    expect(formatMinutes(milliseconds)).toBe(expected);
  });

  test('never shows 60 seconds or 60 minutes', () => {
    fc.assert(
      fc.property(fc.nat(100 * day), (milliseconds) => !/\b60 [sm]\b|\b24 h\b/.test(formatDuration(milliseconds))),
    );
  });
});

describe('an age', () => {
  test.each([
    [0, 'now'],
    [-9 * second, 'now'],
    [9 * second, 'now'],
    [-10 * second, '10 seconds ago'],
    [-59_999, '59 seconds ago'],
    [-minute, '1 minute ago'],
    [-59 * minute, '59 minutes ago'],
    [-hour, '1 hour ago'],
    [-day, '1 day ago'],
    [-25 * hour, '1 day ago'],
    [-3 * day, '3 days ago'],
    [-30 * day, '1 month ago'],
    [-364 * day, '12 months ago'],
    [-365 * day, '1 year ago'],
    [-800 * day, '2 years ago'],
    [2 * hour, 'in 2 hours'],
    [3 * day + hour, 'in 3 days'],
  ])('of %i ms is "%s"', (difference, expected) => {
    const now = Date.UTC(2026, 0, 1);
    expect(formatAge(now + difference, now)).toBe(expected);
  });

  test('of an invalid time is refused', () => {
    expect(() => formatAge(Number.NaN, 0)).toThrow(RangeError);
  });
});

describe('the age of a timestamp', () => {
  test.each([
    ['2026-03-07T12:00:00Z', '3d ago'],
    ['2026-03-10T12:59:00Z', 'now'],
    ['yesterday', undefined],
    [undefined, undefined],
  ])('%s', (timestamp, expected) => {
    expect(ageOf(timestamp, Date.parse('2026-03-10T12:00:00Z'))).toBe(expected);
  });
});

describe('a timestamp', () => {
  const moment = '2026-03-02T12:00:00Z';

  test.each([
    ['en-US', 'UTC', /^Mar 2, 2026, 12:00\sPM$/],
    ['de-DE', 'Europe/Berlin', /^2 Mar 2026, 13:00$/],
    ['fr', 'Europe/Paris', /^2 Mar 2026, 13:00$/],
    ['zh-CN', 'UTC', /^Mar 2, 2026, 12:00$/],
  ])('has English words in the order and with the clock of %s', (locale, timeZone, expected) => {
    expect(formatMoment(moment, locale, timeZone)).toMatch(expected);
  });

  test("uses the machine's format by default", () => {
    expect(formatMoment(moment)).toBe(formatMoment(moment, machine));
    expect(formatMoment(moment)).not.toContain('T12:00');
  });

  test('follows its age, which is never in the future', () => {
    const now = Date.parse(moment);
    expect(formatEvent(moment, now + 3 * day)).toBe(`3 days ago (${formatMoment(moment)})`);
    expect(formatEvent(moment, now - day)).toMatch(/^now \(/);
  });

  test("stays as it is if it's invalid", () => {
    expect(formatEvent('yesterday', 0)).toBe('yesterday');
    expect(formatEvent(undefined, 0)).toBeUndefined();
  });
});

describe('a time of day', () => {
  const at = Date.UTC(2026, 0, 1, 14, 2, 31);

  test('is that of the moment', () => {
    expect(formatClock(at)).toMatch(/^\d?\d\D\d\d(?:\s[AP]M)?$/);
    expect(formatMoment(at).endsWith(`, ${formatClock(at)}`)).toBe(true);
  });

  test('has seconds, or a date if it is hours away', () => {
    expect(formatInstant(at, at + 11 * hour).replace(/\D31/, '')).toBe(formatClock(at));
    expect(formatInstant(at, at - 11 * hour)).toBe(formatInstant(at, at));
    expect(formatInstant(at, at + 13 * hour)).toBe(formatMoment(at));
  });
});

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
