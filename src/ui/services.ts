import type { AgentsView } from './agents/agentsView.ts';
import type { DeploymentPages } from './deploy/page/deploymentPages.ts';
import type { DeploymentsView } from './deployments/deploymentsView.ts';
import type { FailedFiles } from './following/failedFiles.ts';
import type { ListenersView } from './listeners/listenersView.ts';
import type { RepositoriesView } from './repositories/repositoriesView.ts';
import type { ResourceForms } from './resourceForm/resourceForms.ts';
import type { LateCreates } from '../state/deploying/lateCreates.ts';
import type { Activity } from '../state/activity/activity.ts';
import type { ShownDeployments } from '../state/following/shownDeployments.ts';
import type { Stores } from './stores.ts';
import type { Documents } from './documents/documents.ts';
import type { WorkspaceDrift } from './workspace/workspaceDrift.ts';

/** The views, from top to bottom. */
export interface Views {
  readonly deployments: DeploymentsView;
  readonly listeners: ListenersView;
  readonly repositories: RepositoriesView;
  readonly agents: AgentsView;
}

/** Everything that commands work with. */
export interface Services extends Stores {
  readonly workspaceDrift: WorkspaceDrift;
  readonly shown: ShownDeployments;
  readonly views: Views;
  readonly documents: Documents;
  readonly resourceForms: ResourceForms;
  readonly deploymentPages: DeploymentPages;
  readonly activity: Activity;
  readonly lateCreates: LateCreates;
  readonly failedFiles: FailedFiles;
}
