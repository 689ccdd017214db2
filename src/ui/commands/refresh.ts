import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Loads again what is loaded. */
export async function refresh({ deployments, deploymentsView, workspaceDrift, connections }: Services): Promise<void> {
  const session = await connections.current();
  if (session.kind !== 'ready') return;
  await deploymentsView.whileLoading(() => deployments.refresh());
  await workspaceDrift.refresh();
}

/** Loads the next page of the list that the row belongs to. */
export async function loadMore({ deployments, deploymentsView }: Services, argument: unknown): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'loadMore' && row.deploymentId !== undefined
      ? deployments.loadMoreRevisions(row.deploymentId)
      : deployments.loadMore(),
  );
}

/** Asks again for what could not be loaded. */
export async function retry({ deployments, deploymentsView }: Services, argument: unknown): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'failure' && row.deploymentId !== undefined
      ? deployments.loadRevisions(row.deploymentId)
      : deployments.refresh(),
  );
}
