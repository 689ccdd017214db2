import * as z from 'zod';
import type { ProblemStatus } from './problem.ts';
import { parsePart, parseQuery } from './validation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** What the OpenAPI description says about a route and what registers it: each route is written down once. */
export interface RouteDescription {
  readonly method: Method;
  /** With parameters in braces, as the interface writes them. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** `noBody` where the request carries none. */
  readonly body: z.ZodType;
  readonly success: { readonly status: 200 | 201; readonly description: string; readonly schema: z.ZodType };
  /** The statuses of its own problems, besides those that every route can answer with. */
  readonly problems?: readonly ProblemStatus[];
}

/** The parts of a request before validation. */
export interface RawRequest {
  readonly params: Record<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Route extends RouteDescription {
  /** Validates the request and gives the body of the answer. */
  readonly respond: (request: RawRequest) => unknown;
}

interface Schemas<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

interface Parts<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/** Joins the description of a route with the function that answers it, which gets parsed and typed parts. */
export function route<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  description: RouteDescription & Schemas<Params, Query, Body>,
  answer: (parts: Parts<Params, Query, Body>) => unknown,
): Route {
  const { params, query, body } = description;
  return {
    ...description,
    respond: (request) =>
      answer({
        params: parsePart(params, request.params, 'path'),
        query: parseQuery(query, request.query),
        body: parsePart(body, request.body, 'body'),
      }),
  };
}

/** For a route without parameters in its path or its query. */
export const noFields = z.object({});

/** For a route whose request carries no body. */
export const noBody = z.undefined();
