import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { hideValues } from '../../api/redaction/hideValues.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { specToText, toSpecMap } from '../../core/spec/edit.ts';
import { shortened } from '../../core/text/text.ts';
import { messageOf, showMessage } from '../window/errors.ts';
import { KeptForm, type KnownPlaces, withKnownPaths } from './keptForm.ts';
import { ResourceFormPanel } from './panel.ts';
import { readFormState, type FormContext, type FormState } from './protocol.ts';
import {
  sessionFlavor,
  resourceFormType,
  type FormAndPlace,
  type ResourceFormDependencies,
  type ResourceFormOptions,
} from './resourceForms.ts';
import { fileTitle, hashOf, readSavedFile, readSpecFile } from './specFiles.ts';

/** Opens a form in the active column. */
export async function openForm(options: ResourceFormOptions, dependencies: ResourceFormDependencies): Promise<void> {
  const { file, readOnly = false, onClose } = options;
  const title = options.title ?? (file === undefined ? vscode.l10n.t('Resources') : fileTitle(file));
  const text = file === undefined ? textOf(options) : await readSpecFile(file);
  const state = stateOf(text, {
    title,
    flavor: sessionFlavor(await dependencies.connections.current()),
    readOnly,
    fileUri: file?.toString() ?? '',
    documentHash: file === undefined ? '' : ((await readSavedFile(file))?.hash ?? ''),
  });
  const panel = newPanel(title);
  let used: ResourceSpec | undefined;
  const onUse = (spec: ResourceSpec): void => {
    used = spec;
  };
  panel.onDidDispose(() => onClose?.(used));
  serve(panel, { state, kept: new KeptForm(dependencies.storageUri.fsPath) }, dependencies, onClose && onUse);
}

/** The text that a form starts with. A read-only form hides values that may be secret. */
function textOf({ initial, readOnly = false }: ResourceFormOptions): string {
  return specToText(toSpecMap(readOnly ? hideValues(initial, () => '(hidden)') : initial));
}

/** Restores a form after a window reload, from the id that VS Code remembered. */
export async function restoreForm(
  panel: vscode.WebviewPanel,
  remembered: unknown,
  dependencies: ResourceFormDependencies,
): Promise<void> {
  const title = vscode.l10n.t('Resources');
  const flavor = sessionFlavor(await dependencies.connections.current());
  const nothing = { title, flavor, readOnly: false, fileUri: '', documentHash: '' };
  const kept = new KeptForm(dependencies.storageUri.fsPath, remembered);
  const restored = readFormState(await kept.read()) ?? stateOf('', nothing);
  const form = serve(panel, { state: withKnownPaths(restored, knownPlaces()), kept }, dependencies);
  await form.catchUp();
}

function knownPlaces(): KnownPlaces {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return {
    folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
    tabs: tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
  };
}

function newPanel(title: string): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(resourceFormType, shortened(title, 300), vscode.ViewColumn.Active, {
    enableFindWidget: true,
  });
}

/** The initial state of a form whose text also exists elsewhere. */
function stateOf(text: string, context: Omit<FormContext, 'keptHash'>): FormState {
  return {
    context: { ...context, keptHash: hashOf(text) },
    text,
    drafts: [],
    view: 'form',
    openSections: ['scale', 'main'],
    scroll: 0,
  };
}

function serve(
  panel: vscode.WebviewPanel,
  { state, kept }: FormAndPlace,
  dependencies: ResourceFormDependencies,
  onUse?: (spec: ResourceSpec) => void,
): ResourceFormPanel {
  const form = new ResourceFormPanel({
    panel,
    state,
    kept,
    dependencies,
    onUse,
    onLoss: (lost) => void offerBack({ state: lost, kept }, dependencies),
  });
  form.serve();
  const root = vscode.Uri.joinPath(dependencies.extensionUri, 'dist');
  panel.webview.options = { enableScripts: true, localResourceRoots: [root] };
  panel.webview.html = formHtml(panel.webview, root);
  return form;
}

/** The HTML of a form: one script with a nonce and one style sheet, nothing inline or from elsewhere. */
function formHtml(webview: vscode.Webview, root: vscode.Uri): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(root, 'resourceForm.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(root, 'resourceForm.css')).toString();
  const nonce = randomBytes(16).toString('base64url');
  const language = vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
  return `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>Resources</title>
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}

/**
 * Offers to reopen a closed form as it was, because VS Code doesn't ask before it closes a panel.
 * The offer includes all forms that are already offered: VS Code shows a message only once, so of two forms with one
 * title, the first would be lost. The caller of a closed form no longer waits, so "Use for Deployment" then starts a
 * deployment.
 */
async function offerBack(form: FormAndPlace, dependencies: ResourceFormDependencies): Promise<void> {
  const { reopenOffers, log } = dependencies;
  const offer = new Set([...reopenOffers].flatMap((former) => [...former])).add(form);
  reopenOffers.add(offer);
  const { button, words } = offerWords(form.state.context.title, offer.size);
  const answer = await showMessage('warning', words, [button]);
  reopenOffers.delete(offer);
  for (const closed of offer) {
    if (answer === button) {
      for (const other of reopenOffers) other.delete(closed);
      serve(newPanel(closed.state.context.title), closed, dependencies);
    } else if (![...reopenOffers].some((other) => other.has(closed))) {
      closed.kept.remove().catch((error: unknown) => log.error(`resource form: ${messageOf(error)}`));
    }
  }
}

function offerWords(title: string, count: number): { readonly button: string; readonly words: string } {
  if (count === 1) {
    const words = vscode.l10n.t('"{0}" was closed with changes that weren\'t saved, copied, or used.', title);
    return { button: vscode.l10n.t('Reopen'), words };
  }
  const words = vscode.l10n.t(
    "{0} resource forms were closed with changes that weren't saved, copied, or used.",
    count,
  );
  return { button: vscode.l10n.t('Reopen All'), words };
}
