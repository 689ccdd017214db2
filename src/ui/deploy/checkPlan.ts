import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { deploymentOutcome } from '../../api/resources/lookUp.ts';
import type { LookUp } from '../../api/resources/lookUp.ts';
import { parseAppConfig, type AppConfig, type AppConfigFinding } from '../../core/appConfig/appConfig.ts';
import { freeDeploymentName, type DeploymentDraft } from '../../core/draft/draft.ts';
import {
  preflight,
  type ExistingDeployment,
  type Finding,
  type GitState,
  worstFirst,
} from '../../core/draft/preflight.ts';
import { parseDotenv } from '../../core/secrets/dotenv.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { messageOf } from '../window/errors.ts';
import { readRepositoryFile, type WorkspaceRepository } from '../workspace/workspaceRepository.ts';
import type { Discovery } from './review.ts';

/** What is reviewed: a draft, and the working copy it is about where that is open in this window. */
export interface DeploymentPlan {
  /** The title of every question. */
  readonly title: string;
  readonly draft: DeploymentDraft;
  readonly repository: WorkspaceRepository | undefined;
}

/** What a check begins with. */
export interface CheckStart {
  /** What was heard of the service's deployments; the answer for the draft's name is added. */
  readonly existing: ExistingDeployments;
  /** The service's deployments that are in the list. */
  readonly listed: readonly Deployment[];
  /** What the draft is called unless that is taken, as long as the person has not named it. */
  readonly suggestedName: string | undefined;
  /** True after a create whose outcome is unknown: whether the name is taken now tells it. */
  readonly mayExist: boolean;
  readonly signal: AbortSignal;
}

/** What is known about a draft before it is sent. */
export interface Checked extends Discovery {
  readonly appConfig: AppConfig | AppConfigFinding | undefined;
}

/**
 * Looks at a draft, at the working copy and at the names of the service. What cannot be asked becomes a finding, so
 * that nothing the person entered is lost over it. A name that only was suggested makes way where it is taken.
 */
export async function checkPlan(
  session: ReadySession,
  { draft, repository }: DeploymentPlan,
  { existing, listed, suggestedName, mayExist, signal }: CheckStart,
): Promise<Checked> {
  const unasked = await askName(session, suggestedName ?? draft.name, existing, signal);
  const known = existingOf([...listed, ...existing.rows]);
  if (suggestedName !== undefined && !signal.aborted) {
    draft.name = freeDeploymentName(suggestedName, (name) => known.some((other) => other.name === name));
  }
  const { git, unread } = await readGit(repository, draft);
  const isOpenHere = draft.ref.kind !== 'branch' || git === undefined || draft.ref.name === git.branch;
  const appConfig = repository === undefined ? undefined : await readConfig(repository, draft, isOpenHere);
  const configEnvNames = repository === undefined ? undefined : await readEnvNames(repository, appConfig);
  const seen = preflight({
    draft,
    existingNames: existing.lookUp(draft.name) === 'found' ? [draft.name] : [],
    existing: known,
    ...(suggestedName === undefined || suggestedName === draft.name ? {} : { takenSuggestion: suggestedName }),
    reservedSecretNames: reservedSecretNames(),
    remoteIsCertain: session.connection.kind === 'local',
    ...(git === undefined ? {} : { git }),
    ...(appConfig === undefined ? {} : { appConfig }),
    ...(configEnvNames === undefined ? {} : { configEnvNames }),
  });
  const findings = worstFirst([...unasked, ...unread, ...seen, ...(repository === undefined ? notRead(draft) : [])]);
  return {
    outcome: mayExist ? outcomeOfCreate(draft.name, existing.lookUp(draft.name)) : [],
    findings,
    appConfig,
    unpushed: git === undefined ? undefined : whatToPush(draft, git),
    // Only what is in the working copy can be opened here and mended.
    configIsBroken: isOpenHere && appConfig?.kind === 'finding',
  };
}

/** Only the branch that is checked out is pushed from here. */
function whatToPush({ ref }: DeploymentDraft, git: GitState): Checked['unpushed'] {
  if (ref.kind !== 'branch' || ref.name !== git.branch) return undefined;
  if (!git.remoteBranchExists) return 'branch';
  return git.ahead > 0 ? { commits: git.ahead } : undefined;
}

/** The names that secrets must not have, from the settings. */
export function reservedSecretNames(): readonly string[] {
  return vscode.workspace.getConfiguration('deploymentManager').get<readonly string[]>('secrets.reservedNames', []);
}

/** A refusal is no error of the draft: after a change, or later, the same request may be accepted. */
export function warning(message: string): Finding {
  return { severity: 'warning', message };
}

/** Adds whether a name is taken to what is known, or says why that could not be asked. */
async function askName(
  session: ReadySession,
  name: string,
  existing: ExistingDeployments,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  try {
    await existing.ask(await session.client(), name, { signal });
    return [];
  } catch (error) {
    return [warning(vscode.l10n.t("Couldn't check whether the name is available: {0}", messageOf(error)))];
  }
}

/** Each deployment once, as the latest answer has it. */
function existingOf(rows: readonly Deployment[]): readonly ExistingDeployment[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].map(({ id, name, source_config: config, source_revision_config: revision }) => ({
    id,
    name,
    repositoryUrl: config?.repo_url,
    configPath: revision?.graph_config_path,
    ref: revision?.repo_ref,
    buildsOnPush: config?.build_on_push,
  }));
}

/** What the names of the service say about a create whose outcome is unknown; nothing where they could not be asked. */
function outcomeOfCreate(name: string, found: LookUp | undefined): readonly Finding[] {
  return found === undefined ? [] : [warning(deploymentOutcome(name, found))];
}

/** What nobody can know before the build, as there is no working copy to look into. */
function notRead({ ref, configPath }: DeploymentDraft): Finding[] {
  if (ref.name === '' || configPath === '') return [];
  const message = vscode.l10n.t(
    'Without a working copy here, only the build can check that {0} has {1}.',
    ref.name,
    configPath,
  );
  return [{ severity: 'info', field: 'configPath', message }];
}

interface GitReading {
  readonly git: GitState | undefined;
  readonly unread: readonly Finding[];
}

async function readGit(repository: WorkspaceRepository | undefined, draft: DeploymentDraft): Promise<GitReading> {
  try {
    return { git: await repository?.stateOf(draft.ref.name, draft.configPath), unread: [] };
  } catch (error) {
    const reason = messageOf(error);
    const message = vscode.l10n.t("Git couldn't read the remote: {0}", reason);
    return { git: undefined, unread: [warning(message)] };
  }
}

/** The config of the working copy where its branch is deployed, and otherwise that of the remote's branch. */
async function readConfig(
  repository: WorkspaceRepository,
  { configPath, ref }: DeploymentDraft,
  isOpenHere: boolean,
): Promise<AppConfig | AppConfigFinding | undefined> {
  if (configPath === '') return undefined;
  try {
    const text = isOpenHere
      ? await readRepositoryFile(repository.root, configPath)
      : await repository.remoteFile(ref.name, configPath);
    return parseAppConfig(text, configPath);
  } catch {
    // The file may be on the remote only; whether it is there is a finding of its own.
    return undefined;
  }
}

async function readEnvNames(
  { root }: WorkspaceRepository,
  appConfig: AppConfig | AppConfigFinding | undefined,
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
