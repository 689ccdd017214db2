import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/sourceFiles.ts';

const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');

/** The test files that SECURITY.md names, each with the titles that follow it. */
const named = [...text.matchAll(/`(\w[\w/]*\.test\.ts)`((?:(?!`\w[\w/]*\.test\.ts`|\*\*).)*)/g)].map(
  ([, file = '', after = '']) => ({
    file,
    titles: [...after.matchAll(/(?<=[\s,;:])_([^_].*?)_(?=[\s,;)]|$)/g)].map(([, title = '']) => title),
  }),
);

it('SECURITY.md names tests for each of its claims', () => {
  const claims = text.split('**').filter((_part, index) => index > 0 && index % 2 === 0);
  expect(claims.length).toBeGreaterThan(10);
  for (const claim of claims) expect(claim).toContain('.test.ts`');
});

it.each(named)('SECURITY.md names tests that are in $file', ({ file, titles }) => {
  expect(existsSync(path.join(root, 'test', file)), file).toBe(true);
  expect(titles).not.toEqual([]);
  const source = readFileSync(path.join(root, 'test', file), 'utf8');
  // A title of a table stands in pieces, where the document has an ellipsis.
  const missing = titles
    .flatMap((title) => title.split('…').map((part) => part.trim()))
    .filter((part) => !source.includes(part));
  expect(missing).toEqual([]);
});
