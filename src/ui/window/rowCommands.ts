import * as vscode from 'vscode';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { rowOf } from '../deployments/deploymentsView.ts';
import type { Services } from '../services.ts';

/** Copies the id of what a row shows. */
export async function copyId({ deploymentsView, sideViews }: Services, argument: unknown): Promise<void> {
  const target = sideViews.targetOf(argument);
  if (target !== undefined) return copy(target.id);
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment' || row?.kind === 'revision') await vscode.env.clipboard.writeText(row.id);
}

/** Copies the name of what a row shows; for a revision what it was built from. */
export async function copyName(services: Services, argument: unknown): Promise<void> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) return copy(target.name);
  const { deployments, deploymentsView } = services;
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment') await copy(deployments.find(row.id)?.name);
  if (row?.kind !== 'revision') return;
  const revision = deployments.revision(row.id);
  if (revision !== undefined) await copy(revisionTitle(revision));
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await vscode.env.clipboard.writeText(text);
}

/** Loads again what can be seen. Where no view is open, the deployments: other commands choose among them. */
export async function refresh(services: Services): Promise<void> {
  const { connections, deploymentsView, sideViews, documents } = services;
  const session = await connections.current();
  if (session.kind !== 'ready') return;
  const { listeners, repositories, agents } = sideViews;
  const shown = [listeners, repositories, agents].filter(({ visible }) => visible);
  await Promise.all([
    ...shown.map((view) => view.refresh()),
    documents.refresh(),
    ...(deploymentsView.visible || shown.length === 0 ? [refreshDeployments(services)] : []),
  ]);
}

export async function refreshDeployments({ deployments, deploymentsView, workspaceDrift }: Services): Promise<void> {
  await deploymentsView.whileLoading(() => deployments.refresh());
  await workspaceDrift.refresh();
}

export async function refreshListeners({ sideViews }: Services): Promise<void> {
  await sideViews.listeners.refresh();
}

export async function refreshRepositories({ sideViews }: Services): Promise<void> {
  await sideViews.repositories.refresh();
}

export async function refreshAgents({ sideViews }: Services): Promise<void> {
  await sideViews.agents.refresh();
}

/** Loads the next page of the list that the row belongs to. */
export async function loadMore(services: Services, argument: unknown): Promise<void> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) return target.loadMore();
  const { deployments, deploymentsView } = services;
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'loadMore' && row.list !== '' ? deployments.loadMoreRevisions(row.list) : deployments.loadMore(),
  );
}

/** Asks again for what could not be loaded. */
export async function retry(services: Services, argument: unknown): Promise<void> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) return target.reload();
  const { deployments, deploymentsView } = services;
  const row = rowOf(argument, deploymentsView);
  await deploymentsView.whileLoading(async () =>
    row?.kind === 'failure' && row.list !== '' ? deployments.loadRevisions(row.list) : deployments.refresh(),
  );
}
