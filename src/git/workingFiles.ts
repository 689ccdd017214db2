import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { GitError, type Git, type GitOptions } from './git.ts';

/** The files in a folder of a working copy. All paths are relative to the folder, with forward slashes. */
export interface WorkingFiles {
  /** Tracked files by path, also deleted ones, with the kind that git's index has. */
  readonly tracked: ReadonlyMap<string, TrackedKind>;
  /** Files that git neither tracks nor ignores. */
  readonly untracked: readonly string[];
  /** Submodules that aren't checked out. */
  readonly emptySubmodules: readonly string[];
  /** Other repositories, which are no submodules. */
  readonly otherRepositories: readonly string[];
}

type TrackedKind = 'file' | 'executable' | 'link';

/** The user's own ignore rules count too. Listing runs nothing from the configuration. */
const listing = { withUserSettings: true, timeLimit: 60_000, maxBytes: 50_000_000 } satisfies GitOptions;

/** Submodules in submodules. */
const mostLevels = 10;

/**
 * Lists git's folder as it is on disk, with submodules as they are checked out. Undefined outside a working copy.
 * @throws {GitError} git failed
 */
export async function listWorkingFiles(git: Git): Promise<WorkingFiles | undefined> {
  if (!(await isInWorkingCopy(git))) return undefined;
  const found = {
    tracked: new Map<string, TrackedKind>(),
    untracked: Array.of<string>(),
    emptySubmodules: Array.of<string>(),
    otherRepositories: Array.of<string>(),
  };
  const list = async (own: Git, prefix: string, level: number): Promise<void> => {
    const [cached, others] = await Promise.all([
      own.run(['ls-files', '-z', '--cached', '--stage'], listing),
      own.run(['ls-files', '-z', '--others', '--exclude-standard'], listing),
    ]);
    for (const place of entriesOf(others)) {
      if (place.endsWith('/')) found.otherRepositories.push(prefix + place.slice(0, -1));
      else found.untracked.push(prefix + place);
    }
    for (const line of entriesOf(cached)) {
      const [, mode = '', place] = /^(\d+) [0-9a-f]+ \d\t(.+)$/s.exec(line) ?? [];
      if (place === undefined) continue;
      if (mode !== '160000') found.tracked.set(prefix + place, kindOf(mode));
      else if (level < mostLevels && (await isCheckedOut(path.join(own.folder, place))))
        await list(own.in(path.join(own.folder, place)), `${prefix}${place}/`, level + 1);
      else found.emptySubmodules.push(prefix + place);
    }
  };
  await list(git, '', 0);
  return found;
}

async function isInWorkingCopy(git: Git): Promise<boolean> {
  try {
    return (await git.run(['rev-parse', '--is-inside-work-tree'])).trim() === 'true';
  } catch (error) {
    if (error instanceof GitError && error.message.includes('not a git repository')) return false;
    throw error;
  }
}

function entriesOf(output: string): readonly string[] {
  return output.split('\0').filter((entry) => entry !== '');
}

function kindOf(mode: string): TrackedKind {
  if (mode === '120000') return 'link';
  return mode === '100755' ? 'executable' : 'file';
}

/** In a submodule that isn't checked out, git would answer for the repository around it. */
async function isCheckedOut(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory() && (await lstat(path.join(folder, '.git'))) !== undefined;
  } catch {
    return false;
  }
}
