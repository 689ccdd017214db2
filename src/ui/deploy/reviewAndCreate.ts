import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/deployments.ts';
import { parseAppConfig, type AppConfig, type AppConfigProblem } from '../../core/appConfig.ts';
import { createRequest } from '../../core/createRequest.ts';
import type { DeploymentDraft } from '../../core/deploymentDraft.ts';
import { parseDotenv } from '../../core/dotenv.ts';
import { preflight, type Finding } from '../../core/preflight.ts';
import type { ReadySession } from '../../state/connections.ts';
import { switchConnection } from '../commands/switchConnection.ts';
import { isCancelled, messageOf } from '../errors.ts';
import type { Services } from '../services.ts';
import { readRepositoryFile, type WorkspaceRepository } from '../workspaceRepository.ts';
import { openConfig } from './configFile.ts';
import { askConfigPath, askDeploymentName, askDeploymentType, askRef } from './fields.ts';
import { findByName } from './findByName.ts';
import { showReview, type ReviewField } from './review.ts';
import { editSecrets } from './secretsEditor.ts';

/** What is reviewed: a draft, and the working copy it is about where that is open in this window. */
export interface DeploymentPlan {
  /** The title of every question. */
  readonly title: string;
  readonly draft: DeploymentDraft;
  readonly repository: WorkspaceRepository | undefined;
}

/**
 * Shows the review until the person deploys or leaves, creates the deployment, follows it and shows its row.
 * @returns `switched` when the person chose another connection, so that everything has to be looked up again there
 */
export async function reviewAndCreate(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
): Promise<'switched' | 'done'> {
  const outcome = await reviewUntilCreated(services, session, plan);
  if (outcome === 'switched') return 'switched';
  if (outcome !== undefined) await showCreated(services, session, outcome);
  return 'done';
}

/** Shows the review, edits, and sends, until a deployment is there or the person leaves. A refusal loses nothing. */
async function reviewUntilCreated(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
): Promise<Deployment | 'switched' | undefined> {
  const { draft, repository, title } = plan;
  const names = new Map<string, boolean>();
  let refusal: Finding | undefined;
  let active: ReviewField | undefined;
  for (;;) {
    const client = await session.client();
    const checked = await check(client, plan, names);
    const findings = refusal === undefined ? checked.findings : [refusal, ...checked.findings];
    const choice = await showReview({ ...checked, title, draft, findings, active });
    refusal = undefined;
    if (choice === undefined) return undefined;
    if (choice.kind === 'openConfig') {
      if (repository !== undefined) await openConfig(repository, draft.configPath, checked.appConfig);
    } else if (choice.kind === 'push') {
      await repository?.push(draft.ref.name).catch((error: unknown) => {
        refusal = warning(vscode.l10n.t('The push failed: {0}', messageOf(error)));
      });
    } else if (choice.kind === 'edit') {
      active = choice.field;
      if (choice.field === 'connection') {
        await switchConnection(services);
        return 'switched';
      }
      await editField(plan, choice.field, services);
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
  { draft, repository }: DeploymentPlan,
  names: Map<string, boolean>,
): Promise<Checked> {
  const isTaken = names.get(draft.name) ?? (await findByName(client, draft.name)) !== undefined;
  names.set(draft.name, isTaken);
  const [git, appConfig] = await Promise.all([
    repository?.stateOf(draft.ref.name, draft.configPath),
    repository === undefined ? undefined : readConfig(repository, draft.configPath),
  ]);
  const configEnvNames = repository === undefined ? undefined : await readEnvNames(repository, appConfig);
  const seen = preflight({
    draft,
    existingNames: isTaken ? [draft.name] : [],
    reservedSecretNames: reservedSecretNames(),
    ...(git === undefined ? {} : { git }),
    ...(appConfig === undefined ? {} : { appConfig }),
    ...(configEnvNames === undefined ? {} : { configEnvNames }),
  });
  const findings = repository === undefined ? [...seen, ...notRead(draft)] : seen;
  const canPush = git !== undefined && draft.ref.kind === 'branch' && draft.ref.name === git.branch;
  return {
    findings,
    appConfig,
    unpushedCommits: canPush ? git.ahead : 0,
    configIsBroken: appConfig?.kind === 'problem',
  };
}

/** What nobody can know before the build, as there is no working copy to look into. */
function notRead({ ref, configPath }: DeploymentDraft): Finding[] {
  if (ref.name === '' || configPath === '') return [];
  const message = vscode.l10n.t(
    'The repository is not read here: whether {0} has {1} shows when it is built.',
    ref.name,
    configPath,
  );
  return [{ severity: 'info', field: 'configPath', message }];
}

async function editField(
  { draft, repository, title }: DeploymentPlan,
  field: Exclude<ReviewField, 'connection'>,
  { resourceForms }: Services,
): Promise<void> {
  switch (field) {
    case 'name':
      draft.name = (await askDeploymentName(title, draft)) ?? draft.name;
      break;
    case 'ref':
      draft.ref = (await askRef(title, draft, repository)) ?? draft.ref;
      break;
    case 'configPath':
      draft.configPath = (await askConfigPath(title, draft, repository?.configPaths ?? [])) ?? draft.configPath;
      break;
    case 'deploymentType':
      draft.deploymentType = (await askDeploymentType(title, draft)) ?? draft.deploymentType;
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

/** A refusal is no error of the draft: after a change, or later, the same request may be accepted. */
function warning(message: string): Finding {
  return { severity: 'warning', message };
}
