import { constants, type Stats } from 'node:fs';
import { access, lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { skippedFolders } from '../../../core/appConfig/paths.ts';
import { pathBelow } from '../../../core/git/folders.ts';
import type { FolderFacts } from '../../../core/upload/folderWords.ts';
import {
  isPointer,
  isWindowsScript,
  longestPointer,
  mayBeScript,
  neverUploaded,
  type LeftOut,
  type LeftOutReason,
} from '../../../core/upload/leftOut.ts';
import type { Git } from '../../../git/git.ts';
import { listWorkingFiles } from '../../../git/workingFiles.ts';

/** A file of a folder, as it goes into an archive. */
export interface PackedFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  /** The absolute path of the content, without links. */
  readonly source: string;
  /** In bytes. */
  readonly size: number;
  readonly isExecutable: boolean;
}

/** What an upload of a folder takes, and what it doesn't. */
export interface FolderContents extends Pick<FolderFacts, 'leftOut' | 'pointers' | 'windowsScripts' | 'isFromGit'> {
  /** By path, in an order that no language changes. */
  readonly files: readonly PackedFile[];
}

/** The paths in a folder, with what git knows of them. */
interface Listed {
  readonly paths: readonly string[];
  /** Undefined for what git doesn't track. */
  readonly executable: ReadonlyMap<string, boolean>;
  /** Links in the index, which a system without links checks out as files. */
  readonly links: ReadonlySet<string>;
  readonly leftOut: readonly LeftOut[];
  readonly isFromGit: boolean;
}

/** Links can multiply files without end. The local service takes no more files than these. */
const mostFiles = 200_000;

/** How many files are looked at together. */
const together = 64;

/**
 * Looks at the files of a folder: those that git tracks or doesn't ignore, or without git all but the usual caches.
 * A link is followed only to what is uploaded as well, and then stands for it.
 * @throws {GitError} git failed
 */
export async function readFolder(folder: string, git: Git | undefined, signal?: AbortSignal): Promise<FolderContents> {
  const listed = (git && (await listWithGit(git))) ?? (await listWithoutGit(folder));
  const root = await realpath(folder);
  const leftOut: LeftOut[] = [...listed.leftOut];
  const links: string[] = [];
  const files = new Map<string, PackedFile>();
  const pointers: string[] = [];
  const windowsScripts: string[] = [];
  const realFolders = new Map<string, Promise<string | undefined>>();
  const realFolder = async (place: string): Promise<string | undefined> => {
    const known = realFolders.get(place) ?? realpath(path.join(root, place)).catch(() => undefined);
    realFolders.set(place, known);
    return known;
  };
  const read = async (place: string): Promise<void> => {
    const leave = (reason: LeftOutReason): void => {
      leftOut.push({ path: place, reason });
    };
    const never = neverUploaded(place);
    if (never !== undefined) return leave(never);
    const found: Stats | undefined = await lstat(path.join(root, place)).catch(() => undefined);
    if (found === undefined) {
      // A tracked file may be deleted. One whose name git printed in another encoding can't be found.
      if (place.includes('\uFFFD')) leave('name');
      return;
    }
    // A folder on the way may have become a link since git tracked its files.
    const parent = await realFolder(path.posix.dirname(place));
    if (parent === undefined || below(root, parent) === undefined) return leave('linkOutside');
    // What it leads to counts only if it's uploaded itself: it may belong to git, or be ignored.
    const isThroughLink = below(path.join(root, path.posix.dirname(place)), parent) !== '';
    if (found.isSymbolicLink() || isThroughLink) {
      links.push(place);
      return;
    }
    // A folder in the place of a tracked file: its own files are listed too.
    if (found.isDirectory()) return;
    if (!found.isFile()) return leave('special');
    if (listed.links.has(place)) return leave('linkNowhere');
    const source = path.join(parent, path.posix.basename(place));
    const isReadable = await access(source, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isReadable) return leave('unreadable');
    const isExecutable = listed.executable.get(place) ?? isExecutableOnDisk(found);
    files.set(place, { path: place, source, size: found.size, isExecutable });
    // What disappears meanwhile is noticed when it's packed.
    const isShort = found.size <= longestPointer;
    const isScript = mayBeScript(place, isExecutable);
    const beginning = isShort || isScript ? await beginningOf(source).catch(() => '') : '';
    if (isShort && isPointer(beginning)) pointers.push(place);
    if (isScript && isWindowsScript(beginning)) windowsScripts.push(place);
  };
  for (let start = 0; start < listed.paths.length; start += together) {
    signal?.throwIfAborted();
    await Promise.all(listed.paths.slice(start, start + together).map(read));
  }
  const regular = [...files.values()];
  for (const link of links) {
    const target = await realpath(path.join(root, link)).catch(() => undefined);
    const inside = target === undefined ? undefined : below(root, target);
    const isOutside = target !== undefined && inside === undefined;
    const isFull = files.size > mostFiles;
    const linked = inside === undefined || isFull ? [] : linkedFiles(regular, link, inside);
    for (const file of linked) files.set(file.path, file);
    const reason = isOutside ? 'linkOutside' : isFull ? 'tooMany' : 'linkNowhere';
    if (linked.length === 0) leftOut.push({ path: link, reason });
  }
  return {
    files: [...files.values()].toSorted((a, b) => compare(a.path, b.path)),
    leftOut: leftOut.toSorted((a, b) => compare(a.path, b.path)),
    pointers: pointers.toSorted(compare),
    windowsScripts: windowsScripts.toSorted(compare),
    isFromGit: listed.isFromGit,
  };
}

async function listWithGit(git: Git): Promise<Listed | undefined> {
  const listed = await listWorkingFiles(git);
  if (listed === undefined) return undefined;
  const { tracked, untracked, emptySubmodules, otherRepositories } = listed;
  const leave = (paths: readonly string[], reason: LeftOutReason): readonly LeftOut[] =>
    paths.map((place) => ({ path: place, reason }));
  return {
    paths: [...new Set([...tracked.keys(), ...untracked])],
    executable: new Map([...tracked].map(([place, kind]) => [place, kind === 'executable'])),
    links: new Set([...tracked].flatMap(([place, kind]) => (kind === 'link' ? [place] : []))),
    leftOut: [...leave(emptySubmodules, 'submodule'), ...leave(otherRepositories, 'repository')],
    isFromGit: true,
  };
}

async function listWithoutGit(folder: string): Promise<Listed> {
  const paths: string[] = [];
  const leftOut: LeftOut[] = [];
  const folders = [''];
  // An array also visits what is added on the way.
  for (const place of folders) {
    const entries = await readdir(path.join(folder, place), { withFileTypes: true }).catch((error: unknown) => {
      if (place === '') throw error;
      leftOut.push({ path: place, reason: 'unreadable' });
      return [];
    });
    for (const entry of entries) {
      const inside = place === '' ? entry.name : `${place}/${entry.name}`;
      const never = neverUploaded(inside);
      if (!entry.isDirectory()) paths.push(inside);
      else if (never !== undefined) leftOut.push({ path: inside, reason: never });
      else if (skippedFolders.has(entry.name)) leftOut.push({ path: inside, reason: 'skipped' });
      else folders.push(inside);
    }
  }
  return { paths, executable: new Map(), links: new Set(), leftOut, isFromGit: false };
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestPointer), 0, longestPointer, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What a link stands for, under its own path: a file, or all files of a folder that it isn't in. */
function linkedFiles(files: readonly PackedFile[], link: string, target: string): readonly PackedFile[] {
  if (target === '' || link.startsWith(`${target}/`)) return [];
  return files.flatMap((file) => {
    if (file.path !== target && !file.path.startsWith(`${target}/`)) return [];
    return [{ ...file, path: link + file.path.slice(target.length) }];
  });
}

/** A path below the folder, with forward slashes; empty for the folder itself, undefined outside it. */
function below(root: string, place: string): string | undefined {
  return pathBelow(root, `${place}/`, process.platform)?.replace(/\/$/, '');
}

/** On Windows, the bits of a file say nothing. */
function isExecutableOnDisk({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o100) !== 0;
}

/** By UTF-16 code units, whatever the language of the machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
