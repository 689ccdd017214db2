import type { RegisteredRepositories } from './git/repositories.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Mode } from './process/commandLine.ts';
import type { AgentTable, OAuthProviderTable } from './store/auth.ts';
import type { ServiceClock } from './store/clock.ts';
import type { DeploymentTable } from './store/deployments.ts';
import type { ListenerTable } from './store/listeners.ts';
import type { RevisionTable } from './store/revisions.ts';

/** The parts that the routes use. */
export interface ServiceParts {
  readonly deployments: DeploymentTable;
  readonly revisions: RevisionTable;
  readonly listeners: ListenerTable;
  readonly oauthProviders: OAuthProviderTable;
  readonly agents: AgentTable;
  readonly repositories: RegisteredRepositories;
  readonly lifecycle: Lifecycle;
  readonly clock: ServiceClock;
  readonly mode: Mode;
  /** The id of the one integration, "This computer". */
  readonly integrationId: string;
  readonly stepMilliseconds: number;
}
