import * as vscode from 'vscode';
import type { Deployment } from '../api/deployments.ts';
import { readableRows } from '../state/pagedList.ts';
import { UserError } from './errors.ts';
import type { Services } from './services.ts';
import { askChoice, back } from './steps.ts';
import { rowOf } from './tree/deploymentsView.ts';

/** The deployment that a command is about: its row's, or the person's choice among the loaded ones. */
export async function chooseDeployment(
  { deployments, deploymentsView }: Services,
  argument: unknown,
  title: string,
): Promise<Deployment | undefined> {
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment') return deployments.find(row.id);
  if (row?.kind === 'revision') return deployments.find(row.deploymentId);
  if (deployments.state.loadedAt === undefined) await deployments.refresh();
  const loaded = readableRows(deployments.state.rows);
  if (loaded.length === 0) throw new UserError(vscode.l10n.t('There is no deployment yet.'));
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('The deployment'),
    items: loaded.map((deployment) => ({ deployment, label: deployment.name, description: deployment.status ?? '' })),
  });
  return choice === undefined || choice === back ? undefined : choice.deployment;
}
