import * as vscode from 'vscode';
import { flavors } from '../../api/flavor.ts';
import { suggestDeploymentName, type DeploymentDraft } from '../../core/deploymentDraft.ts';
import { repositoryTitle } from '../../core/mergeRepositories.ts';
import type { ReadySession } from '../../state/connections.ts';
import type { ListedRepository } from '../../state/repositories.ts';
import { chooseRepository } from '../chooseRepository.ts';
import { typeConfigPath } from '../deploy/fields.ts';
import { reviewAndCreate } from '../deploy/reviewAndCreate.ts';
import { UserError } from '../errors.ts';
import type { Services } from '../services.ts';

/** Deploys a repository of the service's list, whether it is open here or not: what counts is what its host has. */
export async function deployRepository(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy Repository');
  const repository =
    services.sideViews.repositories.repositoryOf(argument) ?? (await chooseRepository(services, title));
  if (repository === undefined) return;
  const configPath = await typeConfigPath(title, usualConfigFile(session));
  if (configPath === undefined) return;
  const draft = startDraft(session.connection.name, repository, configPath);
  await reviewAndCreate(services, session, { title, draft, repository: undefined });
}

function usualConfigFile({ connection }: ReadySession): string {
  return flavors[connection.kind === 'local' ? 'standard' : connection.flavor].configFile;
}

/** @throws {UserError} the service does not say where the repository is */
function startDraft(
  connectionName: string,
  { record, integrationId }: ListedRepository,
  configPath: string,
): DeploymentDraft {
  if (record.url === undefined) {
    throw new UserError(
      vscode.l10n.t('The service gives no address for {0}, so that it cannot be deployed.', repositoryTitle(record)),
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
