import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { groupByRepository } from '../../core/git/workspaceDeployment.ts';
import { deployedCommand } from '../deployments/lenses.ts';
import type { Services } from '../services.ts';
import { fullId } from '../window/commandIds.ts';
import { relativePath } from '../window/files.ts';

/** More would fill the line. */
const mostDeployments = 3;

/** What is known to be deployed from a config file, and the command that deploys it. Asks no service. */
export async function configLenses(file: vscode.Uri, services: Services): Promise<readonly vscode.CodeLens[]> {
  const deployed = await deployedFrom(file, services);
  const shown = deployed
    .slice(0, mostDeployments)
    .map((deployment) => deployedCommand(services.deployments.connection, deployment, services));
  const others = deployed.length - shown.length;
  const more = { title: vscode.l10n.t('{0} more', others), command: 'deploymentManager.deployments.focus' };
  const deploy = { title: vscode.l10n.t('Deploy…'), command: fullId('deployCurrentRepository'), arguments: [file] };
  const top = new vscode.Range(0, 0, 0, 0);
  return [...shown, ...(others > 0 ? [more] : []), deploy].map((command) => new vscode.CodeLens(top, command));
}

/** The known deployments of a config file: the workspace's own, or all if none of them is. */
async function deployedFrom(
  file: vscode.Uri,
  { ownDeployments, remoteAddresses, workspaceDeployments, log }: Services,
): Promise<readonly Deployment[]> {
  const { candidates } = ownDeployments;
  if (candidates.length === 0) return [];
  const open = await remoteAddresses.ofOpen().catch((error: unknown) => {
    log.debug('The repository of a config file.', error);
    return [];
  });
  const built = [...groupByRepository(open, candidates)].flatMap(([{ repository }, deployments]) => {
    const path = relativePath(repository.rootUri, file);
    return deployments.filter(({ source_revision_config: config }) => config?.graph_config_path === path);
  });
  const own = built.filter(({ id }) => workspaceDeployments.isOfWorkspace(id));
  return own.length > 0 ? own : built;
}
