import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { LookedUp, LookUp } from '../../api/resources/lookUp.ts';

/** How long an answer counts, in milliseconds: others create and delete deployments too. */
const answerMilliseconds = 60_000;

/**
 * Answers about deployments that already exist on the service, collected while a draft is checked.
 * An answer is used for a while, even for other names, until it is forgotten.
 */
export class ExistingDeployments {
  /** By the names that were asked for; the newest at the end. */
  #answers = new Map<string, LookedUp<Deployment> & { readonly askedAt: number }>();

  /**
   * Asks the service whether a name is taken, unless that is known.
   * @param askedAt now, in monotonic time
   * @returns what the answer lists; nothing if it wasn't asked
   * @throws ApiError the lookup failed
   */
  async ask(
    { deployments }: Pick<Client, 'deployments'>,
    name: string,
    askedAt: number,
    options?: CallOptions,
  ): Promise<readonly Deployment[]> {
    const [, known] = this.#answerAbout(name) ?? [];
    if (known !== undefined && askedAt - known.askedAt < answerMilliseconds) return [];
    // An answer that arrives after they were forgotten is as old as they are.
    const answers = this.#answers;
    const answer = await deployments.lookUp(name, options);
    answers.delete(name);
    answers.set(name, { ...answer, askedAt });
    return answer.rows;
  }

  /** Whether a name is taken; undefined if that isn't known. */
  lookUp(name: string): LookUp | undefined {
    const [asked, answer] = this.#answerAbout(name) ?? [];
    if (asked === name) return answer?.found;
    return answer && (this.named(name) === undefined ? 'notFound' : 'found');
  }

  /** The deployment that has a name, as the newest answer about that says. */
  named(name: string): Deployment | undefined {
    return this.#answerAbout(name)?.[1].rows.find((row) => row.name === name);
  }

  /** A complete answer lists every name that contains its search text, so it tells of these too. */
  #answerAbout(name: string) {
    return [...this.#answers].findLast(([asked, { isWhole }]) => asked === name || (isWhole && name.includes(asked)));
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
