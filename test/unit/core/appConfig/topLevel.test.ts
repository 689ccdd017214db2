import { describe, expect, it } from 'vitest';
import { definitionLine } from '../../../../src/core/appConfig/topLevel.ts';

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
function* steps$() {}
`;

describe('the line of a top-level name', () => {
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
    ['search', 2],
    ['renamed', 2],
    ['other', undefined],
    ['END', undefined],
    ['config', undefined],
    ['late', undefined],
    ['grap', undefined],
  ])('of Python: %s', (name, line) => {
    expect(definitionLine(python, name)).toBe(line);
    expect(definitionLine(python.replaceAll('\n', '\r\n'), name)).toBe(line);
  });

  it.each([
    ['graph', 4],
    ['make', 7],
    ['Agent', 10],
    ['default', 10],
    ['built', 11],
    ['builder', 2],
    ['old', 12],
    ['steps$', 13],
    ['inner', undefined],
    ['addNode', undefined],
    ['a.b', undefined],
    ['', undefined],
  ])('of TypeScript: %s', (name, line) => {
    expect(definitionLine(typescript, name)).toBe(line);
  });
});
