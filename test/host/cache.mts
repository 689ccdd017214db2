import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const cacheFolder = path.resolve(import.meta.dirname, '../../.vscode-test');

/**
 * Gives the folder `name` of the project's cache, and fills it first when it is not there. It is filled under another
 * name and then renamed, so that one that was cut short is never used and two at once do not get in each other's way.
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const draft = await mkdtemp(path.join(cacheFolder, `unfinished-${name}-`));
  try {
    await fill(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  return folder;
}
