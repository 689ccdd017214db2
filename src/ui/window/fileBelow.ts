import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { pathBelow } from '../../core/git/folders.ts';

/**
 * Reads a regular file; undefined if it is larger than the limit in bytes.
 * Rejects if there is none, if it is a pipe or a device, and if it isn't below its root, links resolved: a repository
 * may link to any file of this machine.
 */
export async function readRegularFile(file: string, limit: number, root?: string): Promise<Buffer | undefined> {
  const real = await realpath(file);
  if (root !== undefined) {
    const below = pathBelow(await realpath(root), real, process.platform);
    // Git's own files may hold credentials.
    if (below === undefined || /(?:^|\/)\.git\//i.test(below)) {
      throw new Error(l10n.t('The file links outside its folder.'));
    }
  }
  // A file that became a link or a pipe meanwhile is neither followed nor waited for.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(l10n.t('{0} is not a file.', file));
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(limit + 1), 0, limit + 1, 0);
    return bytesRead > limit ? undefined : buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
