import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseAppConfig } from '../../core/appConfig/appConfig.ts';
import { isWithin } from '../git/repositoryRoot.ts';
import { findAppProblem } from './appCheck.ts';
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
  const name = config.source_tarball_path ?? '';
  if (name === '') return failed('No source_tarball_path was given, so there is nothing to build.');
  const file = await findUpload(uploadsFolder, name);
  if (file === undefined) return failed(`There is no file ${name} in ${uploadsFolder}. Put the tarball there first.`);
  const entries = await readEntries(file);
  if (entries === undefined) {
    return failed(
      `${name} is not a tarball compressed with gzip, or it holds more than ${maxBytes / 1024 / 1024} MiB.`,
    );
  }
  const configPath = (config.graph_config_path ?? '').replace(/^(?:\.\/)+/, '');
  const problem = configPath === '' ? undefined : await findProblem(entries, configPath, name);
  return problem === undefined ? { kind: 'built', config } : failed(problem);
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

async function readEntries(file: string): Promise<TarEntry[] | undefined> {
  if ((await stat(file)).size > maxCompressedBytes) return undefined;
  try {
    return readTar(await promisify(gunzip)(await readFile(file), { maxOutputLength: maxBytes }));
  } catch {
    // The caller reports all of these failures in the same way.
    return undefined;
  }
}

async function findProblem(
  entries: readonly TarEntry[],
  configPath: string,
  name: string,
): Promise<string | undefined> {
  const config = entries.find((entry) => entry.path === configPath);
  if (config === undefined) return `${configPath} is not in ${name}. Add the file, or correct the path.`;
  const paths = new Set(entries.map((entry) => entry.path));
  return findAppProblem(parseAppConfig(config.content.toString(), configPath), async (files) =>
    files.filter((file) => paths.has(file)),
  );
}

function failed(reason: string): BuildOutcome {
  return { kind: 'failed', reason };
}
