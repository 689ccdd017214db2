import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasGraphs, parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';

const sample = { dependencies: ['.'], graphs: { agent: './src/agent/graph.py:graph' }, env: '.env' };

function parsed(content: unknown, path = 'graph.json') {
  const config = parseAppConfig(JSON.stringify(content), path);
  if (config.kind === 'finding') {
    throw new Error(config.message);
  }
  return config;
}

function problem(text: string, path = 'graph.json') {
  const config = parseAppConfig(text, path);
  if (config.kind === 'config') {
    throw new Error('This config should not have been accepted.');
  }
  return config;
}

describe('a good config', () => {
  test('is read with its paths relative to the repository', () => {
    expect(parseAppConfig(JSON.stringify(sample), 'apps/a/graph.json')).toEqual({
      kind: 'config',
      path: 'apps/a/graph.json',
      graphs: [{ id: 'agent', file: 'apps/a/src/agent/graph.py', module: undefined, attribute: 'graph' }],
      localDependencies: ['.'],
      env: { kind: 'file', path: 'apps/a/.env', insideRepository: true },
      language: 'python',
      warnings: [],
    });
  });

  test('means the same in YAML, with comments, anchors and a byte order mark', () => {
    const yaml = [
      '\uFEFF# the agent',
      'dependencies: [.]',
      'graphs:',
      '  agent: &main ./src/agent/graph.py:graph',
      '  again: *main',
      'env: .env',
    ].join('\r\n');
    const twice = { ...sample, graphs: { ...sample.graphs, again: sample.graphs.agent } };
    expect(parseAppConfig(yaml, 'a/graph.yml')).toEqual({ ...parsed(twice, 'a/graph.json'), path: 'a/graph.yml' });
  });

  test('may describe its graphs', () => {
    const graphs = { a: { path: './a.py:make', description: 'Answers.' }, b: { path: './b.py:graph' } };
    expect(parsed({ ...sample, graphs }).graphs).toMatchObject([
      { id: 'a', file: 'a.py' },
      { id: 'b', file: 'b.py' },
    ]);
  });

  test.each([
    ['./src/agent.py:graph', 'app/src/agent.py', undefined],
    ['agent.py:graph', 'app/agent.py', undefined],
    ['src/agent:graph', 'app/src/agent', undefined],
    [' ./agent.py:graph ', 'app/agent.py', undefined],
    ['package.module:graph', undefined, 'package.module'],
    ['../../out.py:graph', undefined, undefined],
  ])('whose graph is %j names the file %s or the module %s', (graph, file, module) => {
    expect(parsed({ ...sample, graphs: { a: graph } }, 'app/graph.json').graphs).toMatchObject([{ file, module }]);
  });

  test.each<[unknown, readonly string[]]>([
    [
      ['.', './libs/a', '../shared', 'requests', 'git+https://code.example/a.git', 1],
      ['.', './libs/a', '../shared'],
    ],
    ['.', []],
  ])('with the dependencies %j has the folders %j', (dependencies, folders) => {
    expect(parsed({ ...sample, dependencies }).localDependencies).toEqual(folders);
  });

  test.each([
    [undefined, { kind: 'none' }],
    [null, { kind: 'none' }],
    ['', { kind: 'none' }],
    [{}, { kind: 'none' }],
    [
      { KEY: 'value', OTHER: 1 },
      { kind: 'inline', names: ['KEY', 'OTHER'] },
    ],
    [['KEY', 'OTHER=value', ' KEY ', ''], { kind: 'inline', names: ['KEY', 'OTHER'] }],
    [[], { kind: 'none' }],
    ['../.env', { kind: 'file', path: '../.env', insideRepository: false }],
    ['/etc/env', { kind: 'file', path: '/etc/env', insideRepository: false }],
  ])('with the env %j gives %j', (env, expected) => {
    expect(parsed({ ...sample, env }).env).toEqual(expected);
  });

  test.each([
    ['./a.py:g', {}, 'python'],
    ['./a.ts:g', {}, 'javascript'],
    ['./a.mjs:g', { dependencies: [] }, 'javascript'],
    ['a.b:g', {}, 'unknown'],
    ['a.b:g', { node_version: '22' }, 'javascript'],
    ['a.b:g', { python_version: '3.13' }, 'python'],
  ])('whose graph is %s with %j is in %s', (graph, more, language) => {
    expect(parsed({ ...sample, graphs: { a: graph }, ...more }).language).toBe(language);
  });

  test('with graphs in both languages is what its versions say', () => {
    const graphs = { a: './a.py:g', b: './b.ts:g' };
    expect(parsed({ ...sample, graphs, node_version: '22' }).language).toBe('javascript');
    expect(parsed({ ...sample, graphs }).language).toBe('python');
  });

  test.each([{ dependencies: ['.'] }, { source: { kind: 'uv' } }, { source: '.' }, { node_version: 22 }])(
    'says with %j what to install',
    (more) => {
      expect(parsed({ graphs: { a: 'a.b:g' }, ...more }).kind).toBe('config');
    },
  );
});

describe('a bad config is refused with the place', () => {
  test.each([
    [
      '{\n  "graphs": {,}\n}',
      'graph.json',
      'not valid JSON: expected a name in double quotes (line 2, column 14)',
      2,
      14,
    ],
    ['graphs:\n\ta: b', 'graph.yaml', 'YAML is indented with spaces, not with tabs (line 2, column 1)', 2, 1],
    ['a: 1\n b: 2', 'graph.yaml', 'not valid YAML', undefined, undefined],
    ['a: "x', 'graph.yaml', 'not valid YAML: a closing quote', 1, 6],
    ['a: *b', 'graph.yaml', 'This alias (*) has no anchor (&) before it (line 1, column 4)', 1, 4],
    ['a: 1\n---\nb: 2', 'graph.yaml', 'it holds more than one YAML document (line 2, column 1)', 2, 1],
    ['a: 1\nb: 2\na: 3', 'graph.yaml', 'The key "a" is used twice. Remove one (line 3, column 1)', 3, 1],
    ['? [a]\n: b', 'graph.yaml', 'a key must be plain text', 1, 3],
    ['[]', 'graph.json', 'an application config is an object with "graphs" in it (line 1, column 1)', 1, 1],
    ['', 'graph.yaml', 'an application config is an object with "graphs" in it', undefined, undefined],
    ['{"dependencies": ["."]}', 'graph.json', '"graphs" is missing', 1, 1],
    ['{\n"graphs": {}}', 'graph.json', '"graphs" must map at least one name', 2, 11],
    [
      '{"graphs": {\n "a": "./a.py"}}',
      'graph.json',
      'the graph "a" must be written as "./path/file.py:attribute" (line 2, column 7)',
      2,
      7,
    ],
    ['graphs:\n  a: ./a.py\n', 'graph.yaml', 'the graph "a" must be written', 2, 6],
    [
      '{"graphs": {"a": "./a.py:g"},\n "env": ["X", 1], "dependencies": ["."]}',
      'graph.json',
      '"env" must be the path of a dotenv file',
      2,
      9,
    ],
    [
      '{"graphs": {\n"__proto__": "./a.py:g"}}',
      'graph.json',
      'a graph can\'t be called "__proto__" (line 2, column 14)',
      2,
      14,
    ],
    ['{"graphs": {"constructor": "./a.py:g"}}', 'graph.json', 'a graph can\'t be called "constructor"', 1, 28],
    ['graphs:\n  __proto__: ./a.py:g\n', 'graph.yaml', 'The key "__proto__" isn\'t allowed', 2, 3],
    [
      '{"dependencies":["."],"graphs": {"a": "./a.py:g"}, "env": {"__proto__": "x"}}',
      'graph.json',
      'an environment variable can\'t be called "__proto__"',
      1,
      73,
    ],
  ])('%j as %s: %s', (text, path, words, line, column) => {
    const refused = problem(text, path);
    expect(refused.message).toContain(`${path} can't be used: ${words}`);
    expect(refused.message.endsWith('.')).toBe(true);
    if (line !== undefined) {
      expect([refused.line, refused.column]).toEqual([line, column]);
    }
  });

  test('when "graphs" is only inherited', () => {
    expect(problem('{"__proto__": {"graphs": {"a": "./a.py:g"}}, "dependencies": ["."]}').message).toContain(
      '"graphs" is missing',
    );
  });

  test('when it is larger than 256 kB, also when few characters make many bytes', () => {
    const full = (fill: string, count: number) => JSON.stringify({ ...sample, note: fill.repeat(count) });
    expect(problem(full('x', 256 * 1024)).message).toBe(
      'graph.json is larger than 256 kB, too large for an application config.',
    );
    expect(problem(full('é', 140_000)).message).toContain('larger than 256 kB');
    expect(parseAppConfig(full('x', 250_000), 'graph.json').kind).toBe('config');
  });

  test('when its aliases grow beyond measure', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x, x, x, x]'
        : `a${level}: &a${level} [${Array(9)
            .fill(`*a${level - 1}`)
            .join(', ')}]`,
    );
    expect(problem(levels.join('\n'), 'graph.yaml').message).toContain('The aliases in this text repeat too much');
  });

  test.each(['[', '{a: ', '- ', '? '])('when %j repeats until the nesting is too deep', (piece) => {
    expect(problem(piece.repeat(60_000), 'graph.yaml').message).toContain('it is nested too deeply');
  });

  test('when JSON is nested so deeply that no place can be given', () => {
    const depth = 50_000;
    expect(problem(`${'{"a":'.repeat(depth / 10)}1${'}'.repeat(depth / 10)}`).message).toContain('"graphs" is missing');
    expect(problem(`${'['.repeat(depth)}${']'.repeat(depth)}`).message).toContain('an application config is an object');
  });
});

describe('whatever the text', () => {
  test('nothing is thrown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('graph.json', 'graph.yaml'), (text, path) => {
        expect(['config', 'finding']).toContain(parseAppConfig(text, path).kind);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('graph.json', 'graph.yaml'), (content, path) => {
        expect(['config', 'finding']).toContain(
          parseAppConfig(JSON.stringify({ ...sample, graphs: content }), path).kind,
        );
      }),
    );
  });

  test('a problem never quotes a value, because it may be a secret', () => {
    const canary = 'canary-5f1e';
    const damaged = [
      `{"env": {"KEY": "${canary}" "graphs": {}}`,
      `{"env": {"KEY": ${canary}}}`,
      `{"env": {"KEY": "${canary}`,
      `{"env": "${canary}\\x"}`,
      `{"env": ["KEY=${canary}", 1], "graphs": {"a": "./a.py:g"}, "dependencies": ["."]}`,
      `{"graphs": {"a": "${canary}"}}`,
    ];
    const yaml = [
      `env:\n  KEY: ${canary}: ${canary}`,
      `env:\n  KEY: "${canary}`,
      `env:\n  KEY: "${canary}" ${canary}`,
      `env:\n  KEY: *${canary}`,
      `env:\n  KEY: !${canary} x\n  - ${canary}`,
      `env: {KEY: ${canary}`,
      `env:\n\t- ${canary}`,
      `env: @${canary}`,
      `%${canary}\n---\na: 1`,
    ];
    for (const text of damaged) expect(JSON.stringify(problem(text)), text).not.toContain(canary);
    for (const text of yaml) expect(JSON.stringify(problem(text, 'graph.yaml')), text).not.toContain(canary);
  });
});

describe('a file with any name is a config file', () => {
  test.each([
    ['with a map of graphs', 'agent.json', '{ "graphs": { "a": "./a.py:g" } }', true],
    ['with a map in YAML', 'agent.yaml', 'graphs:\n  a: ./a.py:g\n', true],
    ['although the rest is wrong', 'agent.json', '{ "graphs": {}, "env": 1 }', true],
    ['not without graphs', 'package.json', '{ "dependencies": { "graphs": "1" } }', false],
    ['not with a list of graphs', 'chart.json', '{ "graphs": ["a"] }', false],
    ['not as another language', 'graphs.py', 'graphs = {"a": 1}', false],
    ['not if it cannot be read', 'agent.json', '{ "graphs": {', false],
    ['not if it is too large', 'agent.json', `{ "graphs": { "a": "${'x'.repeat(300 * 1024)}" } }`, false],
  ])('%s', (_, path, text, expected) => {
    expect(hasGraphs(text, path)).toBe(expected);
  });
});
