import * as z from 'zod';
import { HttpProblem } from './problem.ts';
import type { FieldError, ProblemStatus } from './problem.ts';

export type Place = 'body' | 'path' | 'query';

const maxProblems = 50;
const maxSegmentLength = 100;

/**
 * Parses a part of a request with its schema.
 * @throws {HttpProblem} 422 with the place and the reason of each refused field, and never with a value
 */
function parsePart<Schema extends z.ZodType>(schema: Schema, value: unknown, place: Place): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new HttpProblem(
    422,
    result.error.issues.slice(0, maxProblems).map((issue) => toFieldError(issue, place)),
  );
}

/**
 * Reads the parameters that a schema names from a query; others are ignored, an empty one counts as not given.
 * @throws {HttpProblem} 422 for a parameter that comes twice or has the wrong shape
 */
function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const given = Object.entries(schema.shape).flatMap(([name, field]) => {
    const texts = query.getAll(name).filter((text) => text !== '');
    if (texts.length > 1)
      throw new HttpProblem(422, [problem(['query', name], 'is given more than once', 'value_error')]);
    const [text] = texts;
    return text === undefined ? [] : [[name, typedValue(field, text)] as const];
  });
  return parsePart(schema, Object.fromEntries(given), 'query');
}

/** A text that does not stand for a value of the field's type stays a text, which the schema then refuses. */
function typedValue(field: z.core.$ZodType, text: string): string | number | boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return typedValue(field.unwrap(), text);
  if (field instanceof z.ZodNumber && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function toFieldError(issue: z.core.$ZodIssue, place: Place): FieldError {
  const path = issue.path.map((segment) =>
    typeof segment === 'number' ? segment : String(segment).slice(0, maxSegmentLength),
  );
  return problem([place, ...path], wordsOf(issue), isMissing(issue) ? 'missing' : issue.code);
}

function problem(loc: readonly (string | number)[], msg: string, type: string): FieldError {
  return { loc, msg, type };
}

/** The schemas' own words where they have some; the library's words are replaced, so that they cannot say too much. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) return 'is required';
  if (!/^(?:Invalid|Unrecognized|Too)\b/.test(issue.message)) return issue.message;
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : 'is not valid';
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

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
