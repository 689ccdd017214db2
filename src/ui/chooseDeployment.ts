import * as vscode from 'vscode';
import type { Deployment } from '../api/deployments.ts';
import { readableRows } from '../state/pagedList.ts';
import { UserError } from './errors.ts';
import type { Services } from './services.ts';
import { askChoice, back } from './steps.ts';
import { rowOf } from './tree/deploymentsView.ts';

/** The deployment that a command is about: its row's, or the person's choice among the loaded ones, the workspace's own first. */
export async function chooseDeployment(
  { deployments, deploymentsView, workspaceDrift }: Services,
  argument: unknown,
  title: string,
): Promise<Deployment | undefined> {
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment') return deployments.find(row.id);
  if (row?.kind === 'revision') return deployments.find(row.deploymentId);
  if (deployments.state.loadedAt === undefined) await deployments.refresh();
  const loaded = readableRows(deployments.state.rows);
  if (loaded.length === 0) throw new UserError(vscode.l10n.t('There is no deployment yet.'));
  const items = loaded.map((deployment) => {
    const isMine = workspaceDrift.isOfWorkspace(deployment.id);
    const words = [isMine ? vscode.l10n.t('this workspace') : '', deployment.status ?? ''];
    return { deployment, isMine, label: deployment.name, description: words.filter((word) => word !== '').join(' · ') };
  });
  const mine = items.filter(({ isMine }) => isMine);
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('The deployment'),
    items: [...mine, ...items.filter(({ isMine }) => !isMine)],
    active: mine[0],
  });
  if (choice === undefined || choice === back) return undefined;
  await workspaceDrift.choose(choice.deployment.id);
  return choice.deployment;
}
