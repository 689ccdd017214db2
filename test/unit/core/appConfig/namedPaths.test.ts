import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, namedPaths } from '../../../../src/core/appConfig/namedPaths.ts';

const publicApplications: readonly { config: string; content: { graphs: object } }[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../fixtures/publicApplications.json'), 'utf8'),
);

const json = `{
  "dependencies": [".", "./lib", "langchain_openai"],
  "graphs": {
    "agent": "./src/agent.py:graph",
    "chat": { "path": "chat.graph:make", "description": "./no/path.py:x" },
    "broken": "./src/agent.py"
  },
  "env": ".env"
}
`;

/** Each path as it stands in the text, and what it means. */
function found(text: string): readonly (readonly (string | undefined)[])[] {
  return namedPaths(text).map(({ kind, path, attribute, start, end }) => [
    kind,
    text.slice(start, end),
    path,
    attribute,
  ]);
}

describe('the paths in a config file', () => {
  it('are its graphs, its dotenv file and its local dependencies, with their places', () => {
    expect(found(json)).toEqual([
      ['graph', './src/agent.py:graph', './src/agent.py', 'graph'],
      ['module', 'chat.graph:make', 'chat.graph', 'make'],
      ['environment', '.env', '.env', undefined],
      ['dependency', '.', '.', undefined],
      ['dependency', './lib', './lib', undefined],
    ]);
  });

  it('are found in YAML, with and without quotes', () => {
    const yaml = "dependencies:\n  - .\ngraphs:\n  a: ./a.py:g # why\n  'b': './b.ts:h'\n  c: |\n    ./c.py:g\n";
    expect(found(yaml)).toEqual([
      ['graph', './a.py:g', './a.py', 'g'],
      ['graph', './b.ts:h', './b.ts', 'h'],
      ['dependency', '.', '.', undefined],
    ]);
  });

  it('include the graphs of public applications', () => {
    for (const { config, content } of publicApplications) {
      const kinds = namedPaths(JSON.stringify(content, undefined, 2)).map(({ kind }) => kind);
      const graphs = kinds.filter((kind) => kind === 'graph' || kind === 'module');
      expect(graphs.length, config).toBe(Object.keys(content.graphs).length);
    }
  });

  it('are found while the text is being edited', () => {
    expect(found('{"graphs": {"a": "./a.py:g", "b": }')).toEqual([['graph', './a.py:g', './a.py', 'g']]);
  });

  it.each(['', '[]', '"graphs"', '{"graphs": [1], "env": {"A": "b"}, "dependencies": "."}'])(
    'are none in %j',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );
});

describe('the files that a path may mean', () => {
  const all = namedPaths(json);
  const files = all.map((named) => filesOf(named, all, 'apps/one/langgraph.json'));

  it('count from the folder of the config file', () => {
    expect(files[0]).toEqual(['apps/one/src/agent.py']);
    expect(files[2]).toEqual(['apps/one/.env']);
  });

  it('of a module are in the folders of the dependencies', () => {
    expect(files[1]).toContain('apps/one/chat/graph.py');
    expect(files[1]).toContain('apps/one/chat/graph/__init__.py');
    expect(files[1]).toContain('apps/one/lib/src/chat/graph.py');
  });

  it('of a module are in no more folders than a build looks in', () => {
    const dependencies = Array.from({ length: 400 }, (_, index) => `./lib${index}`);
    const many = namedPaths(JSON.stringify({ dependencies, graphs: { a: 'chat.graph:make' } }));
    const [module] = many;
    const found = (module && filesOf(module, many, 'langgraph.json')) ?? [];
    expect(found).toContain('lib49/chat/graph.py');
    expect(found).not.toContain('lib50/chat/graph.py');
  });

  it('of a dependency tell what it needs', () => {
    expect(files[4]).toEqual(
      ['pyproject.toml', 'setup.py', 'requirements.txt', 'package.json'].map((name) => `apps/one/lib/${name}`),
    );
  });

  it.each(['../agent.py', '/agent.py', 'C:\\\\agent.py'])('are none outside the repository, as for %s', (path) => {
    const [outside] = namedPaths(`{"graphs": {"a": "${path}:graph"}}`);
    expect(outside && filesOf(outside, [outside], 'langgraph.json')).toEqual([]);
  });
});
