import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import {
  chosenOf,
  groupByRepository,
  mainOf,
  ownOf,
  withChoice,
  type OpenRepository,
  type OwnDeployment,
} from '../../../../src/core/git/workspaceDeployment.ts';

const url = 'https://code.example/acme/app';

/** The ids of the own ones among deployments of a repository that has `graph.json`. */
function ownIds(deployments: readonly Deployment[], ref?: string): readonly string[] {
  const repository: OpenRepository = { root: '/r', ref, configFiles: new Set(['graph.json']), deployments };
  return ownOf(repository).map(({ id }) => id);
}

function builtFrom(id: string, repositoryUrl: string): Deployment {
  return { id, name: id, source_config: { repo_url: repositoryUrl } };
}

function own(id: string, folder = '/r', isChosen = false): OwnDeployment {
  return { id, folder, isChosen };
}

function deployed(id: string, config: object = {}): Deployment {
  return { id, name: id, source_revision_config: { graph_config_path: 'graph.json', repo_ref: 'main', ...config } };
}

describe('the deployments of an open repository', () => {
  it.for([
    [
      'the config file before the branch',
      [deployed('a', { graph_config_path: 'gone.json' }), deployed('b', { repo_ref: 'old' })],
      ['b'],
    ],
    ['the branch among those of one config file', [deployed('a', { repo_ref: 'release' }), deployed('b')], ['b']],
    [
      'a branch by its full name',
      [deployed('a', { repo_ref: 'release' }), deployed('b', { repo_ref: 'refs/heads/main' })],
      ['b'],
    ],
    ['no tag of the name of the branch', [deployed('a', { repo_ref: 'refs/tags/main' }), deployed('b')], ['b']],
    [
      'all of another branch where none is of this one',
      [deployed('a', { repo_ref: 'x' }), deployed('b', { repo_ref: 'y' })],
      ['a', 'b'],
    ],
    [
      'what has no known config file or ref',
      [deployed('a', { graph_config_path: undefined, repo_ref: undefined })],
      ['a'],
    ],
    ['several that cannot be told apart', [deployed('a'), deployed('b')], ['a', 'b']],
  ] as const)('are %s', ([, deployments, ids]) => {
    expect(ownIds(deployments, 'main')).toEqual(ids);
  });

  it('are those of any branch while HEAD is detached', () => {
    expect(ownIds([deployed('a', { repo_ref: undefined }), deployed('b')])).toEqual(['a', 'b']);
  });

  it('are narrowed down to the one that the person chose, as long as it is among them', () => {
    expect(chosenOf(['a', 'b'], ['other', 'b'])).toEqual(['b']);
    expect(chosenOf(['a', 'b'], ['gone'])).toEqual(['a', 'b']);
  });

  it.for([
    ['the only one', [own('a')], undefined, 'a'],
    ['the chosen one, whatever file is open', [own('a', '/r/a'), own('b', '/r/b', true)], '/r/a/x.py', 'b'],
    ['the one whose folder has the active file', [own('a', '/r/a'), own('b', '/r/b')], '/r/b/src/x.py', 'b'],
    ['the innermost one', [own('a', '/r'), own('b', '/r/b')], '/r/b/x.py', 'b'],
    ['the outer one for a file that no inner one has', [own('a', '/r'), own('b', '/r/b')], '/r/bc/x.py', 'a'],
    ['none if no file is open', [own('a', '/r/a'), own('b', '/r/b')], undefined, undefined],
    ['none of a folder with several', [own('a', '/r/a'), own('b', '/r/a')], '/r/a/x.py', undefined],
    ['none for a file outside', [own('a', '/r/a'), own('b', '/r/b')], '/r/x.py', undefined],
    ['none without any', [], '/r/x.py', undefined],
  ] as const)('have as the main one %s', ([, deployments, file, main]) => {
    expect(mainOf(deployments, file, 'linux')).toBe(main);
  });

  it('have a main one however the system writes its folder', () => {
    const deployments = [own('a', '/c:/Shop/a'), own('b', '/c:/Shop/b')];
    expect(mainOf(deployments, '/C:/shop/B/x.py', 'win32')).toBe('b');
    expect(mainOf(deployments, '/C:/shop/B/x.py', 'linux')).toBeUndefined();
  });

  it('are chosen for each repository of the workspace', () => {
    expect(withChoice(['a', 'x'], 'b', ['a', 'b'])).toEqual(['b', 'x']);
    expect(withChoice([], 'a', ['a', 'b'])).toEqual(['a']);
  });

  it('are built from any of its remotes, however it is reached, and belong to the first of its clones', () => {
    const clone = { remoteUrls: ['https://fork.example/me/app', url] };
    const another = { remoteUrls: [url, 'https://code.example/acme/tools', ''] };
    const deployments = [
      builtFrom('a', 'git@code.example:Acme/App.git'),
      builtFrom('t', 'https://code.example/acme/tools'),
      builtFrom('b', url),
      builtFrom('x', 'https://code.example/acme/other'),
      builtFrom('y', ''),
      { id: 'image', name: 'image' },
    ];
    const groups = [...groupByRepository([clone, another], deployments)];
    expect(groups.map(([repository, built]) => [repository, built.map(({ id }) => id)])).toEqual([
      [clone, ['a', 'b']],
      [another, ['t']],
    ]);
  });

  it('belong to the clone of their server, of which a host may have several', () => {
    const [one, other] = [8001, 8002].map((port) => ({ remoteUrls: [`http://git.example:${port}/acme/app`] }));
    const deployments = [
      builtFrom('b', 'http://git.example:8002/acme/app'),
      builtFrom('x', 'http://git.example:8003/acme/app'),
    ];
    const groups = [...groupByRepository([one!, other!], deployments)];
    expect(groups.map(([repository, built]) => [repository, built.map(({ id }) => id)])).toEqual([[other, ['b']]]);
  });
});
