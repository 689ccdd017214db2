import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withHidden, withoutHidden } from '../../../../src/core/draft/hiddenValues.ts';

const variable = (name: string, value: string) => ({ name, value });

/** Objects with names whose values are hidden, and with others. */
const resources = fc.object({
  key: fc.constantFrom('env', 'args', 'annotations', 'name', 'value', 'api_key', 'other'),
  values: [fc.constantFrom('--token', '--token=a', 'TOKEN=a', 'a', '', 1, true, null)],
  maxDepth: 5,
});

describe('values that may be secret', () => {
  it.each([
    [
      'annotations',
      { annotations: { team: 'a', owner: 'b' } },
      { annotations: { owner: '', team: '', more: '' } },
      { annotations: { owner: 'b', team: 'a', more: '' } },
    ],
    [
      'variables by their names, in another order',
      { env: [variable('A', 'a'), variable('B', 'b'), variable('C', 'c')] },
      { env: [variable('C', ''), variable('NEW', ''), variable('B', 'other'), variable('A', '')] },
      { env: [variable('C', 'c'), variable('NEW', ''), variable('B', 'other'), variable('A', 'a')] },
    ],
    [
      'variables with one name, one by one',
      { env: [variable('A', '1'), variable('A', '2')] },
      { env: [variable('A', ''), variable('A', ''), variable('A', '')] },
      { env: [variable('A', '1'), variable('A', '2'), variable('A', '')] },
    ],
    [
      'arguments by the options before them',
      { args: ['--token', 'a', '--password', 'b', '--api-key=c'] },
      { args: ['--api-key=', '--verbose', '--password', '', '--token', '', '--secret', ''] },
      { args: ['--api-key=c', '--verbose', '--password', 'b', '--token', 'a', '--secret', ''] },
    ],
    ['values that are text now', { env: { A: 'a' } }, { env: ['A'] }, { env: ['A'] }],
    ['members of every object', {}, { env: { toString: '' } }, { env: { toString: '' } }],
  ])('come back to %s', (_what, own, value, expected) => {
    expect(withHidden(value, own)).toEqual(expected);
  });

  it('come back to any resource that is as it was shown', () => {
    fc.assert(
      fc.property(resources, (own) => {
        expect(withHidden(withoutHidden(own), own)).toEqual(own);
      }),
    );
  });

  it('come back to long lists in no time', () => {
    const args = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? '--token' : 'a'));
    expect(withHidden(withoutHidden({ args }), { args })).toEqual({ args });
  });

  it('may be nested as deep as they like', () => {
    const bottomless = JSON.parse(`${'{"env":'.repeat(50_000)}"a"${'}'.repeat(50_000)}`) as object;
    expect(() => withHidden(bottomless, bottomless)).not.toThrow();
  });
});
