import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { AppConfig, AppConfigFinding } from '../../core/appConfig/config.ts';
import { freeDeploymentName } from '../../core/draft/deploymentName.ts';
import type { DeploymentDraft, RepositoryDraft } from '../../core/draft/draft.ts';
import { canPull, pushAction, type DeployedRef, type LiveAction } from '../../core/draft/liveActions.ts';
import { buildPaths } from '../../core/draft/preflight/fileFindings.ts';
import { isCheckedOut } from '../../core/draft/preflight/gitFindings.ts';
import { finding, type Finding, type PreflightInput } from '../../core/draft/findings.ts';
import type { BuildFile, GitState, RemoteAge } from '../../core/git/gitState.ts';
import { preflight, worstFirst } from '../../core/draft/preflight/preflight.ts';
import { missingVariables, type ReadVariables } from '../../core/secrets/importedSecrets.ts';
import { isBuiltFrom, isOfRef } from '../../core/git/workspaceDeployment.ts';
import { flavorNameOf } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import type { Services } from '../services.ts';
import { messageOf, remediesOf, type Remedy } from '../window/errors.ts';
import { reservedSecretNames } from '../window/settings.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';
import { buildProblemAt, dotenvPath, readDeployedConfig } from './deployedConfig.ts';
import { readGit, readRemoteAge, type GitReading } from './gitActions.ts';
import { workingCopyOf, type DeploymentPlan, type HelpedFinding } from './plan.ts';
import { readConfigEnv } from './secrets/importSecrets.ts';

/** The input of a check. */
interface CheckStart {
  /** Known answers about existing deployments, the one about the name included. */
  readonly existing: ExistingDeployments;
  /** The error of the name's lookup, if that failed. */
  readonly failure: unknown;
  /** Readings of working copies by earlier checks; the check adds its own. */
  readonly copies: CopyReadings;
  /** Whether connections have listeners, by their names; what is asked is added. */
  readonly listeners: Map<string, boolean>;
  /** The suggested name, replaced if it is taken; undefined once the draft's name must stay. */
  readonly suggestedName: string | undefined;
  /** The names of the deployments that are begun together with this one. */
  readonly others: readonly string[];
  /** Findings that are shown already. */
  readonly told: readonly Finding[];
  /** The deployment that gets a new revision, if none is created. */
  readonly target: Deployment | undefined;
  /** Whether the draft was sent under its name before, without a known answer. */
  readonly wasSent: boolean;
  /** The secrets that have values which are confirmed before they are sent. */
  readonly held: readonly string[];
  /** What is known of the folder that is uploaded. */
  readonly folder: Pick<CopyReading, 'appConfig' | 'configEnv'> | undefined;
  readonly signal: AbortSignal;
}

/** What a check finds out. */
export interface Discovery {
  readonly findings: readonly HelpedFinding[];
  /** The push that is offered, and the known deployments that it may rebuild; undefined if there is nothing to push. */
  readonly push: { readonly action: LiveAction; readonly rebuilt: readonly Deployment[] } | undefined;
  /** Whether a pull brings the working copy to what is deployed. */
  readonly canPull: boolean;
  /** Why the working copy's config file can't be used. */
  readonly brokenConfig: AppConfigFinding | undefined;
  /** The config's dotenv file, with the names in it that aren't among the secrets. */
  readonly envFile: { readonly path: string; readonly names: readonly string[] } | undefined;
}

/**
 * Checks a draft against the working copy and the deployments of the service.
 * A failed check becomes a finding, so the user's input isn't lost. A suggested name that is taken is replaced.
 */
export async function checkPlan(
  services: Services,
  plan: DeploymentPlan,
  {
    existing,
    failure,
    copies,
    listeners,
    suggestedName,
    others,
    told,
    target,
    wasSent,
    held,
    folder,
    signal,
  }: CheckStart,
): Promise<Discovery> {
  const { draft, session } = plan;
  const help = remediesOf(failure, session.connection.name);
  const { answers, connections, ownDeployments } = services;
  const remembered = connections.session === session ? ownDeployments.candidates : [];
  // Each once, with its latest record.
  const byId = new Map([...existing.rows, ...remembered].map((row) => [row.id, row]));
  const known = [...byId.values()].filter(({ id }) => answers.goneAt(session.connection.name, id) === undefined);
  if (suggestedName !== undefined && !signal.aborted) {
    // Of several applications, one that is deployed already isn't deployed again under another name.
    const isItself = (other: Deployment): boolean =>
      others.length > 0 && draft.source === 'repohost' && isBuiltFrom(draft, other);
    const isTaken = (name: string): boolean =>
      others.includes(name) || known.some((other) => other.name === name && !isItself(other));
    draft.name = freeDeploymentName(suggestedName, isTaken);
  }
  const copy: CopyReading =
    draft.source === 'repohost'
      ? await copyOf(plan, draft, copies, services.clock.now(), signal)
      : { ...noCopy, ...(folder && { appConfig: folder.appConfig, configEnv: folder.configEnv }) };
  const { git, unread, appConfig, files, subject, isOpenHere } = copy;
  const present = new Set([...held, ...(target?.secrets?.map(({ name }) => name) ?? [])]);
  const names =
    copy.configEnv &&
    missingVariables(copy.configEnv.variables, draft.secrets).flatMap(({ name }) => (present.has(name) ? [] : [name]));
  const remoteIsCertain = session.connection.kind === 'local';
  const input: PreflightInput = {
    draft,
    isNameTaken: target === undefined && existing.lookUp(draft.name) === 'found',
    wasSent,
    isNew: target === undefined,
    existing: known,
    reservedSecretNames: reservedSecretNames(),
    flavor: flavorNameOf(session.connection),
    remoteIsCertain,
    remoteAge: remoteIsCertain ? undefined : copy.remoteAge,
    git,
    subject,
    appConfig,
    files,
    configEnv: names && { names, findings: copy.configEnv?.findings ?? [] },
  };
  const missing = await askListeners(session, draft, listeners, signal);
  // A field with an error has no value in the draft, so that further findings about it would mislead.
  const wrong = new Set(told.flatMap(({ severity, field }) => (severity === 'error' && field ? [field] : [])));
  // The upload is still to come.
  if (folder !== undefined) wrong.add('tarballPath');
  const findings = worstFirst<HelpedFinding>([
    ...uncheckedName(failure, help, draft, told),
    ...missing,
    ...unread,
    ...preflight(input).map((found) => (tells(found.message, failure) ? { ...found, remedies: help } : found)),
  ]).filter(({ field }) => field === undefined || !wrong.has(field));
  const path = dotenvPath(appConfig);
  return {
    findings,
    envFile: path !== undefined && names !== undefined && names.length > 0 ? { path, names } : undefined,
    push: pushOf(draft, copy, known),
    canPull: draft.source === 'repohost' && canPull(draft.ref, git),
    // Only a config file in the working copy can be opened and fixed here.
    brokenConfig: isOpenHere && appConfig?.kind === 'finding' ? appConfig : undefined,
  };
}

/** The loaded deployments, if the list belongs to this session. */
export function listedOf(
  { connections, deployments }: Pick<Services, 'connections' | 'deployments'>,
  session: ReadySession,
): readonly Deployment[] {
  return connections.session === session ? readableEntries(deployments.state.entries) : [];
}

/** What a push of a draft's branch would bring, and the known deployments that it may rebuild. */
function pushOf(
  draft: DeploymentDraft,
  { git, pushProblem: problem }: CopyReading,
  known: readonly Deployment[],
): Discovery['push'] {
  if (draft.source !== 'repohost') return undefined;
  const { ref } = draft;
  if (pushAction({ ref, deployed: [], git }) === undefined) return undefined;
  const rebuilt = known.filter((each) => each.source_config?.build_on_push !== false && isOfRef(draft, each));
  const deployed = rebuilt.map(({ id, name, source_config: config }): DeployedRef => {
    return { id, name, buildsOnPush: config?.build_on_push, liveCommit: undefined, hasPage: false };
  });
  const action = pushAction({ ref, git, problem, deployed });
  return action && { action, rebuilt };
}

/** A finding about a failed check of the name, unless its cause is told already. */
function uncheckedName(
  failure: unknown,
  help: readonly Remedy[],
  draft: DeploymentDraft,
  told: readonly Finding[],
): readonly HelpedFinding[] {
  if (failure === undefined) return [];
  const problem = draft.source === 'repohost' ? draft.integrationProblem : undefined;
  if ([problem, ...told.map(({ message }) => message)].some((text) => tells(text, failure))) return [];
  const words = vscode.l10n.t("Couldn't check whether the name is available: {0}", messageOf(failure));
  const again: Remedy = { title: vscode.l10n.t('Try Again'), run: async () => undefined };
  return [{ ...finding('warning', words), remedies: [...help, again] }];
}

/** Whether a text tells why a request failed. */
function tells(text: string | undefined, failure: unknown): boolean {
  return failure !== undefined && text?.includes(messageOf(failure)) === true;
}

/** Says that there are listeners, which some services require for an external image. The service knows if it does. */
async function askListeners(
  session: ReadySession,
  draft: DeploymentDraft,
  known: Map<string, boolean>,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (draft.source !== 'external_docker' || draft.listener !== undefined) return [];
  const { name } = session.connection;
  try {
    const ask = async (): Promise<boolean> => {
      const { resources } = await (await session.client()).listeners.list({ limit: 1 }, { signal });
      return resources.length > 0;
    };
    const hasListeners = known.get(name) ?? (await ask());
    known.set(name, hasListeners);
    if (!hasListeners) return [];
    const message = vscode.l10n.t('{0} has listeners and may require one. Choose one.', draft.connectionName);
    return [finding('warning', message, 'listener')];
  } catch {
    // The create request shows whether the service needs one.
    return [];
  }
}

/** What the working copy says about a draft. */
interface CopyReading extends GitReading {
  readonly appConfig?: AppConfig | AppConfigFinding | undefined;
  readonly files?: readonly BuildFile[];
  readonly subject?: string | undefined;
  readonly configEnv?: ReadVariables | undefined;
  readonly remoteAge?: RemoteAge | undefined;
  /** Why a build of what would be pushed will fail. */
  readonly pushProblem?: string | undefined;
  /** Whether the working copy is known to have the deployed commit. */
  readonly isOpenHere: boolean;
}

/** By repository, remote, ref and config file. */
export type CopyReadings = Map<string, CopyReading>;

const noCopy: CopyReading = { git: undefined, unread: [], isOpenHere: false };

async function copyOf(
  plan: DeploymentPlan,
  draft: RepositoryDraft,
  known: CopyReadings,
  now: number,
  signal: AbortSignal,
): Promise<CopyReading> {
  const repository = workingCopyOf(plan);
  const key = JSON.stringify([repository?.root.toString(), repository?.remote, draft.ref, draft.configPath]);
  // Files that nobody waits for are checked whenever git has read a repository.
  const readsAgain = plan.title !== '';
  const read = known.get(key) ?? (await readCopy(repository?.until(signal), draft, now, readsAgain));
  // The signal stops git, which then fails.
  if (!signal.aborted && read.unread.length === 0) known.set(key, read);
  return read;
}

async function readCopy(
  repository: WorkspaceRepository | undefined,
  draft: RepositoryDraft,
  now: number,
  readsAgain: boolean,
): Promise<CopyReading> {
  if (repository === undefined) return { ...noCopy, unread: notRead(draft) };
  const { git, unread } = await readGit(repository, draft.ref, readsAgain);
  const isOpenHere = git === undefined || isCheckedOut(draft, git);
  const commit = git?.remoteCommit;
  const appConfig = await readDeployedConfig(repository, { configPath: draft.configPath, commit, isOpenHere });
  const [files, subject, configEnv, remoteAge, pushProblem] = await Promise.all([
    repository.buildFiles(commit, buildPaths(draft.configPath, appConfig)),
    commit === undefined ? undefined : repository.subjectOf(commit),
    readConfigEnv(repository.root, dotenvPath(appConfig), draft),
    readRemoteAge(repository, draft.ref, now),
    readPushProblem(repository, draft, git),
  ]);
  return { git, unread, appConfig, files, subject, configEnv, remoteAge, pushProblem, isOpenHere };
}

/** Why a build of the commit that would be pushed will fail. */
export async function readPushProblem(
  repository: WorkspaceRepository,
  { ref, configPath }: Pick<RepositoryDraft, 'ref' | 'configPath'>,
  git: GitState | undefined,
): Promise<string | undefined> {
  const { commit } = pushAction({ ref, deployed: [], git }) ?? {};
  return commit === undefined ? undefined : buildProblemAt(repository, { commit, configPath });
}

/** A finding about what only the build can check without a working copy. */
function notRead({ ref, configPath }: RepositoryDraft): Finding[] {
  if (ref.name === '' || configPath === '') return [];
  const message = vscode.l10n.t(
    'Without a working copy here, only the build can check that {0} has {1}.',
    ref.name,
    configPath,
  );
  return [finding('info', message, 'configPath')];
}
