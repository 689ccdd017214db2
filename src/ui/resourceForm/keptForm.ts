import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FormState } from './protocol.ts';

/** What the user has opened, as URIs. */
export interface KnownPlaces {
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The files that tabs show. */
  readonly tabs: readonly string[];
}

/**
 * A restored form without an address that nobody opened. The form reads its file and writes over it, so that an address
 * counts only as a spec file of the open workspace or in a tab.
 */
export function withKnownPaths(state: FormState, { folders, tabs }: KnownPlaces): FormState {
  const { fileUri } = state.context;
  const isSpecOfWorkspace = specEnding.test(fileUri) && folders.some((folder) => isBelow(fileUri, folder));
  const isKnown = isSpecOfWorkspace || tabs.includes(fileUri);
  return { ...state, context: { ...state.context, fileUri: isKnown ? fileUri : '' } };
}

const specEnding = /\.resource-spec\.ya?ml$/i;

/** Steps upwards lead out of a folder, also where they are encoded. */
function isBelow(uri: string, folder: string): boolean {
  return uri.startsWith(`${folder}/`) && !/\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|[?#\\]/i.test(uri.slice(folder.length));
}

/** In milliseconds. */
const longestKept = 30 * 24 * 60 * 60_000;

/** In bytes: neither the text of a form nor what could not be put into it yet is longer than a million characters. */
const largestFile = 10_000_000;

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The folder of one form in the extension's storage, readable for its owner only: all that the form holds, and the
 * document that "Open in Editor" uses while the form has no file. The window itself keeps nothing but the id.
 */
export class KeptForm {
  readonly id: string;
  /** The path of the document. */
  readonly document: string;
  readonly #folder: string;
  readonly #file: string;
  readonly #now: () => number;
  #next: FormState | undefined;
  /** One write after the other, so that the newest is the last. */
  #work: Promise<void> = Promise.resolve();

  /** The form that a window remembers, or another one where that is no form. */
  constructor(storage: string, now: () => number, remembered?: unknown) {
    this.id = idIn(remembered) ?? randomUUID();
    this.#folder = path.join(folderOfForms(storage), this.id);
    this.#file = path.join(this.#folder, 'form.json');
    this.document = path.join(this.#folder, 'deployment.resource-spec.yaml');
    this.#now = now;
  }

  /** Keeps what the form holds now. Of several states in a row the last one is written. */
  async keep(state: FormState): Promise<void> {
    const isWaiting = this.#next !== undefined;
    this.#next = state;
    if (!isWaiting) this.#work = this.#after(() => this.#write());
    return this.#work;
  }

  /** What was kept, which anybody can have written; undefined where there is nothing. */
  async read(): Promise<unknown> {
    try {
      if ((await stat(this.#file)).size > largestFile) return undefined;
      return JSON.parse(await readFile(this.#file, 'utf8'));
    } catch {
      // A file that is gone, or that another program damaged, is the same to the form.
      return undefined;
    }
  }

  async writeDocument(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.document, text, { mode: 0o600 });
  }

  /** Removes the document of a form that is closed and may be opened again. */
  async removeDocument(): Promise<void> {
    await rm(this.document, { force: true });
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    this.#next = undefined;
    this.#work = this.#after(() => rm(this.#folder, { recursive: true, force: true }));
    return this.#work;
  }

  async #after(step: () => Promise<void>): Promise<void> {
    // Who asked for what came before hears of its failure.
    await this.#work.catch(() => undefined);
    return step();
  }

  async #write(): Promise<void> {
    const state = this.#next;
    this.#next = undefined;
    if (state === undefined) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.new`;
    await writeFile(draft, JSON.stringify(state), { mode: 0o600 });
    await rename(draft, this.#file);
    const seconds = this.#now() / 1000;
    await utimes(this.#folder, seconds, seconds);
  }
}

/** Removes the forms that nobody came back to for 30 days. */
export async function removeOldForms(storage: string, now: number): Promise<void> {
  const folder = folderOfForms(storage);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => isId.test(candidate))) {
    const { mtimeMs } = await stat(path.join(folder, name));
    if (now - mtimeMs > longestKept) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function folderOfForms(storage: string): string {
  return path.join(storage, 'resource-spec');
}

/** An id is a part of a path. */
function idIn(remembered: unknown): string | undefined {
  if (typeof remembered !== 'object' || remembered === null || !('id' in remembered)) return undefined;
  const { id } = remembered;
  return typeof id === 'string' && isId.test(id) ? id : undefined;
}
