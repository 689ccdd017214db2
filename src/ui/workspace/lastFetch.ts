import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { RemoteContact } from '../../core/git/gitState.ts';
import { lastLoggedTime, namesBranch, pushedCommits } from '../../core/git/remotes.ts';

/** A branch of a remote, as a clone knows it. */
interface KnownBranch {
  /** The folder of the clone. */
  readonly root: string;
  readonly remote: string;
  readonly remoteUrl: string;
  readonly branch: string;
}

/** When a clone last heard of a remote's branch. Undefined if git's notes don't tell. */
export async function lastContact({
  root,
  remote,
  remoteUrl,
  branch,
}: KnownBranch): Promise<RemoteContact | undefined> {
  const folders = await gitFolders(root);
  const fetched = await latest(folders, async (folder) => {
    const file = path.join(folder, 'FETCH_HEAD');
    return namesBranch((await readPart(file, 'start')) ?? '', remoteUrl, branch) ? changeOf(file) : undefined;
  });
  if (fetched === undefined) return undefined;
  const ref = path.join('refs/remotes', remote, branch);
  // A push moves the branch too, and isn't listed as a fetch.
  const moved = await latest(
    folders,
    async (folder) =>
      lastLoggedTime((await readPart(path.join(folder, 'logs', ref), 'end')) ?? '') ?? changeOf(path.join(folder, ref)),
  );
  return moved !== undefined && moved > fetched ? { kind: 'updated', time: moved } : { kind: 'fetched', time: fetched };
}

/**
 * Whether the end of a clone's reflog says that it pushed a commit to a branch of a remote.
 * The ref is written as a service writes it, so it can't be trusted as a part of a path.
 */
export async function wasPushed(
  { root, remote, ref }: Pick<KnownBranch, 'root' | 'remote'> & { readonly ref: string },
  commit: string,
): Promise<boolean> {
  const branch = ref.replace(/^refs\/heads\//, '');
  if (branch.split(/[\\/]/).includes('..')) return false;
  const file = path.join('logs/refs/remotes', remote, branch);
  const reflogs = await Promise.all((await gitFolders(root)).map((folder) => readPart(path.join(folder, file), 'end')));
  return reflogs.some((reflog = '') => pushedCommits(reflog).includes(commit));
}

async function latest(
  folders: readonly string[],
  timeIn: (folder: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  const times = (await Promise.all(folders.map(timeIn))).filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** The folders where git keeps its notes. A worktree shares its branches of remotes with the other worktrees. */
async function gitFolders(root: string): Promise<readonly string[]> {
  const place = path.join(root, '.git');
  // In a worktree or a submodule, this is a file that names the folder.
  const [, named] = /^gitdir: (.+)$/m.exec((await readPart(place, 'start')) ?? '') ?? [];
  if (named === undefined) return [place];
  const folder = path.resolve(root, named);
  return /[/\\]worktrees[/\\][^/\\]+$/.test(named) ? [folder, path.join(folder, '../..')] : [folder];
}

/** Notes may be long; a list of fetches begins with the branch of the working copy, and a log ends with its latest. */
const longestPart = { start: 64 * 1024, end: 4 * 1024 } as const;

/** Reads the beginning or the end of a file; undefined if it can't be read. */
async function readPart(file: string, part: keyof typeof longestPart): Promise<string | undefined> {
  // A pipe would be waited for, and hold one of the few threads that read files.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, longestPart[part]);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(length),
      0,
      length,
      part === 'end' ? size - length : 0,
    );
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    // A folder, where branches share the beginning of their names.
    return undefined;
  } finally {
    await handle.close();
  }
}

/** When a file was last changed; undefined if there is none. */
async function changeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => (found.isFile() ? found.mtimeMs : undefined),
    () => undefined,
  );
}
