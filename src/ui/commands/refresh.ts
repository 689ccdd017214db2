import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Loads again what is loaded. */
export async function refresh(services: Services): Promise<void> {
  const { deployments, deploymentsView, workspaceDrift, connections, listeners, repositories, agents } = services;
  const session = await connections.current();
  if (session.kind !== 'ready') return;
  await Promise.all([
    deploymentsView.whileLoading(() => deployments.refresh()).then(() => workspaceDrift.refresh()),
    listeners.refreshLoaded(),
    repositories.refreshLoaded(),
    agents.refreshLoaded(),
  ]);
}

/** Loads the next page of the list that the row belongs to. */
export async function loadMore(services: Services, argument: unknown): Promise<void> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) return target.loadMore();
  const { deployments, deploymentsView } = services;
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'loadMore' && row.deploymentId !== undefined
      ? deployments.loadMoreRevisions(row.deploymentId)
      : deployments.loadMore(),
  );
}

/** Asks again for what could not be loaded. */
export async function retry(services: Services, argument: unknown): Promise<void> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) return target.reload();
  const { deployments, deploymentsView } = services;
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'failure' && row.deploymentId !== undefined
      ? deployments.loadRevisions(row.deploymentId)
      : deployments.refresh(),
  );
}
