import * as z from 'zod/mini';
import type { FileDeployment } from './deploymentFile.ts';

/** A deployment that a file has or had. */
const numbered = z.object({
  number: z.number(),
  /** Its name and connection, which tell it from the others; empty as long as no name is known. */
  identity: z.string(),
});

type Numbered = z.infer<typeof numbered>;

/** The deployments that a file has, in its order, and those that it had, the last one first. */
export const knownNumbers = z.object({ present: z.array(numbered), gone: z.array(numbered) });

type KnownNumbers = z.infer<typeof knownNumbers>;

/** Of deployments that a file had. */
const mostGone = 100;

/**
 * The numbers of a file's deployments, each of which keeps its own wherever it goes in the file, and gets it again when
 * it comes back, such as after being cut and pasted.
 */
export class DeploymentNumbers {
  #known: KnownNumbers;
  #last: number;

  /** @param known those of a page before */
  constructor(known: KnownNumbers = { present: [], gone: [] }) {
    this.#known = known;
    this.#last = Math.max(-1, ...[...known.present, ...known.gone].map(({ number }) => number));
  }

  get known(): KnownNumbers {
    return this.#known;
  }

  /** The numbers of the deployments that the file has, in its order. */
  get present(): readonly number[] {
    return this.#known.present.map(({ number }) => number);
  }

  /** Whether the file has or had a deployment with this number. */
  has(number: number): boolean {
    return [...this.#known.present, ...this.#known.gone].some((each) => each.number === number);
  }

  /**
   * Numbers the deployments that the file has now. It knows one by its name and connection, or by its place if the file has
   * as many as before.
   */
  follow(deployments: readonly Pick<FileDeployment, 'name' | 'connection'>[]): void {
    const { present: before, gone } = this.#known;
    const identities = deployments.map(({ name, connection }) => name && JSON.stringify([name, connection]));
    const left = new Set([...before, ...gone]);
    const take = (found: Numbered | undefined): Numbered | undefined => {
      if (found !== undefined) left.delete(found);
      return found;
    };
    const found: (Numbered | undefined)[] = [];
    const find = (search: (identity: string, index: number) => Numbered | undefined): void => {
      for (const [index, identity] of identities.entries()) found[index] ??= take(search(identity, index));
    };
    const named = (identity: string) => (each: Numbered) => left.has(each) && each.identity === identity;
    find((identity, index) => before.slice(index, index + 1).find(named(identity)));
    find((identity) => before.find(named(identity)));
    // One that is renamed on its way may have the name of one that is gone.
    if (before.length === identities.length) {
      find((_, index) => before.slice(index, index + 1).find((each) => left.has(each)));
    }
    find((identity) => gone.find(named(identity)));
    const present = identities.map((identity, index) => {
      const { number = (this.#last += 1), identity: last = '' } = found[index] ?? {};
      return { number, identity: identity || last };
    });
    this.#known = { present, gone: [...left].filter(({ identity }) => identity !== '').slice(0, mostGone) };
  }

  /** Gives all deployments other numbers, because they begin again. */
  renew(): void {
    this.#known = { present: this.#known.present.map((each) => ({ ...each, number: (this.#last += 1) })), gone: [] };
  }
}
