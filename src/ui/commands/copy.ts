import * as vscode from 'vscode';
import { revisionTitle } from '../../core/deploymentSummary.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

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
