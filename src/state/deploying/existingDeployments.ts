import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment, DeploymentLookUp } from '../../api/resources/deployments.ts';
import type { LookUp } from '../../api/resources/lookUp.ts';

/**
 * What a review has heard of the deployments that its service has already. What was answered is not asked again, not
 * even for another name, until it is forgotten.
 */
export class ExistingDeployments {
  readonly #answers = new Map<string, DeploymentLookUp>();

  /**
   * Asks the service whether a name is taken, unless that is known.
   * @throws ApiError the service did not say
   */
  async ask({ deployments }: Pick<Client, 'deployments'>, name: string, options?: CallOptions): Promise<void> {
    if (this.lookUp(name) !== undefined) return;
    this.#answers.set(name, await deployments.lookUp(name, options));
  }

  /** Whether a name is taken; undefined where nobody has asked. */
  lookUp(name: string): LookUp | undefined {
    const answer = this.#answers.get(name);
    if (answer !== undefined) return answer.found;
    // All names that contain a part of this one: it is among them, or nowhere.
    const whole = [...this.#answers].find(([part, { isWhole }]) => isWhole && name.includes(part));
    if (whole === undefined) return undefined;
    return whole[1].rows.some((row) => row.name === name) ? 'found' : 'notFound';
  }

  /** The deployments that were seen on the way. */
  get rows(): readonly Deployment[] {
    return [...this.#answers.values()].flatMap(({ rows }) => rows);
  }

  /** What was heard belongs to another service, or to the time before something was sent. */
  forget(): void {
    this.#answers.clear();
  }
}
