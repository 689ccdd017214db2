import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { longestSpecText } from '../../core/yaml/document.ts';
import { readRegularFile } from './fileBelow.ts';
import { draftsFolder, specKinds, specName, type SpecKind } from './specNames.ts';

/** How long an unused draft is kept: 30 days, in milliseconds. */
const longestKept = 30 * 24 * 60 * 60_000;

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The file of a draft: one of ours that belongs to no file of the user. */
export interface Draft {
  readonly file: string;
  readonly text: string;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

/** A draft to write. */
interface NewDraft {
  readonly kind: SpecKind;
  readonly name: string;
  readonly text: string;
  /** Tells it from the others of its kind. Default: a new one. */
  readonly id?: string;
}

/** Writes a draft, readable only by its owner, in a folder of its own. The file's name is what its tab says. */
export async function createDraft(storage: string, { kind, name, text, id = randomUUID() }: NewDraft): Promise<string> {
  const folder = path.join(draftsFolder(storage, kind), id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const safeName = name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const file = path.join(folder, `${safeName.slice(0, 60) || 'deployment'}.${kind}.yaml`);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** The kept drafts of a kind, the newest first. */
export async function listDrafts(storage: string, kind: SpecKind): Promise<readonly Draft[]> {
  const folders = await draftFolders(storage, kind);
  const found = await Promise.all(folders.map(async (folder) => draftIn(folder, kind)));
  return found.flatMap((draft) => draft ?? []).toSorted((left, right) => right.changedAt - left.changedAt);
}

/** The draft whose ID begins like this; undefined if there is none. */
export async function findDraft(storage: string, kind: SpecKind, idStart: string): Promise<Draft | undefined> {
  const drafts = await listDrafts(storage, kind);
  return drafts.find(({ file }) => path.basename(path.dirname(file)).startsWith(idStart));
}

async function draftIn(folder: string, kind: SpecKind): Promise<Draft | undefined> {
  try {
    const name = (await readdir(folder)).find((each) => specName(kind, each) !== undefined);
    if (name === undefined) return undefined;
    const file = path.join(folder, name);
    const text = (await readRegularFile(file, longestSpecText))?.toString();
    if (text === undefined || text.trim() === '') return undefined;
    return { file, text, changedAt: (await stat(file)).mtimeMs };
  } catch {
    // Another window has removed it, or it isn't a file.
    return undefined;
  }
}

/** Removes a draft with its folder. */
export async function removeDraft(file: string): Promise<void> {
  await rm(path.dirname(file), { recursive: true, force: true });
}

/** Removes the drafts that weren't changed for 30 days. */
export async function tidyDrafts(storage: string, now: number): Promise<void> {
  const folders = await Promise.all(specKinds.map(async (kind) => draftFolders(storage, kind)));
  for (const folder of folders.flat()) {
    const names = await readdir(folder).catch(() => []);
    const times = await Promise.all([folder, ...names.map((name) => path.join(folder, name))].map(changedAt));
    if (now - Math.max(...times) > longestKept) await rm(folder, { recursive: true, force: true });
  }
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function draftFolders(storage: string, kind: SpecKind): Promise<readonly string[]> {
  const root = draftsFolder(storage, kind);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && isId.test(entry.name))
    .map(({ name }) => path.join(root, name));
}

/**
 * Takes a draft for this window.
 * @param isForced whether another window loses it
 * @returns false while another window has it
 */
export async function claimDraft(file: string, isForced = false): Promise<boolean> {
  const claim = claimOf(file);
  const owner = Number(await readFile(claim, 'utf8').catch(() => ''));
  if (!isForced && owner > 0 && owner !== process.pid && isRunning(owner)) return false;
  await writeFile(claim, String(process.pid), { mode: 0o600 });
  return true;
}

/** Gives back a draft that this window has. */
export async function releaseDraft(file: string): Promise<void> {
  await rm(claimOf(file), { force: true });
}

function claimOf(file: string): string {
  return path.join(path.dirname(file), 'window');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Replaces a file that only its owner can read. Whoever reads it meanwhile gets the text before, or this one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, text, { mode: 0o600 });
  try {
    await rename(written, file);
  } catch {
    // Windows may not replace a file that somebody has open.
    await writeFile(file, text, { mode: 0o600 });
  } finally {
    await rm(written, { force: true });
  }
}

/** What a file says as JSON; undefined if it says nothing, can't be read, or is larger than the limit in bytes. */
export async function readJson(file: string, limit: number): Promise<unknown> {
  try {
    return JSON.parse((await readRegularFile(file, limit))?.toString() ?? '');
  } catch {
    return undefined;
  }
}
