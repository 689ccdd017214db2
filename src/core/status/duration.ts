import * as l10n from '@vscode/l10n';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: readonly (readonly [size: number, Intl.RelativeTimeFormatUnit])[] = [
  [365 * day, 'year'],
  [30 * day, 'month'],
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
];

/** Formats a duration in its two largest units, such as "1 m 20 s". Takes milliseconds and rounds down. */
export function formatDuration(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / second)) * second;
  if (whole < minute) return l10n.t('{0} s', whole / second);
  if (whole < hour) return l10n.t('{0} m {1} s', Math.floor(whole / minute), (whole % minute) / second);
  if (whole < day) return l10n.t('{0} h {1} m', Math.floor(whole / hour), Math.floor((whole % hour) / minute));
  return l10n.t('{0} d {1} h', Math.floor(whole / day), Math.floor((whole % day) / hour));
}

/** Formats a duration for a row, such as "1m 20s". */
export function formatNarrowDuration(milliseconds: number): string {
  return formatDuration(milliseconds).replaceAll(/(?<=\d) (?=\D)/g, '');
}

/** Formats a duration without its seconds, such as "5 m" or "1 h 20 m". Undefined for less than a minute. */
export function formatMinutes(milliseconds: number): string | undefined {
  if (milliseconds < minute) return undefined;
  return milliseconds < hour ? l10n.t('{0} m', Math.floor(milliseconds / minute)) : formatDuration(milliseconds);
}

/**
 * Formats the time from now to a moment, such as "3 days ago" or "in 2 hours".
 * Both times are milliseconds since 1970. Less than ten seconds is "now", because the clocks of two machines can differ
 * by that much. The narrow style, such as "3d ago", is for rows with little space.
 * @throws {RangeError} when a time isn't a number
 */
export function formatAge(fromMs: number, nowMs: number, style: Intl.RelativeTimeFormatStyle = 'long'): string {
  const difference = fromMs - nowMs;
  const distance = Math.abs(difference);
  if (distance < 10 * second) return l10n.t('now');
  const [size, unit] = units.find(([least]) => distance >= least) ?? [second, 'second'];
  // Always numeric: "yesterday" would be wrong for 25 hours ago at one in the morning.
  return ageFormat(style).format(Math.trunc(difference / size), unit);
}

function ageFormat(style: Intl.RelativeTimeFormatStyle): Intl.RelativeTimeFormat {
  const format = ageFormats.get(style) ?? new Intl.RelativeTimeFormat('en', { numeric: 'always', style });
  ageFormats.set(style, format);
  return format;
}

/**
 * The formats that were used, because making one takes much longer than using it, and a list shows many ages.
 * The first one of a process takes several milliseconds, which the start of the extension doesn't wait for.
 */
const ageFormats = new Map<Intl.RelativeTimeFormatStyle, Intl.RelativeTimeFormat>();

/**
 * Formats the age of a service's timestamp in the narrow style. Undefined for an invalid one.
 * Clocks differ between machines, so a time in the future counts as now.
 */
export function ageOf(timestamp: string | undefined, nowMs: number): string | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : formatAge(Math.min(time, nowMs), nowMs, 'narrow');
}

/** Formats a timestamp or milliseconds since 1970, such as "Mar 2, 2026, 1:00 PM". Returns an invalid one as is. */
export function formatMoment(moment: string | number, locale?: string, timeZone?: string): string {
  const time = typeof moment === 'number' ? moment : Date.parse(moment);
  if (Number.isNaN(time)) return String(moment);
  return formatterOf({ dateStyle: 'medium', timeStyle: 'short' }, locale, timeZone).format(time);
}

/** Formats a timestamp with its age, such as "2 days ago (Mar 2, 2026, 1:00 PM)". */
export function formatEvent(timestamp: string | undefined, nowMs: number): string | undefined {
  if (timestamp === undefined) return undefined;
  const moment = formatMoment(timestamp);
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? moment : l10n.t('{0} ({1})', formatAge(Math.min(time, nowMs), nowMs), moment);
}

/** Formats the time of day, such as "14:02" or "2:02 PM". Takes milliseconds since 1970. */
export function formatClock(atMs: number): string {
  return formatterOf({ timeStyle: 'short' }).format(atMs);
}

/** Formats a moment with its seconds, such as "14:02:31", or with its date if it's hours away. Takes wall times. */
export function formatInstant(atMs: number, nowMs: number): string {
  return Math.abs(nowMs - atMs) < 12 * hour ? formatterOf({ timeStyle: 'medium' }).format(atMs) : formatMoment(atMs);
}

/**
 * Formats the times of log lines, such as "Mar 02, 14:02:31". Takes milliseconds since 1970.
 * All are equally long.
 */
export function logTimeFormat(locale?: string, timeZone?: string): (atMs: number) => string {
  const twoDigits = '2-digit' as const;
  const time = { hour: twoDigits, minute: twoDigits, second: twoDigits };
  const format = formatterOf({ month: 'short', day: twoDigits, ...time }, locale, timeZone);
  return (atMs) => format.format(atMs);
}

/** Formatters by what they were made from, because making one takes longer than using it a hundred times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats moments in English, because the product has no translations yet.
 * The order of a date, the 12- or 24-hour clock and the time zone are the machine's unless given.
 */
function formatterOf(style: Intl.DateTimeFormatOptions, locale?: string, timeZone?: string): Intl.DateTimeFormat {
  const key = JSON.stringify([style, locale, timeZone]);
  const made = formatters.get(key);
  if (made !== undefined) return made;
  const { locale: known, hourCycle } = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).resolvedOptions();
  const region = new Intl.Locale(known).maximize().region ?? 'US';
  const options = { ...style, ...(hourCycle && { hourCycle }), ...(timeZone && { timeZone }) };
  const formatter = new Intl.DateTimeFormat(`en-${region}`, options);
  formatters.set(key, formatter);
  return formatter;
}

/** The median duration of earlier deployments of the same thing, in milliseconds. Undefined for less than three. */
export function usualDuration(durations: readonly number[]): number | undefined {
  if (durations.length < 3) return undefined;
  const sorted = durations.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}

/** Words for a usual duration. Seconds would promise more than a median can keep, so minutes are rounded. */
export function usualWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60
    ? l10n.t('usually {0} s in all', seconds)
    : l10n.t('usually {0} min in all', Math.round(seconds / 60));
}
