import * as z from 'zod';
import {
  listenerCreateWire,
  listenerListQueryWire,
  listenerPatchWire,
  listenerWire,
} from '../../api/resources/listeners.ts';
import type { ListenerCreate } from '../../api/resources/listeners.ts';
import { badRequest, HttpProblem, id, orNotFound, pageOf, route, toPage, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { isUniqueViolation } from '../store/database.ts';

/** The body of a change. As in a create request, unknown fields are ignored. */
export const listenerPatchBody = z.object(listenerPatchWire.shape);

/** The routes of "Listeners". The document has only the first two. */
export function listenerRoutes(parts: ServiceParts): Route[] {
  const create = route(
    {
      method: 'POST',
      path: '/v2/listeners',
      operationId: 'createListener',
      summary: 'Register compute infrastructure.',
      body: listenerCreateWire,
      success: { status: 201, description: 'The listener.', schema: listenerWire },
      problems: [400, 409],
    },
    ({ body }) => createListener(parts, body),
  );
  const list = route(
    {
      method: 'GET',
      path: '/v2/listeners',
      operationId: 'listListeners',
      summary: 'List listeners, newest first.',
      query: listenerListQueryWire,
      success: { status: 200, description: 'A page of listeners.', schema: pageOf(listenerWire) },
    },
    ({ query }) => toPage(query, (page) => parts.listeners.page(page)),
  );
  const params = z.object({ listener_id: id });
  const path = '/v2/listeners/{listener_id}';
  const get = route(
    {
      method: 'GET',
      path,
      operationId: 'getListener',
      summary: 'Get one listener.',
      params,
      success: { status: 200, description: 'The listener.', schema: listenerWire },
      problems: [404],
    },
    ({ params }) => find(parts, params.listener_id),
  );
  const update = route(
    {
      method: 'PATCH',
      path,
      operationId: 'updateListener',
      summary: 'Change the version or the configuration of a listener.',
      params,
      body: listenerPatchBody,
      success: { status: 200, description: 'The listener after the change.', schema: listenerWire },
      problems: [404],
    },
    ({ params, body }) => {
      find(parts, params.listener_id);
      checkNamespaces(body);
      parts.listeners.change(params.listener_id, body, parts.clock.now());
      return find(parts, params.listener_id);
    },
  );
  const remove = route(
    {
      method: 'DELETE',
      path,
      operationId: 'deleteListener',
      summary: 'Remove a listener on which no deployment runs.',
      params,
      success: { status: 204, description: 'The listener is gone.' },
      problems: [404, 409],
    },
    ({ params }) => {
      find(parts, params.listener_id);
      if (parts.listeners.isUsed(params.listener_id)) {
        throw new HttpProblem(409, 'Deployments run on this listener. Delete them first, or move them to another one.');
      }
      parts.listeners.remove(params.listener_id);
    },
  );
  return [create, list, get, update, remove];
}

/** @throws {HttpProblem} 404 */
function find({ listeners }: ServiceParts, listenerId: string) {
  return orNotFound(listeners.resource(listenerId), 'Listener');
}

function checkNamespaces({ compute_config: config }: Pick<ListenerCreate, 'compute_config'>): void {
  if (config?.k8s_namespaces?.includes('') !== true) return;
  throw badRequest('compute_config.k8s_namespaces', 'contains an empty name.');
}

function createListener({ listeners, clock }: ServiceParts, listener: ListenerCreate) {
  if (listener.compute_type !== 'k8s') throw badRequest('compute_type', 'must be k8s.');
  if (listener.compute_id.trim() === '') throw badRequest('compute_id', 'must not be empty.');
  checkNamespaces(listener);
  try {
    return listeners.resource(listeners.add(listener, clock.now()));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HttpProblem(409, "'compute_id' is taken: the workspace already has a listener with it.");
  }
}
