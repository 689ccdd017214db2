import path from 'node:path';
import * as vscode from 'vscode';
import type { PathEdit, YamlEdit } from '../../../src/core/yaml/edit.ts';
import type { FormAction, PageMessage } from '../../../src/ui/resourceForm/pageMessages.ts';
import type { EditorMessage, EditorMessages, FormContext } from '../../../src/ui/resourceForm/protocol.ts';
import type { Changes } from './changes.ts';

/** A resource form with its real page, used through the messages that page and editor exchange. */
export interface Form {
  readonly document: vscode.TextDocument;
  /** What the page was told of itself. */
  context(): FormContext;
  /** The text that the page was told last. */
  text(): string;
  /** Changes the document as the page does. Gives the words of a refusal, or an empty text. */
  change(...edits: YamlEdit[]): Promise<string>;
  /** Changes a version of the document as the page does that wasn't told of a newer one. */
  changeOf(version: number, edits: readonly YamlEdit[]): Promise<string>;
  /** Sends messages right behind each other, as the page does that hears nothing meanwhile. */
  send(...messages: readonly PageMessage[]): void;
  /** Waits until the page has heard that a change was refused. Gives the words of the refusal. */
  refusal(id: number): Promise<string>;
  /** Requests what a button of the page requests. Gives what the page is told. */
  ask(action: FormAction): Promise<EditorMessages['said']>;
  /** Brings the form to the front. */
  show(): Promise<void>;
  /** Closes the tab of the form. */
  close(): Promise<void>;
}

/** Sets a top-level key of a spec, or removes it. */
export const setKey = (key: string, text?: string): PathEdit => ({
  kind: 'set',
  path: [key],
  ...(text !== undefined && { value: { style: 'inline', text } }),
});

export interface Forms {
  /** Watches the forms that the extension serves from now on. */
  watch(provider: vscode.CustomTextEditorProvider): void;
  /** The open forms, the oldest first. */
  readonly all: readonly Form[];
  /** Opens a file in the form. */
  open(file: vscode.Uri): Promise<Form>;
  /** Waits until the form that was opened last has this title, and is in front. */
  inFront(title: string): Promise<Form>;
}

export function watchForms({ happened, until }: Pick<Changes, 'happened' | 'until'>): Forms {
  const open: Form[] = [];

  const inFront = async (title: string): Promise<Form> => {
    const form = await until(() => {
      const last = open.at(-1);
      if (last?.context().title === title) return last;
      throw new Error(`The form that was opened last is called "${last?.context().title}", not "${title}".`);
    });
    await form.show();
    return form;
  };
  return {
    all: open,
    inFront,
    watch(provider) {
      const resolve = provider.resolveCustomTextEditor.bind(provider);
      const watching: vscode.CustomTextEditorProvider = {
        resolveCustomTextEditor: async (document, panel, token) => {
          const form = watchForm(document, panel, { happened, until });
          open.push(form);
          panel.onDidDispose(() => (open.splice(open.indexOf(form), 1), happened()));
          await resolve(document, panel, token);
        },
      };
      Object.assign(provider, watching);
    },
    async open(file) {
      await vscode.commands.executeCommand('deploymentManager.editResourceSpec', file);
      return inFront(`Resources: ${path.posix.basename(file.path)}`);
    },
  };
}

/** Numbers of changes that the page itself doesn't reach. */
const firstId = 1000;

function watchForm(
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
  { happened, until }: Pick<Changes, 'happened' | 'until'>,
): Form {
  const { webview } = panel;
  const tellPage = webview.postMessage.bind(webview);
  const onMessage = webview.onDidReceiveMessage.bind(webview);
  let tellEditor: (message: PageMessage) => void = () => undefined;
  let setup: EditorMessages['setup'] | undefined;
  let text = '';
  let version = 0;
  let applied = 0;
  let id = firstId;
  let isOpen = true;
  let isUnheard = false;
  const refusals = new Map<number, string>();
  let said: ((message: EditorMessages['said']) => void)[] = [];

  panel.onDidChangeViewState(() => {
    if (!panel.visible) setup = undefined;
    happened();
  });
  const answer = (message: EditorMessages['said']): void => {
    for (const each of said) each(message);
    said = [];
  };
  panel.onDidDispose(() => {
    isOpen = false;
    answer({ type: 'said', failed: false, message: '', canUndo: false });
  });
  Object.assign(webview, {
    onDidReceiveMessage: (listener: typeof tellEditor) => {
      tellEditor = listener;
      return onMessage((message: PageMessage) => {
        listener(message);
        if (message.type === 'heard') isUnheard = false;
        happened();
      });
    },
    postMessage: (message: EditorMessage) => {
      if (message.type === 'setup') setup = message;
      if (message.type === 'setup' || message.type === 'refused') isUnheard = message.type === 'refused';
      if (message.type === 'context' && setup !== undefined) setup = { ...setup, context: message.context };
      if (message.type === 'setup' || message.type === 'text') ({ text, version } = message);
      if (message.type === 'text') ({ applied } = message);
      if (message.type === 'refused') refusals.set(message.id, message.message);
      if (message.type === 'said') answer(message);
      happened();
      return tellPage(message);
    },
  });

  const context = (): FormContext => {
    if (setup === undefined) throw new Error('The page has been told nothing yet.');
    return setup.context;
  };
  const show = async (): Promise<void> => {
    panel.reveal(panel.viewColumn);
    await until(() => {
      if (!panel.active || setup === undefined) throw new Error('The form is not in front.');
    });
  };
  const changeOf = async (of: number, edits: readonly YamlEdit[]): Promise<string> => {
    await show();
    id += 1;
    const own = id;
    tellEditor({ type: 'change', id: own, version: of, edits });
    await until(() => {
      if (isUnheard || (applied < own && !refusals.has(own))) throw new Error('The document does not have the change.');
    });
    return refusals.get(own) ?? '';
  };
  return {
    document,
    context,
    text: () => text,
    change: (...edits) => changeOf(version, edits),
    changeOf,
    send: (...messages) => {
      for (const message of messages) tellEditor(message);
    },
    refusal: (of) =>
      until(() => {
        const words = refusals.get(of);
        if (words === undefined || isUnheard) throw new Error('The page has not heard of the refusal.');
        return words;
      }),
    async ask(action) {
      const answered = new Promise<EditorMessages['said']>((resolve) => said.push(resolve));
      tellEditor({ type: 'action', action });
      return answered;
    },
    show,
    async close() {
      await show();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until(() => {
        if (isOpen) throw new Error('The form is still open.');
      });
    },
  };
}
