import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/state/clock.ts';

const day = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));

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
