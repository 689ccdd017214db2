import { hash } from 'node:crypto';
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../api/errors.ts';

/** The end of a followed revision, as every window knows it. */
interface ToldEnding {
  /** The connection's URL, because each window may name the connection differently. */
  readonly service: string;
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly outcome: string | undefined;
  readonly status: string;
}

/** More than anyone deploys while another window is open. */
const mostClaims = 500;

/**
 * Claims the right to tell an ending; true for only one of all windows.
 * A claim is an empty file that only one of them can create. Old claims are removed. A folder that can't be written
 * gives the right to everyone: twice is better than never.
 */
export async function claimEnding(folder: string, ending: ToldEnding): Promise<boolean> {
  const { service, deploymentId, revisionId, outcome, status } = ending;
  const key = JSON.stringify([service, deploymentId, revisionId, outcome, status]);
  const name = hash('sha256', key);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, name), '', { flag: 'wx' });
  } catch (error) {
    return codeOf(error) !== 'EEXIST';
  }
  // What can't be removed is removed by a later claim.
  await removeOldest(folder).catch(() => undefined);
  return true;
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= mostClaims) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      return { file, at: (await stat(file)).mtimeMs };
    }),
  );
  const old = files.toSorted((a, b) => b.at - a.at).slice(mostClaims);
  await Promise.all(old.map(({ file }) => unlink(file)));
}
