import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../window/fileBelow.ts';
import type { FormState } from './protocol.ts';

/** The folders of the workspace and the files shown in tabs, as URIs. */
export interface KnownPlaces {
  readonly folders: readonly string[];
  readonly tabs: readonly string[];
}

/**
 * Drops the file address of a restored form unless the user has opened that file.
 * The form reads and overwrites the file, so it must be a spec file of the workspace or shown in a tab.
 */
export function withKnownPaths(state: FormState, { folders, tabs }: KnownPlaces): FormState {
  const { fileUri } = state.context;
  const isSpecOfWorkspace = specFileEnding.test(fileUri) && folders.some((folder) => isBelow(fileUri, folder));
  const isKnown = isSpecOfWorkspace || tabs.includes(fileUri);
  return { ...state, context: { ...state.context, fileUri: isKnown ? fileUri : '' } };
}

export const specFileEnding = /\.resource-spec\.ya?ml$/i;

/** Whether a URI lies in a folder. Rejects `..` and its encoded forms, which lead out of the folder. */
function isBelow(uri: string, folder: string): boolean {
  return uri.startsWith(`${folder}/`) && !/\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|[?#\\]/i.test(uri.slice(folder.length));
}

/** How long an unused form is kept: 30 days, in milliseconds. */
const longestKept = 30 * 24 * 60 * 60_000;

/** In bytes. A form's text and its drafts have at most a million characters each. */
const largestFile = 10_000_000;

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The folder of one form in the extension's storage, readable only by its owner.
 * It holds the form's state, and the document that "Open in Editor" uses while the form has no file. The window itself
 * keeps only the id.
 */
export class KeptForm {
  readonly id: string;
  readonly document: string;
  readonly #folder: string;
  readonly #file: string;
  #next: FormState | undefined;
  /** Writes run one after another, so the newest comes last. */
  #work: Promise<void> = Promise.resolve();

  /** Uses the id that a window remembers, or a new one if that isn't a valid id. */
  constructor(storage: string, remembered?: unknown) {
    this.id = idIn(remembered) ?? randomUUID();
    this.#folder = path.join(folderOfForms(storage), this.id);
    this.#file = path.join(this.#folder, 'form.json');
    this.document = path.join(this.#folder, 'deployment.resource-spec.yaml');
  }

  /** Keeps the form's state. Of several states in a row, only the last one is written. */
  async keep(state: FormState): Promise<void> {
    const isWaiting = this.#next !== undefined;
    this.#next = state;
    if (!isWaiting) this.#work = this.#after(() => this.#write());
    return this.#work;
  }

  /** Reads the kept state, which anyone may have written; undefined when there is none. */
  async read(): Promise<unknown> {
    try {
      const bytes = await readRegularFile(this.#file, largestFile);
      return bytes && JSON.parse(bytes.toString());
    } catch {
      // A missing file and a damaged one are the same to the form.
      return undefined;
    }
  }

  async writeDocument(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.document, text, { mode: 0o600 });
  }

  /** Removes the document of a closed form that may be reopened. */
  async removeDocument(): Promise<void> {
    await rm(this.document, { force: true });
  }

  async remove(): Promise<void> {
    this.#next = undefined;
    this.#work = this.#after(() => rm(this.#folder, { recursive: true, force: true }));
    return this.#work;
  }

  async #after(step: () => Promise<void>): Promise<void> {
    // The caller of the earlier step gets its error.
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
  }
}

/** Removes the forms that weren't used for 30 days. Keeping a form changes the time of its folder. */
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

/** Reads a remembered id. It becomes part of a path, so only a UUID is accepted. */
function idIn(remembered: unknown): string | undefined {
  if (typeof remembered !== 'object' || remembered === null || !('id' in remembered)) return undefined;
  const { id } = remembered;
  return typeof id === 'string' && isId.test(id) ? id : undefined;
}
