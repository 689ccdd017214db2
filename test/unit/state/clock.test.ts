import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSystemClock, type Clock } from '../../../src/state/clock.ts';

const day = 24 * 60 * 60 * 1000;

/** How long the machine has slept; its uptime includes that, and its other clocks don't. */
let slept: number;
let systemClock: Clock;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  slept = 0;
  systemClock = createSystemClock(() => Math.floor((3 * day + performance.now() + slept) / 1000));
});

afterEach(() => void vi.useRealTimers());

it('calls back once after a delay, however the wall clock changes', () => {
  const callback = vi.fn();
  systemClock.schedule(callback, 1000);
  const before = systemClock.monotonic();
  vi.setSystemTime(Date.now() - 30 * day);
  expect(systemClock.monotonic()).toBe(before);
  vi.advanceTimersByTime(999);
  expect(callback).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 60 * day);
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledOnce();
});

it('waits longer than a timer can, using one timer at a time', () => {
  const callback = vi.fn();
  systemClock.schedule(callback, 60 * day);
  for (let passed = 0; passed < 59; passed += 1) {
    vi.advanceTimersByTime(day);
    expect(vi.getTimerCount()).toBe(1);
  }
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(day);
  expect(callback).toHaveBeenCalledOnce();
});

it("doesn't call back after it was disposed", () => {
  const callback = vi.fn();
  const timer = systemClock.schedule(callback, 60 * day);
  vi.advanceTimersByTime(30 * day);
  timer.dispose();
  expect(vi.getTimerCount()).toBe(0);
});

it('goes on during sleep, and is never earlier than before', () => {
  const before = systemClock.monotonic();
  slept = 8 * 60 * 60 * 1000;
  vi.advanceTimersByTime(1000);
  const woken = systemClock.monotonic();
  expect(woken - before).toBeGreaterThan(slept);
  expect(woken - before).toBeLessThan(slept + 3000);
  for (let count = 1; count <= 5000; count += 1) {
    vi.advanceTimersByTime(7);
    expect(systemClock.monotonic()).toBe(woken + count * 7);
  }
});

it('calls back within a minute after a sleep in which it was due', () => {
  const callback = vi.fn();
  systemClock.schedule(callback, 60 * 60 * 1000);
  vi.advanceTimersByTime(90_000);
  slept = 2 * 60 * 60 * 1000;
  vi.advanceTimersByTime(29_999);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(callback).toHaveBeenCalledOnce();
});

it('tells the time of the machine that it runs on', () => {
  vi.useRealTimers();
  const clock = createSystemClock();
  const before = clock.monotonic();
  expect(clock.monotonic() - before).toBeLessThan(1000);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
});
