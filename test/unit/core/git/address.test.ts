import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../../src/api/redaction/hideInText.ts';
import { safeText } from '../../../../src/api/redaction/redact.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { fieldProblem } from '../../../../src/core/draft/fields.ts';
import { shownAddress } from '../../../../src/core/git/address.ts';
import { parseGitRemote, repositoryKey, repositoryWebUrl, sameRepository } from '../../../../src/core/git/remote.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

describe('an address to show', () => {
  it.each([
    ['https://me:word@code.example/acme/app.git', 'https://code.example/acme/app.git'],
    ['https://token@code.example/acme/app', 'https://code.example/acme/app'],
    ['https://:token@code.example/acme/app', 'https://code.example/acme/app'],
    ['https://me:wo@rd@code.example:8443/acme/app', 'https://code.example:8443/acme/app'],
    ['https://me:w%40rd%3A@code.example/acme/app', 'https://code.example/acme/app'],
    ['HTTPS://Code.Example/Acme/App', 'HTTPS://Code.Example/Acme/App'],
    ['https://code.example/acme/app?pat=word#word', 'https://code.example/acme/app'],
    ['https://me:word', '•••'],
    ['https://me:word＠code.example/acme/app', '•••'],
    ['ssh://git@code.example:22/acme/app', 'ssh://git@code.example:22/acme/app'],
    ['ssh://git:word@code.example:22/acme/app', 'ssh://code.example:22/acme/app'],
    ['ssh://git%3Aword@code.example/acme/app', 'ssh://code.example/acme/app'],
    ['git@code.example:acme/app.git', 'git@code.example:acme/app.git'],
    ['org-123@code.example:acme/app.git', 'org-123@code.example:acme/app.git'],
    ['git%3Aword@code.example:acme/app', 'code.example:acme/app'],
    ['[git@code.example:2222]:acme/app.git', '[git@code.example:2222]:acme/app.git'],
    ['git@[2001:db8::1]:acme/app', 'git@[2001:db8::1]:acme/app'],
    ['  /srv/git/app.git ', '/srv/git/app.git'],
    ['/srv/git/app@2.git', '/srv/git/app@2.git'],
    [String.raw`C:\code\app@2`, String.raw`C:\code\app@2`],
    ['../app@2', '../app@2'],
    ['file:///srv/app@2', 'file:///srv/app@2'],
    ['codecommit::eu-west-1://profile@app', 'codecommit::eu-west-1://app'],
    ['ext::ssh me:word@code.example %S app', 'ext::•••'],
    ['no address', 'no address'],
    ...[
      'git@github.com-deploy-key:org/repo.git',
      'git@github-key:o/n',
      'git@work_token:o/n',
      '/srv/git-key=x/repo',
      `https://host/hooks/${'a1'.repeat(12)}/r.git`,
    ].map((whole): [string, string] => [whole, whole]),
  ])('of %s is %s', (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });

  it.each([
    'https://me:w#rd/x@code.example/acme/app',
    'https://me:w rd@code.example/acme/app',
    'https://me:w\nrd@code.example/acme/app',
    String.raw`https://me:w\rd@code.example/acme/app`,
    'https://me:123/w@code.example/acme/app',
    'https://me:word%40code.example/acme/app',
    'https//me:word@code.example/acme/app',
    'https:/me:word@code.example/acme/app',
    '//me:word@code.example/acme/app',
    'https://me:word@code.example/a https://me:word@code.example/b',
    'me:word@code.example:acme/app',
    'me:word@code.example/acme/app',
    'file://me:word@code.example/acme/app',
    `https://me:word@code.example/${'a'.repeat(5_000)}`,
  ])('is hidden if it may contain a password where none is expected: %j', (address) => {
    const hidden = shownAddress(address);
    expect(hidden).toBe('•••');
    expect([parseGitRemote(address), repositoryKey(hidden), sameRepository(hidden, hidden)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  it('names no other repository than the one that git would reach', () => {
    expect(sameRepository('https://other.example/x@code.example/acme/app', 'https://code.example/acme/app')).toBe(
      false,
    );
    expect(sameRepository('me:x@code.example:acme/app', 'git@code.example:acme/app')).toBe(false);
  });
});

describe('a password', () => {
  const planted = (unit: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...unit.split('')), minLength: 0, maxLength: 12 }).map((rest) => `Qz${rest}zQ`);
  const forms: readonly ((password: string) => string)[] = [
    (password) => `https://me:${password}@code.example/acme/app.git`,
    (password) => `https://:${password}@code.example/acme/app`,
    (password) => `https://me:${encodeURIComponent(password)}@code.example/acme/app`,
    (password) => `http://me:${password}@code.example:8080/acme/app`,
    (password) => `ssh://git:${password}@code.example/acme/app`,
    (password) => `me:${password}@code.example:acme/app`,
    (password) => `https//me:${password}@code.example/acme/app`,
    (password) => `//me:${password}@code.example/acme/app`,
    (password) => `https://code.example/acme/a https://me:${password}@code.example/acme/app`,
  ];
  const address = (
    unit: string,
    ...more: readonly ((password: string) => string)[]
  ): fc.Arbitrary<readonly [string, string]> =>
    fc.tuple(planted(unit), fc.constantFrom(...forms, ...more)).map(([password, form]) => [password, form(password)]);

  /** Whether a text contains the password or a part of it that tells it, in any spelling. */
  const tells = (text: unknown, password: string): boolean => {
    const shown = JSON.stringify(text) ?? '';
    return /Qz|zQ/i.test(shown) || shown.includes(password) || shown.includes(encodeURIComponent(password));
  };

  it('is never in what is read, shown or sent of an address, however malformed', () => {
    fc.assert(
      fc.property(
        address('aZ9:@/#?\\ \n%&=[]"\'~.-_', (password) => `https://${password}:@code.example/acme/app`),
        ([password, url]) => {
          const draft = completeDraft({ repositoryUrl: url });
          const results = [
            shownAddress(url),
            shownAddress(`  ${url}\n`),
            parseGitRemote(url),
            repositoryKey(url),
            repositoryWebUrl(url),
            fieldProblem('repositoryUrl', url),
            createRequest(draft),
          ];
          for (const result of results) expect(tells(result, password), JSON.stringify([url, result])).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('is not in a text that quotes an address', () => {
    fc.assert(
      fc.property(address('aZ9:@#?\\%&=[]~.-_'), ([password, url]) => {
        for (const text of [url, `fatal: unable to access '${url}/': 403`, `${url} and me@code.example`]) {
          const results = [withoutCredentials(text), safeText(text)];
          for (const result of results) expect(tells(result, password), JSON.stringify([text, result])).toBe(false);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
