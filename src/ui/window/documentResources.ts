import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import type { Unreadable } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { toWallTime } from '../../state/clock.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import { listRepositories } from '../../state/lists/repositories.ts';
import type { Stores } from '../stores.ts';

/** The location of a document's resource: the ids that lead to it, the outermost first. */
export type DocumentPlace =
  | { readonly kind: 'deployment'; readonly ids: readonly [deployment: string] }
  | { readonly kind: 'revision'; readonly ids: readonly [deployment: string, revision: string] }
  /** A revision beside another one, without what always differs. */
  | { readonly kind: 'comparedRevision'; readonly ids: readonly [deployment: string, revision: string] }
  | { readonly kind: 'listener'; readonly ids: readonly [listener: string] }
  | { readonly kind: 'installation'; readonly ids: readonly [installation: string] }
  | { readonly kind: 'repository'; readonly ids: readonly [installation: string, repository: string] }
  | { readonly kind: 'agentConnection'; readonly ids: readonly [agent: string, connection: string] };

/** The resource that a read-only document shows. */
export interface DocumentSubject {
  readonly connection: string;
  readonly place: DocumentPlace;
}

export type DocumentStores = Pick<
  Stores,
  'connections' | 'deployments' | 'listeners' | 'repositories' | 'agents' | 'poller' | 'clock'
>;

/** What a document can show, even an entry that couldn't be read. */
export type DocumentResource =
  | Deployment
  | Revision
  | Listener
  | Integration
  | Repository
  | AgentConnection
  | Unreadable;

/** A resource as a list knows it. */
export interface KnownResource<R extends object = object> {
  readonly resource: R;
  /** When the service last confirmed it, in milliseconds. */
  readonly loadedAt?: number | undefined;
  /** Why reloading the list failed. */
  readonly error?: unknown;
}

type Lists = Pick<Stores, 'deployments' | 'listeners' | 'repositories' | 'agents' | 'clock'>;

/** The resource at a place, if the lists of the current connection have it. */
export function knownResource(place: DocumentPlace, lists: Lists): KnownResource<DocumentResource> | undefined {
  const { deployments, listeners, repositories, agents, clock } = lists;
  switch (place.kind) {
    case 'deployment':
      return known(deployments.listed(place.ids[0]), deployments.state);
    case 'revision':
    case 'comparedRevision': {
      const { revision, revisionAt } = deployments.observe(place.ids[0], place.ids[1]);
      // A revision may come from another request, so an error of the revision list doesn't apply to it.
      return known(revision, { loadedAt: revisionAt && toWallTime(clock, revisionAt) });
    }
    case 'listener':
      return known(listeners.find(place.ids[0]), listeners.stateOf());
    case 'installation':
      return known(repositories.installations.find(place.ids[0]), repositories.installations.stateOf());
    case 'repository':
      return known(repositories.find(...place.ids)?.record, repositories.ofInstallation.stateOf(place.ids[0]));
    case 'agentConnection':
      return known(agents.find(...place.ids), agents.connections.stateOf(place.ids[0]));
  }
}

function known(
  resource: DocumentResource | undefined,
  { loadedAt, error }: Omit<KnownResource, 'resource'>,
): KnownResource<DocumentResource> | undefined {
  return resource === undefined ? undefined : { resource, loadedAt, error };
}

/** Requests a resource that the lists don't have, such as one of another connection. */
export async function askForResource(
  place: DocumentPlace,
  client: Client,
  options: CallOptions,
): Promise<DocumentResource | undefined> {
  const [id] = place.ids;
  switch (place.kind) {
    case 'deployment':
      return client.deployments.find(id, options);
    case 'revision':
    case 'comparedRevision':
      return client.revisions.get(id, place.ids[1], options);
    case 'listener':
      return client.listeners.find(id, options);
    case 'installation':
      return withId(await client.integrations.listInstallations(options), id);
    case 'repository':
      return withId(readableEntries(await listRepositories(client, id, options)), place.ids[1])?.record;
    case 'agentConnection':
      return withId((await client.agentConnections.list(id, options)).data, place.ids[1]);
  }
}

/** Parses a place from a URI, which may be typed, restored or shared. */
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
    case 'comparedRevision':
    case 'repository':
    case 'agentConnection':
      return typeof second === 'string' ? { kind, ids: [first, second] } : undefined;
    default:
      return undefined;
  }
}

function withId<T extends { readonly id?: string | number | undefined }>(
  entries: readonly T[],
  id: string,
): T | undefined {
  return entries.find((entry) => String(entry.id) === id);
}
