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
  return (await build({ source, config: toRevisionConfig(config), repositoryUrl: null }, () => {})).problem;
}

it('checks the image reference', async () => {
  expect(await problemOf('external_docker', { image_uri: 'acme/agent:1.0' })).toBeUndefined();
  expect(await problemOf('external_docker', { image_uri: 'acme/agent 1' })).toContain("can't contain spaces");
});

const mebibyte = 1024 * 1024;

/** A gzip file may have several parts. Many times the same part is made faster than one long part. */
const manyZeros = gzipSync(Buffer.alloc(128 * mebibyte), { level: 1 });

it.each([
  ['200 MiB compressed', async (file: string) => truncate(file, 200 * mebibyte + 1)],
  [
    '1024 MiB uncompressed',
    async (file: string) =>
      writeFile(
        file,
        Array.from({ length: 9 }, () => manyZeros),
      ),
  ],
])(
  'names the limit for a tarball larger than %s',
  async (limit, makeLarge) => {
    await using uploads = await temporaryFolder();
    const file = path.join(uploads.path, 'a.tgz');
    await writeFile(file, '');
    await makeLarge(file);
    expect(await problemOf('internal_source', { source_tarball_path: 'a.tgz' }, uploads.path)).toBe(
      `a.tgz is larger than ${limit}. Leave out files that the application doesn't need.`,
    );
  },
  30_000,
);
