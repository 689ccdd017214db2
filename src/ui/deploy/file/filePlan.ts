import * as vscode from 'vscode';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import { readDeploymentFile, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { Listener } from '../../../api/resources/listeners.ts';
import type { DeploymentSpec } from '../../../core/draft/deploymentFileSchema.ts';
import { begunRepository, noteOrigins } from '../../../core/draft/begunDraft.ts';
import { draftOfFile, said } from '../../../core/draft/deploymentFileText.ts';
import { chooseListener, type DeploymentDraft } from '../../../core/draft/draft.ts';
import { finding, type DraftWithFindings, type Finding } from '../../../core/draft/findings.ts';
import { sourceOf } from '../../../core/draft/sources.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { sameRepository } from '../../../core/git/remote.ts';
import { shortened } from '../../../core/text/text.ts';
import { positionAt } from '../../../core/yaml/document.ts';
import { flavorNameOf } from '../../../state/connections/connection.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { loadListeners } from '../../listeners/registerListener.ts';
import type { Services } from '../../services.ts';
import { commandRemedy, messageOf, UserError, type Remedy } from '../../window/errors.ts';
import { connectionRules } from '../../window/fileHelp.ts';
import { relativePath } from '../../window/files.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { readSpecFile, showInText } from '../../window/specFiles.ts';
import { nameOf } from '../../window/specNames.ts';
import { unlessAborted } from '../../window/waiting.ts';
import { openRepositoryOf, readWorkspaceRepository } from '../../workspace/findRepository.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';
import { usualConfigFile } from '../deploy.ts';
import { findIntegration, fillFound, type FoundIntegration } from '../findIntegration.ts';
import type { DeploymentPlan } from '../plan.ts';
import { chooseFile, chooseFileDeployment } from './chooseFile.ts';
import { resourcesOf, type DescribedDeployment } from './namedFiles.ts';
import { pathFrom } from './saveFile.ts';

/** A deployment without errors, and the file that describes it. */
export interface Described extends DescribedDeployment {
  /** The title of every prompt; empty to ask nothing. */
  readonly title: string;
  /** The whole text of the file. */
  readonly text: string;
  readonly deployment: FileDeployment;
}

/** The place of a deployment file: of a draft, which is in no folder, the root of its repository or upload. */
export function filePlace(
  { file, begun }: Pick<DescribedDeployment, 'file' | 'begun'>,
  repository: Pick<WorkspaceRepository, 'root'> | undefined,
): vscode.Uri {
  const root = begun?.folder === undefined ? repository?.root : vscode.Uri.parse(begun.folder);
  return begun === undefined || root === undefined ? file : vscode.Uri.joinPath(root, nameOf(file));
}

/** What a deployment file describes, as a plan on its connection. The plan has no integration yet. */
interface FilePlan extends Described {
  /** The position of the deployment among those of the file. */
  readonly index: number;
  readonly plan: DeploymentPlan;
}

export type PlanServices = Pick<Services, 'connections' | 'localService' | 'remoteAddresses'>;

/** A plan, with a finding for each thing that its file names and that can't be found or read. */
interface PlanWithFindings {
  readonly plan: DeploymentPlan;
  readonly findings: readonly Finding[];
}

/**
 * Reads the deployment of a file that is meant.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 * @returns undefined if the user leaves a question
 * @throws {UserError} the file has errors, or names what isn't there
 */
export async function readFilePlan(
  services: PlanServices,
  window: ReadySession,
  argument: unknown,
  title: string,
): Promise<FilePlan | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new UserError(vscode.l10n.t('In Restricted Mode, nothing is done with files. Trust the folder first.'));
  }
  const subject = await chooseFile(argument, title);
  if (subject === undefined) return undefined;
  const { file } = subject;
  const text = await readSpecFile(file);
  const rules = { ...connectionRules(services.connections), reservedNames: reservedSecretNames() };
  const deployments = readDeploymentFile(text, rules);
  const deployment = await chooseFileDeployment(deployments, subject, title);
  if (deployment === undefined) return undefined;
  const { spec } = deployment;
  if (spec === undefined) throw errorsIn(file, text, deployment);
  const described: Described = { title, file, text, deployment, spec };
  const session = await sessionFor(services, window, spec);
  const { plan, findings } = await new FilePlans(services).planOf(session, described);
  const wrong = findings.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new UserError(wrong.message);
  return { ...described, index: deployments.indexOf(deployment), plan };
}

/** The first error of a deployment, with a button that leads to it. */
function errorsIn(file: vscode.Uri, text: string, { findings }: FileDeployment): UserError {
  const errors = findings.filter(({ severity }) => severity === 'error').toSorted((a, b) => a.start - b.start);
  const [{ message: reason, start } = { message: '', start: 0 }] = errors;
  const { line } = positionAt(text, start);
  const name = nameOf(file);
  const open: Remedy = { title: vscode.l10n.t('Open File'), run: async () => showInText(file, text, start) };
  const message =
    errors.length === 1
      ? vscode.l10n.t("{0} can't be used: line {1}: {2}", name, line, reason)
      : vscode.l10n.t("{0} can't be used: {1} errors, first in line {2}: {3}", name, errors.length, line, reason);
  return new UserError(message, [open]);
}

/**
 * The session of the connection that a deployment names; the window's if it names none.
 * @throws {UserError} the connection isn't set up here, or has no key
 */
export async function sessionFor(
  { connections }: Pick<Services, 'connections'>,
  window: ReadySession | undefined,
  { connection: named }: Pick<DeploymentSpec, 'connection'>,
): Promise<ReadySession> {
  const name = said(named) ?? '';
  if (window !== undefined && ['', window.connection.name].includes(name)) return window;
  const connection = connections.find(name);
  if (connection === undefined) {
    const add = commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection');
    throw new UserError(
      vscode.l10n.t('The connection "{0}" isn\'t set up here. Add it, or choose another one.', shortened(name)),
      [add],
    );
  }
  const session = await connections.sessionOf(connection);
  if (session.kind === 'ready') return session;
  throw keyMissing(name);
}

/** The error for a connection without a key. */
export function keyMissing(name: string): UserError {
  const setKey = commandRemedy(vscode.l10n.t('Set API Key'), 'setApiKey', name);
  return new UserError(vscode.l10n.t("The API key of {0} is missing or can't be read.", name), [setKey]);
}

function isOfOpenRepository(spec: DeploymentSpec): boolean {
  return sourceOf(spec) === 'repohost' && said(spec.repository) === undefined;
}

type Repositories = Map<string, Promise<WorkspaceRepository | undefined>>;

/** Makes plans of what a file describes. Git and the service are asked once, until `forget`. */
export class FilePlans {
  readonly #services: PlanServices;
  readonly #repositories: Repositories = new Map();
  /** Those around files, by the folders of these. */
  readonly #repositoriesAround: Repositories = new Map();
  /** The names of the remotes that the user chose, by repositories. They are kept, so that nobody is asked twice. */
  readonly #remotes = new Map<string, string>();
  /** By the names of connections. */
  readonly #listeners = new Map<string, Promise<readonly Listener[]>>();
  readonly #integrations = new Map<string, FoundIntegration>();
  /** Searches for integrations that are under way. A new map replaces them when they are forgotten. */
  #searches = new Map<string, Promise<FoundIntegration | undefined>>();
  /** What was typed into prompts for a deployment and not used yet, by its name. */
  readonly #typed = new Map<string, Map<string, string>>();

  constructor(services: PlanServices) {
    this.#services = services;
  }

  /**
   * The plan for a deployment, without an integration. What it names and isn't there is a finding of its field.
   * @throws {UserError} the repository can't be read
   */
  async planOf(session: ReadySession, described: Described): Promise<PlanWithFindings> {
    const { title, spec, begun, file } = described;
    const [known, key] = isOfOpenRepository(spec)
      ? [this.#repositoriesAround, vscode.Uri.joinPath(file, '..').toString()]
      : [this.#repositories, JSON.stringify([spec.source, spec.repository, begun?.root])];
    const repository = await once(known, key, () => this.#repositoryOf(described));
    if (repository === undefined && isOfOpenRepository(spec) && begun === undefined) {
      throw new vscode.CancellationError();
    }
    const placed = { ...described, file: filePlace(described, repository) };
    const isOfOther =
      repository && !sameRepository(repository.remoteUrl, said(spec.repository) ?? repository.remoteUrl);
    const { draft, findings } = await draftFor(session, placed, isOfOther ? undefined : repository);
    const typed = this.#typed.get(draft.name) ?? new Map<string, string>();
    this.#typed.set(draft.name, typed);
    const plan: DeploymentPlan = { title, session, draft, repository, typed };
    return { plan, findings: [...findings, ...(await this.#fillListener(plan, spec))] };
  }

  /** Reads repositories again, except for those whose remotes the user may have been asked for. */
  forgetRepositories(): void {
    this.#repositories.clear();
  }

  /** Reads repositories and listeners again, which others may have changed, and searches for what wasn't found. */
  forget(): void {
    this.#repositories.clear();
    this.#repositoriesAround.clear();
    this.#listeners.clear();
    this.#searches = new Map();
    for (const [wanted, found] of this.#integrations) if ('problem' in found) this.#integrations.delete(wanted);
  }

  /**
   * The open repository that the deployment is made from: the one around the file unless the file names another.
   * A draft of a repository that isn't open can go back to the one that it was begun with.
   */
  async #repositoryOf({ title, file, spec, begun }: Described): Promise<WorkspaceRepository | undefined> {
    const { remoteAddresses } = this.#services;
    if (isOfOpenRepository(spec) && begun === undefined) {
      const place = { rootUri: vscode.Uri.joinPath(file, '..') };
      return readWorkspaceRepository(remoteAddresses, place, title, this.#remotes);
    }
    if (sourceOf(spec) !== 'repohost') return undefined;
    const openAt = async (repositoryUrl: string): Promise<WorkspaceRepository | undefined> =>
      openRepositoryOf(remoteAddresses, { source: 'repohost', repositoryUrl, root: begun?.root }, title);
    return (await openAt(said(spec.repository) ?? '')) ?? (begun && openAt(begunRepository(begun)));
  }

  /**
   * Finds the integration of a draft's repository unless the file names one, and keeps in the draft why there is none.
   * A search outlasts the check that began it: the next check waits for it as well.
   */
  async fillIntegration(plan: DeploymentPlan, signal: AbortSignal): Promise<readonly Finding[]> {
    const { draft, session } = plan;
    if (draft.source !== 'repohost' || draft.integrationId !== '') return [];
    signal.throwIfAborted();
    const wanted = JSON.stringify([session.connection, draft.repositoryUrl]);
    const searches = this.#searches;
    const search = async (): Promise<FoundIntegration | undefined> => {
      const answer = await findIntegration(this.#services, plan, draft);
      searches.delete(wanted);
      if (answer !== undefined && searches === this.#searches) this.#integrations.set(wanted, answer);
      return answer;
    };
    const found = this.#integrations.get(wanted) ?? (await unlessAborted(once(searches, wanted, search), signal));
    if (found === undefined) return [];
    fillFound(draft, found);
    return found.findings;
  }

  /** Assigns the draft to the listener that a file names by its ID or its cluster's, in the namespace that it names. */
  async #fillListener(plan: DeploymentPlan, spec: DeploymentSpec): Promise<readonly Finding[]> {
    const wanted = said(spec.listener);
    if (wanted === undefined) return [];
    const { draft, session, title } = plan;
    const listeners = await once(
      this.#listeners,
      session.connection.name,
      async () => (await loadListeners(session, title)).listeners,
    );
    const listener = listeners.find(({ id, compute_id: cluster }) => id === wanted || cluster === wanted);
    if (listener === undefined) {
      const { name } = session.connection;
      const message = vscode.l10n.t('{0} has no listener "{1}".', name, wanted);
      return [finding('error', message, 'listener')];
    }
    const { kubernetesNamespace: namespace } = draft;
    chooseListener(draft, listener);
    if (namespace === undefined || namespace === draft.kubernetesNamespace) return [];
    const message = vscode.l10n.t('The listener {0} has no namespace "{1}".', wanted, namespace);
    return [finding('warning', message, 'kubernetesNamespace')];
  }
}

/** What was asked for before, unless that failed. */
async function once<Key, Value>(
  answers: Map<Key, Promise<Value>>,
  key: Key,
  ask: () => Promise<Value>,
): Promise<Value> {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer.catch((error: unknown) => {
    answers.delete(key);
    throw error;
  });
}

async function draftFor(
  session: ReadySession,
  { file, spec, deployment, begun }: Described,
  repository: WorkspaceRepository | undefined,
): Promise<DraftWithFindings> {
  const findings: Finding[] = [];
  const { root, remoteUrl = '', checkedOut } = repository ?? {};
  // Paths of a file in another repository begin at the root.
  const path = (root && relativePath(root, file)) ?? nameOf(file);
  const configPath = sourceOf(spec) === 'repohost' ? configPathFor(session, path, spec, repository) : '';
  if (configPath === undefined) {
    const config = said(spec.config) ?? '';
    const message = vscode.l10n.t('The config file "{0}" is outside the repository. Correct its path.', config);
    findings.push(finding('error', message, 'configPath'));
  }
  const resourceSpec = await resourcesOf({ file, spec, begun }, flavorNameOf(session.connection)).catch(
    (error: unknown) => {
      findings.push(finding('error', messageOf(error), 'resourceSpec'));
      return undefined;
    },
  );
  const draft = draftOfFile(spec, {
    connectionName: session.connection.name,
    fileName: nameOf(file),
    repositoryUrl: remoteUrl,
    ref: checkedOut === undefined ? '' : deploymentRefText(checkedOut),
    configPath: configPath ?? '',
    resourceSpec,
  });
  if (draft.source === 'repohost' && repository !== undefined) {
    draft.provenance.repositoryUrl ??= { kind: 'remote', name: repository.remote };
    draft.provenance.configPath ??= { kind: 'found' };
  }
  if (begun !== undefined) noteOrigins(begun, deployment.content ?? {}, draft);
  return { draft, findings };
}

/**
 * The config file that a deployment names, or else the one beside the file, or the usual name there. Undefined if it is
 * outside the repository.
 */
function configPathFor(
  session: ReadySession,
  path: string,
  spec: DeploymentSpec,
  repository: WorkspaceRepository | undefined,
): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isBeside = (found: string): boolean => found.slice(0, found.lastIndexOf('/') + 1) === folder;
  const config = said(spec.config);
  if (config === undefined) {
    return repository?.configPaths.find(isBeside) ?? folder + usualConfigFile(session);
  }
  return resolveFromConfig(path, config);
}

/** The config file of a draft, relative to a file of its repository. */
export function configPathIn(
  draft: DeploymentDraft,
  file: vscode.Uri,
  repository: WorkspaceRepository | undefined,
): string {
  if (!('configPath' in draft)) return '';
  const place = repository && relativePath(repository.root, file);
  return place === undefined || draft.source !== 'repohost' ? draft.configPath : pathFrom(place, draft.configPath);
}
