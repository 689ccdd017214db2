import { setTimeout as delay } from 'node:timers/promises';

export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string;
}

const patienceMilliseconds = 30_000;

/**
 * Creates two deployments through the interface of the service, one from the sample repository and one from an image,
 * and waits until both are deployed.
 */
export async function createSampleDeployments(service: ServiceAccess): Promise<void> {
  const [integration] = await call(service, 'GET', '/v1/integrations/forge/repohost/install');
  const [repository] = await call(service, 'GET', `/v1/integrations/forge/repohost/${integration.id}/repos`);
  const bodies = [
    {
      name: 'sample-agent-staging',
      source: 'repohost',
      source_config: {
        integration_id: integration.id,
        repo_url: repository.url,
        deployment_type: 'dev',
        build_on_push: true,
      },
      source_revision_config: { repo_ref: repository.default_branch, graph_config_path: 'graph.json' },
      secrets: [],
    },
    {
      name: 'weather-agent',
      source: 'external_docker',
      source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 2048 } },
      source_revision_config: { image_uri: 'registry.example/acme/weather-agent:1.4.2' },
      secrets: [],
    },
  ];
  for (const body of bodies) {
    const { id, latest_revision_id: revision } = await call(service, 'POST', '/v2/deployments', body);
    await deployed(service, `/v2/deployments/${id}/revisions/${revision}`);
  }
}

async function deployed(service: ServiceAccess, revisionPath: string): Promise<void> {
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const { status, status_message: reason } = await call(service, 'GET', revisionPath);
    if (status === 'DEPLOYED') return;
    if (status.endsWith('_FAILED') || Date.now() > deadline) {
      throw new Error(`A sample deployment did not go live: ${status}. ${reason ?? 'The service gives no reason.'}`);
    }
    await delay(20);
  }
}

async function call(service: ServiceAccess, method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The local service refused ${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
