import path from 'node:path';
import { GitError, type Git } from './git.ts';

export interface TreeEntry {
  /** A link is one that leads out of the tree, in circles, or through too many others. */
  readonly kind: 'file' | 'folder' | 'submodule' | 'link';
  readonly id: string;
}

/** What is known of a tree so far; undefined for what doesn't exist. */
interface KnownTree {
  readonly entries: Map<string, TreeEntry | undefined>;
  /** The targets of links, by the link's id. */
  readonly targets: Map<string, string>;
}

/** Windows limits a command line to 32,767 characters. */
const longestArguments = 16_000;

/** In characters. Longer than any path that people check out. */
const longestPath = 2000;

/** In one path. Also limits how often git is asked. */
const mostHops = 10;

/** In all paths, because each takes a git process. */
const mostLinks = 100;

/**
 * Looks up paths in the tree of a commit, not in the working copy. Leaves out paths that don't exist.
 * Follows symbolic links, also to folders, as long as they stay in the tree. Asks git once about all paths, and again
 * about those that may lie behind a link.
 * @throws {GitError} git failed
 */
export async function readTree(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const known: KnownTree = { entries: new Map(), targets: new Map() };
  for (;;) {
    const found = new Map<string, TreeEntry>();
    const unknown = new Set<string>();
    for (const asked of paths) {
      if (asked.length > longestPath || asked.includes('\0')) continue;
      const answer = lookUp(asked, known);
      if (typeof answer === 'string') unknown.add(answer);
      else if (answer !== undefined) found.set(asked, answer);
    }
    if (unknown.size === 0) return found;
    for (const part of inParts(withoutParents(unknown))) await list(git, commit, part, known);
  }
}

/**
 * Whether the paths are files or folders at a commit. Leaves out everything else, such as links out of the tree.
 * Undefined if git can't tell, as in a clone that has only some of its remote's folders. Fetches nothing.
 */
export async function readKinds(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, 'file' | 'folder'> | undefined> {
  try {
    const tree = await readTree(git, commit, paths);
    return new Map(
      [...tree].flatMap(([found, { kind }]) => (kind === 'file' || kind === 'folder' ? [[found, kind]] : [])),
    );
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/**
 * The entry of a path at a commit, with its text if it is a file of at most `limit` bytes. Undefined if there is none.
 * @throws {GitError} git failed
 */
export async function readText(
  git: Git,
  commit: string,
  place: string,
  limit: number,
): Promise<(TreeEntry & { readonly text?: string }) | undefined> {
  const entry = (await readTree(git, commit, [place])).get(place);
  if (entry?.kind !== 'file') return entry;
  const size = Number(await git.run(['cat-file', '-s', entry.id]));
  return size > limit ? entry : { ...entry, text: await git.run(['cat-file', 'blob', entry.id]) };
}

/** The entry of a path, undefined if it doesn't exist, or a path to ask git about first. */
function lookUp(asked: string, { entries, targets }: KnownTree): TreeEntry | string | undefined {
  let place = asked;
  for (let hop = 0; ; hop += 1) {
    const stop = parentsOf(place).find((parent) => entries.get(parent)?.kind !== 'folder') ?? place;
    // Git also lists the parents of what it finds, so ask about a parent only after the path itself.
    if (!entries.has(stop)) return entries.has(place) ? stop : place;
    const entry = entries.get(stop);
    if (entry?.kind !== 'link') return stop === place ? entry : undefined;
    const target = targets.get(entry.id) ?? '/';
    const next = path.posix.join(path.posix.dirname(stop), target, place.slice(stop.length)).replace(/\/$/, '');
    if (hop === mostHops || target.startsWith('/') || /^\.\.(?:\/|$)/.test(next)) return entry;
    place = next;
  }
}

async function list(
  git: Git,
  commit: string,
  paths: readonly string[],
  { entries, targets }: KnownTree,
): Promise<void> {
  // Without sizes, because a partial clone may not have them.
  const output = await git.run(['ls-tree', '-z', '-t', '--full-tree', commit, '--', ...paths]);
  for (const asked of paths) entries.set(asked, undefined);
  for (const line of output.split('\0')) {
    const [, mode = '', id = '', listed] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (listed === undefined) continue;
    const kind = kindOf(mode);
    entries.set(listed, { kind, id });
    if (kind === 'link' && !targets.has(id) && targets.size < mostLinks) {
      const target = await git.run(['cat-file', 'blob', id]);
      // Git never checks out such a link.
      targets.set(id, target.length > longestPath || target.includes('\0') ? '/' : target);
    }
  }
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000') return 'submodule';
  return mode === '040000' ? 'folder' : 'file';
}

/** Leaves out the parents of other paths, because git would list everything in them. */
function withoutParents(paths: ReadonlySet<string>): string[] {
  const parents = new Set([...paths].flatMap(parentsOf));
  return [...paths].filter((asked) => !parents.has(asked));
}

/** The folders that contain a path, the outermost first. */
export function parentsOf(place: string): string[] {
  const names = place.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Parts of a list of paths that each fit on a command line. */
export function inParts(paths: readonly string[]): string[][] {
  const parts: string[][] = [];
  let length = longestArguments;
  for (const asked of paths) {
    length += asked.length + 1;
    if (length > longestArguments) {
      parts.push([]);
      length = asked.length + 1;
    }
    parts.at(-1)?.push(asked);
  }
  return parts;
}
