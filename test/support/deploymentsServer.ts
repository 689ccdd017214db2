import { startFaultServer, type Fault, type FaultServer } from './faultServer.ts';

/** A revision as a test sets it; change it and the next answer tells. */
export interface ServedRevision {
  readonly id: string;
  status: string;
  /** Undefined if the service doesn't say. */
  updated_at?: string;
}

export interface ServedDeployment {
  readonly id: string;
  readonly name: string;
  /** READY without one. */
  status?: string;
  active?: ServedRevision;
  latest?: ServedRevision;
  /** Between the latest and the live one, the newest first. */
  readonly others?: readonly ServedRevision[];
}

export interface DeploymentsServer extends Pick<FaultServer, 'url' | 'asked'>, AsyncDisposable {
  /** What is served, in the order of the list. */
  readonly deployments: ServedDeployment[];
  /** Path and query of every request, in the order of arrival. */
  readonly requests: string[];
  /** The most requests that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Keeps answers back until `release`. */
  hold(): void;
  /** How many answers are kept back. */
  waiting(): number;
  release(): void;
  /** Answers the revisions of a deployment with an error until told otherwise. */
  failRevisionsOf(deploymentId: string | undefined, status?: number, retryAfterSeconds?: number): void;
  /** Answers the list with an error from now on. */
  failList(): void;
}

/**
 * Starts a server that lists deployments and tells single revisions, as the interface says, out of plain objects: for
 * tests of what is asked, how often and at once. Use it with `await using`.
 */
export async function startDeploymentsServer(deployments: ServedDeployment[]): Promise<DeploymentsServer> {
  const requests: string[] = [];
  const waiting: (() => void)[] = [];
  let isHolding = false;
  let failing: string | undefined;
  let failure: { readonly status: number; readonly retryAfter?: number | undefined } = { status: 400 };
  let isListFailing = false;
  let atOnce = 0;
  let most = 0;

  function answerTo(path: string): {
    readonly status: number;
    readonly body: unknown;
    readonly retryAfter?: number | undefined;
  } {
    const url = new URL(path, 'http://server');
    const [, , , deploymentId, revisions, revisionId] = url.pathname.split('/');
    if (deploymentId === undefined && isListFailing) return { status: 400, body: { detail: 'It is told to fail.' } };
    if (deploymentId === undefined) return { status: 200, body: pageOf(deployments, url.searchParams) };
    const { active, latest, others = [] } = deployments.find(({ id }) => id === deploymentId) ?? {};
    const revision = [active, latest].find((candidate) => candidate?.id === revisionId);
    const isList = revisions === 'revisions' && revisionId === undefined;
    if (revision === undefined && !isList) return { status: 404, body: { detail: 'Not found.' } };
    if (deploymentId === failing) return { ...failure, body: { detail: 'It is told to fail.' } };
    if (isList) {
      const all = [latest, ...others, active].filter((each) => each !== undefined);
      const resources = all.slice(0, Number(url.searchParams.get('limit')));
      return { status: 200, body: { resources, offset: resources.length } };
    }
    return { status: 200, body: revision };
  }

  const handle: Fault = (response, { url = '' }) => {
    requests.push(url);
    atOnce += 1;
    most = Math.max(most, atOnce);
    const send = (): void => {
      atOnce -= 1;
      const { status, body, retryAfter } = answerTo(url);
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (isHolding) waiting.push(send);
    else send();
  };

  const server = await startFaultServer();
  server.answer(handle);
  return {
    ...server,
    deployments,
    requests,
    mostAtOnce: () => most,
    hold: () => void (isHolding = true),
    waiting: () => waiting.length,
    release: () => {
      isHolding = false;
      for (const send of waiting.splice(0)) send();
    },
    failRevisionsOf: (deploymentId, status = 400, retryAfter) => {
      failing = deploymentId;
      failure = { status, retryAfter };
    },
    failList: () => void (isListFailing = true),
  };
}

function pageOf(deployments: readonly ServedDeployment[], query: URLSearchParams): unknown {
  const ids = query.get('deployment_ids')?.split(',');
  const rows = ids === undefined ? deployments : deployments.filter(({ id }) => ids.includes(id));
  const offset = Number(query.get('offset') ?? 0);
  const page = rows.slice(offset, offset + Number(query.get('limit') ?? 20));
  return { resources: page.map(recordOf), offset: offset + page.length };
}

/** A record names its revisions and does not say how they are (the interface, "Deployment"). */
function recordOf({ id, name, status = 'READY', active, latest }: ServedDeployment): unknown {
  return {
    id,
    name,
    status,
    source: 'external_docker',
    active_revision_id: active?.id ?? null,
    latest_revision_id: latest?.id ?? null,
  };
}
