import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namespaceProblem } from '../../../../src/core/resources/listeners.ts';

describe('namespaceProblem', () => {
  it.each(['a', 'default', 'kube-system', '0', 'a-1', 'a'.repeat(63)])('accepts "%s" as a namespace', (name) => {
    expect(namespaceProblem(name)).toBeUndefined();
  });

  it.each([
    ['', 'Enter the name of a namespace.'],
    ['a'.repeat(64), 'A namespace has at most 63 characters; this one has 64.'],
    ['My-Space', 'A namespace can\'t contain capital letters. Use "my-space".'],
    ['my space', 'A namespace can contain only lowercase letters, digits, and hyphens.'],
    ['My Space', 'A namespace can contain only lowercase letters, digits, and hyphens.'],
    ['a.b', 'A namespace can contain only lowercase letters, digits, and hyphens.'],
    ['ä', 'A namespace can contain only lowercase letters, digits, and hyphens.'],
    ['-a', 'A namespace must start and end with a letter or digit.'],
    ['a-', 'A namespace must start and end with a letter or digit.'],
    ['-', 'A namespace must start and end with a letter or digit.'],
  ])('explains why "%s" is refused', (name, problem) => {
    expect(namespaceProblem(name)).toBe(problem);
  });

  it('agrees with the Kubernetes rule for any text', () => {
    const nearlyNames = fc.string({ unit: fc.constantFrom('a', 'z', '0', '-', 'A', '.', ' ', 'é'), maxLength: 66 });
    fc.assert(
      fc.property(nearlyNames, (name) => {
        expect(namespaceProblem(name) === undefined).toBe(/^(?=.{1,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name));
      }),
    );
  });
});
