/** Folders with third-party code or caches. Config files in them don't belong to the application. */
export const skippedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.git',
  '.tox',
  '.mypy_cache',
]);

/** Puts "app-2" before "app-10", wherever it runs. */
const byNumber = new Intl.Collator('en', { numeric: true });

/**
 * Sorts a repository's config files by relevance: the active file, then the nearest to it, then the shallowest.
 * Leaves out duplicates and files in skipped folders. Paths are relative to the repository's root.
 */
export function rankConfigPaths(paths: readonly string[], activePath?: string): string[] {
  const active = activePath === undefined ? undefined : foldersOf(activePath);
  return [...new Set(paths)]
    .toSorted(byNumber.compare)
    .map((path) => ({ path, folders: foldersOf(path) }))
    .filter(({ folders }) => !folders.some((folder) => skippedFolders.has(folder)))
    .map(({ path, folders }) => {
      const distance = active === undefined ? 0 : steps(folders, active);
      return { path, depth: folders.length, distance: path === activePath ? -1 : distance };
    })
    .toSorted((a, b) => a.distance - b.distance || a.depth - b.depth)
    .map(({ path }) => path);
}

/** The language of a source file by its name, of which TypeScript counts as JavaScript. Undefined for any other file. */
export function sourceLanguage(path: string): 'python' | 'javascript' | undefined {
  if (/\.py$/i.test(path)) return 'python';
  return /\.[cm]?[jt]sx?$/i.test(path) ? 'javascript' : undefined;
}

/** In characters. Longer than any path in a repository that people check out. */
export const longestPath = 1000;

/**
 * Resolves a path from a config file to one relative to the repository's root.
 * Undefined if the path is absolute, leaves the repository, or is no path of a file.
 */
export function resolveFromConfig(configPath: string, path: string): string | undefined {
  if (path.length > longestPath || /\p{Cc}/u.test(path)) return undefined;
  const parts = path.replaceAll('\\', '/').split('/');
  if (parts[0] === '' || /^[A-Za-z]:$/.test(parts[0] ?? '')) {
    return undefined;
  }
  const resolved: string[] = [];
  for (const part of [...foldersOf(configPath), ...parts]) {
    if (part === '..') {
      if (resolved.pop() === undefined) {
        return undefined;
      }
    } else if (part !== '' && part !== '.') {
      resolved.push(part);
    }
  }
  return resolved.length === 0 ? undefined : resolved.join('/');
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

/** The number of folders to go up and down between two folders. */
function steps(from: readonly string[], to: readonly string[]): number {
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) {
    common += 1;
  }
  return from.length + to.length - 2 * common;
}
