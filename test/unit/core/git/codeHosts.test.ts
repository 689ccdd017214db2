import { describe, expect, it, test } from 'vitest';
import { commitWebUrl, parseGitRemote, repositoryWebUrl, sameRepository } from '../../../../src/core/git/remote.ts';

interface Known {
  readonly addresses: readonly string[];
  readonly host: string;
  readonly owner: string;
  readonly name: string;
  /** The page of all addresses; those below have pages of their own. */
  readonly page: string;
  readonly otherPages?: Record<string, string>;
}

const repositories: Record<string, Known> = {
  'Azure DevOps': {
    addresses: [
      'https://dev.azure.com/acme/shop/_git/app',
      'https://acme@dev.azure.com/acme/shop/_git/app',
      'https://me:word@dev.azure.com/acme/shop/_git/app',
      'git@ssh.dev.azure.com:v3/acme/shop/app',
      'ssh://git@ssh.dev.azure.com/v3/acme/shop/app',
      'ssh://git@ssh.dev.azure.com:22/v3/acme/shop/app',
      'https://acme.visualstudio.com/shop/_git/app',
      'https://acme.visualstudio.com/DefaultCollection/shop/_git/app',
      'acme@vs-ssh.visualstudio.com:v3/acme/shop/app',
      'ssh://acme@acme.visualstudio.com:22/shop/_git/app',
      'https://dev.azure.com/acme/shop/_git/_full/app',
      'https://dev.azure.com/acme/shop/_git/_optimized/app/',
      'https://dev.azure.com/Acme/Shop/_git/App',
    ],
    host: 'dev.azure.com',
    owner: 'acme/shop',
    name: 'app',
    page: 'https://dev.azure.com/acme/shop/_git/app',
  },
  "Azure DevOps, with the project's name": {
    addresses: [
      'https://dev.azure.com/acme/my%20app/_git/my%20app',
      'https://dev.azure.com/acme/_git/my%20app',
      'https://acme.visualstudio.com/_git/my%20app',
      'https://acme.visualstudio.com/DefaultCollection/_git/my%20app',
      'git@ssh.dev.azure.com:v3/acme/my%20app/my%20app',
    ],
    host: 'dev.azure.com',
    owner: 'acme/my app',
    name: 'my app',
    page: 'https://dev.azure.com/acme/my%20app/_git/my%20app',
  },
  'Bitbucket Data Center': {
    addresses: [
      'https://code.example/scm/PROJ/app.git',
      'https://me@code.example/scm/PROJ/app.git',
      'https://code.example/projects/PROJ/repos/app',
      'https://code.example/projects/PROJ/repos/app/browse',
      'https://code.example/projects/PROJ/repos/app/browse?at=main',
      'ssh://git@code.example:7999/PROJ/app.git',
      '[git@code.example:7999]:PROJ/app.git',
      'https://code.example/bitbucket/scm/PROJ/app.git',
      'https://code.example/bitbucket/projects/PROJ/repos/app',
    ],
    host: 'code.example',
    owner: 'PROJ',
    name: 'app',
    page: 'https://code.example/projects/PROJ/repos/app',
    otherPages: {
      'https://code.example/bitbucket/scm/PROJ/app.git': 'https://code.example/bitbucket/projects/PROJ/repos/app',
      'https://code.example/bitbucket/projects/PROJ/repos/app':
        'https://code.example/bitbucket/projects/PROJ/repos/app',
    },
  },
  'Bitbucket Data Center, of a user': {
    addresses: [
      'https://code.example:8443/scm/~me/app.git',
      'https://code.example:8443/users/me/repos/app',
      'https://code.example:8443/users/me/repos/app/browse',
      'https://code.example:8443/projects/~me/repos/app',
      'ssh://git@code.example:7999/~me/app.git',
    ],
    host: 'code.example',
    owner: '~me',
    name: 'app',
    page: 'https://code.example:8443/users/me/repos/app',
    otherPages: { 'ssh://git@code.example:7999/~me/app.git': 'https://code.example/users/me/repos/app' },
  },
  GitHub: {
    addresses: [
      'https://github.com/acme/app.git',
      'git@github.com:acme/app.git',
      'ssh://git@ssh.github.com:443/acme/app.git',
      '[git@ssh.github.com:443]:acme/app.git',
    ],
    host: 'github.com',
    owner: 'acme',
    name: 'app',
    page: 'https://github.com/acme/app',
  },
  'GitLab, below groups': {
    addresses: [
      'https://gitlab.com/acme/scm/shop/app.git',
      'git@gitlab.com:acme/scm/shop/app.git',
      'ssh://git@altssh.gitlab.com:443/acme/scm/shop/app.git',
    ],
    host: 'gitlab.com',
    owner: 'acme/scm/shop',
    name: 'app',
    page: 'https://gitlab.com/acme/scm/shop/app',
  },
  'a GitLab with a port for ssh': {
    addresses: [
      'https://code.example/group/sub/app.git',
      'git@code.example:group/sub/app.git',
      'ssh://git@code.example:2222/group/sub/app.git',
      '[git@code.example:2222]:group/sub/app.git',
      'git@[code.example:2222]:group/sub/app.git',
      '[code.example:2222]:group/sub/app.git',
      '[git@code.example]:group/sub/app.git',
    ],
    host: 'code.example',
    owner: 'group/sub',
    name: 'app',
    page: 'https://code.example/group/sub/app',
  },
  'Bitbucket Cloud': {
    addresses: [
      'https://me@bitbucket.org/acme/app.git',
      'git@bitbucket.org:acme/app.git',
      'ssh://git@altssh.bitbucket.org:443/acme/app.git',
    ],
    host: 'bitbucket.org',
    owner: 'acme',
    name: 'app',
    page: 'https://bitbucket.org/acme/app',
  },
};

describe.each(Object.entries(repositories))(
  'a repository on %s',
  (_, { addresses, page, otherPages = {}, ...named }) => {
    test.each(addresses)('has the address %s', (address) => {
      const lower = (text = '') => text.toLowerCase();
      const { host, owner, name } = parseGitRemote(address) ?? {};
      expect([host, lower(owner), lower(name)]).toEqual([named.host, lower(named.owner), lower(named.name)]);
      expect(sameRepository(address, addresses[0] ?? '')).toBe(true);
      expect(lower(repositoryWebUrl(address))).toBe(lower(otherPages[address] ?? page));
    });
  },
);

it.each([
  ['https://dev.azure.com/acme/shop/_git/app', 'https://dev.azure.com/acme/other/_git/app'],
  ['https://dev.azure.com/acme/shop/_git/app', 'https://other.visualstudio.com/shop/_git/app'],
  ['https://dev.azure.com/acme/shop', 'https://dev.azure.com/acme/_git/shop'],
  ['https://code.example/scm/PROJ/app.git', 'https://code.example/scm/OTHER/app.git'],
  ['https://code.example/scm/~me/app.git', 'https://code.example/scm/me/app.git'],
  ['https://github.com/scm/acme/app', 'https://github.com/acme/app'],
  ['https://code.example:7999/PROJ/app.git', 'https://code.example/OTHER/app.git'],
])('tells %s and %s apart', (one, other) => {
  expect(sameRepository(one, other)).toBe(false);
});

it.each([
  ['https://code.example:7999/proj/app.git', 'https://code.example:7999/proj/app'],
  [
    'https://code.example/tfs/DefaultCollection/shop/_git/app',
    'https://code.example/tfs/DefaultCollection/shop/_git/app',
  ],
  ['https://code.example/scm/app', 'https://code.example/scm/app'],
])('knows no other page of %s', (address, page) => {
  expect(repositoryWebUrl(address)).toBe(page);
});

describe('the page of a commit', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';

  it.each([
    ['git@github.com:acme/app.git', 'https://github.com/acme/app/commit/'],
    ['https://gitlab.com/acme/shop/app.git', 'https://gitlab.com/acme/shop/app/-/commit/'],
    ['git@altssh.bitbucket.org:acme/app.git', 'https://bitbucket.org/acme/app/commits/'],
    ['acme@vs-ssh.visualstudio.com:v3/acme/shop/app', 'https://dev.azure.com/acme/shop/_git/app/commit/'],
    ['https://code.example/scm/PROJ/app.git', 'https://code.example/projects/PROJ/repos/app/commits/'],
  ])('is known for %s', (address, page) => {
    expect(commitWebUrl(address, commit)).toBe(page + commit);
  });

  it.each([
    ['on a host whose pages are not known', 'https://code.example/group/app.git', commit],
    ['in a folder', '/srv/git/app.git', commit],
    ['that is none', 'https://github.com/acme/app', '../../settings'],
  ])('is missing for one %s', (_what, address, text) => {
    expect(commitWebUrl(address, text)).toBeUndefined();
  });
});

it.each([
  ['[2001:db8::1]:acme/app', '[2001:db8::1]'],
  ['[git@2001:db8::1]:acme/app', '[2001:db8::1]'],
])('reads the IPv6 host of %s', (address, host) => {
  expect(parseGitRemote(address)).toEqual({ host, owner: 'acme', name: 'app' });
});
