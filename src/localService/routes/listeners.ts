import { listenerCreateWire, listenerListQueryWire, listenerWire } from '../../api/resources/listeners.ts';
import { badRequest, HttpProblem } from '../http/problem.ts';
import { noBody, noFields, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';
import { ComputeIdTakenError } from '../store/listeners.ts';
import type { NewListener } from '../store/listeners.ts';
import { pageOf, toPage } from './lists.ts';

/** The routes of "Listeners". */
export function listenerRoutes(parts: ServiceParts): Route[] {
  const create = route(
    {
      method: 'POST',
      path: '/v2/listeners',
      operationId: 'createListener',
      summary: 'Register compute infrastructure.',
      params: noFields,
      query: noFields,
      body: listenerCreateWire,
      success: { status: 201, description: 'The listener.', schema: listenerWire },
      problems: [400, 409],
    },
    ({ body }) =>
      createListener(parts, {
        computeType: body.compute_type,
        computeId: body.compute_id,
        namespaces: body.compute_config?.k8s_namespaces ?? [],
        version: body.version ?? null,
      }),
  );
  const list = route(
    {
      method: 'GET',
      path: '/v2/listeners',
      operationId: 'listListeners',
      summary: 'List listeners, the newest first.',
      params: noFields,
      query: listenerListQueryWire,
      body: noBody,
      success: { status: 200, description: 'A page of listeners.', schema: pageOf(listenerWire) },
    },
    ({ query }) => toPage(query, (page) => parts.listeners.page(page)),
  );
  return [create, list];
}

function createListener({ listeners, clock }: ServiceParts, listener: NewListener) {
  if (listener.computeType !== 'k8s') throw badRequest('compute_type', 'must be k8s.');
  if (listener.computeId.trim() === '') throw badRequest('compute_id', 'must not be empty.');
  if (listener.namespaces.includes('')) throw badRequest('compute_config.k8s_namespaces', 'holds an empty name.');
  try {
    return listeners.resource(listeners.add(listener, clock.now()));
  } catch (error) {
    if (!(error instanceof ComputeIdTakenError)) throw error;
    throw new HttpProblem(409, "'compute_id' is taken: the workspace already has a listener with it.");
  }
}
