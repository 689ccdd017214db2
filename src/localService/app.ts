import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { noncePattern, proofOf, proofPath } from '../api/localService.ts';
import { GitMissingError } from './git/run.ts';
import type { Faults } from './http/faults.ts';
import { checkHost, checkKey } from './http/guards.ts';
import { readJsonBody } from './http/jsonBody.ts';
import { HttpProblem } from './http/problem.ts';
import { noBody } from './http/route.ts';
import type { Route } from './http/route.ts';

export interface AppParts {
  /** The routes of the interface. */
  readonly routes: readonly Route[];
  /** Routes that are no part of the interface: control of this service and development controls. */
  readonly privateRoutes: readonly Route[];
  readonly apiKey: string;
  readonly faults: Faults;
  readonly onError: (error: unknown) => void;
}

export type App = Hono<{ Bindings: HttpBindings }>;

/** The HTTP side of the service: guards in front, one handler per route, errors in one shape. */
export function createApp({ routes, privateRoutes, apiKey, faults, onError }: AppParts): App {
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
  app.use(async (context, next) => {
    checkKey(context.req.raw, apiKey);
    await next();
  });
  for (const route of routes) register(app, route, faults);
  for (const route of privateRoutes) register(app, route);
  refuseOtherMethods(app, [...routes, ...privateRoutes]);
  app.notFound((context) => problemAnswer(context, new HttpProblem(404, 'There is no such path in this service.')));
  app.onError((error, context) => {
    if (error instanceof HttpProblem) return problemAnswer(context, error);
    if (error instanceof GitMissingError) return problemAnswer(context, new HttpProblem(500, error.message));
    // A client that is gone, as at the end of the service, breaks off what was done for it; that is no failure.
    if (!context.req.raw.signal.aborted) onError(error);
    return problemAnswer(context, new HttpProblem(500, 'The local service failed; its log says how.'));
  });
  return app;
}

function register(app: App, route: Route, faults?: Faults): void {
  app.on(route.method, honoPath(route), async (context) => {
    const fault = await faults?.next(context.req.raw.signal);
    if (fault !== undefined) return faultAnswer(fault);
    const answer = await route.respond({
      params: context.req.param(),
      query: new URL(context.req.url).searchParams,
      body: route.body === noBody ? undefined : await readJsonBody(context.req.raw),
    });
    return context.json(answer, route.success.status);
  });
}

/** A known path with another method is told apart from an unknown path. */
function refuseOtherMethods(app: App, routes: readonly Route[]): void {
  for (const path of new Set(routes.map(honoPath))) {
    const same = routes.filter((route) => honoPath(route) === path);
    const allow = same.map(({ method }) => method).join(', ');
    app.all(path, () => {
      throw new HttpProblem(405, `This path answers ${allow} only.`, { allow });
    });
  }
}

/** Built by hand, because a fault may have any status. */
function faultAnswer(status: number): Response {
  return Response.json({ detail: 'A development control asked for this fault.' }, { status });
}

function honoPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function problemAnswer(context: Context, { status, detail, headers }: HttpProblem): Response {
  return context.json({ detail }, status, { ...headers });
}
