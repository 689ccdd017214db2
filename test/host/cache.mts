import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const projectCache = path.resolve(import.meta.dirname, '../../.vscode-test');

/** No download takes this long: what is older was left behind by a run that was killed. */
const abandonedMilliseconds = 60 * 60 * 1_000;

/**
 * Gives the folder `name` of the cache, and fills it first when it is not there. It is filled under another name and
 * then renamed, so one that was cut short is never used and two at once do not get in each other's way.
 */
export async function cached(
  name: string,
  fill: (folder: string) => Promise<void>,
  cache: string = projectCache,
): Promise<string> {
  const folder = path.join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const draft = await mkdtemp(path.join(cache, `unfinished-${name}-`));
  try {
    await fill(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await remove(draft);
  }
  return folder;
}

async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const entry = path.join(cache, name);
    if (!name.startsWith('unfinished-')) continue;
    const { mtimeMs } = await stat(entry);
    if (Date.now() - mtimeMs > abandonedMilliseconds) await remove(entry);
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
