import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realAddress } from '../../../../src/core/git/realAddress.ts';
import { sameRepository } from '../../../../src/core/git/remote.ts';

const hosts: Record<string, string> = {
  work: 'github.com',
  Work: 'code.example',
  'github.com-me': 'github.com',
  'me.github.com': 'github.com',
  'github.work': 'ssh.github.com',
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
    ['git@work:acme/agent.git', 'git@github.com:acme/agent.git'],
    ['work:acme/agent', 'github.com:acme/agent'],
    ['work@work:acme/work', 'work@github.com:acme/work'],
    ['git@Work:acme/agent', 'git@code.example:acme/agent'],
    ['ssh://git@work/acme/agent', 'ssh://git@github.com/acme/agent'],
    ['ssh://git@Work:2222/acme/agent', 'ssh://git@code.example:2222/acme/agent'],
    ['git+ssh://work/acme/agent', 'git+ssh://github.com/acme/agent'],
    ['[git@work:2222]:acme/agent', '[git@github.com:2222]:acme/agent'],
    ['git@[work:2222]:acme/agent', '[git@github.com:2222]:acme/agent'],
    ['git@github.com-me:acme/agent', 'git@github.com:acme/agent'],
    ['git@me.github.com:acme/agent', 'git@github.com:acme/agent'],
    ['git@github.work:acme/agent', 'git@ssh.github.com:acme/agent'],
    ['git@code.example-me:acme/agent', 'git@code.example:acme/agent'],
    ['git@me.code.example:acme/agent', 'git@code.example:acme/agent'],
  ])('%s is %s, after the alias of ssh', async (address, expected) => {
    expect(await real(address)).toBe(expected);
  });

  it('of a host behind its second name is the same repository', async () => {
    expect(sameRepository(await real('git@github.work:acme/agent'), 'https://github.com/acme/agent')).toBe(true);
  });

  it.each([
    ['a code host that ssh reaches through another one', 'git@github.com:acme/agent.git'],
    ['its second name', 'ssh://git@ssh.github.com:443/acme/agent.git'],
    ['an account on a code host', 'ssh://acme@acme.visualstudio.com/shop/_git/agent'],
    ['a host with a second name for ssh', 'git@code.example:acme/agent.git'],
    ["a host with a number, which isn't its name", 'git@git.example:acme/agent.git'],
    ['an alias for a number', 'git@nas:acme/agent.git'],
    ['a name that ssh knows nothing of', 'git@other:acme/agent.git'],
    ['a web address', 'https://work/acme/agent'],
    ['a folder', '/srv/work/agent'],
    ['no address', ''],
  ])('stays for %s', async (_, address) => {
    expect(await real(address)).toBe(address);
  });

  it.each([
    ['gh:acme/agent', 'https://github.com/acme/agent', 'https://github.com/acme/agent'],
    ['https://github.com/acme/agent', 'git@work:acme/agent', 'git@github.com:acme/agent'],
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
      (password: string) => `ssh://git:${password}@work/acme/app`,
      (password: string) => `me:${password}@work:acme/app`,
      (password: string) => `[me:${password}@work:22]:acme/app`,
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
