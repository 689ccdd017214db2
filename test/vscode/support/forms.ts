import path from 'node:path';
import * as vscode from 'vscode';
import type {
  Draft,
  FormAction,
  FormMessage,
  FormState,
  HostMessage,
  ReplyMessage,
} from '../../../src/ui/resourceForm/protocol.ts';
import { expect, happened, run, until } from './window.ts';

/** A resource form with its real page, used through the messages that page and extension exchange. */
export interface Form {
  /** What the page holds, as it said last. */
  state(): FormState;
  /** Makes the page from its state with these changes; the page tells the extension of them as if they were typed. */
  change(changes: Partial<FormState>): Promise<void>;
  /** Asks the extension for what a button of the page asks for. Gives the answer that the page gets. */
  ask(action: FormAction): Promise<ReplyMessage>;
  /** Saves with the command that the key for saving runs, and gives the answer that the page gets. */
  save(): Promise<ReplyMessage>;
  /** Brings the form to the front. */
  show(): Promise<void>;
  /** Closes the tab of the form. */
  close(): Promise<void>;
}

/** A drafted field as the state of a form has it. */
export const drafted = (key: string, text: string): Draft[] => [{ key, content: { kind: 'yaml', text } }];

const open: { readonly panel: vscode.WebviewPanel; readonly form: Form }[] = [];

const { createWebviewPanel } = vscode.window;
Object.assign(vscode.window, {
  createWebviewPanel: (...parameters: Parameters<typeof createWebviewPanel>) => {
    const panel = createWebviewPanel(...parameters);
    const entry = { panel, form: watchForm(panel) };
    open.push(entry);
    panel.onDidDispose(() => (open.splice(open.indexOf(entry), 1), happened()));
    return panel;
  },
});

/** The open forms with this title, the oldest first. */
export function formsCalled(title: string): Form[] {
  return open.filter(({ panel }) => panel.title === title).map(({ form }) => form);
}

/** Opens an empty form, or one on a file. */
export async function openForm(file?: vscode.Uri): Promise<Form> {
  await run('editResourceSpec', file);
  return formInFront(file === undefined ? 'Resources' : `Resources: ${path.posix.basename(file.path)}`);
}

/** Waits until the form that was opened last has this title and is in front. */
export async function formInFront(title: string): Promise<Form> {
  const form = await until(() => {
    const last = open.at(-1);
    if (last?.panel.title === title) return last.form;
    throw new Error(`The form that was opened last is called "${last?.panel.title}", not "${title}".`);
  });
  await form.show();
  return form;
}

/** Closes all forms, and leaves none of them offered back. */
export async function closeForms(): Promise<void> {
  for (const { form } of open.slice()) {
    await form.change({ drafts: [] });
    await form.ask('copy');
    await form.close();
  }
}

function watchForm(panel: vscode.WebviewPanel): Form {
  const { webview } = panel;
  const tellPage = webview.postMessage.bind(webview);
  const onMessage = webview.onDidReceiveMessage.bind(webview);
  let tellExtension: (message: FormMessage) => void = () => undefined;
  let held: FormState | undefined;
  let id = '';
  let isReady = false;
  let waiting: ((reply: ReplyMessage) => void)[] = [];

  onMessage((message: FormMessage) => {
    if (message.type === 'ready') isReady = false;
    if (message.type !== 'state') return;
    held = message.state;
    isReady = true;
    happened();
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) isReady = false;
    happened();
  });
  Object.assign(webview, {
    onDidReceiveMessage: (listener: typeof tellExtension) => {
      tellExtension = listener;
      return onMessage(listener);
    },
    postMessage: (message: HostMessage) => {
      if (message.type === 'setup') ({ id } = message);
      if (message.type === 'context' && held !== undefined) held = { ...held, context: message.context };
      if (message.type === 'reply') {
        for (const answer of waiting) answer(message);
        waiting = [];
      }
      return tellPage(message);
    },
  });

  const state = (): FormState => {
    if (held === undefined) throw new Error(`The page of "${panel.title}" has said nothing yet.`);
    return held;
  };
  const reply = (): Promise<ReplyMessage> => new Promise((resolve) => waiting.push(resolve));
  const show = async (): Promise<void> => {
    panel.reveal();
    await until(() => {
      if (!panel.active || !isReady) throw new Error(`"${panel.title}" is not in front.`);
    });
  };
  return {
    state,
    async change(changes) {
      await show();
      const wanted = { ...state(), ...changes };
      await tellPage({ type: 'setup', id, translations: {}, state: wanted } satisfies HostMessage);
      await expect.poll(state).toMatchObject(changes);
    },
    async ask(action) {
      const answered = reply();
      tellExtension({ type: 'request', id: 0, action, text: state().text });
      return answered;
    },
    async save() {
      await show();
      const answered = reply();
      await run('saveResourceSpec');
      return answered;
    },
    show,
    async close() {
      await show();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until(() => {
        if (open.some((entry) => entry.panel === panel)) throw new Error(`"${panel.title}" is still open.`);
      });
    },
  };
}
