import { describe, expect, it } from 'vitest';
import { findDefinition } from '../../../../src/core/appConfig/definitions.ts';

describe('Python code defines a graph', () => {
  it.each([
    'graph = build()',
    'graph: Pregel = build()',
    'builder, graph = both()',
    'graph, builder = both()',
    'other = graph = build()',
    'def graph():\n    pass',
    'async def graph(config):\n    pass',
    '@entrypoint()\nclass graph:\n    pass',
    'from .agent import graph',
    'from .agent import (\n    builder,\n    graph,\n)',
    'from .agent import agent as graph  # ours',
    'import graph',
    'if True:\n    graph = build()',
    'try:\n    graph = build()\nexcept Error:\n    pass',
    'with open() as graph:\n    pass',
    'from .agent import *',
    'def __getattr__(name):\n    return 1',
    'def make():\n    global graph\n    graph = 1',
    'def make(\n    a,\n):\n    x = 1\n\ngraph = make()',
    'with Saver.connect(\n    url,\n) as saver:\n    graph = builder.compile(saver)',
    'if all([\n    A,\n]):\n    graph = build()',
    'for i in [\n    1,\n]:\n    graph = build()',
    'from .graphs import (\n    builder, graph\n)',
    '(graph, other) = both()',
    'if os.getenv("A"): graph = build()',
    'if True and (graph := build()):\n    pass',
    'graph: Annotated[Any, Field(x)] = build()',
  ])('with %j', (code) => {
    expect(findDefinition(code, 'graph', 'agent.py')).toBeDefined();
  });

  it.each([
    '',
    '# graph = build()',
    'graphs = build()',
    'print(graph)',
    'graph == 1',
    'print(graph, end=1)',
    'agent = create(\n    graph=1,\n)',
    'def make():\n    graph = build()\n    return graph',
    'def make(\n    a,\n) -> Graph:\n    graph = build()',
    'class Agent:\n    graph = 1\n',
    'async def make():\n    if True:\n        graph = 1',
    'graph.invoke(a=1)',
    'from .graphs import (\n    graph as other,\n)',
    'build(\n    graph,\n)\nother = 1',
  ])('not with %j', (code) => {
    expect(findDefinition(code, 'graph', 'agent.py')).toBeUndefined();
  });
});

describe('JavaScript and TypeScript code exports a graph', () => {
  it.each([
    'export const graph = build();',
    'export let graph;',
    'export async function graph() {}',
    'export function* graph() {}',
    'export function *graph() {}',
    'export = graph;',
    'export const a = f(";"), graph = 2;',
    'Object.assign(exports, { graph });',
    'export class graph {}',
    'const graph = 1;\nexport { builder, graph };',
    'export { agent as graph } from "./agent";',
    'export const { builder, graph } = both();',
    'export const a = 1, graph = 2;',
    'export * from "./agent";',
    'module.exports = { graph };',
    'exports.graph = 1;',
  ])('with %j', (code) => {
    expect(findDefinition(code, 'graph', 'agent.ts')).toBeDefined();
  });

  it.each(['', '\nconst graph = 1;', 'export const graphs = 1;', 'export default 1;', 'export { graphs };'])(
    'not with %j',
    (code) => {
      expect(findDefinition(code, 'graph', 'agent.mjs')).toBeUndefined();
    },
  );

  it('as the default', () => {
    expect(findDefinition('\nexport default build();', 'default', 'a.ts')).toBe(2);
    expect(findDefinition('export { graph as default };', 'default', 'a.ts')).toBe(1);
    expect(findDefinition('export const graph = 1;', 'default', 'a.ts')).toBeUndefined();
  });
});

it('nothing is known of another language or of what is no name', () => {
  expect(findDefinition('', 'graph', 'agent.rb')).toBe('unknown');
  expect(findDefinition('', 'module.graph', 'agent.py')).toBe('unknown');
});

const python = `from langgraph.graph import StateGraph, END as end
from .tools import (
    search,
    other as renamed,
)

def helper():
    graph = None

class State(dict):
    pass

builder: StateGraph = StateGraph(State)
builder.graph = 1
graph = (
    builder
    .compile()
)
first, second = 1, 2
async def make(config):
    return graph
if graph == 1:
    late = 2
`;

const typescript = `import { StateGraph, END as end } from "@langchain/langgraph";
const builder = new StateGraph();

export const graph = builder
  .addNode("a")
  .compile();
export async function make() {
  const inner = 1;
}
export default class Agent {}
export { builder as built };
exports.old = graph;
export function* steps$() {}
`;

describe('the line of a definition', () => {
  it.each([
    ['graph', 15],
    ['builder', 13],
    ['State', 10],
    ['helper', 7],
    ['make', 20],
    ['first', 19],
    ['second', 19],
    ['StateGraph', 1],
    ['end', 1],
    ['search', 3],
    ['renamed', 4],
    ['late', 23],
    ['other', undefined],
    ['END', undefined],
    ['config', undefined],
    ['grap', undefined],
  ])('in Python: %s', (name, line) => {
    expect(findDefinition(python, name, 'a.py')).toBe(line);
    expect(findDefinition(python.replaceAll('\n', '\r\n'), name, 'a.py')).toBe(line);
  });

  it.each([
    ['graph', 4],
    ['make', 7],
    ['default', 10],
    ['built', 11],
    ['old', 12],
    ['steps$', 13],
  ])('in TypeScript: %s', (name, line) => {
    expect(findDefinition(typescript, name, 'a.ts')).toBe(line);
  });
});
