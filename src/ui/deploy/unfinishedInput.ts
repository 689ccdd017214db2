import { hash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { madeRevision, type MadeRevision } from '../../core/draft/begunDraft.ts';
import { DeploymentNumbers, knownNumbers } from '../../core/draft/deploymentNumbers.ts';
import type { KeptInput } from '../page/messages.ts';
import { typedInput, typedText, type TypedInput } from '../page/yamlEdits.ts';
import { readJson, replaceFile } from '../window/drafts.ts';
import { inTurn } from '../window/inTurn.ts';

const keptInputs = z.object({
  numbers: knownNumbers,
  inputs: z.array(typedText),
  /** What was being typed, and the hash of the text that the file had. */
  typed: z.optional(z.object({ input: typedInput, textHash: z.string() })),
  /** What was made from the page of a file. That of a draft is with the draft. */
  made: z.optional(z.array(madeRevision)),
});

type Kept = Omit<z.infer<typeof keptInputs>, 'numbers'>;

/** In bytes. */
const largestKept = 10_000_000;

/**
 * What the page of a file keeps beside the file: texts that the file can't have yet, what is being typed, and the
 * deployments that were made from the page. Only its owner can read it, because it may be secret.
 */
export class UnfinishedInput {
  readonly #file: string;
  readonly #inTurn = inTurn();
  #kept: Kept;
  #isWritten = true;
  /** Of the deployments that the input is for. */
  readonly numbers: DeploymentNumbers;

  private constructor(file: string, kept?: z.infer<typeof keptInputs>) {
    this.#file = file;
    this.#kept = kept ?? { inputs: [] };
    this.numbers = new DeploymentNumbers(kept?.numbers);
  }

  /** @param folder the folder of a draft, or another one for a file of the user */
  static async read(folder: string): Promise<UnfinishedInput> {
    const file = fileIn(folder);
    return new UnfinishedInput(file, keptInputs.safeParse(await readJson(file, largestKept)).data);
  }

  /** Whether nothing was typed for the deployments that the file has. */
  get isEmpty(): boolean {
    const { present } = this.numbers;
    const isPresent = ({ number }: KeptInput): boolean => number === undefined || present.includes(number);
    return !this.inputs.some(isPresent) && this.#kept.typed === undefined;
  }

  /** Also of deployments that are gone, which may come back. */
  get inputs(): readonly KeptInput[] {
    return this.#kept.inputs;
  }

  /** Keeps these inputs instead of all others, without those of deployments that aren't known. */
  async keep(inputs: readonly KeptInput[]): Promise<void> {
    const known = inputs.filter(({ number }) => number === undefined || this.numbers.has(number));
    await this.#keep({ ...this.#kept, inputs: known });
  }

  /** Keeps another input, instead of the one for the same place. */
  async add(input: KeptInput): Promise<void> {
    const others = this.inputs.filter(({ number, key }) => number !== input.number || key !== input.key);
    await this.keep([...others, input]);
  }

  /** Keeps what is being typed in a file that has this text. */
  async keepTyped(text: string, input: TypedInput): Promise<void> {
    await this.#keep({ ...this.#kept, typed: { input, textHash: hashOf(text) } });
  }

  /** What was being typed in a file that has this text by now. */
  typed(text: string): { readonly input: TypedInput; readonly isOfText: boolean } | undefined {
    const { typed } = this.#kept;
    return typed && { input: typed.input, isOfText: typed.textHash === hashOf(text) };
  }

  async forget(): Promise<void> {
    await this.#keep({ ...this.#kept, inputs: [], typed: undefined });
  }

  /** What was made from the page of a file before the window was reloaded. */
  get made(): readonly MadeRevision[] {
    return this.#kept.made ?? [];
  }

  /** Keeps what was made from the page of a file, until the page is closed. */
  async keepMade(made: readonly MadeRevision[]): Promise<void> {
    if (made.length === 0 && this.made.length === 0) return;
    await this.#keep({ ...this.#kept, made: made.map((each) => madeRevision.parse(each)) });
  }

  /** Writes this for the page of another file, without what is being typed. */
  async copyTo(folder: string): Promise<void> {
    const copy = new UnfinishedInput(fileIn(folder), { numbers: this.numbers.known, inputs: [] });
    await copy.keep(this.inputs);
  }

  /** Keeps which deployments the input is for, after these were followed. */
  async keepNumbers(): Promise<void> {
    if (this.#hasAny) await this.#keep(this.#kept);
  }

  async forgetTyped(): Promise<void> {
    if (this.#kept.typed !== undefined) await this.#keep({ ...this.#kept, typed: undefined });
  }

  /** Waits until everything that is kept is written. */
  readonly written = (): Promise<void> => this.#inTurn(() => Promise.resolve());

  /** Writes, when it is its turn, what is kept by then. */
  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    this.#isWritten = false;
    await this.#inTurn(() => this.#write());
  }

  get #hasAny(): boolean {
    return this.inputs.length > 0 || this.#kept.typed !== undefined || this.made.length > 0;
  }

  async #write(): Promise<void> {
    if (this.#isWritten) return;
    this.#isWritten = true;
    if (!this.#hasAny) {
      await rm(this.#file, { force: true });
      return;
    }
    const content: z.infer<typeof keptInputs> = { ...this.#kept, numbers: this.numbers.known };
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await replaceFile(this.#file, JSON.stringify(content));
  }
}

function fileIn(folder: string): string {
  return path.join(folder, 'unfinished.json');
}

function hashOf(text: string): string {
  return hash('sha256', text);
}
