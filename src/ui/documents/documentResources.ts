import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import type { Unreadable } from '../../api/resources/page.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { askRecord, askRevision, type AskingStores } from '../../state/answers/ask.ts';
import { readableEntries, type PagedListState } from '../../state/lists/pagedList.ts';
import { listRepositories } from '../../state/lists/repositories.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace, DocumentSubject } from '../window/documentPlace.ts';

/** What a document can show, even an entry that couldn't be read. */
export type DocumentResource =
  | Deployment
  | Revision
  | Listener
  | Integration
  | Repository
  | AgentConnection
  | Unreadable;

/** A resource as the memory of answers or a list knows it. */
export interface KnownResource {
  /** Undefined if the service no longer has it. */
  readonly resource: DocumentResource | undefined;
  /** When the service last confirmed it, in monotonic time; -Infinity if a list has it but was never loaded. */
  readonly at: number;
  /** Why reloading the list failed. */
  readonly error?: unknown;
}

/** The memory of answers, and the lists. */
export type ResourceStores = Pick<Stores, 'answers' | 'deployments' | 'listeners' | 'repositories' | 'agents'>;

/** The resource of a document, if it is known. Listeners, repositories and agents are those of the current connection. */
export function knownResource(
  { connection, place }: DocumentSubject,
  { answers, deployments, listeners, repositories, agents }: ResourceStores,
): KnownResource | undefined {
  const isHere = connection === deployments.connection;
  const [id] = place.ids;
  if (isOfDeployment(place)) {
    const goneAt = answers.goneAt(connection, id);
    if (goneAt !== undefined) return { resource: undefined, at: goneAt };
    const observed = answers.observe(connection, id, place.ids[1]);
    if (place.kind !== 'deployment') return known(observed.revision, observed.revisionAt);
    return known(
      observed.deployment,
      observed.deploymentAt,
      isHere && deployments.isListed(id) ? deployments.state : {},
    );
  }
  if (!isHere) return undefined;
  switch (place.kind) {
    case 'listener':
      return listed(listeners.of().find(id), listeners.of().state);
    case 'installation':
      return listed(repositories.installations.of().find(id), repositories.installations.of().state);
    case 'repository':
      return listed(repositories.find(...place.ids)?.record, repositories.ofInstallation.of(id).state);
    case 'agentConnection':
      return listed(agents.find(...place.ids), agents.connections.of(id).state);
  }
}

/** Whether a place is a deployment or one of its revisions. */
export function isOfDeployment(
  place: DocumentPlace,
): place is Extract<DocumentPlace, { kind: 'deployment' | 'revision' | 'comparedRevision' }> {
  return place.kind === 'deployment' || place.kind === 'revision' || place.kind === 'comparedRevision';
}

function listed(resource: DocumentResource | undefined, state: PagedListState<unknown>): KnownResource | undefined {
  return known(resource, state.monotonicLoadedAt, state);
}

/** An error of a list says nothing about what another request was answered since. */
function known(
  resource: DocumentResource | undefined,
  at = -Infinity,
  { error, failedAt = -Infinity }: Pick<PagedListState<unknown>, 'error' | 'failedAt'> = {},
): KnownResource | undefined {
  return resource === undefined ? undefined : { resource, at, ...(failedAt >= at ? { error } : {}) };
}

/** Requests the resource of a document. Undefined if it no longer exists. */
export async function askForResource(
  stores: AskingStores,
  client: Client,
  { connection, place }: DocumentSubject,
  options: CallOptions,
): Promise<DocumentResource | undefined> {
  const [id] = place.ids;
  switch (place.kind) {
    case 'deployment':
      return askRecord(stores, client, { connection, deploymentId: id }, options);
    case 'revision':
    case 'comparedRevision':
      return askRevision(stores, client, { connection, deploymentId: id, revisionId: place.ids[1] }, options);
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

function withId<T extends { readonly id?: string | number | undefined }>(
  entries: readonly T[],
  id: string,
): T | undefined {
  return entries.find((entry) => String(entry.id) === id);
}
