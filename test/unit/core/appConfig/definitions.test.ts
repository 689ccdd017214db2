import { describe, expect, it } from 'vitest';
import { mayDefine } from '../../../../src/core/appConfig/definitions.ts';

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
  ])('with %j', (code) => {
    expect(mayDefine(code, 'graph', 'agent.py')).toBe(true);
  });

  it.each([
    '',
    '# graph = build()',
    'graphs = build()',
    'print(graph)',
    'graph == 1',
    'def make():\n    graph = build()\n    return graph',
    'def make(\n    a,\n) -> Graph:\n    graph = build()',
    'class Agent:\n    graph = 1\n',
    'async def make():\n    if True:\n        graph = 1',
    'graph.invoke(a=1)',
  ])('not with %j', (code) => {
    expect(mayDefine(code, 'graph', 'agent.py')).toBe(false);
  });
});

describe('JavaScript and TypeScript code exports a graph', () => {
  it.each([
    'export const graph = build();',
    'export let graph;',
    'export async function graph() {}',
    'export function* graph() {}',
    'export class graph {}',
    'const graph = 1;\nexport { builder, graph };',
    'export { agent as graph } from "./agent";',
    'export const { builder, graph } = both();',
    'export const a = 1, graph = 2;',
    'export * from "./agent";',
    'module.exports = { graph };',
    'exports.graph = 1;',
  ])('with %j', (code) => {
    expect(mayDefine(code, 'graph', 'agent.ts')).toBe(true);
  });

  it.each(['', 'const graph = 1;', 'export const graphs = 1;', 'export default 1;', 'export { graphs };'])(
    'not with %j',
    (code) => {
      expect(mayDefine(code, 'graph', 'agent.mjs')).toBe(false);
    },
  );

  it('as the default', () => {
    expect(mayDefine('export default build();', 'default', 'a.ts')).toBe(true);
    expect(mayDefine('export { graph as default };', 'default', 'a.ts')).toBe(true);
    expect(mayDefine('export const graph = 1;', 'default', 'a.ts')).toBe(false);
  });
});

it('nothing is known of another language or of what is no name', () => {
  expect(mayDefine('', 'graph', 'agent.rb')).toBe(true);
  expect(mayDefine('', 'module.graph', 'agent.py')).toBe(true);
});
