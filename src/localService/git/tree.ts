import type { Git, GitOptions } from './run.ts';

export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'folder' | 'submodule';
  readonly id: string;
  /** Size in bytes; 0 for a folder or a submodule. */
  readonly size: number;
}

/**
 * Looks up paths in the tree of a commit, not in the working copy. Skips paths that don't exist.
 * @throws {GitError} git failed
 */
export async function readTree(
  git: Git,
  commit: string,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<TreeEntry[]> {
  if (paths.length === 0) return [];
  const output = await git.run(['ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths], options);
  return output.split('\0').flatMap(parseEntry);
}

/**
 * Reads a file from the repository's object store as text.
 * @throws {GitError} git failed, or the file is larger than `maxBytes`
 */
export async function readBlob(git: Git, id: string, options: GitOptions & { maxBytes: number }): Promise<string> {
  return git.run(['cat-file', 'blob', id], options);
}

function parseEntry(line: string): TreeEntry[] {
  const [, mode, id, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
  if (mode === undefined || id === undefined || path === undefined) return [];
  return [{ path, kind: kindOf(mode), id, size: Number(size) || 0 }];
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000') return 'submodule';
  return mode === '040000' ? 'folder' : 'file';
}
