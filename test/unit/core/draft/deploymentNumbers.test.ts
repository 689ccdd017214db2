import { describe, expect, it } from 'vitest';
import { DeploymentNumbers, knownNumbers } from '../../../../src/core/draft/deploymentNumbers.ts';

/** Deployments with these names, of which "-" is none. */
const named = (names: string) =>
  names.split(' ').flatMap((name) => (name === '' ? [] : [{ name: name === '-' ? '' : name, connection: '' }]));

/** The numbers that deployments have after each of these texts. */
function numbersIn(...texts: readonly string[]): readonly number[] {
  const numbers = new DeploymentNumbers();
  for (const text of texts) numbers.follow(named(text));
  return numbers.present;
}

describe('the deployments of a file', () => {
  it.each([
    ['others are put before them', ['a b', 'new a b'], [2, 0, 1]],
    ['they change places', ['a b', 'b a'], [1, 0]],
    ['the first is removed', ['a b c', 'b c'], [1, 2]],
    ['one is renamed', ['a b', 'a renamed'], [0, 1]],
    ['one is given the name of another for a while', ['a-dev a', 'a a', 'a-test a'], [0, 1]],
    ['one has the name of another for a while, and is before it', ['a a-dev', 'a a', 'a a-test'], [0, 1]],
    ['one of the same name is removed', ['a a b', 'a b'], [0, 2]],
    ['one has no name for a while', ['a b', '- b', 'new a b'], [2, 0, 1]],
    ['one never had a name', ['- b', 'new - b'], [2, 0, 1]],
    ['one is cut and pasted', ['a b c', 'b c', 'b c a'], [1, 2, 0]],
    ['all are removed and come back', ['a b', '', 'b a'], [1, 0]],
    ['they can not be read for a while', ['a b', '-', 'a b'], [0, 1]],
    ['one is given the name of one that is gone', ['a b', 'a', 'b', 'b-2'], [0]],
  ])('keep their numbers if %s', (_, texts, expected) => {
    expect(numbersIn(...texts)).toEqual(expected);
  });

  it.each([
    ['another takes the place of one that is gone', ['a b', 'a', 'a new'], [0, 2]],
    ['one is renamed where another is added', ['a b', 'new a renamed'], [2, 0, 3]],
  ])('get another number if %s', (_, texts, expected) => {
    expect(numbersIn(...texts)).toEqual(expected);
  });

  it('are told from each other by their connections', () => {
    const numbers = new DeploymentNumbers();
    const [home, work] = ['Home', 'Work'].map((connection) => ({ name: 'a', connection }));
    if (home === undefined || work === undefined) throw new Error('Two connections are needed.');
    numbers.follow([home, work]);
    numbers.follow([work, home]);
    expect(numbers.present).toEqual([1, 0]);
  });

  it('have their numbers on the next page, also those that are gone', () => {
    const before = new DeploymentNumbers();
    before.follow(named('a b'));
    before.follow(named('b'));
    const numbers = new DeploymentNumbers(knownNumbers.parse(JSON.parse(JSON.stringify(before.known))));
    expect(numbers.has(0)).toBe(true);
    numbers.follow(named('new a b'));
    expect(numbers.present).toEqual([2, 0, 1]);
    expect(numbers.has(3)).toBe(false);
  });

  it('have others after they begin again, as if the former ones had never been', () => {
    const numbers = new DeploymentNumbers();
    numbers.follow(named('a b'));
    numbers.renew();
    expect(numbers.present).toEqual([2, 3]);
    expect(numbers.has(0)).toBe(false);
    numbers.follow(named('b a'));
    expect(numbers.present).toEqual([3, 2]);
  });

  it('that are gone are kept up to a limit, the last ones first', () => {
    const numbers = new DeploymentNumbers();
    for (let count = 0; count < 150; count += 1) {
      numbers.follow(named(`name-${count}`));
      numbers.follow([]);
    }
    expect(numbers.known.gone).toHaveLength(100);
    expect(numbers.known.gone[0]?.identity).toContain('name-149');
  });
});
