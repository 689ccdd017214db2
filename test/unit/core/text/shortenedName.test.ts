import { describe, expect, it } from 'vitest';
import { shortenedName } from '../../../../src/core/text/text.ts';

describe('a name in a narrow place', () => {
  it.each([
    [10, 'agent', 'agent'],
    [10, 'ten-agents', 'ten-agents'],
    [10, 'customer-support-agent-europe', 'cus…europe'],
    [10, 'customer-support-agent-america', 'cus…merica'],
    [16, 'feature/a-long-branch @ 0123456', 'featu… @ 0123456'],
  ])('has at most %i characters of %s: %s', (limit, name, shown) => {
    expect(shortenedName(name, limit)).toBe(shown);
  });
});
