import { createClient, type Client } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors.ts';
import type { CallOptions } from '../../src/api/http/http.ts';
import type { Deployment } from '../../src/api/resources/deployments.ts';
import type { Page } from '../../src/api/resources/page.ts';
import type { Revision } from '../../src/api/resources/revisions.ts';

const neverAsked = (): Promise<never> =>
  Promise.reject(new Error('Following asks only for deployments and revisions.'));
const base = createClient({
  baseUrl: 'https://service.test',
  auth: neverAsked,
  transport: { request: neverAsked, close: async () => undefined, retire: async () => undefined },
});

/** A service without a network, which answers at once with what a test puts in. */
export class InstantService {
  /** By id. */
  readonly records = new Map<string, Deployment>();
  /** By id. */
  readonly revisions = new Map<string, Revision>();
  /** What every request throws instead of answering. */
  failure: unknown;
  /** The ids that were asked for, and of a list its path. */
  readonly asked: string[] = [];
  /** Of the last request. */
  signal: AbortSignal | undefined;

  /** Answers only what following asks. */
  readonly client: Client = {
    ...base,
    deployments: {
      ...base.deployments,
      find: async (id, options) => this.#answer(id, options, () => this.records.get(id)),
      list: async (query, options) =>
        this.#answer(query?.deployment_ids ?? '/deployments', options, () =>
          pageOf([...this.records.values()].filter(({ id }) => id === (query?.deployment_ids ?? id))),
        ),
    },
    revisions: {
      ...base.revisions,
      get: async (_deploymentId, id, options) =>
        this.#answer(id, options, () => {
          const revision = this.revisions.get(id);
          if (revision === undefined) throw new ApiError({ kind: 'notFound', message: 'Not found', sent: true });
          return revision;
        }),
      list: async (_deploymentId, _query, options) => this.#answer('/revisions', options, () => pageOf([])),
    },
  };

  /** Deploys a revision: it is the latest one of its deployment, and the live one if it is deployed. */
  deploy(id: string, revisionId: string, status: string, fields: Partial<Deployment> = {}): void {
    const live = status === 'DEPLOYED' ? { active_revision_id: revisionId } : {};
    this.records.set(id, { name: id, ...this.records.get(id), ...live, ...fields, id, latest_revision_id: revisionId });
    this.revisions.set(revisionId, { id: revisionId, status });
  }

  #answer<T>(asked: string, options: CallOptions | undefined, answer: () => T): T {
    this.asked.push(asked);
    this.signal = options?.signal;
    if (this.failure !== undefined) throw this.failure;
    return answer();
  }
}

function pageOf<T>(resources: T[]): Page<T> {
  return { resources, offset: resources.length };
}
