import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { agentConnectionWire, type AgentConnectionWire } from '../api/resources/agentConnections.ts';
import { oauthProviderWire, type OAuthProviderWire } from '../api/resources/oauthProviders.ts';
import { createBuild } from './build/build.ts';
import { PushWatcher } from './git/pushWatcher.ts';
import { RegisteredRepositories } from './git/repositories.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/app.ts';
import { openapiRoute } from './http/openapi.ts';
import { Journal } from './journal.ts';
import { Lifecycle, ServiceClock } from './lifecycle.ts';
import type { ServiceOptions } from './process/commandLine.ts';
import { authRoutes } from './routes/auth.ts';
import { controlRoutes } from './routes/controls.ts';
import { deploymentChangeRoutes } from './routes/deploymentChanges.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { integrationRoutes } from './routes/integrations.ts';
import { listenerRoutes } from './routes/listeners.ts';
import { logRoutes } from './routes/logs.ts';
import { revisionChangeRoutes } from './routes/revisionChanges.ts';
import { revisionRoutes } from './routes/revisions.ts';
import { addSample, JsonTable } from './store/auth.ts';
import { text } from './store/database.ts';
import type { Database } from './store/database.ts';
import { DeletionTable } from './store/deletions.ts';
import { DeploymentTable } from './store/deployments.ts';
import { ListenerTable } from './store/listeners.ts';
import { LogTable } from './store/logs.ts';
import { RevisionTable } from './store/revisions.ts';
import { Uploads } from './uploads.ts';

/** The parts that the routes use. */
export interface ServiceParts {
  readonly deployments: DeploymentTable;
  readonly revisions: RevisionTable;
  readonly deletions: DeletionTable;
  readonly logs: LogTable;
  readonly uploads: Uploads;
  readonly listeners: ListenerTable;
  /** Their client secrets are never stored. */
  readonly oauthProviders: JsonTable<OAuthProviderWire>;
  /** The connections between agents and OAuth providers, by agent. No endpoint sets them. */
  readonly agents: JsonTable<AgentConnectionWire[]>;
  readonly repositories: RegisteredRepositories;
  readonly lifecycle: Lifecycle;
  readonly clock: ServiceClock;
  /** The id of the one integration, "This computer". */
  readonly integrationId: string;
  readonly stepMilliseconds: number;
}

export interface Service extends ServiceParts {
  readonly app: App;
  readonly pushWatcher: PushWatcher;
  /** Starts to move revisions and to watch for pushes. */
  start(): void;
  /** Stops moving revisions and watching for pushes. Aborted builds run again after the next start. */
  stop(): Promise<void>;
}

export interface ServiceSettings extends Pick<ServiceOptions, 'dataFolder' | 'git' | 'stepMilliseconds' | 'sample'> {
  readonly apiKey: string;
  readonly onError: (error: unknown) => void;
  /** Called when a user stops the service. */
  readonly onStop: () => void;
}

/** The folder of the data folder that holds uploaded archives. */
const uploadsName = 'uploads';

/** Assembles the service on an open database. */
export function createService(database: Database, settings: ServiceSettings): Service {
  const { apiKey, dataFolder, git, stepMilliseconds, onError, onStop } = settings;
  const report = onceEach(onError);
  database.reportTo(report);
  const clock = new ServiceClock();
  const oauthProviders = new JsonTable(database, 'oauth_providers', 'provider_json', oauthProviderWire);
  const agents = new JsonTable(database, 'agents', 'connections_json', z.array(agentConnectionWire));
  const isNew = database.get('SELECT 1 FROM settings') === undefined;
  if (settings.sample && isNew) addSample(oauthProviders, agents, clock.now());
  const revisions = new RevisionTable(database);
  const deployments = new DeploymentTable(database, revisions, storedId(database, 'tenant_id'));
  const programs = new AbortController();
  const repositories = new RegisteredRepositories({ path: git, workingFolder: dataFolder }, programs.signal);
  const uploadsFolder = path.join(dataFolder, uploadsName);
  const uploads = new Uploads({ folder: uploadsFolder, apiKey, clock });
  const build = createBuild(repositories, uploadsFolder);
  const deletions = new DeletionTable(database);
  const logs = new LogTable(database);
  const lifecycle = new Lifecycle({
    database,
    deployments,
    revisions,
    deletions,
    journal: new Journal({ logs, deployments, clock }),
    clock,
    build,
    stepMilliseconds,
    onDeleted: (id) => void uploads.removeOf(id).catch(report),
    onError: report,
  });
  const intervalMilliseconds = Math.min(Math.max(stepMilliseconds, 250), 2000);
  const pushWatcher = new PushWatcher({ deployments, repositories, lifecycle, intervalMilliseconds, onError: report });
  const parts: ServiceParts = {
    deployments,
    revisions,
    deletions,
    logs,
    uploads,
    repositories,
    lifecycle,
    clock,
    stepMilliseconds,
    listeners: new ListenerTable(database),
    oauthProviders,
    agents,
    integrationId: storedId(database, 'integration_id'),
  };
  const routes = [
    ...deploymentRoutes(parts),
    ...deploymentChangeRoutes(parts),
    ...revisionRoutes(parts),
    ...revisionChangeRoutes(parts),
    ...logRoutes(parts),
    ...listenerRoutes(parts),
    ...integrationRoutes(parts),
    ...authRoutes(parts),
  ];
  return {
    ...parts,
    app: createApp({
      routes: [...routes, openapiRoute(routes), ...controlRoutes(parts, onStop)],
      apiKey,
      uploads,
      onError,
    }),
    pushWatcher,
    start() {
      uploads.removeOrphans((id) => deployments.exists(id)).catch(report);
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

/** Returns an id of the data folder, such as its tenant's, which is made once. */
function storedId(database: Database, name: string): string {
  database.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING', name, randomUUID());
  return text(database.get('SELECT value FROM settings WHERE name = ?', name) ?? {}, 'value');
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
