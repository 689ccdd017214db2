import { expect, test } from 'vitest';
import { imageReferenceProblem } from '../../../../src/core/draft/imageReference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  'agent',
  'acme/agent',
  'acme/team/agent:1.0',
  'registry.example/acme/agent',
  'registry.example:5000/acme/agent:v1_2-rc.1',
  'localhost:5000/agent',
  '[::1]:5000/agent',
  'my_registry/agent__x',
  `acme/agent@${digest}`,
  `acme/agent:1.0@${digest}`,
])('%s is well-formed', (reference) => {
  expect(imageReferenceProblem(reference)).toBeUndefined();
});

test.each([
  ['', 'is not of the form'],
  ['Acme/agent', undefined],
  ['acme/Agent', 'with the name in lower case'],
  ['acme/agent:', 'is not of the form'],
  ['acme//agent', 'is not of the form'],
  ['/agent', 'is not of the form'],
  ['acme/agent:-tag', 'is not of the form'],
  ['acme/agent@sha256:12', 'is not of the form'],
  ['acme/agent 1', 'holds no blanks'],
  ['https://registry.example/agent', 'has no scheme'],
  ['a'.repeat(513), 'at most 512 characters'],
])('%j is told why it is not well-formed', (reference, words) => {
  // A first part in upper case is read as a host name.
  if (words === undefined) expect(imageReferenceProblem(reference)).toBeUndefined();
  else expect(imageReferenceProblem(reference)).toContain(words);
});

test('a long wrong reference is judged at once', () => {
  const before = performance.now();
  for (const part of ['a-', 'a.', 'a__', 'a', 'A-']) imageReferenceProblem(`${part.repeat(500 / part.length)}!`);
  expect(performance.now() - before).toBeLessThan(500);
});
