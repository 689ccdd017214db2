import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { KeptInput } from '../page/messages.ts';
import { typedInput, typedText, type TypedInput } from '../page/yamlEdits.ts';
import { parsedJson } from '../window/drafts.ts';
import { readRegularFile } from '../window/fileBelow.ts';

const keptInputs = z.object({
  /** How many deployments the file had. With another number, the positions may be those of others. */
  deployments: z.number(),
  inputs: z.array(typedText),
  /** What was being typed when this was written, and may not be in the file. */
  typed: z.optional(typedInput),
});

type Kept = z.infer<typeof keptInputs>;

/** In bytes. */
const largestKept = 10_000_000;

/**
 * What was typed for the deployments of a file and isn't in it: it can't be there as it is, or is still being typed.
 * Only its owner can read it, because it may be secret.
 */
export class UnfinishedInput {
  readonly #file: string;
  #kept: Kept = { deployments: 0, inputs: [] };

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
    return this.#of(deployments)?.inputs ?? [];
  }

  /** What was being typed in a file with this many deployments. */
  typed(deployments: number): TypedInput | undefined {
    return this.#of(deployments)?.typed;
  }

  #of(deployments: number): Kept | undefined {
    return this.#kept.deployments === deployments ? this.#kept : undefined;
  }

  /** Keeps the inputs of a file that got or lost deployments at its end. */
  async recount(before: number, deployments: number): Promise<void> {
    const isThere = ({ index = 1 }: Pick<KeptInput, 'index'>): boolean => index < deployments;
    const kept = this.#of(before);
    if (kept === undefined) return;
    const typed = kept.typed !== undefined && isThere(kept.typed) ? kept.typed : undefined;
    await this.#write({ deployments, inputs: kept.inputs.filter(isThere), typed });
  }

  /** Keeps the inputs of a file with this many deployments, instead of all others. */
  async keep(deployments: number, inputs: readonly KeptInput[]): Promise<void> {
    await this.#write({ deployments, inputs: [...inputs], typed: this.typed(deployments) });
  }

  /** Keeps what is being typed in a file with this many deployments, until it is undefined. */
  async keepTyped(deployments: number, typed: TypedInput | undefined): Promise<void> {
    if (typed === this.typed(deployments)) return;
    await this.#write({ deployments, inputs: [...this.of(deployments)], typed });
  }

  async #write(kept: Kept): Promise<void> {
    const wasEmpty = this.isEmpty;
    this.#kept = kept;
    if (!this.isEmpty) {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(this.#file, JSON.stringify(kept), { mode: 0o600 });
    } else if (!wasEmpty) {
      await rm(this.#file, { force: true });
    }
  }
}
