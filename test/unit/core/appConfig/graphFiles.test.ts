import { describe, expect, it } from 'vitest';
import { parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';
import type { AppConfig } from '../../../../src/core/appConfig/config.ts';
import { absentGraphs, graphPaths } from '../../../../src/core/appConfig/graphFiles.ts';

function configWith(graphs: Record<string, string>, dependencies: readonly string[] = ['.'], path = 'graph.json') {
  const config = parseAppConfig(JSON.stringify({ graphs, dependencies, python_version: '3.13' }), path);
  if (config.kind === 'finding') throw new Error(config.message);
  return config;
}

/** The ids of the graphs that a repository with these files lacks. */
function absentIn(config: AppConfig, files: readonly string[]): { missing: string[]; doubtful: string[] } {
  const { missing, doubtful } = absentGraphs(config, (path, kind) =>
    kind === 'file' ? !files.includes(path) : !files.some((file) => file.startsWith(`${path}/`)),
  );
  return { missing: missing.map(({ id }) => id), doubtful: doubtful.map(({ id }) => id) };
}

describe('the file of a graph', () => {
  const config = configWith({ a: './src/a.py:g', b: './b.ts:g', again: './b.ts:other' });

  it('is looked up once', () => {
    expect(graphPaths(config)).toEqual(['src/a.py', 'b.ts']);
  });

  it('is absent for every graph that names it', () => {
    expect(absentIn(config, ['src/a.py', 'b.ts'])).toEqual({ missing: [], doubtful: [] });
    expect(absentIn(config, ['src/a.py'])).toEqual({ missing: ['b', 'again'], doubtful: [] });
    expect(absentIn(config, [])).toEqual({ missing: ['a', 'b', 'again'], doubtful: [] });
  });

  it("isn't a folder of that name", () => {
    expect(absentIn(config, ['src/a.py/x.txt', 'b.ts'])).toEqual({ missing: ['a'], doubtful: [] });
  });

  it.each([
    ['dist/agent.js', 'doubtful'],
    ['apps/a/build/src/agent.mjs', 'doubtful'],
    ['out/agent.cjs', 'doubtful'],
    ['src/agent.js', 'missing'],
    ['dist/agent.ts', 'missing'],
    ['build/agent.py', 'missing'],
    ['redist/agent.js', 'missing'],
  ])('is %s, which is %s if the repository lacks it', (file, group) => {
    const absent = absentIn(configWith({ a: `./${file}:g` }), []);
    expect(absent).toEqual({ missing: [], doubtful: [], [group]: ['a'] });
  });

  it('is always absent outside the repository', () => {
    expect(absentIn(configWith({ out: '../a.py:g' }), ['a.py'])).toEqual({ missing: ['out'], doubtful: [] });
  });
});

describe('the module of a graph', () => {
  it.each<[string, string, readonly string[], string]>([
    ['as a file', 'agent.graph', ['.'], 'agent/graph.py'],
    ['as a package', 'agent.graph', ['.'], 'agent/graph/__init__.py'],
    ['as a folder without __init__.py', 'agent.graph', ['.'], 'agent/graph/nodes.py'],
    ['without a folder', 'agent', ['.'], 'agent.py'],
    ['in src', 'agent.graph', ['.'], 'src/agent/graph.py'],
    ['with src in its name', 'src.agent', ['.'], 'src/agent.py'],
    ['below a dependency', 'agent.graph', ['./libs/a', './libs/b'], 'libs/b/agent/graph.py'],
    ['in src of a dependency', 'agent.graph', ['./libs/a'], 'libs/a/src/agent/graph.py'],
    ['in a dependency that is the package', 'agent.graph', ['./libs/agent'], 'libs/agent/graph.py'],
    ['below the config file although only packages are installed', 'agent.graph', ['langgraph'], 'agent/graph.py'],
  ])('is found %s', (_, module, dependencies, file) => {
    expect(absentIn(configWith({ a: `${module}:g` }, dependencies), [file])).toEqual({ missing: [], doubtful: [] });
    const below = configWith({ a: `${module}:g` }, dependencies, 'apps/x/graph.json');
    expect(absentIn(below, [`apps/x/${file}`])).toEqual({ missing: [], doubtful: [] });
    expect(absentIn(below, [`elsewhere/${file}`])).toEqual({ missing: [], doubtful: ['a'] });
  });

  it.each(['agent/graph.ts', 'agent/graph', 'agent.py', 'graph.py', 'lib/agent/graph.py'])(
    "isn't the file %s",
    (file) => {
      expect(absentIn(configWith({ a: 'agent.graph:g' }), [file])).toEqual({ missing: [], doubtful: ['a'] });
    },
  );

  it('is found beside the folder of the config file if that is a dependency', () => {
    const config = configWith({ a: 'shared.graph:g' }, ['../shared'], 'apps/x/graph.json');
    expect(absentIn(config, ['apps/shared/graph.py'])).toEqual({ missing: [], doubtful: [] });
  });

  it('is never looked for outside the repository', () => {
    expect(graphPaths(configWith({ a: 'agent:g' }, ['../..']))).toEqual([
      'agent.py',
      'agent',
      'src/agent.py',
      'src/agent',
    ]);
  });
});

it('bounds the places of modules, however many graphs and dependencies a config has', () => {
  const count = 2000;
  const graphs = Object.fromEntries(Array.from({ length: count }, (_, index) => [`g${index}`, `app.m${index}:g`]));
  const dependencies = Array.from({ length: count }, (_, index) => `./d${index}`);
  const config = configWith(graphs, dependencies);
  expect(graphPaths(config).length).toBeLessThan(40_000);
  expect(absentIn(config, []).doubtful).toHaveLength(count);
});
