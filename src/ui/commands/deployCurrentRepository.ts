import * as vscode from 'vscode';
import { resourceSpecWire, type ResourceSpec } from '../../api/resourceSpec.ts';
import { suggestDeploymentName, type DeploymentDraft } from '../../core/deploymentDraft.ts';
import { parseGitRemote } from '../../core/gitRemote.ts';
import type { ReadySession } from '../../state/connections.ts';
import { chooseConfigPath } from '../deploy/configFile.ts';
import { requireIntegration } from '../deploy/findIntegration.ts';
import { reviewAndCreate } from '../deploy/reviewAndCreate.ts';
import type { IntegrationMatch } from '../deploy/searchIntegrations.ts';
import { commandRemedy } from '../errors.ts';
import type { Services } from '../services.ts';
import { readWorkspaceRepository, type WorkspaceRepository } from '../workspaceRepository.ts';

/**
 * Deploys the repository that is open in the editor: reads it, finds the integration that has it, shows one review
 * with everything filled in, creates the deployment and follows it.
 */
export async function deployCurrentRepository(
  services: Services,
  session: ReadySession,
  argument?: unknown,
): Promise<void> {
  const repository = await readWorkspaceRepository();
  if (repository === undefined) return;
  const configPath = await chooseConfigPath(repository);
  if (configPath === undefined) return;
  const title = vscode.l10n.t('Deploy Current Repository');
  const { remoteUrl, root } = repository;
  const tryAgain = commandRemedy(vscode.l10n.t('Try Again'), 'deployCurrentRepository', argument);
  const found = await requireIntegration(services, session, { title, remoteUrl, root, tryAgain });
  const draft: DeploymentDraft = {
    ...startDraft(session.connection.name, repository, found, configPath),
    resourceSpec: resourceSpecOf(argument),
  };
  await reviewAndCreate(services, session, { title, draft, repository }, found.remarks);
}

function startDraft(
  connectionName: string,
  { remoteUrl, branch }: WorkspaceRepository,
  { integrationId, repositoryUrl, defaultBranch }: IntegrationMatch,
  configPath: string,
): DeploymentDraft {
  const name = suggestDeploymentName(parseGitRemote(remoteUrl)?.name ?? 'application', configPath);
  return {
    connectionName,
    name,
    source: 'repohost',
    integrationId,
    repositoryUrl,
    ref: { kind: 'branch', name: branch ?? defaultBranch ?? '' },
    configPath,
    deploymentType: 'dev',
    buildOnPush: true,
    secrets: [],
  };
}

/** The resource form calls the command with the resources that it made; everybody else calls it without. */
function resourceSpecOf(argument: unknown): ResourceSpec | undefined {
  if (typeof argument !== 'object' || argument === null || !('resourceSpec' in argument)) return undefined;
  const parsed = resourceSpecWire.safeParse(argument.resourceSpec);
  return parsed.success ? parsed.data : undefined;
}
