import * as vscode from 'vscode';
import type { Deployment } from '../api/deployments.ts';
import { readableRows } from '../state/pagedList.ts';
import { UserError } from './errors.ts';
import type { Services } from './services.ts';
import { askChoice, back } from './steps.ts';
import { rowOf } from './tree/deploymentsView.ts';

/** The deployment that a command is about: its row's, or the person's choice. Undefined when they leave. */
export async function chooseDeployment(
  services: Services,
  argument: unknown,
  title: string,
): Promise<Deployment | undefined> {
  return deploymentOfRow(services, argument) ?? askForDeployment(services, title);
}

/** The deployment of the row that a command is about; undefined also when the selected row is not in the list any more. */
export function deploymentOfRow({ deployments, deploymentsView }: Services, argument: unknown): Deployment | undefined {
  const row = rowOf(argument, deploymentsView);
  if (row?.kind === 'deployment') return deployments.find(row.id);
  return row?.kind === 'revision' ? deployments.find(row.deploymentId) : undefined;
}

/**
 * The person's choice among the loaded deployments, the workspace's own first. Undefined when they leave.
 * @throws {UserError} there is no deployment
 */
export async function askForDeployment(
  { deployments, workspaceDrift }: Services,
  title: string,
): Promise<Deployment | undefined> {
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
  return choice === undefined || choice === back ? undefined : choice.deployment;
}
