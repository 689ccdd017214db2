import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { KeptInput } from '../page/messages.ts';
import { typedInput, typedText, type TypedInput } from '../page/yamlEdits.ts';
import { parsedJson } from '../window/drafts.ts';
import { readRegularFile } from '../window/fileBelow.ts';
import { inTurn } from '../window/inTurn.ts';

const keptInputs = z.object({
  /** How many deployments the file had. With another number, the positions may be those of others. */
  deployments: z.number(),
  inputs: z.array(typedText),
  /** What was being typed, and the number of deployments and the hash of the text that the file had. */
  typed: z.optional(z.object({ input: typedInput, deployments: z.number(), textHash: z.string() })),
});

type Kept = z.infer<typeof keptInputs>;

const nothing: Kept = { deployments: 0, inputs: [] };

/** In bytes. */
const largestKept = 10_000_000;

/**
 * What was typed for the deployments of a file and isn't in it: it can't be there as it is, or is still being typed.
 * Only its owner can read it, because it may be secret.
 */
export class UnfinishedInput {
  readonly #file: string;
  readonly #inTurn = inTurn();
  #kept = nothing;

  private constructor(folder: string) {
    this.#file = path.join(folder, 'unfinished.json');
  }

  /** @param folder the folder of a draft, or another one for a file of the user */
  static async read(folder: string): Promise<UnfinishedInput> {
    const unfinished = new UnfinishedInput(folder);
    const bytes = await readRegularFile(unfinished.#file, largestKept).catch(() => undefined);
    unfinished.#kept = keptInputs.safeParse(parsedJson(bytes?.toString() ?? '')).data ?? unfinished.#kept;
    return unfinished;
  }

  get isEmpty(): boolean {
    return this.#kept.inputs.length === 0 && this.#kept.typed === undefined;
  }

  /** The inputs of a file with this many deployments. */
  of(deployments: number): readonly KeptInput[] {
    return this.#kept.deployments === deployments ? this.#kept.inputs : [];
  }

  /** Keeps the inputs of a file that got or lost deployments at its end. */
  async recount(before: number, deployments: number): Promise<void> {
    const inputs = this.of(before).filter(({ index = 1 }) => index < deployments);
    if (this.#kept.deployments === before) await this.keep(deployments, inputs);
  }

  /** Keeps the inputs of a file with this many deployments, instead of all others. */
  async keep(deployments: number, inputs: readonly KeptInput[]): Promise<void> {
    await this.#keep({ ...this.#kept, deployments, inputs: [...inputs] });
  }

  /** Keeps what is being typed in a file that has this text and this many deployments. */
  async keepTyped(deployments: number, text: string, input: TypedInput): Promise<void> {
    await this.#keep({ ...this.#kept, typed: { input, deployments, textHash: hashOf(text) } });
  }

  /** What was being typed in a file that has this text and this many deployments by now. */
  typed(deployments: number, text: string): { readonly input: TypedInput; readonly isOfText: boolean } | undefined {
    const { typed } = this.#kept;
    if (typed?.deployments !== deployments) return undefined;
    return { input: typed.input, isOfText: typed.textHash === hashOf(text) };
  }

  /** Forgets everything, such as when the file got other deployments. */
  async forget(): Promise<void> {
    await this.#keep(nothing);
  }

  async forgetTyped(): Promise<void> {
    if (this.#kept.typed !== undefined) await this.#keep({ ...this.#kept, typed: undefined });
  }

  /** Waits until everything that is kept is written. */
  readonly written = (): Promise<void> => this.#inTurn(() => Promise.resolve());

  /** Writes what is kept, unless that has changed again by its turn. */
  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    await this.#inTurn(async () => (kept === this.#kept ? this.#write() : undefined));
  }

  async #write(): Promise<void> {
    if (this.isEmpty) return rm(this.#file, { force: true });
    // Another page of the file may write as well.
    const written = `${this.#file}.${randomUUID()}`;
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await writeFile(written, JSON.stringify(this.#kept), { mode: 0o600 });
    await rename(written, this.#file);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
