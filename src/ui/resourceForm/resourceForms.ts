import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { flavorNameOf } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Session } from '../../state/connections/session.ts';
import type { Parts } from '../parts.ts';
import type { Stores } from '../stores.ts';
import { execute } from '../window/commandIds.ts';
import type { Log } from '../window/log.ts';
import type { KeptForm } from './keptForm.ts';
import type { FormState } from './protocol.ts';

export const specFilePattern = '**/*.resource-spec.{yaml,yml}';

const selector: vscode.DocumentSelector = { pattern: specFilePattern };

/** The pause in typing before a document is checked, in milliseconds. */
const typingPause = 200;

/** The flavor of the connected service, because some rules of a spec depend on it. */
export function sessionFlavor(session: Session): FlavorName {
  return session.kind === 'none' ? 'standard' : flavorNameOf(session.connection);
}

/** Provides diagnostics, hovers, and completions for resource spec files anywhere. */
function registerResourceSpecFiles(
  connections: Pick<Connections, 'current' | 'session' | 'onDidChange'>,
  texts: Parts['texts'],
): vscode.Disposable {
  const diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.resourceSpec');
  const check = async (document: vscode.TextDocument, delay: number): Promise<void> => {
    if (vscode.languages.match(selector, document) === 0) return;
    const { version } = document;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.version !== version) return;
    const { diagnosticsOf } = await texts();
    // The rules depend on the session, so wait until the first one is read.
    await connections.current();
    if (document.isClosed || document.version !== version) return;
    diagnostics.set(document.uri, diagnosticsOf(document, sessionFlavor(connections.session)));
  };
  const checkAll = (): void => {
    for (const document of vscode.workspace.textDocuments) void check(document, 0);
  };
  checkAll();
  return vscode.Disposable.from(
    diagnostics,
    connections.onDidChange(checkAll),
    vscode.workspace.onDidOpenTextDocument((document) => void check(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => void check(document, typingPause)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => (await texts()).hoverAt(document, position),
    }),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) => (await texts()).completionsAt(document, position),
    }),
  );
}

export interface OpenForm {
  /** Whether the user is working on this form. */
  readonly isActive: boolean;
  /** Saves to the form's file, or asks for one. */
  readonly save: () => void;
}

export interface ResourceFormDependencies {
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly log: Pick<Log, 'debug' | 'error'>;
  readonly connections: Pick<Connections, 'current'>;
  /** Handles "Use for Deployment" in a form without a waiting caller. */
  readonly useForDeployment: (spec: ResourceSpec) => Promise<void>;
  /** The open forms. Each form adds and removes itself. */
  readonly openForms: Set<OpenForm>;
  /** The pending offers to reopen closed forms, each with its forms. A reopened form leaves every offer. */
  readonly reopenOffers: Set<Set<FormAndPlace>>;
}

export interface FormAndPlace {
  readonly state: FormState;
  readonly kept: KeptForm;
}

export interface ResourceFormOptions {
  /** Without a title, the form is named after its file. */
  readonly title?: string;
  readonly initial?: unknown;
  /** Whether to only show an existing deployment's resources, without values that may be secret. */
  readonly readOnly?: boolean;
  /** The file that the form shows and saves to. Its text takes precedence over `initial`. */
  readonly file?: vscode.Uri;
  /** Called when the form is closed, with its spec if the user used it. Using the spec then closes the form. */
  readonly onClose?: (used: ResourceSpec | undefined) => void;
}

export const resourceFormType = 'deploymentManager.resourceSpec';

export class ResourceForms {
  readonly #dependencies: ResourceFormDependencies;
  readonly #load: Parts['forms'];

  constructor(dependencies: ResourceFormDependencies, load: Parts['forms']) {
    this.#dependencies = dependencies;
    this.#load = load;
  }

  /** Opens a form without waiting for its result. */
  async open(options: ResourceFormOptions): Promise<void> {
    const { openForm } = await this.#load();
    await openForm(options, this.#dependencies);
  }

  /** Opens a form and waits for the spec that the user uses; undefined when they close the form. */
  edit(title: string, initial: ResourceSpec | undefined): Promise<ResourceSpec | undefined> {
    return new Promise((resolve, reject) => {
      this.open({ title, initial, onClose: resolve }).catch(reject);
    });
  }

  /** Saves the form that the user is working on, if there is one. */
  saveActive(): void {
    for (const form of this.#dependencies.openForms) if (form.isActive) form.save();
  }
}

/** The folder where forms are kept. */
export function formsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): vscode.Uri {
  return storageUri ?? globalStorageUri;
}

/** Registers the resource forms and the help for spec files. */
export function registerResourceForms(
  context: vscode.ExtensionContext,
  { connections, log }: Stores,
  parts: Pick<Parts, 'texts' | 'forms'>,
): ResourceForms {
  const dependencies: ResourceFormDependencies = {
    extensionUri: context.extensionUri,
    storageUri: formsFolder(context),
    log,
    connections,
    openForms: new Set(),
    reopenOffers: new Set(),
    useForDeployment: async (resourceSpec) => {
      await execute('createDeployment', { resourceSpec });
    },
  };
  const serializer: vscode.WebviewPanelSerializer = {
    deserializeWebviewPanel: async (panel, remembered: unknown) =>
      (await parts.forms()).restoreForm(panel, remembered, dependencies),
  };
  context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(resourceFormType, serializer),
    registerResourceSpecFiles(connections, parts.texts),
  );
  return new ResourceForms(dependencies, parts.forms);
}
