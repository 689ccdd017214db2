import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MAX_UPLOAD_BYTES } from '../../api/resources/deploymentChanges.ts';
import { largestConfig } from '../../core/appConfig/appConfig.ts';
import type { IsAbsent } from '../../core/appConfig/graphFiles.ts';
import { isWithin } from '../git/repositoryRoot.ts';
import { limitedBytes } from '../limitedBytes.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { checkApp, configPathOf } from './outcome.ts';
import type { AppCheck, BuildOutcome, BuildRequest, Note } from './outcome.ts';
import { readTar } from './tarFile.ts';
import type { TarContent } from './tarFile.ts';

/** The most bytes to decompress. */
const maxBytes = 1024 * 1024 * 1024;

/** There are more bytes than a build reads. */
class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/**
 * Rehearses the build of an uploaded tarball without unpacking it to disk.
 * The tarball must be in the uploads folder. Its config file, if the request names one, must be readable, and the files
 * of its graphs must be in the tarball.
 */
export async function buildTarball({ config }: BuildRequest, uploadsFolder: string, note: Note): Promise<BuildOutcome> {
  note(`Archive: ${config.source_tarball_path ?? ''}`);
  const content = await readUpload(config, uploadsFolder);
  if (typeof content === 'string') return { config, problem: content };
  note(`Files: ${content.files.size}`);
  return { config, ...(await checkContent(config, content, note)) };
}

/** What is in the tarball, or the reason why it can't be read. */
async function readUpload(config: RevisionConfig, uploadsFolder: string): Promise<TarContent | string> {
  const name = config.source_tarball_path ?? '';
  if (name === '') return 'There is nothing to build, because source_tarball_path is missing.';
  const file = await findUpload(uploadsFolder, name);
  if (file === undefined) return `There is no file ${name} in ${uploadsFolder}. Put the tarball there first.`;
  if ((await stat(file)).size > MAX_UPLOAD_BYTES) return tooLarge(name, MAX_UPLOAD_BYTES, 'compressed');
  try {
    // One byte more than a config may have shows that it is too large.
    const options = { wanted: configPathOf(config), longest: largestConfig + 1 };
    return await pipeline(
      createReadStream(file),
      createGunzip({ chunkSize: 256 * 1024 }),
      (chunks: AsyncIterable<Uint8Array>) => limitedBytes(chunks, maxBytes, () => new TooLongError()),
      async (chunks: AsyncIterable<Uint8Array>) => readTar(chunks, options),
    );
  } catch (error) {
    if (error instanceof TooLongError) return tooLarge(name, maxBytes, 'uncompressed');
    return `${name} isn't a tarball compressed with gzip.`;
  }
}

async function checkContent(config: RevisionConfig, { files, wanted }: TarContent, note: Note): Promise<AppCheck> {
  const configPath = configPathOf(config);
  if (configPath === '') return { problem: undefined };
  if (wanted === undefined) {
    return { problem: `${configPath} isn't in ${config.source_tarball_path}. Add the file, or correct the path.` };
  }
  const sorted = [...files].toSorted();
  const isAbsent: IsAbsent = (needed, kind) => !(kind === 'file' ? files.has(needed) : hasFolder(sorted, needed));
  return checkApp({ text: wanted.toString(), path: configPath }, async () => isAbsent, note);
}

/** Whether one of the files, in the order of their code units, is in a folder. */
function hasFolder(sorted: readonly string[], folder: string): boolean {
  const beginning = `${folder}/`;
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if ((sorted[middle] ?? '') < beginning) first = middle + 1;
    else end = middle;
  }
  return sorted[first]?.startsWith(beginning) === true;
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
