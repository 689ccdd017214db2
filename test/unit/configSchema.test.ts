import { expect, it } from 'vitest';
import { configSchema } from '../../configSchema.mts';

it('the schema of langgraph.json explains every key, and forbids nothing', () => {
  const text = configSchema();
  const { properties } = JSON.parse(text) as { properties: Record<string, { description?: string }> };
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(['graphs', 'dependencies', 'env', 'http', 'store']));
  expect(Object.entries(properties).filter(([, { description = '' }]) => description === '')).toEqual([]);
  expect(properties).toMatchObject({
    graphs: { defaultSnippets: [{ body: { '${1:agent}': './${2:src/agent.py}:${3:graph}' } }] },
  });
  expect(text).not.toMatch(/"(?:type|enum|required|pattern|oneOf|anyOf|not)":|"additionalProperties": false/);
});
