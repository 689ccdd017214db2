import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { groupByRepository } from '../../core/git/workspaceDeployment.ts';
import { lastCheckWords } from '../../core/status/freshness.ts';
import { deploymentWords } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { shortened, withoutIcons } from '../../core/text/text.ts';
import { doubtOf } from '../../state/following/doubts.ts';
import type { Services } from '../services.ts';
import { fullId } from '../window/commandIds.ts';
import { relativePath } from '../window/files.ts';

/** More would fill the line. */
const mostDeployments = 3;

/** What is known to be deployed from a config file, and the command that deploys it. Asks no service. */
export async function configLenses(file: vscode.Uri, services: Services): Promise<readonly vscode.CodeLens[]> {
  const deployed = await deployedFrom(file, services);
  const shown = deployed.slice(0, mostDeployments).map((deployment) => describe(deployment, services));
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

function describe(deployment: Deployment, services: Services): vscode.Command {
  const { deployments, workspaceDrift, clock } = services;
  const { id: deploymentId, latest_revision_id: revisionId = '' } = deployment;
  const { connection } = deployments;
  const observed = deployments.observe(deploymentId, deployment.latest_revision_id);
  const { first } = deploymentWords(deployment, observed, {
    now: clock.now(),
    drift: workspaceDrift.of(deploymentId),
    doubt: () => doubtOf({ connection, deploymentId, revisionId }, services),
  });
  const { asOf } = verdict(observed);
  const checked = asOf === undefined ? [] : [lastCheckWords(clock.now() - (clock.monotonic() - asOf))];
  return {
    title: withoutIcons(`${shortened(deployment.name)}: ${first.join(' · ')}`),
    tooltip: [vscode.l10n.t('Open Details'), connection, ...checked].join(' · '),
    command: fullId('openDetails'),
    arguments: [{ connection, deploymentId }],
  };
}
