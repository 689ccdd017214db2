import { afterAll } from 'vitest';

/** Takes what a suite opens with `use`, and closes it after the tests, the last first. */
export function opened(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  return stack;
}
