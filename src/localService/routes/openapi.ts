import * as z from 'zod';
import { describeApi } from '../http/openapi.ts';
import { noBody, noFields, route } from '../http/route.ts';
import type { Route, RouteDescription } from '../http/route.ts';

const description: RouteDescription = {
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describe',
  summary: 'Describe this interface as OpenAPI 3.1.',
  params: noFields,
  query: noFields,
  body: noBody,
  success: { status: 200, description: 'This description.', schema: z.record(z.string(), z.unknown()) },
};

/** The route that describes the API routes and itself. Builds the description on the first request. */
export function openapiRoute(described: readonly RouteDescription[]): Route {
  let api: unknown;
  return route({ ...description, params: noFields, query: noFields, body: noBody }, () => {
    api ??= describeApi([...described, description]);
    return api;
  });
}
