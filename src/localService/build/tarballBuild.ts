import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { BuildOutcome, BuildRequest } from './outcome.ts';

/**
 * Rehearses the build of uploaded source: the tarball must be a file in the folder for uploads and must be
 * compressed with gzip.
 */
export async function buildTarball({ config }: BuildRequest, uploadsFolder: string): Promise<BuildOutcome> {
  const name = config.source_tarball_path;
  if (name === null) return failed('No source_tarball_path was given, so there is nothing to build.');
  const file = await findUpload(uploadsFolder, name);
  if (file === undefined) return failed(`There is no file ${name} in ${uploadsFolder}. Put the tarball there first.`);
  return (await isGzip(file)) ? { kind: 'built', config } : failed(`${name} is not a tarball compressed with gzip.`);
}

/** Symbolic links are followed before the place is compared, so that none of them leads out of the folder. */
async function findUpload(uploadsFolder: string, name: string): Promise<string | undefined> {
  try {
    const folder = await realpath(uploadsFolder);
    const file = await realpath(path.resolve(folder, name));
    return file.startsWith(`${folder}${path.sep}`) ? file : undefined;
  } catch {
    return undefined;
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    if (!(await handle.stat()).isFile()) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await handle.close();
  }
}

function failed(reason: string): BuildOutcome {
  return { kind: 'failed', reason };
}
