import { listenerCreateWire, listenerListQueryWire, listenerWire } from '../../api/resources/listeners.ts';
import type { ListenerCreate } from '../../api/resources/listeners.ts';
import { badRequest, HttpProblem, pageOf, route, toPage, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { isUniqueViolation } from '../store/database.ts';

/** The routes of "Listeners". */
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
  return [create, list];
}

function createListener({ listeners, clock }: ServiceParts, listener: ListenerCreate) {
  if (listener.compute_type !== 'k8s') throw badRequest('compute_type', 'must be k8s.');
  if (listener.compute_id.trim() === '') throw badRequest('compute_id', 'must not be empty.');
  if (listener.compute_config?.k8s_namespaces?.includes('') === true) {
    throw badRequest('compute_config.k8s_namespaces', 'contains an empty name.');
  }
  try {
    return listeners.resource(listeners.add(listener, clock.now()));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HttpProblem(409, "'compute_id' is taken: the workspace already has a listener with it.");
  }
}
