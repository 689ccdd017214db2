import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { codeOf } from '../../api/errors.ts';
import { noncePattern, proofOf, proofPath } from '../../api/localService.ts';
import { GitMissingError } from '../../git/git.ts';
import { DatabaseError, isDiskFull } from '../store/database.ts';
import { uploadsPath } from '../uploads.ts';
import type { Uploads } from '../uploads.ts';
import { readJsonBody } from './jsonBody.ts';
import { HttpProblem, type Route } from './route.ts';

/**
 * Rejects a request that was addressed to another host name.
 * This stops a web page that points its own name at this computer (DNS rebinding).
 * @throws {HttpProblem} 421
 */
function checkHost(request: Request): void {
  const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  if (host === '127.0.0.1' || host === 'localhost') return;
  throw new HttpProblem(421, 'This service is available only at 127.0.0.1 and localhost.');
}

/**
 * Rejects a request without the API key, sent in the header `X-Api-Key` or as a bearer token.
 * The comparison takes the same time for every wrong key.
 * @throws {HttpProblem} 401
 */
function checkKey(request: Request, apiKey: string): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const given = request.headers.get('x-api-key') ?? bearer;
  if (given !== undefined && timingSafeEqual(digest(given), digest(apiKey))) return;
  const what = given === undefined ? 'The API key is missing' : 'The API key is wrong';
  throw new HttpProblem(401, `${what}: send it in the header X-Api-Key.`, { 'www-authenticate': 'Bearer' });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export interface AppParts {
  readonly routes: readonly Route[];
  readonly apiKey: string;
  /** Absent if the app takes none. */
  readonly uploads?: Uploads;
  readonly onError: (error: unknown) => void;
}

export type App = Hono<{ Bindings: HttpBindings }>;

/** Creates the HTTP app: guards first, one handler per route, and one shape for all errors. */
export function createApp({ routes, apiKey, uploads, onError }: AppParts): App {
  const app: App = new Hono();
  app.use(async (context, next) => {
    context.header('x-request-id', randomUUID());
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    checkHost(context.req.raw);
    await next();
  });
  app.get(`${proofPath}/:nonce{${noncePattern}}`, (context) => {
    const { localAddress, localPort } = context.env.incoming.socket;
    const proof = proofOf(apiKey, context.req.param('nonce'), `${localAddress}:${localPort}`, process.pid);
    return context.body(null, 204, { proof: `${process.pid} ${proof}` });
  });
  if (uploads !== undefined) {
    app.put(`${uploadsPath}/:folder/:file`, async (context) => {
      await uploads.receive(context.req.param(), context.req.raw);
      return context.body(null, 200);
    });
  }
  app.use(async (context, next) => {
    checkKey(context.req.raw, apiKey);
    await next();
  });
  for (const route of routes) register(app, route);
  refuseOtherMethods(app, routes);
  app.notFound((context) => problemAnswer(context, new HttpProblem(404, "This path doesn't exist.")));
  app.onError((error, context) => {
    if (error instanceof HttpProblem) return problemAnswer(context, error);
    if (error instanceof DatabaseError || error instanceof GitMissingError) {
      return problemAnswer(context, new HttpProblem(isDiskFull(error) ? 507 : 500, error.message));
    }
    // A disconnected client aborts the work on its request, as does the end of the service. That isn't a failure.
    if (!context.req.raw.signal.aborted) onError(error);
    return problemAnswer(context, new HttpProblem(500, 'The local service failed. Its log has the details.'));
  });
  return app;
}

function register(app: App, route: Route): void {
  app.on(route.method, honoPath(route), async (context) => {
    const url = new URL(context.req.url);
    const answer = await route.respond({
      params: context.req.param(),
      query: url.searchParams,
      body: route.body === undefined ? undefined : await readJsonBody(context.req.raw),
      origin: url.origin,
      signal: context.req.raw.signal,
    });
    if (route.success.status === 204) return context.body(null, 204);
    return context.json(answer, route.success.status);
  });
}

/** Answers 405 instead of 404 when a known path is requested with another method. */
function refuseOtherMethods(app: App, routes: readonly Route[]): void {
  for (const path of new Set(routes.map(honoPath))) {
    const same = routes.filter((route) => honoPath(route) === path);
    const allow = same.map(({ method }) => method).join(', ');
    app.all(path, () => {
      throw new HttpProblem(405, `This path supports only ${allow}.`, { allow });
    });
  }
}

function honoPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function problemAnswer(context: Context, { status, detail, headers }: HttpProblem): Response {
  return context.json({ detail }, status, { ...headers });
}

export interface RunningServer {
  readonly url: string;
  /** Waits up to one second for running requests, then closes all connections. */
  close(): Promise<void>;
}

const closeLimit = 1000;

/**
 * Serves the app on the loopback interface only; port 0 lets the system choose.
 * @throws {Error} the port is in use or not permitted; the message says what to do
 */
export async function listen(app: App, port: number): Promise<RunningServer> {
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => {
    // Clients keep their connections open, which would delay the end.
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
    void answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw explain(error, port);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const closeAll = setTimeout(() => server.closeAllConnections(), closeLimit);
      await closed;
      clearTimeout(closeAll);
    },
  };
}

function explain(error: unknown, port: number): unknown {
  const code = codeOf(error);
  const advice = 'Choose another port, or 0 to let the system choose one.';
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is in use. ${advice}`, { cause: error });
  if (code === 'EACCES') return new Error(`This user can't use port ${port}. ${advice}`, { cause: error });
  return error;
}
