import { stat } from 'node:fs/promises';
import path from 'node:path';
import { GitError, type Git } from './git.ts';
import { ignoredFiles } from './ignoredFiles.ts';

/** In milliseconds, because walking a large folder for the first time takes long. */
const listingTimeLimit = 60_000;

const mostListedBytes = 20_000_000;

/** In all, with the globs of the steps in between. */
const mostGlobs = 100;

/**
 * The existing files in git's folder that match globs in the syntax of VS Code, relative to it, with forward slashes.
 * Never walks what git ignores, repositories inside this one, or untracked folders with one of the skipped names.
 * @throws {GitError} git failed, or the globs have too many alternatives
 */
export async function listFiles(
  git: Git,
  globs: readonly string[],
  skippedFolders: ReadonlySet<string>,
): Promise<readonly string[]> {
  const pathspecs = new Set(withoutBraces(globs).flatMap(pathspecOf));
  // Without a pathspec, git would list every file.
  if (pathspecs.size === 0) return [];
  const skipped = [...skippedFolders].map((name) => `--exclude=${name}/`);
  const options = ['-z', '-t', '--cached', '--others', '--exclude-standard', ...skipped];
  const listed = await git.run(['--no-literal-pathspecs', 'ls-files', ...options, '--', ...pathspecs], {
    timeLimit: listingTimeLimit,
    maxBytes: mostListedBytes,
  });
  // Each with a letter before it. Git lists a file in conflict several times, and also deleted files and the folders of
  // other repositories.
  const entries = listed.split('\0');
  const paths = [...new Set(entries.map((entry) => entry.slice(2)))];
  const untracked = entries.flatMap((entry) => (entry.startsWith('? ') ? [entry.slice(2)] : []));
  const [ignored, ...areFiles] = await Promise.all([
    // Our isolated git doesn't know the user's own ignore rules, which concern no tracked file.
    ignoredFiles(git, untracked),
    ...paths.map(async (file) => isFile(path.join(git.folder, file))),
  ]);
  return paths.filter((file, place) => areFiles[place] === true && !ignored.has(file));
}

/** The globs without alternatives such as `{a,b}`, because git doesn't know these. */
function withoutBraces(globs: readonly string[]): readonly string[] {
  const known = new Set(globs);
  const expanded: string[] = [];
  // A set also visits what is added on the way.
  for (const glob of known) {
    if (known.size > mostGlobs)
      throw new GitError(`Too many glob patterns. Use at most ${mostGlobs}, with alternatives such as {a,b}.`);
    const [, before = '', alternatives, after = ''] = /^(.*)\{([^{}]*)\}(.*)$/s.exec(glob) ?? [];
    if (alternatives === undefined) expanded.push(glob);
    for (const alternative of alternatives?.split(',', mostGlobs + 1) ?? []) known.add(before + alternative + after);
  }
  return expanded;
}

/** None for a glob of nothing, or of files outside the folder, which git rejects together with all others. */
function pathspecOf(glob: string): readonly string[] {
  const inFolder = glob.replace(/^\/+/, '');
  if (inFolder === '' || inFolder.split('/').includes('..')) return [];
  // The brackets change nothing but this: without wildcards, git would take a folder's name for all files in it.
  return [`:(glob)${inFolder.replace(/\w$/, '[$&]')}`];
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
