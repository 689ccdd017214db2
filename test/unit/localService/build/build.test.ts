import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createBuild } from '../../../../src/localService/build/build.ts';
import { RegisteredRepositories } from '../../../../src/localService/git/repositories.ts';
import { toRevisionConfig } from '../../../../src/localService/store/revisions.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

/** What the build of a revision with this config reports. */
async function problemOf(source: string, config: object, uploads = ''): Promise<string | undefined> {
  const build = createBuild(new RegisteredRepositories({ workingFolder: '' }), uploads);
  const { signal } = new AbortController();
  return (await build({ source, config: toRevisionConfig(config), repositoryUrl: null, signal })).problem;
}

const imageProblem = (reference: string) => problemOf('external_docker', { image_uri: reference });

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
])('accepts the image reference %s', async (reference) => {
  expect(await imageProblem(reference)).toBeUndefined();
});

it.each([
  ['', 'must look like'],
  ['Acme/agent', undefined],
  ['acme/Agent', 'with the name in lowercase'],
  ['acme/agent:', 'must look like'],
  ['acme//agent', 'must look like'],
  ['/agent', 'must look like'],
  ['acme/agent:-tag', 'must look like'],
  ['acme/agent@sha256:12', 'must look like'],
  ['acme/agent 1', "can't contain spaces"],
  ['https://registry.example/agent', "can't begin with a scheme"],
  ['a'.repeat(513), 'longer than 512 characters'],
])("says why the image reference %j isn't well-formed", async (reference, words) => {
  // A first part in upper case is read as a host name.
  if (words === undefined) expect(await imageProblem(reference)).toBeUndefined();
  else expect(await imageProblem(reference)).toContain(words);
});

it('rejects a long image reference at once', async () => {
  const before = performance.now();
  for (const part of ['a-', 'a.', 'a__', 'a', 'A-']) await imageProblem(`${part.repeat(500 / part.length)}!`);
  expect(performance.now() - before).toBeLessThan(500);
});

const mebibyte = 1024 * 1024;

it.each([
  ['32 MiB compressed', async (file: string) => truncate(file, 32 * mebibyte + 1)],
  ['128 MiB uncompressed', async (file: string) => writeFile(file, gzipSync(Buffer.alloc(128 * mebibyte + 1)))],
])('names the limit for a tarball larger than %s', async (limit, makeLarge) => {
  await using uploads = await temporaryFolder();
  const file = path.join(uploads.path, 'a.tgz');
  await writeFile(file, '');
  await makeLarge(file);
  expect(await problemOf('internal_source', { source_tarball_path: 'a.tgz' }, uploads.path)).toBe(
    `a.tgz is larger than ${limit}. Leave out files that the application doesn't need.`,
  );
});
