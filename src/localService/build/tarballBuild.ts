import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { codeOf } from '../../api/errors.ts';
import type { IsAbsent } from '../../core/appConfig/graphFiles.ts';
import { isWithin } from '../git/repositoryRoot.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { checkApp, configPathOf } from './outcome.ts';
import type { AppCheck, BuildOutcome, BuildRequest, Note } from './outcome.ts';
import { readTar } from './tarFile.ts';
import type { TarEntry } from './tarFile.ts';

const maxCompressedBytes = 32 * 1024 * 1024;
const maxBytes = 128 * 1024 * 1024;

/**
 * Rehearses the build of an uploaded tarball without unpacking it to disk.
 * The tarball must be in the uploads folder. Its config file, if the request names one, must be readable, and the files
 * of its graphs must be in the tarball.
 */
export async function buildTarball({ config }: BuildRequest, uploadsFolder: string, note: Note): Promise<BuildOutcome> {
  note(`Archive: ${config.source_tarball_path ?? ''}`);
  const entries = await readUpload(config, uploadsFolder);
  if (typeof entries === 'string') return { config, problem: entries };
  note(`Files: ${entries.length}`);
  return { config, ...(await checkEntries(config, entries, note)) };
}

/** The files of the tarball, or the reason why it can't be read. */
async function readUpload(config: RevisionConfig, uploadsFolder: string): Promise<readonly TarEntry[] | string> {
  const name = config.source_tarball_path ?? '';
  if (name === '') return 'There is nothing to build, because source_tarball_path is missing.';
  const file = await findUpload(uploadsFolder, name);
  if (file === undefined) return `There is no file ${name} in ${uploadsFolder}. Put the tarball there first.`;
  if ((await stat(file)).size > maxCompressedBytes) return tooLarge(name, maxCompressedBytes, 'compressed');
  try {
    return readTar(await promisify(gunzip)(await readFile(file), { maxOutputLength: maxBytes }));
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLarge(name, maxBytes, 'uncompressed');
    return `${name} isn't a tarball compressed with gzip.`;
  }
}

async function checkEntries(config: RevisionConfig, entries: readonly TarEntry[], note: Note): Promise<AppCheck> {
  const configPath = configPathOf(config);
  if (configPath === '') return { problem: undefined };
  const configEntry = entries.find((entry) => entry.path === configPath);
  if (configEntry === undefined) {
    return { problem: `${configPath} isn't in ${config.source_tarball_path}. Add the file, or correct the path.` };
  }
  const isAbsent: IsAbsent = (needed, kind) =>
    !entries.some((entry) => (kind === 'file' ? entry.path === needed : entry.path.startsWith(`${needed}/`)));
  return checkApp({ text: configEntry.content.toString(), path: configPath }, async () => isAbsent, note);
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
