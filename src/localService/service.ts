import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createBuild } from './build/build.ts';
import { PushWatcher } from './git/pushWatcher.ts';
import { RegisteredRepositories } from './git/repositories.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/app.ts';
import { Faults } from './http/faults.ts';
import { openapiRoute } from './http/openapi.ts';
import { Lifecycle } from './lifecycle.ts';
import type { ServiceParts } from './parts.ts';
import type { ServiceOptions } from './process/commandLine.ts';
import { authRoutes } from './routes/auth.ts';
import { devControlRoutes, registerFolders, stopService } from './routes/controls.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { listenerRoutes } from './routes/listeners.ts';
import { revisionRoutes } from './routes/revisions.ts';
import { AgentTable, OAuthProviderTable } from './store/auth.ts';
import { ServiceClock } from './store/clock.ts';
import type { Database } from './store/database.ts';
import { DeploymentTable } from './store/deployments.ts';
import { ListenerTable } from './store/listeners.ts';
import { RevisionTable } from './store/revisions.ts';
import { addSample } from './store/sample.ts';
import { Settings } from './store/settings.ts';

export interface Service {
  readonly app: App;
  readonly repositories: RegisteredRepositories;
  /** Starts to move revisions and to watch for pushes. */
  start(): void;
  /** Stops moving revisions and watching for pushes. Aborted builds run again after the next start. */
  stop(): Promise<void>;
}

export interface ServiceSettings extends Pick<
  ServiceOptions,
  'dataFolder' | 'git' | 'mode' | 'stepMilliseconds' | 'sample' | 'devControls'
> {
  readonly apiKey: string;
  readonly onError: (error: unknown) => void;
  /** Called when a user stops the service. */
  readonly onStop: () => void;
}

/** Assembles the service on an open database. */
export function createService(database: Database, settings: ServiceSettings): Service {
  const { apiKey, mode, stepMilliseconds, onError } = settings;
  const report = onceEach(onError);
  database.reportTo(report);
  const stored = new Settings(database);
  const clock = new ServiceClock(stored, database);
  const oauthProviders = new OAuthProviderTable(database);
  const agents = new AgentTable(database);
  const isNew = stored.get('tenant_id') === undefined;
  if (settings.sample && isNew) addSample({ oauthProviders, agents, clock });
  const revisions = new RevisionTable(database);
  const deployments = new DeploymentTable(database, revisions, stored.getOrMake('tenant_id', randomUUID));
  const programs = new AbortController();
  const program = { path: settings.git, workingFolder: settings.dataFolder };
  const repositories = new RegisteredRepositories(program, programs.signal);
  const build = createBuild(repositories, path.join(settings.dataFolder, 'uploads'));
  const lifecycle = new Lifecycle({
    database,
    deployments,
    revisions,
    clock,
    build,
    stepMilliseconds,
    onError: report,
  });
  const intervalMilliseconds = Math.min(Math.max(stepMilliseconds, 250), 2000);
  const pushWatcher = new PushWatcher({ deployments, repositories, lifecycle, intervalMilliseconds, onError: report });
  const parts: ServiceParts = {
    deployments,
    revisions,
    repositories,
    lifecycle,
    clock,
    mode,
    stepMilliseconds,
    listeners: new ListenerTable(database),
    oauthProviders,
    agents,
    integrationId: stored.getOrMake('integration_id', randomUUID),
  };
  const faults = new Faults();
  const routes = [
    ...deploymentRoutes(parts),
    ...revisionRoutes(parts),
    ...listenerRoutes(parts),
    ...integrationRoutes(parts),
    ...authRoutes(parts),
  ];
  return {
    app: createApp({
      routes: [...routes, openapiRoute(routes)],
      privateRoutes: [
        registerFolders(parts),
        stopService(settings.onStop),
        ...(settings.devControls ? devControlRoutes(parts, pushWatcher, faults) : []),
      ],
      apiKey,
      faults,
      onError,
    }),
    repositories,
    start() {
      lifecycle.start();
      pushWatcher.start();
    },
    async stop() {
      const stopped = [pushWatcher.stop(), lifecycle.stop()];
      // Both ignore git's output from here on.
      programs.abort();
      await Promise.all(stopped);
    },
  };
}

/** More than a service has different failures. */
const mostReported = 1000;

/** Reports each failure of the work in the background once, because that work is tried again and again. */
function onceEach(onError: (error: unknown) => void): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const words = String(error);
    if (reported.has(words) || reported.size === mostReported) return;
    reported.add(words);
    onError(error);
  };
}
