import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { keptInput, type KeptInput } from '../page/messages.ts';
import { parsedJson } from '../window/drafts.ts';
import { readRegularFile } from '../window/fileBelow.ts';

const keptInputs = z.object({
  /** How many deployments the file had. With another number, the positions may be those of others. */
  deployments: z.number(),
  inputs: z.array(keptInput),
});

/** In bytes. */
const largestKept = 10_000_000;

/**
 * What was typed for the deployments of a file and that the file can't have as it is.
 * Only its owner can read it, because it may be secret.
 */
export class UnfinishedInput {
  readonly #file: string;
  #kept: z.infer<typeof keptInputs> = { deployments: 0, inputs: [] };

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
    return this.#kept.inputs.length === 0;
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
    const wasEmpty = this.isEmpty;
    this.#kept = { deployments, inputs: [...inputs] };
    if (!this.isEmpty) {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(this.#file, JSON.stringify(this.#kept), { mode: 0o600 });
    } else if (!wasEmpty) {
      await rm(this.#file, { force: true });
    }
  }
}
