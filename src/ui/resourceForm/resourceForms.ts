import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import type { Parts } from '../parts.ts';
import type { Stores } from '../stores.ts';
import type { InTurn } from '../window/inTurn.ts';
import type { Log } from '../window/log.ts';
import { draftStorage, isDraft } from '../window/specNames.ts';
import { uriOfTab } from '../window/tabs.ts';

/** The custom editor that shows a resource spec as a form. */
const resourceFormType = 'deploymentManager.resourceSpec';

/** The read-only documents. */
interface KeptTexts {
  readonly keepText: (name: string, text: string, language: 'yaml') => vscode.Uri;
}

/** What all forms of a window share. */
export interface ResourceFormDependencies {
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly log: Pick<Log, 'debug' | 'error'>;
  readonly connections: Pick<Connections, 'current' | 'session' | 'onDidChange'>;
  readonly documents: KeptTexts;
  /** What the drafts of this window were created with, by their URIs. */
  readonly newDrafts: Map<string, string>;
  /** Works with drafts in turn: one may be removed only after it was saved. */
  readonly withDrafts: InTurn;
}

/** Opens the forms of resource specs, and serves them. */
export class ResourceForms implements vscode.CustomTextEditorProvider {
  readonly #dependencies: ResourceFormDependencies;
  readonly #load: Parts['forms'];

  constructor(dependencies: ResourceFormDependencies, load: Parts['forms']) {
    this.#dependencies = dependencies;
    this.#load = load;
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { serveForm } = await this.#load();
    await serveForm(document, panel, this.#dependencies);
  }

  /** Opens a spec in the form: a file, else the one that is in front as text, else a draft. */
  async open(file: vscode.Uri | undefined): Promise<void> {
    const { openSpec } = await this.#load();
    await openSpec(file, this.#dependencies);
  }

  /** Shows the resources of a deployment in a read-only form, without values that may be secret. */
  async show(name: string, spec: unknown): Promise<void> {
    const { showSpec } = await this.#load();
    await showSpec(name, spec, this.#dependencies);
  }
}

/** Opens a spec in the form in the active column. */
export async function openInForm(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, resourceFormType);
}

/** Registers the forms of resource specs, and keeps all drafts. */
export function registerResourceForms(
  context: vscode.ExtensionContext,
  { connections, log }: Stores,
  documents: KeptTexts,
  { withDrafts }: Pick<ResourceFormDependencies, 'withDrafts'>,
  { forms }: Pick<Parts, 'forms'>,
): ResourceForms {
  const storageUri = draftStorage(context);
  const dependencies: ResourceFormDependencies = {
    extensionUri: context.extensionUri,
    storageUri,
    log,
    connections,
    documents,
    newDrafts: new Map(),
    withDrafts,
  };
  const isOfDraft = (uri: vscode.Uri): boolean => isDraft(storageUri, 'resource-spec', uri);
  const resourceForms = new ResourceForms(dependencies, forms);
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(resourceFormType, resourceForms, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { enableFindWidget: true },
    }),
    vscode.workspace.onDidChangeTextDocument(async ({ document }) => {
      const { uri, isDirty } = document;
      const isOurs = isOfDraft(uri) || isDraft(storageUri, 'deployment-spec', uri);
      if (isDirty && isOurs) await withDrafts(async () => (await forms()).saveDraft(document, log));
    }),
    vscode.window.tabGroups.onDidChangeTabs(async ({ closed }) => {
      for (const uri of closed.flatMap((tab) => uriOfTab(tab) ?? []).filter(isOfDraft)) {
        await withDrafts(async () => (await forms()).leaveDraft(uri, dependencies));
      }
    }),
  );
  return resourceForms;
}
