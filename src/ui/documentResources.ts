import type { Client } from '../api/client.ts';
import type { Stores } from './stores.ts';
import { readableRows } from '../state/pagedList.ts';

/** Where the subject of a document is found: the ids that lead to it, the outermost first. */
export type DocumentPlace =
  | { readonly kind: 'deployment'; readonly ids: readonly [deployment: string] }
  | { readonly kind: 'revision'; readonly ids: readonly [deployment: string, revision: string] }
  | { readonly kind: 'listener'; readonly ids: readonly [listener: string] }
  | { readonly kind: 'installation'; readonly ids: readonly [installation: string] }
  | { readonly kind: 'repository'; readonly ids: readonly [installation: string, repository: string] }
  | { readonly kind: 'agentConnection'; readonly ids: readonly [agent: string, connection: string] };

export type DocumentStores = Pick<Stores, 'connections' | 'deployments' | 'listeners' | 'repositories' | 'agents'>;

/** What the lists already know of a place on the present connection. */
export function knownResource(place: DocumentPlace, stores: DocumentStores): object | undefined {
  switch (place.kind) {
    case 'deployment':
      return stores.deployments.find(place.ids[0]);
    case 'revision':
      return stores.deployments.revision(place.ids[1]);
    case 'listener':
      return stores.listeners.find(place.ids[0]);
    case 'installation':
      return stores.repositories.findInstallation(place.ids[0]);
    case 'repository':
      return stores.repositories.find(...place.ids)?.record;
    case 'agentConnection':
      return stores.agents.find(...place.ids);
  }
}

/** Asks the service for the subject of a document that outlived its window. */
export async function askForResource(place: DocumentPlace, client: Client): Promise<object | undefined> {
  switch (place.kind) {
    case 'deployment':
      return readableRows((await client.deployments.list({ deployment_ids: place.ids[0], limit: 1 })).resources)[0];
    case 'revision':
      return client.revisions.get(...place.ids);
    case 'listener':
      return withId((await client.listeners.list({ limit: 100 })).resources, place.ids[0]);
    case 'installation':
      return withId(await client.integrations.listInstallations(), place.ids[0]);
    case 'repository':
      return withId(await client.integrations.listRepositories(place.ids[0]), place.ids[1]);
    case 'agentConnection':
      return withId((await client.agentConnections.list(place.ids[0])).data, place.ids[1]);
  }
}

/** Reads a place that was written into an address, which can be typed, restored or shared. */
export function parsePlace(kind: unknown, ids: unknown): DocumentPlace | undefined {
  if (!Array.isArray(ids)) return undefined;
  const [first, second]: readonly unknown[] = ids;
  if (typeof first !== 'string') return undefined;
  switch (kind) {
    case 'deployment':
    case 'listener':
    case 'installation':
      return { kind, ids: [first] };
    case 'revision':
    case 'repository':
    case 'agentConnection':
      return typeof second === 'string' ? { kind, ids: [first, second] } : undefined;
    default:
      return undefined;
  }
}

function withId<T extends { readonly id?: string | number | undefined }>(
  rows: readonly T[],
  id: string,
): T | undefined {
  return rows.find((row) => String(row.id) === id);
}
