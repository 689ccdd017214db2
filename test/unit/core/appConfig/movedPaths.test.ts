import { describe, expect, it } from 'vitest';
import { correctPaths, leadTo } from '../../../../src/core/appConfig/movedPaths.ts';

const json = `{ "dependencies": [".", "./lib"],
  "graphs": { "a": "./src/agent.py:graph", "b": { "path": "src/agent.py:other" }, "m": "src.agent:graph" },
  "env": ".env" }`;

/** The text after the corrections. */
function after(text: string, configPath: string, from: string, to: string): string {
  const corrections = correctPaths(text, configPath, [{ from, to }]).toReversed();
  return corrections.reduce((sum, { start, end, text: path }) => sum.slice(0, start) + path + sum.slice(end), text);
}

describe('the paths in a config file', () => {
  it('follow a graph file, written as before', () => {
    expect(after(json, 'langgraph.json', 'src/agent.py', 'src/chat.py')).toBe(
      json.replace('./src/agent.py', './src/chat.py').replace('"src/agent.py', '"src/chat.py'),
    );
  });

  it('follow a folder, the dotenv file and a dependency', () => {
    expect(after(json, 'langgraph.json', 'src', 'app/code')).toBe(json.replaceAll('src/agent.py', 'app/code/agent.py'));
    expect(after(json, 'langgraph.json', '.env', '.env.local')).toBe(json.replace('.env', '.env.local'));
    expect(after(json, 'langgraph.json', 'lib', 'packages/lib')).toBe(json.replace('./lib', './packages/lib'));
  });

  it('lead up where the config file is below', () => {
    const text = '{"graphs": {"a": "./agent.py:graph"}}';
    expect(after(text, 'apps/one/langgraph.json', 'apps/one/agent.py', 'shared/agent.py')).toBe(
      '{"graphs": {"a": "../../shared/agent.py:graph"}}',
    );
  });

  it('lead to the same files after the config file was moved', () => {
    const text = '{"graphs": {"a": "./src/agent.py:graph"}}';
    expect(after(text, 'apps/langgraph.json', 'langgraph.json', 'apps/langgraph.json')).toBe(
      '{"graphs": {"a": "../src/agent.py:graph"}}',
    );
  });

  it.each([
    ['a file that it does not name', 'langgraph.json', 'src/other.py', 'src/new.py'],
    ['a file whose name only begins alike', 'langgraph.json', 'src/agent.pyi', 'src/new.pyi'],
    ['a folder that it is in with all its files', 'new/langgraph.json', 'old', 'new'],
  ])('stay as they are for %s', (_what, configPath, from, to) => {
    expect(after(json, configPath, from, to)).toBe(json);
  });

  it('keep quotes, comments and escapes of the rest', () => {
    const yaml = "graphs:\n  a: ./src/agent.py:graph # why\n  'b': './src/agent.py:g'\n";
    expect(after(yaml, 'graph.yaml', 'src/agent.py', "src/it's.py")).toBe(
      "graphs:\n  a: ./src/it's.py:graph # why\n  'b': './src/it''s.py:g'\n",
    );
    expect(after(String.raw`{"graphs": {"a": ".\\src\\agent.py:g"}}`, 'graph.json', 'src/agent.py', 'b.py')).toBe(
      '{"graphs": {"a": "./b.py:g"}}',
    );
  });
});

it('a path that YAML would read as something else gets quotes', () => {
  const yaml = 'graphs:\n  a: ./src/agent.py:graph # why\n';
  expect(after(yaml, 'graph.yaml', 'src/agent.py', 'src/my agent #1.py')).toBe(
    'graphs:\n  a: "./src/my agent #1.py:graph" # why\n',
  );
});

it('a path is changed to another file, written as before', () => {
  const start = json.indexOf('"src/agent.py');
  const correction = leadTo(json, 'app/langgraph.json', { start, end: start + 21 }, 'app/lib/chat.py');
  expect(correction).toEqual({ start: start + 1, end: start + 13, text: 'lib/chat.py' });
  expect(leadTo(json, 'langgraph.json', { start: 0, end: 1 }, 'chat.py')).toBeUndefined();
});
