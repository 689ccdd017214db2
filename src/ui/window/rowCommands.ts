import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import type { Documents } from './documents.ts';
import type { RowsView, RowTarget } from './rowTree.ts';

/** What the commands work with that work in all views. */
export interface RowServices {
  /** The first one with a selected row is meant by a command that names no row. */
  readonly views: Readonly<Record<'deployments' | 'listeners' | 'repositories' | 'agents', RowsView>>;
  readonly connections: Connections;
  readonly documents: Documents;
}

/** The row that a command is about: the one that it was called with, or the selected one where it was called without. */
export function targetOf({ views }: Pick<RowServices, 'views'>, argument: unknown): RowTarget | undefined {
  return Object.values(views)
    .map((view) => view.targetOf(argument))
    .find((target) => target !== undefined);
}

/** Copies the id of what a row shows. */
export async function copyId(services: RowServices, argument: unknown): Promise<void> {
  await copy(targetOf(services, argument)?.id);
}

/** Copies the name of what a row shows; for a revision what it was built from. */
export async function copyName(services: RowServices, argument: unknown): Promise<void> {
  await copy(targetOf(services, argument)?.name);
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await vscode.env.clipboard.writeText(text);
}

/** Loads again what can be seen. Where no view is open, the deployments: other commands choose among them. */
export async function refresh({ connections, documents, views }: RowServices): Promise<void> {
  const session = await connections.current();
  if (session.kind !== 'ready') return;
  const shown = Object.values(views).filter(({ visible }) => visible);
  const meant = shown.length === 0 ? [views.deployments] : shown;
  await Promise.all([documents.refresh(), ...meant.map((view) => view.refresh())]);
}

/** Loads the next page of the list that the row belongs to. */
export async function loadMore(services: RowServices, argument: unknown): Promise<void> {
  await targetOf(services, argument)?.loadMore();
}

/** Asks again for what could not be loaded. */
export async function retry(services: RowServices, argument: unknown): Promise<void> {
  await targetOf(services, argument)?.reload();
}
