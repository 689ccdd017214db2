import * as vscode from 'vscode';
import type { RowsView, RowTarget } from './rowTree.ts';

/** Services for the commands that work in all views. */
export interface RowServices {
  /** A command without a row uses the first view with a selected row. */
  readonly views: Readonly<Record<'deployments' | 'listeners' | 'repositories' | 'agents', RowsView>>;
  readonly documents: Pick<RowsView, 'refresh'>;
}

/** The row for a command: the one it was called with, or else the selected one. */
export function targetOf({ views }: Pick<RowServices, 'views'>, argument: unknown): RowTarget | undefined {
  return Object.values(views)
    .map((view) => view.targetOf(argument))
    .find((target) => target !== undefined);
}

export async function copyId(services: RowServices, argument: unknown): Promise<void> {
  await copy(targetOf(services, argument)?.id);
}

/** Copies the name of a row's resource; for a revision, its source. */
export async function copyName(services: RowServices, argument: unknown): Promise<void> {
  await copy(targetOf(services, argument)?.name);
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await vscode.env.clipboard.writeText(text);
}

/** Reloads visible views and documents. Without a visible view, reloads the deployments for other commands. */
export async function refresh({ documents, views }: RowServices): Promise<void> {
  const shown = Object.values(views).filter(({ view }) => view.visible);
  const meant = shown.length === 0 ? [views.deployments] : shown;
  await Promise.all([documents.refresh(), ...meant.map((view) => view.refresh())]);
}

export async function loadMore(services: RowServices, argument: unknown): Promise<void> {
  await targetOf(services, argument)?.loadMore();
}

export async function retry(services: RowServices, argument: unknown): Promise<void> {
  await targetOf(services, argument)?.reload();
}
