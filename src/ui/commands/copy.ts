import * as vscode from 'vscode';
import { revisionTitle } from '../../core/deploymentSummary.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Copies the id of a row's deployment or revision. */
export async function copyId({ deploymentsView }: Services, argument: unknown): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment' || row?.kind === 'revision') await vscode.env.clipboard.writeText(row.id);
}

/** Copies the name of a row's deployment, or what a revision was built from. */
export async function copyName({ deployments, deploymentsView }: Services, argument: unknown): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment') await copy(deployments.find(row.id)?.name);
  if (row?.kind !== 'revision') return;
  const revision = deployments.revision(row.id);
  if (revision !== undefined) await copy(revisionTitle(revision));
}

async function copy(text: string | undefined): Promise<void> {
  if (text !== undefined) await vscode.env.clipboard.writeText(text);
}
