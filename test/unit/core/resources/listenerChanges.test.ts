import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  listenerPatch,
  namespaceProblem,
  removedVersionProblem,
  usersWords,
} from '../../../../src/core/resources/listenerChanges.ts';

describe('namespaceProblem', () => {
  it.each(['a', 'default', 'kube-system', '0', 'a-1', 'a'.repeat(63)])('accepts "%s" as a namespace', (name) => {
    expect(namespaceProblem(name)).toBeUndefined();
  });

  it.each([
    ['', 'Enter the name of a namespace.'],
    ['a'.repeat(64), 'A namespace has at most 63 characters; this one has 64.'],
    ['My-Space', 'A namespace can\'t contain capital letters. Use "my-space".'],
    ['My Space', 'A namespace can contain only lowercase letters, digits, and hyphens.'],
    ['-a', 'A namespace must start and end with a letter or digit.'],
    ['a-', 'A namespace must start and end with a letter or digit.'],
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

describe('a change of a listener', () => {
  const listener = { id: '1', compute_config: { k8s_namespaces: ['one', 'two'] }, version: '1.0' };

  it.each([
    [{ namespaces: ['two', 'one'], version: '1.0' }, undefined],
    [{ namespaces: ['one', 'two'], version: '2.0' }, { version: '2.0' }],
    [{ namespaces: ['one'], version: '1.0' }, { compute_config: { k8s_namespaces: ['one'] } }],
    [{ namespaces: [], version: '' }, { compute_config: { k8s_namespaces: [] } }],
    [
      { namespaces: ['one', 'three'], version: '2.0' },
      { compute_config: { k8s_namespaces: ['one', 'three'] }, version: '2.0' },
    ],
  ])('to %j sends only what differs', (wanted, patch) => {
    expect(listenerPatch(listener, wanted)).toEqual(patch);
  });

  it('gives one that has neither a version and namespaces', () => {
    const wanted = { namespaces: ['one'], version: '1.0' };
    expect(listenerPatch({ id: '1' }, wanted)).toEqual({ compute_config: { k8s_namespaces: ['one'] }, version: '1.0' });
    expect(listenerPatch({ id: '1' }, { namespaces: [], version: '' })).toBeUndefined();
  });

  it("can't remove a version, because absent means unchanged", () => {
    expect(removedVersionProblem(listener, '')).toBe('The version can be changed, but not removed. It is 1.0.');
    expect(removedVersionProblem(listener, '2.0')).toBeUndefined();
    expect(removedVersionProblem({ id: '1' }, '')).toBeUndefined();
  });
});

describe('the users of a listener', () => {
  it.each([
    [[], true, 'No deployment uses it.'],
    [['agent'], true, '1 deployment uses it: agent. The service may refuse to delete it.'],
    [['a', 'b'], true, '2 deployments use it: a, b. The service may refuse to delete it.'],
    [[], false, 'Not all deployments could be checked, so others may use it.'],
    [
      ['a'],
      false,
      '1 deployment uses it: a. The service may refuse to delete it. Not all deployments could be checked, so others may use it.',
    ],
  ])('%j, all: %j', (names, isWhole, words) => {
    expect(usersWords({ names, isWhole })).toBe(words);
  });
});
