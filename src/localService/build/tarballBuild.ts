import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isWithin } from '../git/repositoryRoot.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { configPathOf, findAppProblem } from './outcome.ts';
import type { BuildOutcome, BuildRequest } from './outcome.ts';
import { readTar } from './tarFile.ts';
import type { TarEntry } from './tarFile.ts';

const maxCompressedBytes = 32 * 1024 * 1024;
const maxBytes = 128 * 1024 * 1024;

/**
 * Rehearses the build of an uploaded tarball without unpacking it to disk.
 * The tarball must be in the uploads folder. Its config file, if the request names one, must be readable and name a
 * graph whose file is in the tarball.
 */
export async function buildTarball({ config }: BuildRequest, uploadsFolder: string): Promise<BuildOutcome> {
  return { config, problem: await findTarballProblem(config, uploadsFolder) };
}

async function findTarballProblem(config: RevisionConfig, uploadsFolder: string): Promise<string | undefined> {
  const name = config.source_tarball_path ?? '';
  if (name === '') return 'There is nothing to build, because source_tarball_path is missing.';
  const file = await findUpload(uploadsFolder, name);
  if (file === undefined) return `There is no file ${name} in ${uploadsFolder}. Put the tarball there first.`;
  if ((await stat(file)).size > maxCompressedBytes) return tooLarge(name, maxCompressedBytes, 'compressed');
  let entries: TarEntry[];
  try {
    entries = readTar(await promisify(gunzip)(await readFile(file), { maxOutputLength: maxBytes }));
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? tooLarge(name, maxBytes, 'uncompressed') : `${name} isn't a tarball compressed with gzip.`;
  }
  const configPath = configPathOf(config);
  if (configPath === '') return undefined;
  const configEntry = entries.find((entry) => entry.path === configPath);
  if (configEntry === undefined) return `${configPath} isn't in ${name}. Add the file, or correct the path.`;
  const paths = new Set(entries.map((entry) => entry.path));
  return findAppProblem(configEntry.content.toString(), configPath, async (files) =>
    files.filter((file) => paths.has(file)),
  );
}

function tooLarge(name: string, maxBytes: number, state: 'compressed' | 'uncompressed'): string {
  const limit = `${maxBytes / 1024 / 1024} MiB`;
  return `${name} is larger than ${limit} ${state}. Leave out files that the application doesn't need.`;
}

/** Finds an uploaded file. Resolves symbolic links first, so none can lead out of the folder. */
async function findUpload(uploadsFolder: string, name: string): Promise<string | undefined> {
  try {
    const folder = await realpath(uploadsFolder);
    const file = await realpath(path.resolve(folder, name));
    return isWithin(file, folder) && (await stat(file)).isFile() ? file : undefined;
  } catch {
    // The remedy is the same for every failure: put the file there.
    return undefined;
  }
}
