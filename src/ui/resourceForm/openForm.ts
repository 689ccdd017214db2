import * as vscode from 'vscode';
import { specToText, toSpecMap } from '../../core/specText.ts';
import { showMessage } from '../message.ts';
import { readFormState } from './formMessage.ts';
import { ResourceFormPanel } from './panel.ts';
import type { FormContext, FormState } from './protocol.ts';
import { resourceFormType, type ResourceFormDependencies, type ResourceFormOptions } from './resourceForms.ts';
import { hashOf, readSavedFile, readSpecFile } from './specFiles.ts';

/** Opens a form in the active column. */
export async function openForm(options: ResourceFormOptions, dependencies: ResourceFormDependencies): Promise<void> {
  const text =
    options.file === undefined ? specToText(toSpecMap(options.initial ?? {})) : await readSpecFile(options.file);
  const panel = newPanel(options.title);
  const state = stateOf(text, {
    title: options.title,
    flavor: dependencies.flavor(),
    readOnly: options.readOnly ?? false,
    fileUri: options.file?.toString() ?? '',
    documentHash: options.file === undefined ? '' : ((await readSavedFile(options.file))?.hash ?? ''),
  });
  panel.onDidDispose(() => options.onClose?.());
  serve(panel, state, dependencies, options.onUse);
}

/** Brings a form back after a reload of the window, with the state that VS Code kept of it. */
export async function restoreForm(
  panel: vscode.WebviewPanel,
  state: unknown,
  dependencies: ResourceFormDependencies,
): Promise<void> {
  const title = vscode.l10n.t('Resources');
  const nothing = { title, flavor: dependencies.flavor(), readOnly: false, fileUri: '', documentHash: '' };
  const form = serve(panel, readFormState(state) ?? stateOf('', nothing), dependencies);
  await form.catchUp();
}

function newPanel(title: string): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(resourceFormType, title, vscode.ViewColumn.Active, {
    enableFindWidget: true,
  });
}

/** How a form begins with a text that it shares with where it came from. */
function stateOf(text: string, context: Omit<FormContext, 'scratchUri' | 'keptHash'>): FormState {
  return {
    context: { ...context, scratchUri: '', keptHash: hashOf(text) },
    text,
    drafts: '',
    view: 'form',
    openSections: 'scale main',
    scroll: '',
  };
}

function serve(
  panel: vscode.WebviewPanel,
  state: FormState,
  dependencies: ResourceFormDependencies,
  onUse?: ResourceFormOptions['onUse'],
): ResourceFormPanel {
  const form = new ResourceFormPanel({
    panel,
    state,
    dependencies,
    onUse,
    onLoss: (lost) => void offerBack(lost, dependencies),
  });
  form.show();
  return form;
}

/**
 * Offers to open a closed form again as it was. VS Code does not ask before it closes a panel. Whoever waited for the
 * form does not wait any more, so that "Use for Deployment" begins a deployment then.
 */
async function offerBack(state: FormState, dependencies: ResourceFormDependencies): Promise<void> {
  const { title } = state.context;
  const reopen = vscode.l10n.t('Reopen');
  const words = vscode.l10n.t('"{0}" was closed with changes that are not saved, copied or used.', title);
  if ((await showMessage('warning', words, [reopen])) !== reopen) return;
  serve(newPanel(title), { ...state, context: { ...state.context, scratchUri: '' } }, dependencies);
}
