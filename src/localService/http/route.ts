import * as z from 'zod';
import type { AskedPage } from '../../api/resources/page.ts';
import { uuid } from '../../api/schema/wire.ts';

type Place = 'body' | 'path' | 'query';

const maxProblems = 50;
const maxSegmentLength = 100;

/**
 * Parses one part of a request with its schema.
 * @throws {HttpProblem} 422 with the place and reason of each rejected field, but never its value
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
 * Parses the query parameters that a schema names.
 * Ignores other parameters and treats an empty one as absent.
 * @throws {HttpProblem} 422 for a parameter that is repeated or has the wrong shape
 */
function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const given = Object.entries(schema.shape).flatMap(([name, field]) => {
    const texts = query.getAll(name).filter((text) => text !== '');
    if (texts.length > 1) throw invalidField(['query', name], 'appears more than once');
    const [text] = texts;
    return text === undefined ? [] : [[name, typedValue(field, text)] as const];
  });
  return parsePart(schema, Object.fromEntries(given), 'query');
}

/** Converts a query text to the field's type. Leaves any other text for the schema to reject. */
function typedValue(field: z.core.$ZodType, text: string): string | number | boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return typedValue(field.unwrap(), text);
  if (field instanceof z.ZodNumber && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (field instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function toFieldError(issue: z.core.$ZodIssue, place: Place): FieldError {
  const path = issue.path.map((segment) =>
    typeof segment === 'number' ? segment : String(segment).slice(0, maxSegmentLength),
  );
  return { loc: [place, ...path], msg: wordsOf(issue), type: isMissing(issue) ? 'missing' : issue.code };
}

/** Keeps the schemas' own messages and replaces the library's, which could repeat the request's content. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) return 'is required';
  if (!/^(?:Invalid|Unrecognized|Too)\b/.test(issue.message)) return issue.message;
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : 'is not valid';
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

/** The answer of a route that succeeds. A 204 has no body. */
type Success =
  | { readonly status: 200 | 201; readonly description: string; readonly schema: z.ZodType }
  | { readonly status: 204; readonly description: string };

/** Describes a route once, for its registration and for the OpenAPI description. */
export interface RouteDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in the API document. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The parameters of the path. Absent if there are none, like those of the query and the body. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly success: Success;
  /** The route's own error statuses, in addition to those of every route. */
  readonly problems?: readonly ProblemStatus[];
}

/** The parts of a request before validation. */
interface RawRequest {
  readonly params: Record<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The address that the client used, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface Route extends RouteDescription {
  /** Validates the request and returns the body of the answer. */
  readonly respond: (request: RawRequest) => unknown;
}

const noFields = z.object({});

interface Schemas<Params, Query, Body> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
}

interface Parts<Params, Query, Body> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  readonly origin: string;
  readonly signal: AbortSignal;
}

/** Combines a route's description with its handler, which receives validated and typed parts. */
export function route<
  Params extends z.ZodObject = typeof noFields,
  Query extends z.ZodObject = typeof noFields,
  Body extends z.ZodType = z.ZodUndefined,
>(
  description: RouteDescription & Schemas<Params, Query, Body>,
  answer: (parts: Parts<Params, Query, Body>) => unknown,
): Route;
export function route(
  description: RouteDescription,
  answer: (parts: Parts<z.ZodObject, z.ZodObject, z.ZodType>) => unknown,
): Route {
  const { params = noFields, query = noFields, body = z.undefined() } = description;
  return {
    ...description,
    respond: (request) =>
      answer({
        params: parsePart(params, request.params, 'path'),
        query: parseQuery(query, request.query),
        body: parsePart(body, request.body, 'body'),
        origin: request.origin,
        signal: request.signal,
      }),
  };
}

/** An id in a path, in any spelling. */
export const id = uuid.transform((text) => text.toLowerCase());

/** The shape of a list answer ("Endpoints"). */
export function pageOf<Schema extends z.ZodType>(resource: Schema) {
  return z.object({ resources: z.array(resource), offset: z.int() });
}

/** Reads one page, of 20 rows unless told otherwise. The answer's offset is the start of the next page. */
export function toPage<Resource>(
  query: AskedPage,
  read: (page: { limit: number; offset: number }) => readonly Resource[],
): { resources: readonly Resource[]; offset: number } {
  const offset = query.offset ?? 0;
  const resources = read({ limit: query.limit ?? 20, offset });
  return { resources, offset: offset + resources.length };
}

/** A rejected field in a 422 answer. Never includes the rejected value, which may be a secret. */
interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 422 | 500 | 507;

/** An error answer: `{"detail": …}` with a sentence or a list of rejected fields. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: ProblemStatus;
  readonly detail: string | readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ProblemStatus,
    detail: string | readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === 'string' ? detail : 'The request has invalid fields.');
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** Creates a 400 for a well-formed request that can't be fulfilled; the sentence starts with the field. */
export function badRequest(field: string, sentence: string): HttpProblem {
  return new HttpProblem(400, `'${field}' ${sentence}`);
}

/** Creates a 422 for one field of the wrong shape. */
export function invalidField(loc: readonly (string | number)[], msg: string): HttpProblem {
  return new HttpProblem(422, [{ loc, msg, type: 'value_error' }]);
}

/**
 * The resource of an id, if there is one.
 * @throws {HttpProblem} 404
 */
export function orNotFound<T>(resource: T | undefined, what: string): T {
  if (resource === undefined) throw notFound(what);
  return resource;
}

export function notFound(what: string): HttpProblem {
  return new HttpProblem(404, `${what} not found.`);
}

/** The parameters of a path to one deployment, and of one to one of its revisions. */
export const deploymentParams = z.object({ deployment_id: id });
export const revisionParams = deploymentParams.extend({ revision_id: id });
