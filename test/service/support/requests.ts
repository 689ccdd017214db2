import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { deploymentWire } from '../../../src/api/resources/deployments.ts';
import type { DeploymentWire } from '../../../src/api/resources/deployments.ts';
import { integrationWire } from '../../../src/api/resources/integrations.ts';
import { listenerWire } from '../../../src/api/resources/listeners.ts';
import type { ListenerWire } from '../../../src/api/resources/listeners.ts';
import { revisionWire } from '../../../src/api/resources/revisions.ts';
import type { RevisionWire } from '../../../src/api/resources/revisions.ts';
import type { Fields, Overrides } from './bodies.ts';
import type { Answer, Caller } from './caller.ts';

export { imageBody } from './bodies.ts';

/** The body that creates a deployment from the sample repository. */
export async function repositoryBody(caller: Caller, name: string, overrides: Overrides = {}): Promise<Fields> {
  const { source_config: config, source_revision_config: revisionConfig, ...rest } = overrides;
  return {
    name,
    source: 'repohost',
    source_config: {
      integration_id: await integrationId(caller),
      repo_url: 'https://code.example/acme/sample-agent',
      ...config,
    },
    source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json', ...revisionConfig },
    secrets: [],
    ...rest,
  };
}

export async function integrationId(caller: Caller): Promise<string> {
  const { body } = await caller.get('/v1/integrations/forge/repohost/install');
  const [integration] = integrationWire.array().parse(body);
  return integration!.id;
}

export async function createDeployment(caller: Caller, body: Fields): Promise<DeploymentWire> {
  const answer = await caller.post('/v2/deployments', body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return deploymentWire.parse(answer.body);
}

export async function createListener(caller: Caller, body: Fields): Promise<ListenerWire> {
  const answer = await caller.post('/v2/listeners', { compute_type: 'k8s', ...body });
  expect(answer.status).toBe(201);
  return listenerWire.parse(answer.body);
}

export async function getDeployment(caller: Caller, id: string): Promise<DeploymentWire> {
  const { body } = await caller.get(`/v2/deployments?deployment_ids=${id}`);
  const [deployment] = resourcesOf(body).map((resource) => deploymentWire.parse(resource));
  return deployment!;
}

export async function listRevisions(caller: Caller, deploymentId: string, query = ''): Promise<RevisionWire[]> {
  const { body } = await caller.get(`/v2/deployments/${deploymentId}/revisions${query}`);
  return resourcesOf(body).map((resource) => revisionWire.parse(resource));
}

/** The statuses of a deployment's revisions, the newest first. */
export async function statuses(caller: Caller, deploymentId: string): Promise<string[]> {
  return (await listRevisions(caller, deploymentId)).map(({ status }) => status);
}

/** Advances the clock of a service that was started with development controls; what became due has then happened. */
export async function advance(caller: Caller, milliseconds: number): Promise<void> {
  const { status } = await caller.post('/_dev/clock', { advanceMs: milliseconds });
  expect(status).toBe(200);
}

export function resourcesOf(body: unknown): unknown[] {
  return (body as { resources: unknown[] }).resources;
}

export function namesOf(body: unknown): string[] {
  return (body as { resources: { name: string }[] }).resources.map(({ name }) => name);
}

/** The places of the refused fields of a 422 answer, such as `body.source_config.resource_spec.cpu`. */
export function refusedFields({ status, body }: Answer): string[] {
  expect(status).toBe(422);
  return (body as { detail: { loc: (string | number)[] }[] }).detail.map(({ loc }) => loc.join('.'));
}

/** The sentence of an error answer. */
export function sentenceOf({ body }: Answer): string {
  return String((body as { detail: unknown }).detail);
}

/** The status for a request that was addressed to another host name, as a web page could send it. */
export async function statusWithHost(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  host: string,
  path: string,
  method = 'GET',
): Promise<number | undefined> {
  const sent = request(url + path, { method, headers: { host, 'x-api-key': apiKey } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
