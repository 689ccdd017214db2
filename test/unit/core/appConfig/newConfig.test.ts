import { describe, expect, it } from 'vitest';
import { parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';
import {
  compiledGraphs,
  mayDefineGraphs,
  namesPackages,
  newConfigText,
} from '../../../../src/core/appConfig/newConfig.ts';

const python = `import re
from langgraph.graph import StateGraph

PATTERN = re.compile("a")
builder = StateGraph(dict)
graph = (
    builder
    .add_node("a", print)
    .compile(name="New Graph")
)
helper: object = create_react_agent("model", [])
def make(config):
    return builder.compile()
`;

describe('the graphs of a file', () => {
  it('are the names that hold compiled graphs', () => {
    expect(compiledGraphs(python, 'src/agent.py')).toEqual(['graph', 'helper']);
  });

  it('are else its functions that make one', () => {
    const text = 'from langgraph.graph import StateGraph\nasync def make(config):\n    return StateGraph().compile()\n';
    expect(compiledGraphs(`${text}def _inner():\n    return StateGraph().compile()\n`, 'a.py')).toEqual(['make']);
  });

  it('are exported in TypeScript', () => {
    const text = `import { StateGraph } from "@langchain/langgraph";
const inner = new StateGraph().compile();
export const graph = new StateGraph()
  .compile();
`;
    expect(compiledGraphs(text, 'src/agent.ts')).toEqual(['graph']);
    const make = 'import "@langchain/langgraph";\nexport async function make() {\n  return createReactAgent({});\n}\n';
    expect(compiledGraphs(make, 'src/agent.ts')).toEqual(['make']);
  });

  it.each(['', 'graph = other.compile()\n', 'import langgraph\nPATTERN = re.compile("a")\n'])(
    'are none in %j',
    (text) => {
      expect(compiledGraphs(text, 'a.py')).toEqual([]);
    },
  );

  it.each([
    ['src/agent.py', true],
    ['src/agent.mts', true],
    ['tests/agent.py', false],
    ['src/test_agent.py', false],
    ['src/agent.test.ts', false],
    ['src/agent.d.ts', false],
    ['dist/agent.js', false],
    ['notes.md', false],
    ['src/contest/agent.py', true],
  ])('are looked for in %s: %s', (path, expected) => {
    expect(mayDefineGraphs(path)).toBe(expected);
  });
});

describe('a new config file', () => {
  const written = (...parameters: Parameters<typeof newConfigText>): unknown => {
    const text = newConfigText(...parameters);
    expect(parseAppConfig(text, 'langgraph.json').kind).toBe('config');
    return JSON.parse(text);
  };

  it('names the graphs and the package that they are in', () => {
    const graphFiles = [
      { path: 'src/agent.py', names: ['graph', 'helper'] },
      { path: 'src/chat/graph.py', names: ['graph'] },
    ];
    expect(written(graphFiles, ['pyproject.toml', 'web/package.json'])).toEqual({
      dependencies: ['.'],
      graphs: { agent: './src/agent.py:graph', helper: './src/agent.py:helper', chat: './src/chat/graph.py:graph' },
    });
  });

  it('names the packages below the folder, and tells graphs of one name apart', () => {
    const graphFiles = ['backend/one/graph.py', 'backend/one/main.py', 'lib/x.py'].map((path) => ({
      path,
      names: ['graph'],
    }));
    expect(written(graphFiles, ['backend/pyproject.toml', 'backend/one/setup.py', 'backend/requirements.txt'])).toEqual(
      {
        dependencies: ['./backend/one', '.'],
        graphs: {
          one: './backend/one/graph.py:graph',
          'one-2': './backend/one/main.py:graph',
          x: './lib/x.py:graph',
        },
      },
    );
  });

  it('is for Node if all graphs are JavaScript', () => {
    expect(written([{ path: 'src/agent.ts', names: ['graph'] }], ['package.json'])).toEqual({
      node_version: '20',
      graphs: { agent: './src/agent.ts:graph' },
    });
  });

  it('has an example if no graph was found', () => {
    expect(written([], [])).toEqual({ dependencies: ['.'], graphs: { agent: './src/agent.py:graph' } });
    expect(written([], ['app/setup.py'])).toMatchObject({ dependencies: ['./app'] });
    expect(written([], ['package.json'])).toEqual({ node_version: '20', graphs: { agent: './src/agent.ts:graph' } });
  });

  it.each([
    ['pyproject.toml', true],
    ['app/package.json', true],
    ['app/mypackage.json', false],
  ])('counts %s as naming packages: %s', (path, expected) => {
    expect(namesPackages(path)).toBe(expected);
  });
});
