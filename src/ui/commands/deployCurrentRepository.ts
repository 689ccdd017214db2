import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/deployments.ts';
import { resourceSpecWire, type ResourceSpec } from '../../api/resourceSpec.ts';
import { parseAppConfig, type AppConfig, type AppConfigProblem } from '../../core/appConfig.ts';
import { createRequest } from '../../core/createRequest.ts';
import { suggestDeploymentName, type DeploymentDraft } from '../../core/deploymentDraft.ts';
import { parseDotenv } from '../../core/dotenv.ts';
import { parseGitRemote } from '../../core/gitRemote.ts';
import { preflight, type Finding } from '../../core/preflight.ts';
import type { ReadySession } from '../../state/connections.ts';
import { chooseConfigPath, openConfig } from '../deploy/configFile.ts';
import { askConfigPath, askDeploymentName, askDeploymentType, askRef } from '../deploy/fields.ts';
import { findByName } from '../deploy/findByName.ts';
import { findIntegration, noIntegration, type IntegrationMatch } from '../deploy/findIntegration.ts';
import { showReview, type ReviewField } from '../deploy/review.ts';
import { editSecrets } from '../deploy/secretsEditor.ts';
import { isCancelled, messageOf } from '../errors.ts';
import type { Services } from '../services.ts';
import { readRepositoryFile, readWorkspaceRepository, type WorkspaceRepository } from '../workspaceRepository.ts';
import { switchConnection } from './switchConnection.ts';

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
  const match = await services.deploymentsView.whileLoading(() => integrationOf(services, session, repository));
  if (match === undefined) return;
  const draft: DeploymentDraft = {
    ...startDraft(session.connection.name, repository, match, configPath),
    resourceSpec: resourceSpecOf(argument),
  };
  const outcome = await reviewUntilCreated(services, session, repository, draft);
  if (outcome === 'switched') {
    await vscode.commands.executeCommand('deploymentManager.deployCurrentRepository');
  } else if (outcome !== undefined) {
    await showCreated(services, session, outcome);
  }
}

async function integrationOf(
  { localService }: Services,
  session: ReadySession,
  { root, remoteUrl }: WorkspaceRepository,
): Promise<IntegrationMatch | undefined> {
  const match = await findIntegration(await session.client(), remoteUrl);
  if (match !== undefined) return match;
  if (session.connection.kind === 'local') {
    // The embedded service knows the folders that were open when it started; this one may have come later.
    await localService.start([root.fsPath]);
    const registered = await findIntegration(await session.client(), remoteUrl);
    if (registered !== undefined) return registered;
  }
  throw noIntegration(session.connection.name, remoteUrl);
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

/** Shows the review, edits, and sends, until a deployment is there or the person leaves. A refusal loses nothing. */
async function reviewUntilCreated(
  services: Services,
  session: ReadySession,
  repository: WorkspaceRepository,
  draft: DeploymentDraft,
): Promise<Deployment | 'switched' | undefined> {
  const names = new Map<string, boolean>();
  let refusal: Finding | undefined;
  let active: ReviewField | undefined;
  for (;;) {
    const client = await session.client();
    const checked = await check(client, repository, draft, names);
    const findings = refusal === undefined ? checked.findings : [refusal, ...checked.findings];
    const choice = await showReview({ ...checked, draft, findings, active });
    refusal = undefined;
    if (choice === undefined) return undefined;
    if (choice.kind === 'openConfig') {
      await openConfig(repository, draft.configPath, checked.appConfig);
    } else if (choice.kind === 'push') {
      await repository.push(draft.ref.name).catch((error: unknown) => {
        refusal = warning(vscode.l10n.t('The push failed: {0}', messageOf(error)));
      });
    } else if (choice.kind === 'edit') {
      active = choice.field;
      if (choice.field === 'connection') {
        await switchConnection(services);
        return 'switched';
      }
      await editField(draft, choice.field, repository, services);
    } else {
      try {
        const created = await services.deploymentsView.whileLoading(() =>
          client.deployments.create(createRequest(draft)),
        );
        // The values were needed for this one request only.
        draft.secrets = [];
        return created;
      } catch (error) {
        if (isCancelled(error)) return undefined;
        services.log.error(`create deployment: ${messageOf(error)}`);
        refusal = warning(messageOf(error));
        names.clear();
      }
    }
  }
}

interface Checked {
  readonly findings: readonly Finding[];
  readonly unpushedCommits: number;
  readonly configIsBroken: boolean;
  readonly appConfig: AppConfig | AppConfigProblem | undefined;
}

async function check(
  client: Client,
  repository: WorkspaceRepository,
  draft: DeploymentDraft,
  names: Map<string, boolean>,
): Promise<Checked> {
  const isTaken = names.get(draft.name) ?? (await findByName(client, draft.name)) !== undefined;
  names.set(draft.name, isTaken);
  const [git, appConfig] = await Promise.all([
    repository.stateOf(draft.ref.name, draft.configPath),
    readConfig(repository, draft.configPath),
  ]);
  const configEnvNames = await readEnvNames(repository, appConfig);
  const findings = preflight({
    draft,
    git,
    existingNames: isTaken ? [draft.name] : [],
    reservedSecretNames: reservedSecretNames(),
    ...(appConfig === undefined ? {} : { appConfig }),
    ...(configEnvNames === undefined ? {} : { configEnvNames }),
  });
  const canPush = draft.ref.kind === 'branch' && draft.ref.name === git.branch;
  return {
    findings,
    appConfig,
    unpushedCommits: canPush ? git.ahead : 0,
    configIsBroken: appConfig?.kind === 'problem',
  };
}

async function editField(
  draft: DeploymentDraft,
  field: Exclude<ReviewField, 'connection'>,
  repository: WorkspaceRepository,
  { resourceForms }: Services,
): Promise<void> {
  switch (field) {
    case 'name':
      draft.name = (await askDeploymentName(draft)) ?? draft.name;
      break;
    case 'ref':
      draft.ref = (await askRef(draft, repository)) ?? draft.ref;
      break;
    case 'configPath':
      draft.configPath = (await askConfigPath(draft, repository.configPaths)) ?? draft.configPath;
      break;
    case 'deploymentType':
      draft.deploymentType = (await askDeploymentType(draft)) ?? draft.deploymentType;
      break;
    case 'buildOnPush':
      draft.buildOnPush = !draft.buildOnPush;
      break;
    case 'secrets':
      draft.secrets = [...(await editSecrets(draft.secrets, reservedSecretNames()))];
      break;
    case 'resourceSpec':
      draft.resourceSpec =
        (await resourceForms.edit(vscode.l10n.t('Resources of {0}', draft.name), draft.resourceSpec)) ??
        draft.resourceSpec;
      break;
  }
}

/** Puts the deployment into the list, follows it and shows its row; the lists are not asked again. */
async function showCreated(services: Services, session: ReadySession, deployment: Deployment): Promise<void> {
  services.deployments.add(deployment);
  const revisionId = deployment.latest_revision_id;
  if (revisionId !== undefined) {
    await services.follower.follow(
      { connection: session.connection.name, deploymentId: deployment.id, revisionId },
      { deployment },
    );
  }
  await services.deploymentsView.reveal(deployment.id);
}

async function readConfig(
  { root }: WorkspaceRepository,
  path: string,
): Promise<AppConfig | AppConfigProblem | undefined> {
  if (path === '') return undefined;
  try {
    return parseAppConfig(await readRepositoryFile(root, path), path);
  } catch {
    // The file may be on the remote only; whether it is there is a finding of its own.
    return undefined;
  }
}

async function readEnvNames(
  { root }: WorkspaceRepository,
  appConfig: AppConfig | AppConfigProblem | undefined,
): Promise<readonly string[] | undefined> {
  if (appConfig?.kind !== 'config' || appConfig.env.kind !== 'file' || !appConfig.env.insideRepository)
    return undefined;
  try {
    return parseDotenv(await readRepositoryFile(root, appConfig.env.path)).variables.map(({ name }) => name);
  } catch {
    // A dotenv file is usually not committed and may be missing here.
    return undefined;
  }
}

function reservedSecretNames(): readonly string[] {
  return vscode.workspace.getConfiguration('deploymentManager').get<readonly string[]>('secrets.reservedNames', []);
}

/** The resource form calls the command with the resources that it made; everybody else calls it without. */
function resourceSpecOf(argument: unknown): ResourceSpec | undefined {
  if (typeof argument !== 'object' || argument === null || !('resourceSpec' in argument)) return undefined;
  const parsed = resourceSpecWire.safeParse(argument.resourceSpec);
  return parsed.success ? parsed.data : undefined;
}

/** A refusal is no error of the draft: after a change, or later, the same request may be accepted. */
function warning(message: string): Finding {
  return { severity: 'warning', message };
}
