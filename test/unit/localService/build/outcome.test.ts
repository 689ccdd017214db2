import { expect, it } from 'vitest';
import { checkApp } from '../../../../src/localService/build/outcome.ts';

/** What is said of a config file with these graphs, of which nothing exists. */
async function checkGraphs(graphs: readonly (readonly [id: string, code: string])[]) {
  const text = JSON.stringify({ dependencies: ['.'], graphs: Object.fromEntries(graphs) });
  return checkApp(
    { text, path: 'graph.json' },
    async () => () => true,
    () => {},
  );
}

it('names twenty missing graphs, and says how many more there are', async () => {
  const graphs = Array.from({ length: 23 }, (_, index) => [`g${index}`, `./f${index}.py:graph`] as const);
  const { problem } = await checkGraphs(graphs);
  expect(problem).toContain('f19.py (graph "g19") and 3 more. Add each file');
  expect((await checkGraphs(graphs.slice(0, 20))).problem).toContain(', f19.py (graph "g19"). Add each file');
});

it.each([
  ['files', './', '/a.py:graph'],
  ['modules', 'a.', ':graph'],
])('is short for long names of %s', async (_, start, end) => {
  const long = 'x'.repeat(10_000);
  const graphs = Array.from({ length: 10 }, (__, index) => [`${index}${long}`, `${start}${long}${end}`] as const);
  const { problem, warning } = await checkGraphs(graphs);
  expect((problem ?? warning)?.length).toBeLessThan(4000);
});
