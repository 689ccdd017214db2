import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hideValues } from '../../api/redaction/hideValues.ts';
import { describeSpec } from '../../core/spec/specWords.ts';
import { sentSpec, specToText, toSpecMap } from '../../core/spec/specText.ts';
import { formatClock } from '../../core/status/duration.ts';
import { longestSpecText, readSpecText, tooLongWords } from '../../core/yaml/document.ts';
import { showPage } from '../page/pageHtml.ts';
import { documentScheme } from '../window/documentUri.ts';
import { messageOf } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { claimDraft, createDraft, type Draft, listDrafts, releaseDraft, removeDraft } from '../window/drafts.ts';
import { FormEditor, type FormSetup } from './formEditor.ts';
import { openInForm, type ResourceFormDependencies } from './resourceForms.ts';
import { lockOfDraft } from '../window/specFiles.ts';
import { isDraft, nameOf, specName } from '../window/specNames.ts';
import { tabsOf } from '../window/tabs.ts';

export { tidyDrafts } from '../window/drafts.ts';
export { saveDraft } from '../window/specFiles.ts';

/** Serves a form in a panel that VS Code opened or restored. */
export async function serveForm(
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
  dependencies: ResourceFormDependencies,
): Promise<void> {
  const setup = await setupOf(document, dependencies);
  new FormEditor({ ...setup, document, panel, dependencies }).serve();
  showPage(panel.webview, dependencies.extensionUri, { name: 'resourceForm', title: 'Resources' });
}

async function setupOf(
  document: vscode.TextDocument,
  { storageUri }: ResourceFormDependencies,
): Promise<Pick<FormSetup, 'title' | 'subject' | 'lock'>> {
  const { uri } = document;
  const name = specName('resource-spec', uri.path) ?? nameOf(uri);
  const text = document.getText();
  if (uri.scheme === documentScheme) {
    // After a reload of the window, the text is a comment that says so.
    const lock = text.startsWith('#')
      ? text.replaceAll(/^# ?/gm, '').trim()
      : vscode.l10n.t('Read-only: the resources that the service reports for this deployment.');
    return { title: vscode.l10n.t('Resources (read-only): {0}', name), subject: 'deployment', lock };
  }
  const readOnly = vscode.l10n.t('VS Code has opened this file as read-only.');
  const lock = text.length > longestSpecText ? tooLongWords() : (await isReadOnly(document)) ? readOnly : '';
  if (!isDraft(storageUri, 'resource-spec', uri))
    return { title: vscode.l10n.t('Resources: {0}', nameOf(uri)), subject: 'file', lock };
  return { title: vscode.l10n.t('Resources'), subject: 'draft', lock: (await lockOfDraft(uri)) || lock };
}

/** Whether VS Code lets nobody type in a document. It would still let an extension change it. */
async function isReadOnly(document: vscode.TextDocument): Promise<boolean> {
  const { uri } = document;
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  if (((stat?.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0) return true;
  const settings = vscode.workspace.getConfiguration('files', uri);
  const isIn = (patterns: Readonly<Record<string, boolean>>): boolean =>
    Object.entries(patterns).some(([pattern, isOn]) => isOn && vscode.languages.match({ pattern }, document) > 0);
  return isIn(settings.get('readonlyInclude', {})) && !isIn(settings.get('readonlyExclude', {}));
}

/** Opens a spec: a file, else the one that is in front as text, else a kept draft that the user chooses, or a new one. */
export async function openSpec(file: vscode.Uri | undefined, dependencies: ResourceFormDependencies): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isSpecText = input instanceof vscode.TabInputText && specName('resource-spec', input.uri.path) !== undefined;
  const spec = file ?? (isSpecText ? input.uri : undefined);
  if (spec !== undefined) return openInForm(spec);
  const drafts = await listDrafts(dependencies.storageUri.fsPath, 'resource-spec');
  if (drafts.length === 0) return openNewDraft(dependencies);
  const choice = await askChoice<vscode.QuickPickItem & { file?: string }>({
    title: vscode.l10n.t('Edit Resources'),
    placeholder: vscode.l10n.t('Continue with a draft or begin a new one'),
    items: [{ label: vscode.l10n.t('New Resources') }, ...drafts.map(draftItem)],
  });
  if (choice === undefined) return undefined;
  if (choice.file === undefined) return openNewDraft(dependencies);
  return openInForm(vscode.Uri.file(choice.file));
}

function draftItem({ file, text, changedAt }: Draft): vscode.QuickPickItem & { file: string } {
  const document = readSpecText(text);
  const spec = document.kind === 'readable' ? sentSpec(document.spec) : undefined;
  const words = spec === undefined ? vscode.l10n.t('has errors') : describeSpec(spec);
  return { label: vscode.l10n.t('Resources'), description: words, detail: formatClock(changedAt), file };
}

async function openNewDraft({ storageUri, newDrafts }: ResourceFormDependencies): Promise<void> {
  const text = specToText({});
  const draft = { kind: 'resource-spec', name: 'deployment', text } as const;
  const uri = vscode.Uri.file(await createDraft(storageUri.fsPath, draft));
  newDrafts.set(uri.toString(), text);
  await openInForm(uri);
}

/** Shows a deployment's resources as a read-only document, without values that may be secret. */
export async function showSpec(name: string, spec: unknown, { documents }: ResourceFormDependencies): Promise<void> {
  const text = specToText(toSpecMap(hideValues(spec, () => '(hidden)')));
  await openInForm(documents.keepText(`${name}.resource-spec`, text, 'yaml'));
}

/** Ends a draft that no tab shows any more. One without changes of its own is removed. */
export async function leaveDraft(uri: vscode.Uri, { newDrafts, log }: ResourceFormDependencies): Promise<void> {
  if (tabsOf(uri).length > 0) return;
  const initial = newDrafts.get(uri.toString());
  newDrafts.delete(uri.toString());
  try {
    // Another window may still have it.
    if (!(await claimDraft(uri.fsPath))) return;
    const text = await readFile(uri.fsPath, 'utf8').catch(() => undefined);
    if (text !== undefined && (text.trim() === '' || text === initial)) await removeDraft(uri.fsPath);
    else await releaseDraft(uri.fsPath);
  } catch (error) {
    log.error(`resource form: ${messageOf(error)}`);
  }
}
