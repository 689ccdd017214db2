import assert from 'node:assert/strict';
import { differences } from './jsonSchema.ts';
import type { JsonSchema } from './jsonSchema.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Record<string, string>;
}

interface Described {
  /** An answer without a body has none. */
  readonly content?: Content['content'];
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Described>>;
}

export interface OpenApi {
  readonly [member: string]: unknown;
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Calls a running service, and checks every answer of the interface against the service's own description. */
export class Caller {
  readonly #url: string;
  readonly #apiKey: string;
  readonly description: OpenApi;

  constructor(url: string, apiKey: string, description: OpenApi) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.description = description;
  }

  async get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  async post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', path, { body });
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await sendRaw(this.#url, this.#apiKey, method, path, options);
    assert.deepEqual(describedDifferences(this.description, method, path, answer), [], `${method} ${path}`);
    return answer;
  }
}

/** Fetches the description of a service and gives a caller that checks against it. */
export async function callerOf(service: { readonly url: string; readonly apiKey: string }): Promise<Caller> {
  const { status, body } = await sendRaw(service.url, service.apiKey, 'GET', '/openapi.json', {});
  assert.equal(status, 200);
  return new Caller(service.url, service.apiKey, body as OpenApi);
}

async function sendRaw(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  { body, rawBody, headers }: RequestOptions,
): Promise<Answer> {
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload, duplex: 'half' }),
    redirect: 'error',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** Paths and methods outside of the description, such as development controls, are not checked. */
function describedDifferences(api: OpenApi, method: string, path: string, { status, body }: Answer): string[] {
  const plain = path.replace(/\?.*$/, '');
  const template = Object.keys(api.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .find((candidate) => new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain));
  const operation = template === undefined ? undefined : api.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) return [];
  const response = operation.responses[status];
  if (response === undefined) return [`the status ${status} is not described`];
  if (response.content === undefined) return body === undefined ? [] : ['the body is not described'];
  return differences(body, response.content['application/json'].schema, api);
}
