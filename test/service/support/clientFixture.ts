import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import type { Client, ClientOptions } from '../../../src/api/client.ts';
import { createTransport } from '../../../src/api/http/createTransport.ts';
import type { Deployment, DeploymentCreate } from '../../../src/api/resources/deployments.ts';
import { isUnreadable } from '../../../src/api/resources/page.ts';
import type { Unreadable } from '../../../src/api/resources/page.ts';
import { runningServiceWithSample } from './fixture.ts';
import type { SampleFixture } from './fixture.ts';

export interface ClientFixture extends SampleFixture {
  /** A client of the service, as the extension makes one. */
  client: Client;
  /** Everything that the client has logged in the present test. */
  readonly logged: string[];
  /** Another client of the same service. */
  connect(options: Partial<ClientOptions>): Client & AsyncDisposable;
}

/** One service for the tests of a file, with the sample repository, and clients that speak real HTTP to it. */
export function runningServiceWithClient(): ClientFixture {
  const fixture = runningServiceWithSample();
  const logged: string[] = [];
  const keep = (...parts: unknown[]) => void logged.push(parts.map((part) => inspect(part)).join(' '));
  const log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };

  function connect(options: Partial<ClientOptions>): Client & AsyncDisposable {
    const { url, apiKey } = fixture.service;
    const client = createClient({
      baseUrl: url,
      auth: () => Promise.resolve(apiKey),
      transport: createTransport({ mode: 'undici', environment: {} }),
      // The interface does not show what these filters are called; the embedded service calls them so.
      revisionFilters: { status: 'status', remote_reconciled: 'remote_reconciled' },
      wait: () => Promise.resolve(),
      log,
      ...options,
    });
    return { ...client, [Symbol.asyncDispose]: () => client.close() };
  }

  const complete = Object.assign(fixture, { logged, connect, client: {} as Client });
  beforeAll(() => {
    complete.client = connect({});
  });
  beforeEach(() => void logged.splice(0));
  afterAll(() => complete.client.close());
  return complete;
}

/** Sets what no endpoint can set, through a development control. */
export async function control(fixture: SampleFixture, method: 'POST' | 'PUT', path: string, body: object) {
  const { status } = await fixture.caller.send(method, `/_dev/${path}`, { body });
  expect(status).toBe(200);
}

/** Rows that could all be read; one that could not fails the test. */
export function readable<T extends object>(rows: readonly (T | Unreadable)[]): T[] {
  return rows.map((row) => {
    if (isUnreadable(row)) throw new Error(`Unreadable: ${row.reason}`);
    return row;
  });
}

export function namesOf(rows: readonly (Deployment | Unreadable)[]): string[] {
  return readable(rows).map(({ name }) => name);
}

/** The body that creates a deployment from a container image. */
export function imageOf(name: string, config: DeploymentCreate['source_config'] = {}): DeploymentCreate {
  const source_revision_config = { image_uri: 'registry.example/acme/agent:1.0' };
  return { name, source: 'external_docker', source_config: config, source_revision_config, secrets: [] };
}

/** The body that creates a deployment from the sample repository, with what its record says to use. */
export async function repositoryOf(
  { client }: ClientFixture,
  name: string,
  config: DeploymentCreate['source_config'] = {},
): Promise<DeploymentCreate> {
  const [integration] = readable(await client.integrations.listInstallations());
  const [repository] = readable(await client.integrations.listRepositories(integration?.id ?? ''));
  return {
    name,
    source: 'repohost',
    source_config: { integration_id: repository?.host_integration_id, repo_url: repository?.url, ...config },
    source_revision_config: { repo_ref: repository?.default_branch, graph_config_path: 'graph.json' },
    secrets: [],
  };
}
