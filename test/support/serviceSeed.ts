import { setTimeout as delay } from 'node:timers/promises';

export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string;
}

export interface SeededDeployment {
  readonly id: string;
  readonly name: string;
  readonly latest_revision_id: string;
}

const patienceMilliseconds = 30_000;

/** Calls the service itself, past any relay, and gives what it answers. */
export async function callService(service: ServiceAccess, method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The local service refused ${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Creates a deployment from an image; `fields` replaces parts of the request. */
export async function createFromImage(
  service: ServiceAccess,
  name: string,
  fields: object = {},
): Promise<SeededDeployment> {
  return callService(service, 'POST', '/v2/deployments', {
    name,
    source: 'external_docker',
    source_config: {},
    source_revision_config: { image_uri: `registry.example/acme/${name}:1.0` },
    secrets: [],
    ...fields,
  });
}

/** Creates a deployment from the repository with this address, or else from the first one that the service has. */
export async function createFromRepository(
  service: ServiceAccess,
  name: string,
  url?: string,
): Promise<SeededDeployment> {
  const [integration] = await callService(service, 'GET', '/v1/integrations/forge/repohost/install');
  const listed: { url: string }[] = await callService(
    service,
    'GET',
    `/v1/integrations/forge/repohost/${integration.id}/repos`,
  );
  return callService(service, 'POST', '/v2/deployments', {
    name,
    source: 'repohost',
    source_config: {
      integration_id: integration.id,
      repo_url: url ?? listed[0]?.url,
      deployment_type: 'dev',
      build_on_push: true,
      custom_url: `https://${name}.example`,
    },
    source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
    secrets: [],
  });
}

/** Waits until the first revision of each deployment has come to its end. */
export async function untilEnded(service: ServiceAccess, deployments: readonly SeededDeployment[]): Promise<void> {
  for (const { id, latest_revision_id: revision } of deployments) {
    const path = `/v2/deployments/${id}/revisions/${revision}`;
    await eventually(async () => {
      const { status } = await callService(service, 'GET', path);
      return status === 'DEPLOYED' || status.endsWith('_FAILED') ? true : undefined;
    });
  }
}

/** Puts a revision into a status, where it stays (development controls). */
export async function holdRevision(service: ServiceAccess, revisionId: string, status: string): Promise<void> {
  await callService(service, 'POST', `/_dev/revisions/${revisionId}`, { status, hold: true });
}

/**
 * Advances the clock of a service with development controls. It first looks for pushes; everything that became due has
 * happened when this returns.
 */
export async function advanceClock(service: ServiceAccess, milliseconds: number): Promise<void> {
  await callService(service, 'POST', '/_dev/clock', { advanceMs: milliseconds });
}

/** Lets the service see what was pushed, and gives the id of the revision that this made. */
export async function afterPush(service: ServiceAccess, deployment: SeededDeployment): Promise<string> {
  return eventually(async () => {
    await advanceClock(service, 0);
    const { resources } = await callService(service, 'GET', `/v2/deployments?deployment_ids=${deployment.id}`);
    const latest: string = resources[0].latest_revision_id;
    return latest === deployment.latest_revision_id ? undefined : latest;
  });
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error('The service did not get where the test needs it.');
    await delay(20);
  }
}
