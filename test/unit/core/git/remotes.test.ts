import { describe, expect, test, it } from 'vitest';
import { branchOn, preferredRemote, pushedElsewhere, realAddress } from '../../../../src/core/git/remotes.ts';
import * as fc from 'fast-check';

describe('the remote to deploy from', () => {
  const [origin, upstream, fork] = [{ name: 'origin' }, { name: 'upstream' }, { name: 'fork' }];

  test.each([
    ['is the one of the setting', [fork, origin, upstream], 'origin', 'upstream', origin],
    ["is the upstream's without one of that name", [fork, upstream], 'origin', 'upstream', upstream],
    ['is the only one without an upstream', [fork], 'origin', undefined, fork],
    ['is asked for if there are several others', [fork, upstream], 'origin', undefined, undefined],
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
    ['gone', 'gone/main', 'main'],
  ])('of %s: %s is %s', (remote, ref, branch) => {
    expect(branchOn(remote, ref, remotes)).toBe(branch);
  });
});

describe('commits that another remote has', () => {
  const [origin, upstream, fork] = [{ remote: 'origin' }, { remote: 'upstream' }, { remote: 'fork' }];

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

const hosts: Record<string, string> = {
  alias: 'github.com',
  Alias: 'code.example',
  'github.com-me': 'github.com',
  'me.github.com': 'github.com',
  'github.alias': 'ssh.github.com',
  'code.example-me': 'code.example',
  'me.code.example': 'code.example',
  'github.com': 'proxy.example',
  'ssh.github.com': 'proxy.example',
  'acme.visualstudio.com': 'proxy.example',
  'code.example': 'ssh-code.example',
  'git.example': '192.0.2.1',
  nas: '192.0.2.1',
};

const hostBehind = async (name: string): Promise<string | undefined> => hosts[name];
const real = async (url: string, fetchUrl = url) => realAddress({ url, fetchUrl }, hostBehind);

describe("a remote's address", () => {
  it.each([
    ['git@alias:acme/agent.git', 'git@github.com:acme/agent.git'],
    ['alias:acme/agent', 'github.com:acme/agent'],
    ['alias@alias:acme/alias', 'alias@github.com:acme/alias'],
    ['git@Alias:acme/agent', 'git@code.example:acme/agent'],
    ['ssh://git@alias/acme/agent', 'ssh://git@github.com/acme/agent'],
    ['ssh://git@Alias:2222/acme/agent', 'ssh://git@code.example:2222/acme/agent'],
    ['git+ssh://alias/acme/agent', 'git+ssh://github.com/acme/agent'],
    ['[git@alias:2222]:acme/agent', '[git@github.com:2222]:acme/agent'],
    ['git@[alias:2222]:acme/agent', '[git@github.com:2222]:acme/agent'],
    ['git@github.com-me:acme/agent', 'git@github.com:acme/agent'],
    ['git@me.github.com:acme/agent', 'git@github.com:acme/agent'],
    ['git@github.alias:acme/agent', 'git@ssh.github.com:acme/agent'],
    ['git@code.example-me:acme/agent', 'git@code.example:acme/agent'],
    ['git@me.code.example:acme/agent', 'git@code.example:acme/agent'],
  ])('%s is %s, after the alias of ssh', async (address, expected) => {
    expect(await real(address)).toBe(expected);
  });

  it.each([
    ['a code host that ssh reaches through another one', 'git@github.com:acme/agent.git'],
    ['its second name', 'ssh://git@ssh.github.com:443/acme/agent.git'],
    ['an account on a code host', 'ssh://acme@acme.visualstudio.com/shop/_git/agent'],
    ['a host with a second name for ssh', 'git@code.example:acme/agent.git'],
    ["a host with a number, which isn't its name", 'git@git.example:acme/agent.git'],
    ['an alias for a number', 'git@nas:acme/agent.git'],
    ['a name that ssh knows nothing of', 'git@other:acme/agent.git'],
    ['a web address', 'https://alias/acme/agent'],
    ['a folder', '/srv/alias/agent'],
    ['no address', ''],
  ])('stays for %s', async (_, address) => {
    expect(await real(address)).toBe(address);
  });

  it.each([
    ['gh:acme/agent', 'https://github.com/acme/agent', 'https://github.com/acme/agent'],
    ['https://github.com/acme/agent', 'git@alias:acme/agent', 'git@github.com:acme/agent'],
    ['https://old.example/acme/agent', 'https://me:canary@new.example/acme/agent', 'https://new.example/acme/agent'],
  ])('%s that git rewrites to %s is %s', async (url, fetchUrl, expected) => {
    expect(await real(url, fetchUrl)).toBe(expected);
  });

  it('that git rewrites to this computer stays, because no service can fetch from there', async () => {
    for (const copy of ['/srv/copy', 'http://127.0.0.1:8080/copy', 'ssh://git@localhost/copy', 'http://[::1]/copy']) {
      expect(await real('https://me@code.example/acme/agent', copy)).toBe('https://code.example/acme/agent');
    }
  });

  it('has no password, however malformed it is', async () => {
    const form = fc.constantFrom(
      (password: string) => `https://me:${password}@code.example/acme/app`,
      (password: string) => `ssh://git:${password}@alias/acme/app`,
      (password: string) => `me:${password}@alias:acme/app`,
      (password: string) => `[me:${password}@alias:22]:acme/app`,
    );
    const password = fc
      .string({ unit: fc.constantFrom(...'aZ9:@/#?\\ \n%&=[]~.-_'.split('')), maxLength: 12 })
      .map((rest) => `Qz${rest}zQ`);
    await fc.assert(
      fc.asyncProperty(password, form, async (secret, address) => {
        expect(await real(address(secret))).not.toMatch(/Qz|zQ/i);
        expect(await real('https://code.example/acme/app', address(secret))).not.toMatch(/Qz|zQ/i);
      }),
      { numRuns: 2_000 },
    );
  });
});
