import { setTimeout as wait } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { SOURCES } from '../../src/api/schema/enums.ts';
import type { DeploymentCreate } from '../../src/api/resources/deployments.ts';
import { createApp } from '../../src/localService/http/app.ts';
import type { App } from '../../src/localService/http/app.ts';
import { createService } from '../../src/localService/service.ts';
import type { Service, ServiceSettings } from '../../src/localService/service.ts';
import type { Database } from '../../src/localService/store/database.ts';
import type { Mode } from '../support/localService.ts';
import { developmentControls } from './developmentControls.ts';

export interface Fault {
  /** The number of API requests it applies to. */
  readonly next: number;
  readonly status?: number | undefined;
  readonly delayMs?: number | undefined;
}

/** Assembles the local service with development controls below `/_dev/`, which need its key, and with a mode. */
export function createControlledService(database: Database, settings: ServiceSettings, mode: Mode = 'any'): Service {
  const service = createService(database, settings);
  let fault: Fault = { next: 0 };
  const controls = developmentControls(service, database, (next) => (fault = next));
  const controlApp = createApp({ routes: controls, apiKey: settings.apiKey, onError: settings.onError });
  const app: App = new Hono();
  const toService = async ({ req, env }: Context) => service.app.fetch(req.raw, env);
  app.all('/_dev/*', async ({ req, env }) => controlApp.fetch(req.raw, env));
  app.all('/_control/*', toService);
  app.use(async ({ req }, next) => {
    if (fault.next === 0) return next();
    const { status, delayMs = 0 } = fault;
    fault = { ...fault, next: fault.next - 1 };
    // A client that is gone no longer waits.
    await wait(delayMs, undefined, { signal: req.raw.signal, ref: false }).catch(() => undefined);
    if (status === undefined) return next();
    return Response.json({ detail: 'A development control requested this fault.' }, { status });
  });
  app.post('/v2/deployments', async ({ req }, next) => {
    const refusal =
      mode === 'any' ? undefined : refusalIn(mode, (await req.raw.clone().json()) as DeploymentCreate, service);
    return refusal === undefined ? next() : Response.json({ detail: refusal }, { status: 400 });
  });
  app.all('*', toService);
  return { ...service, app };
}

/** `external_docker` is for self-hosted, where it requires a listener once one exists; all others are for the cloud. */
function refusalIn(
  mode: 'cloud' | 'self-hosted',
  { source, source_config }: DeploymentCreate,
  { listeners }: Service,
): string | undefined {
  const available = SOURCES.filter((known) => (known === 'external_docker') === (mode === 'self-hosted'));
  if (!available.includes(source)) {
    return `'source' isn't available: in the mode ${mode}, this service accepts only ${available.join(', ')}.`;
  }
  const ids = listeners.page({ limit: 20, offset: 0 }).map(({ id }) => id);
  if (mode === 'cloud' || ids.length === 0 || (source_config?.listener_id ?? null) !== null) return undefined;
  return `'source_config.listener_id' is required for workspace with available listener IDs: [${ids.join(', ')}]`;
}
