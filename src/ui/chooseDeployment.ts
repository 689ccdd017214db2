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
 * The deployment of the open repository: the only one, or the one that the person chose of several. They are asked once
 * and the answer is remembered; where no deployment belongs to the repository, all are offered.
 * @throws {UserError} there is no deployment
 */
export async function chooseDeploymentOfWorkspace(services: Services, title: string): Promise<Deployment | undefined> {
  const loaded = await loadedDeployments(services);
  const { workspaceDrift } = services;
  await workspaceDrift.settled();
  const mine = loaded.filter(({ id }) => workspaceDrift.isOfWorkspace(id));
  const [first, second] = mine;
  if (first !== undefined && second === undefined) return first;
  const deployment = await askAmong(services, title, first === undefined ? loaded : mine);
  if (deployment !== undefined) await workspaceDrift.choose(deployment.id);
  return deployment;
}

/**
 * The person's choice among the deployments that only they can tell apart, the present one first.
 * @throws {UserError} there is nothing to choose
 */
export async function askForAlternative(services: Services, title: string): Promise<Deployment | undefined> {
  const loaded = await loadedDeployments(services);
  const { workspaceDrift } = services;
  await workspaceDrift.settled();
  const alternatives = loaded.filter(({ id }) => workspaceDrift.hasAlternatives(id));
  if (alternatives.length === 0) {
    throw new UserError(
      vscode.l10n.t('There is nothing to choose: no two deployments of the list are built from what is open here.'),
    );
  }
  return askAmong(services, title, alternatives);
}

/**
 * The person's choice among the loaded deployments, the workspace's own first. Undefined when they leave.
 * @throws {UserError} there is no deployment
 */
export async function askForDeployment(services: Services, title: string): Promise<Deployment | undefined> {
  return askAmong(services, title, await loadedDeployments(services));
}

async function loadedDeployments({ deployments }: Services): Promise<readonly Deployment[]> {
  if (deployments.state.loadedAt === undefined) await deployments.refresh();
  const loaded = readableRows(deployments.state.rows);
  if (loaded.length === 0) throw new UserError(vscode.l10n.t('There is no deployment yet.'));
  return loaded;
}

async function askAmong(
  { workspaceDrift }: Services,
  title: string,
  offered: readonly Deployment[],
): Promise<Deployment | undefined> {
  // A mark that all of them have tells nothing.
  const isMarked = offered.some(({ id }) => !workspaceDrift.isOfWorkspace(id));
  const items = offered.map((deployment) => {
    const isMine = workspaceDrift.isOfWorkspace(deployment.id);
    const words = [isMine && isMarked ? vscode.l10n.t('this workspace') : '', deployment.status ?? ''];
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
