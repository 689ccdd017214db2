import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGitRemote, repositoryWebUrl, sameRepository } from '../../../../src/core/git/remote.ts';

describe('a git remote is read from', () => {
  test.each([
    ['https', 'https://code.example/acme/app.git', 'code.example', 'acme', 'app'],
    ['https without .git', 'https://code.example/acme/app', 'code.example', 'acme', 'app'],
    ['trailing slashes', 'https://code.example/acme/app.git//', 'code.example', 'acme', 'app'],
    ['user information', 'https://me:secret@code.example/acme/app', 'code.example', 'acme', 'app'],
    ['a port', 'https://code.example:8443/acme/app', 'code.example', 'acme', 'app'],
    ['a host in capitals', 'HTTPS://Code.Example/Acme/App', 'code.example', 'Acme', 'App'],
    ['nested groups', 'https://code.example/group/sub/team/app.git', 'code.example', 'group/sub/team', 'app'],
    ['query and fragment', 'https://code.example/acme/app?tab=readme#top', 'code.example', 'acme', 'app'],
    ['escaped letters', 'https://code.example/acme/my%20app', 'code.example', 'acme', 'my app'],
    ['ssh', 'ssh://git@code.example/acme/app.git', 'code.example', 'acme', 'app'],
    ['ssh with a port', 'ssh://git@Code.Example:2222/acme/app.git', 'code.example', 'acme', 'app'],
    ['git+ssh', 'git+ssh://git@code.example/acme/app.git', 'code.example', 'acme', 'app'],
    ['the git protocol', 'git://code.example/acme/app.git', 'code.example', 'acme', 'app'],
    ['scp style', 'git@code.example:acme/app.git', 'code.example', 'acme', 'app'],
    ['scp style without user', 'code.example:acme/app', 'code.example', 'acme', 'app'],
    ['scp style with a leading slash', 'git@code.example:/acme/app.git', 'code.example', 'acme', 'app'],
    ['scp style without owner', 'git@code.example:app.git', 'code.example', '', 'app'],
    ['an IPv6 host', 'ssh://git@[::1]:22/acme/app', '[::1]', 'acme', 'app'],
    ['scp style with an IPv6 host', 'git@[2001:db8::1]:acme/app', '[2001:db8::1]', 'acme', 'app'],
    [
      'a name that contains .git',
      'https://code.example/acme/acme.github.io.git',
      'code.example',
      'acme',
      'acme.github.io',
    ],
    ['a lone percent sign', 'https://code.example/acme/100%', 'code.example', 'acme', '100%'],
    ['a folder', '/home/me/code/app', '', 'local', 'app'],
    ['a folder below one with a colon', '/srv/one:two/app', '', 'local', 'app'],
    ['a bare folder', '/srv/git/app.git/', '', 'local', 'app'],
    ['the .git folder itself', '/home/me/app/.git', '', 'local', 'app'],
    ['a folder called .git alone', '/.git', '', 'local', '.git'],
    ['a relative folder', '../app', '', 'local', 'app'],
    ['a file URL', 'file:///home/me/my%20app.git', '', 'local', 'my app'],
    ['a file URL of this host', 'file://localhost/home/me/app', '', 'local', 'app'],
    ['a Windows folder', String.raw`C:\Users\me\app`, '', 'local', 'app'],
    ['a Windows folder with slashes', 'C:/Users/me/app.git', '', 'local', 'app'],
    ['a Windows file URL', 'file:///C:/Users/me/app', '', 'local', 'app'],
    ['a Windows share', String.raw`\\server\share\app`, '', 'local', 'app'],
    ['a folder with odd characters', '/home/me/c#/100%', '', 'local', '100%'],
    ['an empty port', 'ssh://git@code.example:/acme/app', 'code.example', 'acme', 'app'],
    ['.GIT in capitals', 'https://code.example/acme/app.GIT', 'code.example', 'acme', 'app'],
    ['a host of another language', 'https://bücher.example/acme/app', 'xn--bcher-kva.example', 'acme', 'app'],
    ['a host without dots', 'git@forge:acme/app.git', 'forge', 'acme', 'app'],
    ['scp style with a home folder', 'git@code.example:~/app.git', 'code.example', '~', 'app'],
    ['ssh without user', 'ssh://code.example/acme/app', 'code.example', 'acme', 'app'],
    ['a file URL of a share', 'file://server/share/app.git', '', 'local', 'app'],
    ['surrounding space', '  https://code.example/acme/app\n', 'code.example', 'acme', 'app'],
  ])('%s', (_, url, host, owner, name) => {
    expect(parseGitRemote(url)).toEqual({ host, owner, name });
  });

  test.each([
    '',
    '  ',
    'https://code.example',
    'https://code.example/',
    'https://',
    'ssh:///acme/app',
    'ext::sh -c x',
    '/',
    '.',
    '..',
    'a\nb/c',
  ])('nothing from %j, which names no repository', (url) => {
    expect(parseGitRemote(url)).toBeUndefined();
  });

  test('nothing from a text that is longer than any address', () => {
    const url = `https://code.example/acme/${'a'.repeat(5_000)}`;
    expect([parseGitRemote(url), repositoryWebUrl(url), sameRepository(url, url)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  test('any text without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseGitRemote(text)));
    fc.assert(fc.property(fc.webUrl(), (url) => void parseGitRemote(url)));
  });
});

describe('two remotes are the same repository', () => {
  const segment = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,12}$/);

  test('however they reach it', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), segment, (owner, name) => {
        const path = `${owner.join('/')}/${name}`;
        const ways = [
          `https://code.example/${path}`,
          `https://me:token@code.example:8443/${path}.git/`,
          `http://CODE.example/${path}`,
          `ssh://git@code.example:2222/${path}.git`,
          `git@code.example:${path}.git`,
          `git://code.example/${path.toUpperCase()}`,
        ];
        for (const way of ways) {
          expect(sameRepository(ways[0]!, way), way).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['another host', 'https://a.example/acme/app', 'https://b.example/acme/app'],
    ['another owner', 'https://a.example/acme/app', 'https://a.example/other/app'],
    ['another name', 'https://a.example/acme/app', 'https://a.example/acme/app2'],
    ['a deeper group', 'https://a.example/acme/app', 'https://a.example/acme/x/app'],
    ['a folder and a host', '/srv/local/app', 'https://a.example/local/app'],
    ['another port of the web', 'http://a.example:8080/acme/app', 'https://a.example:8443/acme/app'],
    ['two folders of one name', '/srv/a/app', '/srv/b/app'],
    ['a relative and an absolute folder', 'srv/app', '/srv/app'],
    ['texts that name none', '', ''],
    ['a text that names none', '', 'https://a.example/acme/app'],
    ['another text that names none', 'https://a.example/acme/app', ''],
    ['two folders of the same letters', '/srv/a/bapp', '/srv/ab/app'],
    ['two folders that differ in case', '/srv/A:/app', '/srv/a:/app'],
  ])('not with %s', (_, a, b) => {
    expect(sameRepository(a, b)).toBe(false);
  });

  test.each([
    ['https://a.example:8443/acme/app', 'https://a.example/acme/app'],
    ['https://a.example:8443/acme/app', 'ssh://git@a.example:7999/acme/app'],
  ])('when only one names a port of the web: %s and %s', (a, b) => {
    expect(sameRepository(a, b)).toBe(true);
  });

  test.each([
    ['/srv/git/app.git', 'file:///srv/git/app'],
    ['/srv/git/app.git', 'file://localhost/srv/git/app'],
    ['/srv/c:/app', 'file:///srv/c:/app'],
    ['/srv/git/app/.git', '/srv/git/app/'],
    [String.raw`C:\code\app`, 'file:///c:/code/app'],
  ])('when they are the same folder: %s and %s', (a, b) => {
    expect(sameRepository(a, b)).toBe(true);
  });
});

describe('the web address of a repository', () => {
  test.each([
    ['https://me:secret@code.example:8443/acme/app.git', 'https://code.example:8443/acme/app'],
    ['http://localhost:3000/acme/app', 'http://localhost:3000/acme/app'],
    ['https://code.example/acme/my%20app?x#y', 'https://code.example/acme/my%20app'],
    ['git@code.example:app.git', 'https://code.example/app'],
    ['/srv/git/app', undefined],
    ['', undefined],
  ])('of %s is %s', (url, expected) => {
    expect(repositoryWebUrl(url)).toBe(expected);
  });
});
