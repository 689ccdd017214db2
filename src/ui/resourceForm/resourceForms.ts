import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Session } from '../../state/connections/session.ts';
import type { Stores } from '../stores.ts';
import type { Log } from '../window/log.ts';
import type { KeptForm } from './keptForm.ts';
import type { FormState } from './protocol.ts';

const selector: vscode.DocumentSelector = { pattern: '**/*.resource-spec.{yaml,yml}' };

/** Milliseconds without a keystroke after which a document is checked. */
const typingPause = 200;

/** The flavor of the service that the workspace is connected to: some rules of a spec depend on it. */
export function flavorOf(session: Session): FlavorName {
  return session.kind !== 'none' && session.connection.kind === 'service' ? session.connection.flavor : 'standard';
}

/**
 * Helps to write resource specs as files, wherever they are: diagnostics, hover and completion. Nothing of it is
 * loaded before such a file is open.
 */
function registerResourceSpecFiles(
  connections: Pick<Connections, 'current' | 'session' | 'onDidChange'>,
): vscode.Disposable {
  const diagnostics = vscode.languages.createDiagnosticCollection('deploymentManager.resourceSpec');
  const check = async (document: vscode.TextDocument, delay: number): Promise<void> => {
    if (vscode.languages.match(selector, document) === 0) return;
    const { version } = document;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.version !== version) return;
    const { diagnosticsOf } = await import('./language.ts');
    // Which rules count is not known before the first session is read.
    await connections.current();
    if (document.isClosed || document.version !== version) return;
    diagnostics.set(document.uri, diagnosticsOf(document, flavorOf(connections.session)));
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
      provideHover: async (document, position) => (await import('./language.ts')).hoverAt(document, position),
    }),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) =>
        (await import('./language.ts')).completionsAt(document, position),
    }),
  );
}

/** A form that a person can see or come back to. */
export interface OpenForm {
  /** Whether it is what the person works on. */
  readonly isActive: boolean;
  /** Saves to the file of the form, or asks for one. */
  readonly save: () => void;
}

/** What the forms need of the rest of the extension. */
export interface ResourceFormDependencies {
  readonly extensionUri: vscode.Uri;
  /** Where forms are kept. */
  readonly storageUri: vscode.Uri;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Log, 'debug' | 'error'>;
  readonly connections: Pick<Connections, 'current'>;
  /** What "Use for Deployment" does in a form that nobody waits for. */
  readonly useForDeployment: (spec: ResourceSpec) => Promise<void>;
  /** The forms that are open, each of which adds and removes itself. */
  readonly openForms: Set<OpenForm>;
  /** The messages that offer closed forms back, each as the forms that it would open; a form that is open leaves all. */
  readonly reopenOffers: Set<Set<FormAndPlace>>;
}

/** What a form holds, and where that is kept. */
export interface FormAndPlace {
  readonly state: FormState;
  readonly kept: KeptForm;
}

export interface ResourceFormOptions {
  readonly title: string;
  readonly initial?: unknown;
  /** The resources of an existing deployment are shown without values that may be secret, and cannot be changed. */
  readonly readOnly?: boolean;
  /** The file that the form shows and saves to; its text wins over `initial`. */
  readonly file?: vscode.Uri;
  /** Called once, when the person uses the spec. The form closes then. */
  readonly onUse?: (spec: ResourceSpec) => void;
  /** Called once, when the form is gone, used or not. */
  readonly onClose?: () => void;
}

export const resourceFormType = 'deploymentManager.resourceSpec';

/** Opens resource forms and brings them back after a reload. What they are made of is loaded with the first one. */
export class ResourceForms implements vscode.Disposable {
  readonly #dependencies: ResourceFormDependencies;
  readonly #serializer: vscode.Disposable;

  constructor(dependencies: ResourceFormDependencies) {
    this.#dependencies = dependencies;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(resourceFormType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const { restoreForm } = await import('./openForm.ts');
        await restoreForm(panel, state, dependencies);
      },
    });
  }

  /** Opens a form at once. */
  async open(options: ResourceFormOptions): Promise<void> {
    const { openForm } = await import('./openForm.ts');
    await openForm(options, this.#dependencies);
  }

  /** Opens a form and waits: for the spec that the person uses, or for undefined when they close the form. */
  edit(title: string, initial: ResourceSpec | undefined): Promise<ResourceSpec | undefined> {
    return new Promise((resolve, reject) => {
      let used: ResourceSpec | undefined;
      const options: ResourceFormOptions = {
        title,
        ...(initial === undefined ? {} : { initial }),
        onUse: (spec) => {
          used = spec;
        },
        onClose: () => resolve(used),
      };
      this.open(options).catch(reject);
    });
  }

  /** Saves the form that the person works on, if it is one. */
  saveActive(): void {
    for (const form of this.#dependencies.openForms) if (form.isActive) form.save();
  }

  dispose(): void {
    this.#serializer.dispose();
  }
}

type Context = Pick<vscode.ExtensionContext, 'extensionUri' | 'storageUri' | 'globalStorageUri' | 'subscriptions'>;

/** Makes the resource forms and the help for spec files. Nothing heavy is loaded before one of them is used. */
export function registerResourceForms(context: Context, { connections, clock, log }: Stores): ResourceForms {
  const storageUri = context.storageUri ?? context.globalStorageUri;
  const now = (): number => clock.now();
  import('./keptForm.ts')
    .then(async ({ removeOldForms }) => removeOldForms(storageUri.fsPath, now()))
    .catch((error: unknown) => log.error('Old forms were not removed.', error));
  const forms = new ResourceForms({
    extensionUri: context.extensionUri,
    storageUri,
    now,
    log,
    connections,
    openForms: new Set(),
    reopenOffers: new Set(),
    useForDeployment: async (resourceSpec) => {
      await vscode.commands.executeCommand('deploymentManager.deployCurrentRepository', { resourceSpec });
    },
  });
  context.subscriptions.push(forms, registerResourceSpecFiles(connections));
  return forms;
}
