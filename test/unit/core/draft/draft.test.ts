import { describe, expect, test } from 'vitest';
import { fillCheckedOut } from '../../../../src/core/draft/draft.ts';
import { deploymentRefText, parseDeploymentRef } from '../../../../src/core/git/deploymentRef.ts';
import type { Provenance } from '../../../../src/core/draft/draft.ts';
import type { DeploymentRef } from '../../../../src/core/git/deploymentRef.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

test.each([
  ['main', { kind: 'branch', name: 'main' }],
  [' feature/x ', { kind: 'branch', name: 'feature/x' }],
  ['refs/heads/main', { kind: 'branch', name: 'main' }],
  ['refs/tags/v1.0.0', { kind: 'tag', name: 'v1.0.0' }],
  ['0123456789ABCDEF0123456789abcdef01234567', { kind: 'commit', name: '0123456789abcdef0123456789abcdef01234567' }],
  ['0123456', { kind: 'branch', name: '0123456' }],
])('the ref %j is %j', (text, expected) => {
  expect(parseDeploymentRef(text)).toEqual(expected);
});

test('a ref is written as it was read', () => {
  for (const text of ['main', 'refs/tags/v1.0.0']) expect(deploymentRefText(parseDeploymentRef(text))).toBe(text);
});

describe('the ref of a draft through another remote', () => {
  const main = parseDeploymentRef('main');
  const trunk = parseDeploymentRef('trunk');

  test.each<[string, DeploymentRef, Provenance['kind'] | undefined, string]>([
    ['what is checked out, under its name there', main, 'checkedOut', 'trunk checkedOut'],
    [
      'what is checked out after the default branch of a list',
      parseDeploymentRef('stable'),
      'list',
      'trunk checkedOut',
    ],
    ['what is checked out after nothing', parseDeploymentRef(''), undefined, 'trunk checkedOut'],
    ['what the user chose, if that is checked out', main, 'user', 'trunk user'],
    ['another ref of the user', parseDeploymentRef('release'), 'user', 'release user'],
    ['another ref of the copied deployment', parseDeploymentRef('release'), 'copy', 'release copy'],
    ['the tag of the user with the name of the branch', parseDeploymentRef('refs/tags/main'), 'user', 'main user'],
  ])('is %s', (_, ref, kind, expected) => {
    const draft = completeDraft({ ref, provenance: kind === undefined ? {} : { ref: { kind } } });
    fillCheckedOut(draft, trunk, main);
    expect(`${draft.ref.name} ${draft.provenance.ref?.kind}`).toBe(expected);
  });

  test('stays if nothing is checked out', () => {
    const draft = completeDraft({ ref: main });
    fillCheckedOut(draft, undefined, main);
    expect(draft.ref).toEqual(main);
  });
});
