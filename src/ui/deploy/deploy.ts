import * as vscode from 'vscode';
import { chooseAsLastTime } from '../../core/draft/asLastTime.ts';
import { nameForRepository, suggestDeploymentName } from '../../core/draft/deploymentName.ts';
import type { RepositoryDraft } from '../../core/draft/draft.ts';
import { repositoryTitle } from '../../core/git/repositories.ts';
import { flavorOf } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { lastChoices } from '../../state/deploying/rememberedChoices.ts';
import type { ListedRepository } from '../../state/lists/repositories.ts';
import { chooseRepository } from '../repositories/chooseRepository.ts';
import type { Services } from '../services.ts';
import { commandRemedy, UserError } from '../window/errors.ts';
import { openRepositoryOf, readWorkspaceRepository } from '../workspace/findRepository.ts';
import { chooseConfigPath } from './configFile.ts';
import { askField } from './fields/fieldQuestions.ts';
import { requireIntegration } from './findIntegration.ts';
import type { DeploymentPlan } from './plan.ts';
import { offerDeployed } from './live/offerDeployed.ts';
import { continueReview, hasResources, reviewAndCreate, takeResources, type CommandStart } from './reviewAndCreate.ts';
import { deploySeveral } from './severalApplications.ts';

/**
 * Deploys the repository that is open in the editor.
 * If its branch is deployed already, offers to bring it live first. A new deployment starts with the choices of the
 * last one: finds the integration, shows one prefilled review, creates the deployment and follows it.
 * @param startedBy the command that continues the review; without it, the one for the repository
 */
export async function deployCurrentRepository(
  services: Services,
  session: ReadySession,
  argument?: unknown,
  startedBy?: CommandStart,
): Promise<void> {
  const repository = await readWorkspaceRepository(services.remoteAddresses, argument);
  if (repository === undefined) return;
  const configPath = await chooseConfigPath(repository);
  if (configPath === undefined) return;
  const title = vscode.l10n.t('Deploy Current Repository');
  const { remote, remoteUrl, root, checkedOut } = repository;
  const start: CommandStart = startedBy ?? {
    start: `current ${remoteUrl} ${configPath}`,
    startOver: () => deployCurrentRepository(services, session, argument),
  };
  if (await continueReview(services, session, start, { repository, argument })) return;
  const last = lastChoices(services.workspaceMemory, session, { repositoryUrl: remoteUrl, configPath });
  const tryAgain = commandRemedy(vscode.l10n.t('Try Again'), 'deployCurrentRepository', argument);
  const refs = [checkedOut, last?.ref].filter((ref) => ref !== undefined);
  const usualNames = [nameForRepository(remoteUrl, configPath), last?.draft.name].filter((name) => name !== undefined);
  const wanted = { title, repositoryUrl: remoteUrl, configPath, refs, usualNames, repository, tryAgain };
  // The resources of the form can only go into a new deployment.
  const offered = hasResources(argument) ? [] : await offerDeployed(services, session, wanted);
  if (offered === undefined) return;
  const account = last?.draft.integrationName;
  const found = await requireIntegration(services, session, { title, remoteUrl, root, account, tryAgain });
  const { integrationId, integrationName, repositoryUrl, defaultBranch, findings } = found;
  const draft = startDraft(session, {
    name: nameForRepository(remoteUrl, configPath),
    integrationId,
    integrationName,
    repositoryUrl,
    ref: checkedOut ?? { kind: 'branch', name: defaultBranch ?? '' },
    configPath,
    provenance: {
      name: { kind: 'suggested' },
      repositoryUrl: { kind: 'remote', name: remote },
      integrationId: { kind: 'integration' },
      ref: { kind: checkedOut === undefined ? 'list' : 'checkedOut' },
      configPath: { kind: 'found' },
    },
  });
  if (last !== undefined) chooseAsLastTime(draft, last);
  takeResources(draft, argument);
  const plan: DeploymentPlan = {
    title,
    session,
    draft,
    repository,
    ...(repository.configPaths.length > 1 && {
      deploySeveral: (isMoved) => deploySeveral(services, plan, isMoved),
    }),
  };
  await reviewAndCreate(services, plan, { ...start, findings: [...offered, ...findings] });
}

type Chosen = Omit<RepositoryDraft, 'connectionName' | 'source' | 'deploymentType' | 'buildOnPush' | 'secrets'>;

function startDraft({ connection }: ReadySession, chosen: Chosen): RepositoryDraft {
  const connectionName = connection.name;
  return { ...chosen, connectionName, source: 'repohost', deploymentType: 'dev', buildOnPush: true, secrets: [] };
}

/** Deploys a repository from the service's list, open here or not. */
export async function deployRepository(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy Repository');
  const repository =
    services.views.repositories.repositoryOf(argument) ?? (await chooseRepository(services, { title }));
  if (repository !== undefined) await deployListed(services, session, { title, repository });
}

interface ListedDeployment {
  readonly title: string;
  readonly repository: ListedRepository;
  readonly argument?: unknown;
  /** The command that continues the review; without it, the one for the repository. */
  readonly startedBy?: CommandStart;
}

/**
 * Deploys a repository of the service's list, with the resources of a form if the argument has them.
 * @throws {UserError} the service gives no address for the repository
 */
export async function deployListed(services: Services, session: ReadySession, listed: ListedDeployment): Promise<void> {
  const { title, repository: chosen, argument, startedBy } = listed;
  const { record, integrationId } = chosen;
  const start: CommandStart = startedBy ?? {
    start: `listed ${integrationId} ${record.id ?? record.url}`,
    startOver: () => deployListed(services, session, listed),
  };
  if (await continueReview(services, session, start, { argument })) return;
  const configPath = await askField({ title }, 'configPath', usualConfigFile(session));
  if (typeof configPath !== 'string') return;
  if (record.url === undefined) {
    throw new UserError(
      vscode.l10n.t("The service gives no address for {0}, so it can't be deployed.", repositoryTitle(record)),
    );
  }
  const fromList = { kind: 'list' } as const;
  const ref = { kind: 'branch', name: record.default_branch ?? '' } as const;
  const draft = startDraft(session, {
    name: suggestDeploymentName(record.name, configPath),
    integrationId,
    integrationName: services.repositories.installations.find(integrationId)?.name,
    repositoryUrl: record.url,
    ref,
    configPath,
    provenance: {
      name: { kind: 'suggested' },
      repositoryUrl: fromList,
      integrationId: fromList,
      ref: fromList,
      configPath: { kind: 'user' },
    },
  });
  takeResources(draft, argument);
  const repository = await openRepositoryOf(services.remoteAddresses, draft, title);
  const wanted = { title, repositoryUrl: record.url, configPath, refs: [ref], usualNames: [draft.name], repository };
  const findings = hasResources(argument) ? [] : await offerDeployed(services, session, wanted);
  if (findings === undefined) return;
  await reviewAndCreate(services, { title, session, draft, repository }, { ...start, findings });
}

/** The name that the connection's flavor usually gives the config file. */
export function usualConfigFile({ connection }: ReadySession): string {
  return flavorOf(connection).configFile;
}
