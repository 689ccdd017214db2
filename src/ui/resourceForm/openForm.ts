import * as vscode from 'vscode';
import { specToText, toSpecMap } from '../../core/specText.ts';
import { readSavedContext } from './formMessage.ts';
import { ResourceFormPanel } from './panel.ts';
import type { FormContext } from './protocol.ts';
import { resourceFormType, type ResourceFormDependencies, type ResourceFormOptions } from './resourceForms.ts';
import { readSavedFile, readSpecFile } from './specFiles.ts';

/** Opens a form in the active column. */
export async function openForm(options: ResourceFormOptions, dependencies: ResourceFormDependencies): Promise<void> {
  const text =
    options.file === undefined ? specToText(toSpecMap(options.initial ?? {})) : await readSpecFile(options.file);
  const panel = vscode.window.createWebviewPanel(resourceFormType, options.title, vscode.ViewColumn.Active, {
    enableFindWidget: true,
  });
  const context: FormContext = {
    title: options.title,
    flavor: dependencies.flavor(),
    readOnly: options.readOnly ?? false,
    fileUri: options.file?.toString() ?? '',
    scratchUri: '',
    documentHash: options.file === undefined ? '' : ((await readSavedFile(options.file))?.hash ?? ''),
  };
  panel.onDidDispose(() => options.onClose?.());
  const form = new ResourceFormPanel({ panel, context, text, dependencies, onUse: options.onUse });
  form.show();
}

/** Brings a form back after a reload of the window. Its text is in the state that the form itself kept. */
export async function restoreForm(
  panel: vscode.WebviewPanel,
  state: unknown,
  dependencies: ResourceFormDependencies,
): Promise<void> {
  const context = readSavedContext(state) ?? {
    title: vscode.l10n.t('Resources'),
    flavor: dependencies.flavor(),
    readOnly: false,
    fileUri: '',
    scratchUri: '',
    documentHash: '',
  };
  const form = new ResourceFormPanel({ panel, context, text: '', dependencies, onUse: undefined });
  form.show();
  await form.catchUp();
}
