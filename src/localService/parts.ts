import type { Repositories } from './git/repositories.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Mode } from './process/commandLine.ts';
import type { Agents } from './store/agents.ts';
import type { Clock } from './store/clock.ts';
import type { Deployments } from './store/deployments.ts';
import type { Listeners } from './store/listeners.ts';
import type { OAuthProviders } from './store/oauthProviders.ts';
import type { Revisions } from './store/revisions.ts';

/** What the routes work with. */
export interface ServiceParts {
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly listeners: Listeners;
  readonly oauthProviders: OAuthProviders;
  readonly agents: Agents;
  readonly repositories: Repositories;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly mode: Mode;
  /** The id of the one integration, "This computer". */
  readonly integrationId: string;
  readonly stepMilliseconds: number;
}
