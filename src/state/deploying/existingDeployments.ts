import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { LookedUp, LookUp } from '../../api/resources/lookUp.ts';

/**
 * Answers about deployments that already exist on the service, collected while a draft is checked.
 * An answer is reused, even for other names, until it is forgotten.
 */
export class ExistingDeployments {
  #answers = new Map<string, LookedUp<Deployment>>();

  /**
   * Asks the service whether a name is taken, unless that is known.
   * @returns what the answer lists; nothing if it wasn't asked
   * @throws ApiError the lookup failed
   */
  async ask(
    { deployments }: Pick<Client, 'deployments'>,
    name: string,
    options?: CallOptions,
  ): Promise<readonly Deployment[]> {
    if (this.lookUp(name) !== undefined) return [];
    // An answer that arrives after they were forgotten is as old as they are.
    const answers = this.#answers;
    const answer = await deployments.lookUp(name, options);
    answers.set(name, answer);
    return answer.rows;
  }

  /** Whether a name is taken; undefined if that isn't known. */
  lookUp(name: string): LookUp | undefined {
    const answer = this.#answers.get(name);
    if (answer !== undefined) return answer.found;
    // A complete answer lists every name that contains its search text, so this name is in it or doesn't exist.
    const whole = [...this.#answers].find(([part, { isWhole }]) => isWhole && name.includes(part));
    if (whole === undefined) return undefined;
    return whole[1].rows.some((row) => row.name === name) ? 'found' : 'notFound';
  }

  /** All deployments in the answers so far, the latest answer last. */
  get rows(): readonly Deployment[] {
    return [...this.#answers.values()].flatMap(({ rows }) => rows);
  }

  /** Forgets all answers, because the service changed or a request was sent. */
  forget(): void {
    this.#answers = new Map();
  }
}
