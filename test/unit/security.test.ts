import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { namedTests, testsNotRun } from '../support/claims.ts';
import { root } from '../support/sourceFiles.ts';

const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

it('SECURITY.md names tests for each of its claims', () => {
  const claims = text.split('**').filter((_part, index) => index > 0 && index % 2 === 0);
  expect(claims.length).toBeGreaterThan(10);
  for (const claim of claims) expect(claim).toContain('.test.ts`');
});

it.each(namedTests(text))('SECURITY.md names tests that are in $file', ({ file, titles }) => {
  expect(existsSync(path.join(root, 'test', file)), file).toBe(true);
  expect(titles).not.toEqual([]);
  const source = readFileSync(path.join(root, 'test', file), 'utf8');
  // A title of a table stands in pieces, where the document has an ellipsis.
  const missing = titles
    .flatMap((title) => title.split('…').map((part) => part.trim()))
    .filter((part) => !source.includes(part));
  expect(missing).toEqual([]);
});

it('a run names the tests of SECURITY.md that it left out', () => {
  const document = 'It holds. `unit/a.test.ts`: _is kept_, _is hidden in … too_; `e2e/b.test.ts`: _is on no page_';
  expect(testsNotRun(document, ['is kept', 'is hidden in a header too', 'is on no page'])).toEqual([]);
  expect(testsNotRun(document, ['is kept at all', 'is hidden in a header'])).toEqual([
    'unit/a.test.ts: is hidden in … too',
    'e2e/b.test.ts: is on no page',
  ]);
});
