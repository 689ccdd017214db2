import type { Documents } from './documents.ts';
import type { ResourceForms } from './resourceForm/resourceForms.ts';
import type { Stores } from './stores.ts';
import type { DeploymentsView } from './tree/deploymentsView.ts';
import type { SideViews } from './tree/sideViews.ts';
import type { WorkspaceDrift } from './workspaceDrift.ts';

/** What commands work with. */
export interface Services extends Stores {
  readonly workspaceDrift: WorkspaceDrift;
  readonly deploymentsView: DeploymentsView;
  readonly sideViews: SideViews;
  readonly documents: Documents;
  readonly resourceForms: ResourceForms;
}
