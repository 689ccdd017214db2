import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/sourceFiles.ts';

const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The files and folders that the page names in code: everything with a slash or the ending of a file. */
const paths = [...text.matchAll(/`([^`\s]+)`/g)]
  .map(([, code = '']) => code)
  .filter((code) => /\/|\.(?:[cm]?ts|json|md)$/.test(code) && !/[…*]/.test(code));

it('CONTRIBUTING.md names files and folders that exist', () => {
  expect(paths.length).toBeGreaterThan(100);
  // Written by the tests, and in no commit.
  const made = new Set(['test-results/']);
  expect(paths.filter((name) => !made.has(name) && !isThere(name))).toEqual([]);
});

it('CONTRIBUTING.md describes every room of src', () => {
  const rooms = foldersIn('src').flatMap((layer) => [
    layer,
    ...foldersIn(`src/${layer}`).map((room) => `${layer}/${room}`),
  ]);
  const table = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
  expect(rooms.filter((room) => !table.includes(`\`${room}/\``))).toEqual([]);
});

/** Paths are those of the root or below `src/`, with a slash at the end of a folder. */
function isThere(name: string): boolean {
  const found = [name, `src/${name}`].map((file) => path.join(root, file)).find((file) => existsSync(file));
  return found !== undefined && (!name.endsWith('/') || statSync(found).isDirectory());
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
