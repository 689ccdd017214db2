import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { LookedUp, LookUp } from '../../api/resources/lookUp.ts';
import { settlingMilliseconds } from '../../core/status/pollDelay.ts';
import type { AskingStores } from '../answers/ask.ts';
import type { ReadySession } from '../connections/session.ts';

/** A name is looked up again after this many milliseconds, because others create and delete deployments too. */
const answerMilliseconds = 60_000;

/**
 * Answers about deployments that already exist on the service, collected while a draft is checked.
 * A complete answer also counts for longer names that contain the one it was about.
 */
export class ExistingDeployments {
  /** By the name that was looked up, in the order of arrival. */
  #answers = new Map<string, LookedUp<Deployment> & { readonly askedAt: number }>();

  /**
   * Asks the service whether a name is taken, unless that is known.
   * @throws what the client throws
   */
  async ask(
    { answers, clock }: AskingStores,
    { client, connection: { name: connection } }: ReadySession,
    name: string,
    options?: CallOptions,
  ): Promise<void> {
    const askedAt = clock.monotonic();
    const [, known] = this.#answerAbout(name) ?? [];
    if (name === '' || (known !== undefined && askedAt - known.askedAt < answerMilliseconds)) return;
    // An answer that arrives after they were forgotten is as old as they are.
    const mine = this.#answers;
    const { deployments } = await client();
    const answer = await deployments.lookUp(name, options);
    mine.delete(name);
    mine.set(name, { ...answer, askedAt });
    const record = answer.rows.find((row) => row.name === name);
    const before = answers.named(connection, name);
    if (record !== undefined) {
      answers.put({ connection, deploymentId: record.id, record, askedAt, receivedAt: clock.monotonic() });
    } else if (before !== undefined && answer.found === 'notFound') {
      // A new deployment may not be listed yet.
      answers.remove({ connection, deploymentId: before.id, askedAt }, settlingMilliseconds);
    }
  }

  /** Whether a name is taken; undefined if that isn't known. */
  lookUp(name: string): LookUp | undefined {
    const [asked, answer] = this.#answerAbout(name) ?? [];
    if (asked === name) return answer?.found;
    return answer && (this.named(name) === undefined ? 'notFound' : 'found');
  }

  /** The deployment with a name, from the last answer about it. */
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
