import { describe, expect, test } from 'vitest';
import { branchOn, preferredRemote, pushedElsewhere } from '../../../../src/core/git/remotes.ts';

describe('the remote to deploy from', () => {
  const [origin, upstream, fork] = [{ name: 'origin' }, { name: 'upstream' }, { name: 'fork' }];

  test.each([
    ['is the one of the setting', [fork, origin, upstream], 'origin', 'upstream', origin],
    ['is the one of the setting, whatever it is called', [origin, upstream], 'upstream', 'origin', upstream],
    ["is the upstream's without one of that name", [fork, upstream], 'origin', 'upstream', upstream],
    ['is the only one without an upstream', [fork], 'origin', undefined, fork],
    ['is the only one if the upstream is a branch of this clone', [fork], 'origin', '.', fork],
    ['is asked for if there are several others', [fork, upstream], 'origin', undefined, undefined],
    ['is asked for if the upstream is gone', [fork, upstream], 'origin', 'gone', undefined],
    ['is none without remotes', [], 'origin', undefined, undefined],
  ])('%s', (_, remotes, configured, tracked, expected) => {
    expect(preferredRemote(remotes, configured, tracked)).toBe(expected);
  });
});

describe('a branch of a remote', () => {
  const remotes = ['origin', 'origin/fork', 'team/origin'];

  test.each([
    ['origin', 'origin/main', 'main'],
    ['origin', 'origin/feature/one', 'feature/one'],
    ['origin', 'origin/fork', 'fork'],
    ['origin', 'origin/fork/main', undefined],
    ['origin', 'original/main', undefined],
    ['origin', 'team/origin/main', undefined],
    ['origin/fork', 'origin/fork/main', 'main'],
    ['origin/fork', 'origin/main', undefined],
    ['team/origin', 'team/origin/feature/one', 'feature/one'],
    ['gone', 'gone/main', 'main'],
  ])('of %s: %s is %s', (remote, ref, branch) => {
    expect(branchOn(remote, ref, remotes)).toBe(branch);
  });
});

describe('commits that another remote has', () => {
  const origin = { remote: 'origin', url: 'https://code.example/acme/app' };
  const upstream = { remote: 'upstream', url: 'https://code.example/team/app' };
  const fork = { remote: 'fork', url: 'https://code.example/me/app' };

  test('are said to be pushed there, not to the remote of the deployment', () => {
    expect(pushedElsewhere('origin', [origin, { ...upstream, unpushed: 0 }])).toBe('pushed to upstream, not to origin');
    expect(
      pushedElsewhere('origin', [
        { ...origin, unpushed: 2 },
        { ...upstream, unpushed: 0 },
        { ...fork, unpushed: 0 },
      ]),
    ).toBe('pushed to upstream, fork, not to origin');
  });

  test.each([
    [
      'the remote has them too',
      [
        { ...origin, unpushed: 0 },
        { ...upstream, unpushed: 0 },
      ],
    ],
    [
      'none has them',
      [
        { ...origin, unpushed: 1 },
        { ...upstream, unpushed: 1 },
      ],
    ],
    ['the branch is not checked out', [origin, upstream]],
    ['there is no other remote', [{ ...origin, unpushed: 1 }]],
  ])('are not mentioned if %s', (_, branches) => {
    expect(pushedElsewhere('origin', branches)).toBeUndefined();
  });
});
