import { describe, expect, it } from 'vitest';
import { compiledGraphs, mayDefineGraphs, similarFiles } from '../../../../src/core/appConfig/sourceFiles.ts';

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

  it('are named once, also if a name is given twice', () => {
    const text = 'import langgraph\ngraph = builder.compile()\ngraph = builder.compile(checkpointer=memory)\n';
    expect(compiledGraphs(text, 'a.py')).toEqual(['graph']);
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
    ['src/agent.TSX', true],
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

describe('the files that a missing one may be', () => {
  const files = ['src/__init__.py', 'src/agents.py', 'src/tools.py', 'lib/agent.py', 'src/agent.ts', 'tests/agent.py'];

  it('have its language, the same name or a similar path, and are at most three', () => {
    expect(similarFiles('src/agent.py', files)).toEqual(['lib/agent.py', 'src/agents.py', 'src/tools.py']);
    expect(similarFiles('src/agent.js', files)).toEqual(['src/agent.ts']);
    expect(similarFiles('src/agent.tsx', ['src/agents.tsx', ...files])).toEqual(['src/agents.tsx', 'src/agent.ts']);
    expect(similarFiles('src/agent', files)[0]).toBe('src/agent.ts');
    expect(similarFiles('src/agent.py', [])).toEqual([]);
  });
});
