import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namespaceProblem } from '../../../../src/core/resources/listeners.ts';

describe('namespaceProblem', () => {
  it.each(['a', 'default', 'kube-system', '0', 'a-1', 'a'.repeat(63)])('lets "%s" be a namespace', (name) => {
    expect(namespaceProblem(name)).toBeUndefined();
  });

  it.each([
    ['', 'Enter the name of a namespace.'],
    ['a'.repeat(64), 'A namespace has at most 63 characters; this one has 64.'],
    ['My-Space', 'A namespace has no capital letters. Write "my-space".'],
    ['my space', 'A namespace has lower-case letters, digits and hyphens only.'],
    ['My Space', 'A namespace has lower-case letters, digits and hyphens only.'],
    ['a.b', 'A namespace has lower-case letters, digits and hyphens only.'],
    ['ä', 'A namespace has lower-case letters, digits and hyphens only.'],
    ['-a', 'A namespace starts and ends with a letter or a digit.'],
    ['a-', 'A namespace starts and ends with a letter or a digit.'],
    ['-', 'A namespace starts and ends with a letter or a digit.'],
  ])('says what is wrong with "%s"', (name, problem) => {
    expect(namespaceProblem(name)).toBe(problem);
  });

  it('agrees with the rule of Kubernetes for any text', () => {
    const nearlyNames = fc.string({ unit: fc.constantFrom('a', 'z', '0', '-', 'A', '.', ' ', 'é'), maxLength: 66 });
    fc.assert(
      fc.property(nearlyNames, (name) => {
        expect(namespaceProblem(name) === undefined).toBe(/^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name));
      }),
    );
  });
});
