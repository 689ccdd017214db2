import { expect, it } from 'vitest';
import { imageReferenceProblem } from '../../../../src/core/spec/imageReference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

it.each([
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
  // A first part in upper case is read as a host name.
  'Acme/agent',
])('accepts the image reference %s', (reference) => {
  expect(imageReferenceProblem(reference)).toBeUndefined();
});

it.each([
  ['', 'must look like'],
  ['acme/Agent', 'with the name in lowercase'],
  ['acme/agent:', 'must look like'],
  ['acme//agent', 'must look like'],
  ['/agent', 'must look like'],
  ['acme/agent:-tag', 'must look like'],
  ['acme/agent@sha256:12', 'The digest must be'],
  ['acme/Agent@sha256:12', 'must look like'],
  ['acme/agent 1', "can't contain spaces"],
  ['https://registry.example/agent', "can't begin with a scheme"],
  ['a'.repeat(513), 'longer than 512 characters'],
])("says why the image reference %j isn't well-formed", (reference, words) => {
  expect(imageReferenceProblem(reference)).toContain(words);
});

it('rejects a long image reference at once', () => {
  const before = performance.now();
  for (const part of ['a-', 'a.', 'a__', 'a', 'A-']) imageReferenceProblem(`${part.repeat(500 / part.length)}!`);
  expect(performance.now() - before).toBeLessThan(500);
});
