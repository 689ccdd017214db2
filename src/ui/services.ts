import type { DeploymentsView } from './deployments/deploymentsView.ts';
import type { ResourceForms } from './resourceForm/resourceForms.ts';
import type { SideViews } from './sideViews.ts';
import type { Stores } from './stores.ts';
import type { Documents } from './window/documents.ts';
import type { WorkspaceDrift } from './workspace/workspaceDrift.ts';

/** What commands work with. */
export interface Services extends Stores {
  readonly workspaceDrift: WorkspaceDrift;
  readonly deploymentsView: DeploymentsView;
  readonly sideViews: SideViews;
  readonly documents: Documents;
  readonly resourceForms: ResourceForms;
}
