import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { hasInput } from '../../../core/draft/keptDraft.ts';
import { secretsChangeFindings } from '../../../core/draft/secretsChange.ts';
import { longestDotenv } from '../../../core/secrets/dotenv.ts';
import { missingCapability } from '../../../core/resources/capabilities.ts';
import { missingVariables, readVariables } from '../../../core/secrets/importedSecrets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { useStoredSecrets } from '../../../state/deploying/draftSecrets.ts';
import { ExistingDeployments } from '../../../state/deploying/existingDeployments.ts';
import { readRows } from '../../../api/resources/page.ts';
import type { Services } from '../../services.ts';
import { editorRemedy, isCancelled, messageOf, requestIdOf, UserError } from '../../window/errors.ts';
import { foldersOnDisk } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import { askChoice, PromptClosedError, type Asking } from '../../window/steps.ts';
import { whileAsking, whileWaiting } from '../../window/waiting.ts';
import { checkPlan } from '../checkPlan.ts';
import { editField } from '../fields/editField.ts';
import { suggestionOf } from '../plan.ts';
import { importEnv, importRules } from '../secrets/importSecrets.ts';
import { showCreated } from '../sendDraft.ts';
import {
  checkConfig,
  continueFolder,
  planFolder,
  readAgain,
  takeTarget,
  type ChosenFolder,
  type FolderPlan,
} from './folderPlan.ts';
import { showFiles, showFolderReview, type FolderChoice } from './folderReview.ts';
import { sendFolder } from './sendFolder.ts';

/**
 * Uploads a folder as it is on disk, after a review, and follows the deployment that is built from it.
 * @param argument the folder or config file of the Explorer's menu
 * @throws {UserError} why the folder can't be uploaded
 */
export async function deployFolder(services: Services, session: ReadySession, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy Folder');
  const { name } = session.connection;
  if (!services.capabilities.has(session.connection, 'upload')) throw new UserError(missingCapability('upload', name));
  const chosen = await chooseFolder(title, argument);
  if (chosen === undefined) return;
  const start = `${name} ${chosen.folder.toString()}`;
  const left = services.leftFolders.take(start);
  const folderPlan = left ?? (await planFolder(services, session, title, chosen));
  let end: ReviewEnd = 'left';
  try {
    if (left !== undefined) await continueFolder(left, session, chosen);
    end = await reviewUntilSent(services, folderPlan);
  } finally {
    if (end === 'left') leaveFolder(services, start, folderPlan);
  }
  if (end === 'left') return;
  folderPlan.plan.draft.secrets = [];
  folderPlan.plan.typed?.clear();
  if (end === 'startOver') return deployFolder(services, session, argument);
  await showCreated(services, { deployment: end, session, isMoved: false, kind: 'uploaded' });
}

/** Keeps what the user entered in the window's memory, with the values of secrets, so that it can be continued. */
function leaveFolder({ leftFolders, clock }: Services, start: string, folderPlan: FolderPlan): void {
  const { plan, replacesSecrets } = folderPlan;
  if (!hasInput(plan.draft) && !replacesSecrets && !plan.typed?.size) return;
  folderPlan.continuedFrom = clock.now();
  leftFolders.leave(start, folderPlan);
}

/** The folder of the menu, or else one of the open folders. */
async function chooseFolder(title: string, argument: unknown): Promise<ChosenFolder | undefined> {
  if (argument instanceof vscode.Uri) {
    if (argument.scheme !== 'file') throw notOnDisk();
    const { type } = await vscode.workspace.fs.stat(argument);
    if ((type & vscode.FileType.Directory) !== 0) return { folder: argument };
    return { folder: vscode.Uri.joinPath(argument, '..'), configPath: argument.path.split('/').at(-1) };
  }
  const [first, second] = foldersOnDisk();
  if (first === undefined) throw notOnDisk();
  if (second === undefined) return { folder: first.uri };
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Select the folder to upload'),
    items: foldersOnDisk().map(({ uri, name }) => ({
      folder: uri,
      label: withoutIcons(name),
      description: withoutIcons(uri.fsPath),
    })),
  });
  return choice;
}

function notOnDisk(): UserError {
  return new UserError(vscode.l10n.t('Only a folder on disk can be uploaded. Open one, then try again.'), [
    editorRemedy(vscode.l10n.t('Open Folder'), 'vscode.openFolder'),
  ]);
}

/** How a review ended, or the deployment that was made. */
type ReviewEnd = Deployment | 'left' | 'startOver';

/** Shows the review and applies changes until the folder is sent, or the user leaves it. */
async function reviewUntilSent(services: Services, folderPlan: FolderPlan): Promise<ReviewEnd> {
  const { plan } = folderPlan;
  const { title, session } = plan;
  const existing = new ExistingDeployments();
  const confirmed = new Set<string>();
  let lastFindings: readonly Finding[] = [];
  let active: FolderChoice | undefined;
  for (;;) {
    const unread = await useStoredSecrets(services.secrets, session.connection, plan);
    const words = vscode.l10n.t('Checking…');
    const findings = await whileWaiting({ title, words }, (signal) => check(services, folderPlan, existing, signal));
    const envNames = await namesInEnv(folderPlan);
    const shown = { folderPlan, findings, lastFindings: [...lastFindings, ...unread], envNames };
    active = await showFolderReview(shown, active);
    lastFindings = [];
    if (active === undefined) return 'left';
    if (active.kind === 'startOver') return 'startOver';
    try {
      if (active.kind === 'upload') {
        const question = vscode.l10n.t('Deploy {0} to {1}?', plan.draft.name, plan.draft.connectionName);
        if (!(await confirmWarnings(plan, question, findings, confirmed))) continue;
        folderPlan.isSent = true;
        const nameWasFree = existing.lookUp(plan.draft.name) === 'notFound';
        const start = vscode.l10n.t('Packing…');
        return await whileWaiting({ title, words: start }, (signal, say) =>
          sendFolder({ services, folderPlan, nameWasFree, signal, say }),
        );
      }
      await change(services, folderPlan, active, existing);
    } catch (error) {
      if (error instanceof PromptClosedError) return 'left';
      services.log.error(`deploy folder: ${messageOf(error)}${requestIdOf(error)}`);
      lastFindings = [finding('warning', failureWords(error))];
      existing.forget();
      // The deployment may have been created; the list reports its own errors.
      if (active.kind === 'upload' && services.connections.session === session) void services.deployments.refresh();
      if (active.kind === 'upload') await readAgain(folderPlan);
    }
  }
}

/** Asks about warnings that the user hasn't confirmed yet. False if they go back to the review. */
async function confirmWarnings(
  review: Asking,
  question: string,
  findings: readonly Finding[],
  confirmed: Set<string>,
): Promise<boolean> {
  // The same words about another name or connection are another warning.
  const keyOf = ({ message }: Finding): string => JSON.stringify([question, message]);
  const warnings = findings.filter((finding) => finding.severity === 'warning' && !confirmed.has(keyOf(finding)));
  if (warnings.length === 0) return true;
  const anyway = { label: vscode.l10n.t('$(warning) Deploy Anyway') };
  const choice = await askChoice({
    review,
    title: question,
    placeholder:
      warnings.length === 1
        ? vscode.l10n.t('The review has 1 warning')
        : vscode.l10n.t('The review has {0} warnings', warnings.length),
    items: [anyway, { label: vscode.l10n.t('Back to Review') }],
  });
  if (choice !== anyway) return false;
  for (const finding of warnings) confirmed.add(keyOf(finding));
  return true;
}

function failureWords(error: unknown): string {
  if (isCancelled(error)) return vscode.l10n.t('The upload was stopped.');
  return messageOf(error) + requestIdOf(error);
}

/** Findings about the folder, and about a new deployment; of an existing one, about its secrets. */
async function check(
  services: Services,
  folderPlan: FolderPlan,
  existing: ExistingDeployments,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { plan, findings, target, isSent } = folderPlan;
  const wished = folderPlan.replacesSecrets ? plan.draft.secrets : undefined;
  if (target !== undefined) return [...findings, ...secretsChangeFindings(target, wished)];
  const suggestedName = isSent ? undefined : suggestionOf(plan.draft);
  const start = { existing, suggestedName, told: [], signal };
  const discovery = await checkPlan(services, plan, start);
  // The upload is what the draft still lacks.
  return [...findings, ...discovery.findings.filter(({ field }) => field !== 'tarballPath')];
}

/** The names in the application's dotenv file that neither the secrets nor the deployment have. */
async function namesInEnv({ place, envPath, plan, target }: FolderPlan): Promise<readonly string[]> {
  if (envPath === undefined) return [];
  const file = vscode.Uri.joinPath(place.folder, envPath);
  const text = await readFileText(file, longestDotenv, place.folder).catch(() => undefined);
  if (text === undefined) return [];
  const { variables } = readVariables(text, envPath, importRules(plan.draft));
  const known = new Set(target?.secrets?.map(({ name }) => name));
  return missingVariables(variables, plan.draft.secrets)
    .map(({ name }) => name)
    .filter((name) => !known.has(name));
}

async function change(
  services: Services,
  folderPlan: FolderPlan,
  choice: FolderChoice,
  existing: ExistingDeployments,
): Promise<void> {
  const { plan, place, configPaths, target } = folderPlan;
  const secretsBefore = JSON.stringify(plan.draft.secrets);
  switch (choice.kind) {
    case 'upload':
    case 'startOver':
      return;
    case 'showFiles':
      await showFiles(folderPlan);
      return;
    case 'chooseConfig': {
      const items = configPaths.map((path) => ({ path, label: withoutIcons(path) }));
      const placeholder = vscode.l10n.t('Select the config file');
      const chosen = await askChoice({ review: plan, title: plan.title, placeholder, items });
      if (chosen === undefined) return;
      folderPlan.configPath = chosen.path;
      await checkConfig(folderPlan);
      return;
    }
    case 'chooseDeployment':
      await chooseTarget(folderPlan);
      return;
    case 'importEnv':
      if (folderPlan.envPath !== undefined) await importEnv(place.folder, plan, folderPlan.envPath);
      break;
    case 'edit':
      await editField(services, plan, choice.field, (other) => existing.lookUp(other) === 'found');
      break;
  }
  if (target !== undefined && JSON.stringify(plan.draft.secrets) !== secretsBefore) folderPlan.replacesSecrets = true;
}

/** Only what was made from an upload can be updated by one. */
async function chooseTarget(folderPlan: FolderPlan): Promise<void> {
  const { title, session } = folderPlan.plan;
  const words = vscode.l10n.t('Loading deployments…');
  const { rows, isWhole } = await whileAsking(session, { title, words }, (client, signal) =>
    readRows(client.deployments.listAll({}, { signal }), mostSearched),
  );
  const uploaded = rows.filter(({ source }) => source === 'internal_source');
  const items = [
    { target: undefined, label: vscode.l10n.t('$(add) New Deployment') },
    ...uploaded.map((target) => ({ target, label: withoutIcons(target.name) })),
  ];
  const placeholder = isWhole
    ? vscode.l10n.t('Select an uploaded deployment to update')
    : vscode.l10n.t('Select an uploaded deployment to update. There are more than are listed here.');
  const chosen = await askChoice({ review: folderPlan.plan, title, placeholder, items });
  if (chosen !== undefined) takeTarget(folderPlan, chosen.target);
}

/** How many deployments are searched for uploaded ones. */
const mostSearched = 1000;
