import { expect, it } from 'vitest';
import type { AppConfig } from '../../../../src/core/appConfig/config.ts';
import { parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';
import { readCode, repositoryProblems } from '../../../../src/core/appConfig/repositoryProblems.ts';
import type { RepositoryFacts } from '../../../../src/core/appConfig/repositoryProblems.ts';

const files = new Map([
  ['app/a.py', 'graph = 1'],
  ['app/ignored.py', 'graph = 1'],
]);

const facts: RepositoryFacts = {
  isAbsent: (path) => !files.has(path),
  isRepository: true,
  ignored: new Set(['app/ignored.py']),
  unshared: undefined,
  code: files,
  variables: ['MINE', 'PATH', 'PORT'],
  reservedNames: ['PATH', 'PORT', 'OTHER'],
};

it('names what the files of a config lack, each at its graph', () => {
  const graphs = {
    good: './a.py:graph',
    attribute: './a.py:other',
    ignored: './ignored.py:graph',
    missing: { path: './b.py:graph' },
    outside: '../../c.py:graph',
    module: 'package.module:graph',
    built: './dist/agent.js:graph',
  };
  const config = read({ dependencies: ['.'], graphs, env: '.env' });
  expect(problems(config)).toEqual([
    "error graphs.missing.path: the file app/b.py doesn't exist; create it, or correct its path",
    'error graphs.outside.path: this file is outside the repository; correct its path',
    'warning graphs.module.path: no folder of "dependencies" has the module package.module; an installed package must provide it',
    "warning graphs.built.path: the file app/dist/agent.js doesn't exist; the application's own build must make it",
    'warning graphs.attribute.path: the file app/a.py doesn\'t define "other" at its top level',
    "warning graphs.ignored.path: git ignores app/ignored.py, so a push doesn't include it; change the rule that ignores it",
    "warning env: the platform sets PATH, PORT itself, so they can't be secrets; remove them here",
  ]);
  expect(repositoryProblems(config, facts).flatMap(({ missing }) => missing?.file ?? [])).toEqual(['app/b.py']);
});

it('says what a deployment does not have of the config itself', () => {
  const config = read({ dependencies: ['.'], graphs: { a: './a.py:graph' } });
  expect(problems(config)).toEqual([]);
  expect(problems(config, { unshared: 'uncommitted' })).toEqual([
    "info graphs: this file isn't committed as it is here; a deployment builds what is pushed",
  ]);
  expect(problems(config, { unshared: 'unpushed' })).toEqual([
    "info graphs: this file isn't pushed as it is committed; a deployment builds what is pushed",
  ]);
  expect(problems(config, { ignored: new Set(['app/langgraph.json']) })).toEqual([
    "warning graphs: git ignores app/langgraph.json, so a push doesn't include it; change the rule that ignores it",
  ]);
});

it('says nothing of what is outside a folder that may be in a repository', () => {
  const config = read({ dependencies: ['.'], graphs: { outside: '../../c.py:graph' } });
  expect(problems(config)).toEqual([
    'error graphs.outside.path: this file is outside the repository; correct its path',
  ]);
  expect(problems(config, { isRepository: false })).toEqual([]);
});

it('names what JavaScript does not export, one reserved name, and at most 100 problems', () => {
  const code = new Map([['app/a.ts', 'const graph = 1;']]);
  const config = read({ dependencies: ['.'], graphs: { a: './a.ts:graph' }, env: '.env' });
  expect(problems(config, { isAbsent: () => false, code, variables: ['PORT'] })).toEqual([
    'warning graphs.a.path: the file app/a.ts doesn\'t export "graph"',
    "warning env: the platform sets PORT itself, so it can't be a secret; remove it here",
  ]);
  const graphs = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`g${index}`, `./${index}.py:graph`]));
  expect(problems(read({ dependencies: ['.'], graphs }))).toHaveLength(100);
});

it('reads code for as many graphs as are searched in a moment, and says nothing of the others', async () => {
  const graphsIn = (file: string, count: number): [string, string][] =>
    Array.from({ length: count }, (_, index) => [`${file}${index}`, `./${file}.py:graph${index}`]);
  const graphs = Object.fromEntries([...graphsIn('many', 2001), ...graphsIn('few', 2), ...graphsIn('large', 1)]);
  const config = read({ dependencies: ['.'], graphs });
  const texts: Record<string, string> = { 'app/many.py': '\n'.repeat(1000), 'app/few.py': 'graph0 = 1' };
  const code = await readCode(config.graphs, async (path) => texts[path]);
  expect([...code.keys()]).toEqual(['app/few.py']);
  expect(problems(config, { isAbsent: () => false, code })).toEqual([
    'warning graphs.few1.path: the file app/few.py doesn\'t define "graph1" at its top level',
  ]);
});

function read(content: object): AppConfig {
  const config = parseAppConfig(JSON.stringify(content), 'app/langgraph.json');
  if (config.kind === 'finding') throw new Error(config.message);
  return config;
}

function problems(config: AppConfig, more: Partial<RepositoryFacts> = {}): readonly string[] {
  const found = repositoryProblems(config, { ...facts, ...more });
  return found.map(({ severity, path, words }) => `${severity} ${path.join('.')}: ${words}`);
}
