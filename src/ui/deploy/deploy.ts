import * as vscode from 'vscode';
import { flavors } from '../../api/flavor.ts';
import { resourceSpecWire, type ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { suggestDeploymentName, type DeploymentDraft } from '../../core/draft/draft.ts';
import { parseGitRemote } from '../../core/git/remote.ts';
import { repositoryTitle } from '../../core/git/repositories.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { IntegrationMatch } from '../../state/deploying/searchIntegrations.ts';
import type { ListedRepository } from '../../state/lists/repositories.ts';
import { chooseRepository } from '../repositories/chooseRepository.ts';
import type { Services } from '../services.ts';
import { commandRemedy, UserError } from '../window/errors.ts';
import { readWorkspaceRepository, type WorkspaceRepository } from '../workspace/workspaceRepository.ts';
import { chooseConfigPath } from './configFile.ts';
import { typeConfigPath } from './fields.ts';
import { requireIntegration } from './findIntegration.ts';
import { reviewAndCreate } from './reviewAndCreate.ts';

/**
 * Deploys the repository that is open in the editor.
 * Reads the repository, finds its integration, shows one prefilled review, creates the deployment and follows it.
 */
export async function deployCurrentRepository(
  services: Services,
  session: ReadySession,
  argument?: unknown,
): Promise<void> {
  const repository = await readWorkspaceRepository(argument);
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
  await reviewAndCreate(services, session, { title, draft, repository }, found.findings);
}

function startDraft(
  connectionName: string,
  { remoteUrl, checkedOut }: WorkspaceRepository,
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
    ref: checkedOut ?? { kind: 'branch', name: defaultBranch ?? '' },
    configPath,
    deploymentType: 'dev',
    buildOnPush: true,
    secrets: [],
  };
}

/** The resources passed by the resource form; undefined for all other callers. */
function resourceSpecOf(argument: unknown): ResourceSpec | undefined {
  if (typeof argument !== 'object' || argument === null || !('resourceSpec' in argument)) return undefined;
  const parsed = resourceSpecWire.safeParse(argument.resourceSpec);
  return parsed.success ? parsed.data : undefined;
}

/** Deploys a repository from the service's list, open here or not; only the code host's copy counts. */
export async function deployRepository(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy Repository');
  const repository = services.views.repositories.repositoryOf(argument) ?? (await chooseRepository(services, title));
  if (repository === undefined) return;
  const configPath = await typeConfigPath(title, usualConfigFile(session));
  if (configPath === undefined) return;
  const draft = draftOfRepository(session.connection.name, repository, configPath);
  await reviewAndCreate(services, session, { title, draft, repository: undefined });
}

function usualConfigFile({ connection }: ReadySession): string {
  return flavors[connection.kind === 'local' ? 'standard' : connection.flavor].configFile;
}

/** @throws {UserError} the service gives no address for the repository */
function draftOfRepository(
  connectionName: string,
  { record, integrationId }: ListedRepository,
  configPath: string,
): DeploymentDraft {
  if (record.url === undefined) {
    throw new UserError(
      vscode.l10n.t("The service gives no address for {0}, so it can't be deployed.", repositoryTitle(record)),
    );
  }
  return {
    connectionName,
    name: suggestDeploymentName(record.name, configPath),
    source: 'repohost',
    integrationId,
    repositoryUrl: record.url,
    ref: { kind: 'branch', name: record.default_branch ?? '' },
    configPath,
    deploymentType: 'dev',
    buildOnPush: true,
    secrets: [],
  };
}
