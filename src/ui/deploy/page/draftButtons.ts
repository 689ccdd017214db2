import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { formatMoment } from '../../../core/status/duration.ts';
import { confirm, showMessage } from '../../window/errors.ts';
import { nameOf } from '../../window/specNames.ts';
import { tabsOf } from '../../window/tabs.ts';
import { sessionFor } from '../file/filePlan.ts';
import { saveDraftAsFile } from '../file/saveFile.ts';
import { chooseUploaded, deployFolder } from '../folder/deployFolder.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { addApplications } from './addApplications.ts';
import { unfinishedFolder, type BegunDraft } from '../deploymentDrafts.ts';
import type { ButtonMaker } from './pageButtons.ts';
import type { PageContext } from './pageContext.ts';
import { renameTyped, typedFor } from './pageSecrets.ts';
import type { PageButton } from './protocol.ts';

/** A draft, and what its buttons work with. */
export interface DraftSubject extends PageContext {
  readonly begun: BegunDraft;
  readonly deployments: readonly FileDeployment[];
  /** Of the deployments that have one, at the same positions. */
  readonly plans: readonly (DeploymentPlan | undefined)[];
  /** Whether each of them was checked. */
  readonly isChecked: boolean;
  /** Whether all of them are deployed as the draft says it now. */
  readonly isMade: boolean;
}

/** Says that a draft was left before, until nothing is left of that. */
export function draftFacts({ leftAt, begun, document, unfinished }: PageContext): readonly string[] {
  const isSpare = unfinished.isEmpty && begun?.isSpare(document.getText()) === true;
  return leftAt === undefined || isSpare ? [] : [vscode.l10n.t('Your draft of {0}.', formatMoment(leftAt))];
}

/** What can be done with a draft as a whole. */
export function draftButtons(subject: DraftSubject, bar: ButtonMaker): readonly PageButton[] {
  const { document, begun, unfinished, deployments, plans, isMade } = subject;
  const plan = plans.find((each) => each !== undefined);
  const { configPaths = [] } = (plan && workingCopyOf(plan)) ?? {};
  const uri = begun.deployments[0]?.folder;
  const folder = uri === undefined ? undefined : vscode.Uri.parse(uri);
  const text = document.getText();
  const isDone = isMade || begun.isDone(text);
  const isTouched = (text !== begun.text && !isDone) || !unfinished.isEmpty;
  return [
    ...(plan !== undefined && configPaths.length > deployments.length
      ? [bar('several', vscode.l10n.t('Deploy Several…'), () => addApplications(subject, plan))]
      : []),
    ...(folder === undefined ? [] : folderButtons(subject, plan, folder, bar)),
    bar('save', vscode.l10n.t('Save as Deployment File…'), () => save(subject, folder), folder !== undefined),
    ...(isTouched ? [bar('startOver', vscode.l10n.t('Start Over'), () => startOver(subject))] : []),
    // What was made of it stays.
    bar('discard', isMade ? vscode.l10n.t('Close Draft') : vscode.l10n.t('Discard'), () =>
      discard(subject, isTouched || (begun.hasChosenRepository && !isDone)),
    ),
  ];
}

/** Asks for another deployment to upload a folder for, or begins again where that is uploaded or can't be. */
function folderButtons(
  { services, begun, deployments, isChecked, typed }: DraftSubject,
  plan: DeploymentPlan | undefined,
  folder: vscode.Uri,
  bar: ButtonMaker,
): readonly PageButton[] {
  const { name = '', connection, text, spec } = deployments[0] ?? {};
  const { made } = begun.deployments[0] ?? {};
  if (plan !== undefined && made === undefined) {
    const choose = async (): Promise<void> => {
      const chosen = await chooseUploaded(services, plan, folder);
      if (chosen !== undefined) renameTyped(typed, plan.session.connection.name, name, chosen);
    };
    return [bar('target', vscode.l10n.t('Choose Deployment…'), choose)];
  }
  // What is typed wrong is corrected first.
  const isStuck = isChecked && plan === undefined && spec !== undefined;
  // A draft that was changed since the upload is deployed with its own button, as any other.
  if (!isStuck && made?.text !== text) return [];
  const again = async (): Promise<void> => {
    const session = plan?.session ?? (await sessionFor(services, undefined, { connection }));
    await deployFolder(services, session, folder);
  };
  return [bar('again', vscode.l10n.t('Deploy Folder Again…'), again)];
}

/** Moves a draft to a file that the user chooses. The draft of a folder stays, because a file can't name the folder. */
async function save(subject: DraftSubject, folder: vscode.Uri | undefined): Promise<void> {
  const { services, typed, unfinished, deployments, plans } = subject;
  const saved = await saveDraftAsFile(services, deployments, plans, folder);
  if (saved === undefined) return;
  const { deploymentPages } = services;
  if (folder !== undefined) {
    await deploymentPages.open({ file: saved, index: undefined });
    const words = vscode.l10n.t("Saved {0} without the folder. The folder's draft is still open.", nameOf(saved));
    void showMessage('information', words);
    return;
  }
  // An open page of the file is closed, because only a new one takes over unfinished input.
  await vscode.window.tabGroups.close(tabsOf(saved));
  for (const key of typed.values.keys()) typed.copy(key, key, typedFor(services, saved));
  await unfinished.copyTo(unfinishedFolder(deploymentPages, saved));
  await leave(subject);
  await deploymentPages.open({ file: saved, index: undefined });
}

/** Gives a draft the text that it was begun with. An undo brings back everything but unfinished input. */
async function startOver({ begun, unfinished, startOver: begin }: DraftSubject): Promise<void> {
  const question = vscode.l10n.t('Start over?');
  const detail = vscode.l10n.t("What you typed and the draft can't have yet will be lost.");
  if (!unfinished.isEmpty && !(await confirm(question, vscode.l10n.t('Start Over'), detail))) return;
  await begin(begun.text);
}

async function discard(subject: DraftSubject, isTouched: boolean): Promise<void> {
  const question = vscode.l10n.t('Discard this draft?');
  const detail = vscode.l10n.t("What you have entered can't be brought back.");
  if (isTouched && !(await confirm(question, vscode.l10n.t('Discard'), detail))) return;
  await leave(subject);
}

/** Closes the page of a draft that is done with, which removes it. */
async function leave({ document, begun, typed, services }: DraftSubject): Promise<void> {
  typed.dispose();
  await begun.finish(true);
  // VS Code would ask about the last change while that is being saved.
  await services.deploymentPages.withDrafts(() => document.save());
  const isClosed = await vscode.window.tabGroups.close(tabsOf(document.uri));
  // The user may go on with it.
  if (!isClosed) await begun.finish(document.getText());
}
