import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankConfigPaths, resolveFromConfig } from '../../../../src/core/appConfig/paths.ts';
import { pathBelow } from '../../../../src/core/git/folders.ts';

describe('the path of a file below a folder', () => {
  const long = `${'a-long-folder-name/'.repeat(16)}graph.json`;

  test.each([
    ['linux', '///home/me/app', '///home/me/app/apps/one/graph.json', 'apps/one/graph.json'],
    ['linux', '///home/me/app', '///home/me/App/graph.json', undefined],
    ['linux', '///home/me/app', '///home/me/app-two/graph.json', undefined],
    ['win32', '///C:/Users/Me/My App', '///c:/Users/Me/My App/graph.json', 'graph.json'],
    ['win32', '///c:/users/me/app', '///C:/Users/Me/App/Apps/One/graph.json', 'Apps/One/graph.json'],
    ['win32', '///d:/', '///D:/graph.json', 'graph.json'],
    ['win32', '///d:/app', '///e:/app/graph.json', undefined],
    ['win32', '//Server/share/app', '//server/Share/app/graph.json', 'graph.json'],
    ['win32', '//server/share/app', '//other/share/app/graph.json', undefined],
    ['win32', '///c:/app', `///C:/app/${long}`, long],
    ['win32', String.raw`C:\Users\me\app`, String.raw`c:\Users\me\App\apps\one\graph.json`, 'apps/one/graph.json'],
    ['win32', String.raw`C:\Users\me\app`, String.raw`C:\Users\me\app-two\graph.json`, undefined],
    ['win32', 'd:\\', String.raw`D:\graph.json`, 'graph.json'],
    ['linux', '/home/me/app', String.raw`/home/me/app/apps\one/graph.json`, String.raw`apps\one/graph.json`],
    ['linux', '/home/me/app', String.raw`/home/me/app\graph.json`, undefined],
    ['darwin', '///Users/me/App', '///Users/me/app/graph.json', 'graph.json'],
    ['darwin', '///private/var/app', '///private/var/app/graph.json', 'graph.json'],
  ])('on %s: in %s, %s is %s', (platform, folder, file, expected) => {
    expect(pathBelow(folder, file, platform)).toBe(expected);
  });
});

describe('the ranking of config files', () => {
  const paths = ['apps/b/graph.json', 'graph.json', 'apps/a/deep/er/graph.json', 'apps/a/graph.json'];

  test.each([
    [
      'without an active editor the shallowest comes first',
      undefined,
      ['graph.json', 'apps/a/graph.json', 'apps/b/graph.json', 'apps/a/deep/er/graph.json'],
    ],
    [
      'the folder of the active file wins',
      'apps/a/agent.py',
      ['apps/a/graph.json', 'graph.json', 'apps/b/graph.json', 'apps/a/deep/er/graph.json'],
    ],
    [
      'a file below a config file belongs to it',
      'apps/b/src/x/agent.py',
      ['apps/b/graph.json', 'graph.json', 'apps/a/graph.json', 'apps/a/deep/er/graph.json'],
    ],
  ])('%s', (_, active, expected) => {
    expect(rankConfigPaths(paths, active)).toEqual(expected);
  });

  test('numbers count as numbers', () => {
    const numbered = ['a-10/graph.json', 'a-9/graph.json', 'a-2/graph.json'];
    expect(rankConfigPaths(numbered)).toEqual(numbered.toReversed());
  });

  test('at the same distance a folder above wins over a folder beside', () => {
    expect(rankConfigPaths(['libs/b/graph.json', 'graph.json'], 'libs/a/x.py')).toEqual([
      'graph.json',
      'libs/b/graph.json',
    ]);
  });

  test('the active file comes before the others of its folder, each only once', () => {
    const sorted = rankConfigPaths(['a/graph.json', 'a/odd.json', 'a/graph.json'], 'a/odd.json');
    expect(sorted).toEqual(['a/odd.json', 'a/graph.json']);
  });

  test.each(['node_modules', '.venv', 'venv', '__pycache__', '.git', '.tox', '.mypy_cache'])(
    '%s is skipped',
    (folder) => {
      expect(
        rankConfigPaths([`${folder}/graph.json`, `a/${folder}/b/graph.json`, `a/my-${folder}/graph.json`]),
      ).toEqual([`a/my-${folder}/graph.json`]);
    },
  );

  test('does not depend on the order in which the files were found', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(paths, { minLength: 4 }), (shuffled) => {
        expect(rankConfigPaths(shuffled, 'apps/a/x.py')).toEqual(rankConfigPaths(paths, 'apps/a/x.py'));
      }),
    );
  });
});

describe('a path in a config file', () => {
  test.each([
    ['graph.json', './agent.py', 'agent.py'],
    ['graph.json', 'src//agent.py', 'src/agent.py'],
    ['apps/a/graph.json', './agent.py', 'apps/a/agent.py'],
    ['apps/a/graph.json', '../shared/agent.py', 'apps/shared/agent.py'],
    ['apps/a/graph.json', String.raw`.\src\agent.py`, 'apps/a/src/agent.py'],
    ['apps/a/graph.json', '../../agent.py', 'agent.py'],
    ['apps/a/graph.json', '../../../agent.py', undefined],
    ['graph.json', '../agent.py', undefined],
    ['graph.json', '/etc/passwd', undefined],
    ['graph.json', 'C:/agent.py', undefined],
    ['graph.json', '.', undefined],
    ['graph.json', '', undefined],
  ])('of %s, %j, is %j in the repository', (config, path, expected) => {
    expect(resolveFromConfig(config, path)).toBe(expected);
  });

  test('never resolves to anything outside the repository', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b', '/', '..\\..');
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (folders, parts) => {
        const resolved = resolveFromConfig([...folders, 'graph.json'].join('/'), parts.join('/'));
        return resolved === undefined || resolved.split('/').every((segment) => !['', '.', '..'].includes(segment));
      }),
    );
  });

  test('is none if it is endless or has control characters', () => {
    expect(resolveFromConfig('graph.json', `${'a/'.repeat(50_000)}x.py`)).toBeUndefined();
    expect(resolveFromConfig('graph.json', './a\u0000.py')).toBeUndefined();
  });
});
