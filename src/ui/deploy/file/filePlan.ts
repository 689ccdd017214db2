import * as vscode from 'vscode';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import { readDeploymentFile, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { DeploymentSpec } from '../../../core/draft/deploymentFileSchema.ts';
import { draftOfFile, said } from '../../../core/draft/deploymentFileText.ts';
import { chooseListener, type DeploymentDraft } from '../../../core/draft/draft.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { shortened, withoutIcons } from '../../../core/text/text.ts';
import { positionAt } from '../../../core/yaml/document.ts';
import { flavorNameOf } from '../../../state/connections/connection.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { loadListeners } from '../../listeners/registerListener.ts';
import type { Services } from '../../services.ts';
import { commandRemedy, confirm, UserError, type Remedy } from '../../window/errors.ts';
import { relativePath } from '../../window/files.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { chooseSpecFile, readSpecFile } from '../../window/specFiles.ts';
import { nameOf, specName } from '../../window/specNames.ts';
import { askChoice } from '../../window/steps.ts';
import { openRepositoryOf, readWorkspaceRepository } from '../../workspace/findRepository.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';
import { usualConfigFile } from '../deploy.ts';
import type { DeploymentPlan } from '../plan.ts';
import { resourcesOf, type DescribedDeployment } from './namedFiles.ts';

/** A deployment of a file, as the command and its lens name it. */
interface Subject {
  readonly file: vscode.Uri;
  /** Its position among the deployments of the file. Undefined if the user has to choose. */
  readonly index: number | undefined;
}

/** A deployment without errors, and the file that describes it. */
interface Described extends DescribedDeployment {
  readonly title: string;
  /** The whole text of the file. */
  readonly text: string;
  readonly deployment: FileDeployment;
}

/** What a deployment file describes, as a plan on its connection. The plan has no integration and no listener yet. */
export interface FilePlan extends Described {
  readonly plan: DeploymentPlan;
}

/**
 * Reads the deployments of a file that are meant: all without errors, or one.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 * @param mayBeSeveral whether the user can choose all deployments of a file
 * @returns none if the user leaves a question
 * @throws {UserError} the file has errors, or names what isn't there
 */
export async function readFilePlans(
  services: Services,
  window: ReadySession,
  argument: unknown,
  { title, mayBeSeveral }: { readonly title: string; readonly mayBeSeveral: boolean },
): Promise<readonly FilePlan[]> {
  if (!vscode.workspace.isTrusted) {
    throw new UserError(vscode.l10n.t('In Restricted Mode, nothing is deployed from files. Trust the folder first.'));
  }
  const subject = await chooseFile(argument, title);
  if (subject === undefined) return [];
  const { file } = subject;
  const text = await readSpecFile(file);
  const rules = { flavor: flavorNameOf(window.connection), reservedNames: reservedSecretNames() };
  const deployments = await chooseDeployments(readDeploymentFile(text, rules), subject, { title, mayBeSeveral });
  const repositories = new Map<string, WorkspaceRepository | undefined>();
  const plans: FilePlan[] = [];
  for (const deployment of deployments) {
    const { spec } = deployment;
    if (spec === undefined) throw errorsIn(file, text, deployment);
    const described: Described = { title, file, text, deployment, spec };
    const url = isOfOpenRepository(spec) ? 'open' : `${spec.source ?? ''} ${spec.repository ?? ''}`;
    if (!repositories.has(url)) repositories.set(url, await repositoryOf(services, described));
    const repository = repositories.get(url);
    if (repository === undefined && isOfOpenRepository(spec)) return [];
    const session = await sessionFor(services, window, spec);
    if (session === undefined) return [];
    const draft = await draftFor(session, described, repository);
    plans.push({ ...described, plan: { title, session, draft, repository } });
  }
  return plans;
}

async function chooseFile(argument: unknown, title: string): Promise<Subject | undefined> {
  if (argument instanceof vscode.Uri) return { file: argument, index: undefined };
  if (isLensArgument(argument)) return { file: vscode.Uri.parse(argument.file), index: argument.index };
  const inFront = vscode.window.activeTextEditor?.document.uri;
  if (inFront !== undefined && specName('deployment-spec', inFront.path) !== undefined) {
    return { file: inFront, index: undefined };
  }
  const placeholder = vscode.l10n.t('Select a deployment file of this workspace');
  const file = await chooseSpecFile('deployment-spec', { title, placeholder });
  return file && { file, index: undefined };
}

function isLensArgument(argument: unknown): argument is { readonly file: string; readonly index: number } {
  const isObject = typeof argument === 'object' && argument !== null && 'file' in argument && 'index' in argument;
  return isObject && typeof argument.file === 'string' && typeof argument.index === 'number';
}

async function chooseDeployments(
  deployments: readonly FileDeployment[],
  { index }: Subject,
  { title, mayBeSeveral }: { readonly title: string; readonly mayBeSeveral: boolean },
): Promise<readonly FileDeployment[]> {
  if (index !== undefined) {
    const chosen = deployments[index];
    if (chosen !== undefined) return [chosen];
    throw new UserError(vscode.l10n.t('The file has changed and no longer has this deployment. Try again.'));
  }
  if (deployments.length === 1) return deployments;
  const usable = deployments.filter(({ spec }) => spec !== undefined);
  const withErrors = deployments.length - usable.length;
  const all = {
    chosen: usable,
    label: vscode.l10n.t('All {0} Deployments', usable.length),
    description: withErrors === 0 ? '' : vscode.l10n.t('{0} more with errors', withErrors),
  };
  const items = deployments.map((deployment) => ({
    chosen: [deployment],
    label: deployment.name === '' ? vscode.l10n.t('without a name') : withoutIcons(deployment.name),
    description: withoutIcons(deployment.spec?.connection ?? ''),
  }));
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Select a deployment of the file'),
    items: [...(mayBeSeveral && usable.length > 1 ? [all] : []), ...items],
  });
  return choice?.chosen ?? [];
}

/** The first error of a deployment, with a button that leads to it. */
function errorsIn(file: vscode.Uri, text: string, { findings }: FileDeployment): UserError {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first = { message: '', start: 0, end: 0 }] = errors;
  const { line, column } = positionAt(text, first.start);
  const at = new vscode.Position(line - 1, column - 1);
  const open: Remedy = {
    title: vscode.l10n.t('Open File'),
    run: async () => {
      await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at) });
    },
  };
  const message =
    errors.length === 1
      ? vscode.l10n.t("{0} can't be deployed: line {1}: {2}", nameOf(file), line, first.message)
      : vscode.l10n.t(
          "{0} can't be deployed: {1} errors, first in line {2}: {3}",
          nameOf(file),
          errors.length,
          line,
          first.message,
        );
  return new UserError(message, [open]);
}

/**
 * The session of the connection that a file names; the window's if it names none, or one that isn't set up here and the
 * user agrees. Undefined if they don't.
 */
async function sessionFor(
  { connections }: Services,
  window: ReadySession,
  spec: DeploymentSpec,
): Promise<ReadySession | undefined> {
  const name = said(spec.connection);
  if (name === undefined || name === window.connection.name) return window;
  const connection = connections.find(name);
  if (connection === undefined) {
    const other = window.connection.name;
    const question = vscode.l10n.t('The file is for the connection "{0}", which isn\'t set up here.', shortened(name));
    return (await confirm(question, vscode.l10n.t('Use {0}', other))) ? window : undefined;
  }
  const session = await connections.sessionOf(connection);
  if (session.kind === 'ready') return session;
  const setKey = commandRemedy(vscode.l10n.t('Set API Key'), 'setApiKey', name);
  throw new UserError(vscode.l10n.t("The API key of {0} is missing or can't be read.", name), [setKey]);
}

function isOfOpenRepository({ source, repository }: DeploymentSpec): boolean {
  return (source ?? 'repohost') === 'repohost' && said(repository) === undefined;
}

/** The open repository that the deployment is made from: the one around the file unless the file names another. */
async function repositoryOf(
  { remoteAddresses }: Services,
  { title, file, spec }: Described,
): Promise<WorkspaceRepository | undefined> {
  if (isOfOpenRepository(spec)) {
    return readWorkspaceRepository(remoteAddresses, { rootUri: vscode.Uri.joinPath(file, '..') });
  }
  const { source, repository: repositoryUrl } = spec;
  if ((source ?? 'repohost') !== 'repohost') return undefined;
  return openRepositoryOf(remoteAddresses, { source: 'repohost', repositoryUrl: said(repositoryUrl) ?? '' }, title);
}

async function draftFor(
  session: ReadySession,
  { file, spec }: Described,
  repository: WorkspaceRepository | undefined,
): Promise<DeploymentDraft> {
  const { root, remoteUrl = '', checkedOut } = repository ?? {};
  // Paths of a file in another repository begin at the root.
  const path = (root && relativePath(root, file)) ?? nameOf(file);
  const draft = draftOfFile(spec, {
    connectionName: session.connection.name,
    fileName: nameOf(file),
    repositoryUrl: remoteUrl,
    ref: checkedOut === undefined ? '' : deploymentRefText(checkedOut),
    configPath: (spec.source ?? 'repohost') === 'repohost' ? configPathFor(session, path, spec, repository) : '',
    resourceSpec: await resourcesOf({ file, spec }, flavorNameOf(session.connection)),
  });
  if (draft.source === 'repohost' && repository !== undefined) {
    draft.provenance.repositoryUrl ??= { kind: 'remote', name: repository.remote };
    draft.provenance.configPath ??= { kind: 'found' };
  }
  return draft;
}

/** The config file that a deployment names, or else the one beside the file, or the usual name there. */
function configPathFor(
  session: ReadySession,
  path: string,
  spec: DeploymentSpec,
  repository: WorkspaceRepository | undefined,
): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isBeside = (found: string): boolean => found.slice(0, found.lastIndexOf('/') + 1) === folder;
  const config = said(spec.config);
  if (config === undefined) {
    return repository?.configPaths.find(isBeside) ?? folder + usualConfigFile(session);
  }
  const resolved = resolveFromConfig(path, config);
  if (resolved !== undefined) return resolved;
  throw new UserError(vscode.l10n.t('The config file "{0}" is outside the repository. Correct its path.', config));
}

/**
 * Assigns the draft to the listener that a file names by its ID or its cluster's, in the namespace that it names.
 * @throws {UserError} the connection has no such listener
 */
export async function takeListener(plan: DeploymentPlan, spec: DeploymentSpec): Promise<readonly Finding[]> {
  const wanted = said(spec.listener);
  if (wanted === undefined) return [];
  const { draft, session, title } = plan;
  const { listeners } = await loadListeners(session, title);
  const listener = listeners.find(({ id, compute_id: cluster }) => id === wanted || cluster === wanted);
  if (listener === undefined) {
    const { name } = session.connection;
    throw new UserError(vscode.l10n.t('{0} has no listener "{1}", which the file names.', name, wanted));
  }
  const { kubernetesNamespace: namespace } = draft;
  chooseListener(draft, listener, draft.provenance.listener);
  if (namespace === undefined || namespace === draft.kubernetesNamespace) return [];
  const message = vscode.l10n.t('The listener {0} has no namespace "{1}", which the file names.', wanted, namespace);
  return [finding('warning', message, 'kubernetesNamespace')];
}
