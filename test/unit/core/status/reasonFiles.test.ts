import { describe, expect, it } from 'vitest';
import { filesIn, lineIn } from '../../../../src/core/status/reasonFiles.ts';

describe('the files that a reason names', () => {
  it.each<[string, string[]]>([
    ["graph.json doesn't exist in main (commit 0123456).", ['graph.json']],
    ['src/agent/graph.py:12: SyntaxError', ['src/agent/graph.py:12']],
    ['"src\\agent.py" and "./b-c_d.test.toml"', ['src/agent.py', 'b-c_d.test.toml']],
    ['Add src/a.py for the graph "agent", or correct its path in src/a.py:3.', ['src/a.py']],
    ['The build ran out of memory. Try again, e.g. with v1.2.', ['e.g']],
    ['See https://example.com/docs/build.html', []],
    ['/etc/passwd.txt and ../secret.env and C:\\Users\\a.txt', []],
    ['', []],
  ])('in %j are %j', (reason, files) => {
    expect(filesIn(reason).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))).toEqual(files);
  });

  it('may be meant from the folder of the config file', () => {
    expect(filesIn('src/a.py fails', 'apps/one/graph.json').map(({ path }) => path)).toEqual([
      'src/a.py',
      'apps/one/src/a.py',
    ]);
  });

  it('are a few of many', () => {
    const reason = Array.from({ length: 50 }, (_, place) => `f${place}.py`).join(' ');
    expect(filesIn(reason)).toHaveLength(5);
  });
});

describe('the line of a config file that a reason is about', () => {
  const json = '{\n  "dependencies": ["."],\n  "graphs": {\n    "agent": "./src/agent.py:graph"\n  }\n}\n';
  const missing = 'Missing from the application: src/agent.py (graph "agent"). Add each file, or correct its path.';

  it.each<[string, string, string, number | undefined]>([
    ['that it gives', "graph.json can't be used: not valid JSON: expected a value (line 2, column 3).", json, 2],
    ['of the graph that it names', missing, json, 4],
    ['of the graph in YAML', missing, 'dependencies: [.]\ngraphs:\n  agent: ./src/agent.py:graph\n', 3],
    ['of a graph that the file has no longer', missing, '{}', undefined],
    ['of a graph whose name is only part of a key', missing, '"my-agent": 1\n"agents": 2', undefined],
    ['that nothing says', "graph.json doesn't exist in main (commit 0123456).", json, undefined],
  ])('is the one %s', (_, reason, config, line) => {
    expect(lineIn(reason, config)).toBe(line);
  });
});
