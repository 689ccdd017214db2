import * as vscode from 'vscode';
import type { PathEdit } from '../../../src/core/yaml/edit.ts';
import type { FromPageMessage, FromPageMessages } from '../../../src/ui/deploy/page/pageMessages.ts';
import type {
  PageButton,
  PageDeployment,
  PageState,
  ToPageMessage,
  ToPageMessages,
} from '../../../src/ui/deploy/page/protocol.ts';
import type { TypedInput } from '../../../src/ui/page/yamlEdits.ts';
import type { Changes } from './changes.ts';

/** A deployment page with its real page, used through the messages that page and editor exchange. */
export interface Page {
  readonly document: vscode.TextDocument;
  /** What the page was told last. */
  state(): PageState;
  /** A deployment of the file, as the page shows it. */
  deployment(index?: number): PageDeployment;
  /** The messages of the findings, each after its severity. */
  findings(index?: number): string[];
  /** What a field shows: the value in the file, else the usual one with where it comes from. */
  field(key: string, index?: number): string;
  /** Types into a field as the page does. Gives the words of a refusal, or an empty text. */
  type(key: string, value: string, index?: number): Promise<string>;
  /** Types into a field that several deployments share, as `type` does. */
  typeShared(key: string, value: string): Promise<string>;
  /** Changes the resources of a deployment as the page does, as `type` does. */
  edit(edits: readonly PathEdit[], index?: number): Promise<string>;
  /** Changes the resources that several deployments share, as `type` does. */
  editShared(edits: readonly PathEdit[]): Promise<string>;
  /** Changes resources as `edit` does, on a page that was told of no newer version. */
  editOf(number: number, edits: readonly PathEdit[]): Promise<string>;
  /** Lets the page have heard that a change of resources was refused; of the shared ones without an index. */
  hear(index?: number): void;
  /** Waits for a button, presses it as the page does, and gives what the page is told. */
  press(label: string | RegExp, index?: number): Promise<ToPageMessages['said']>;
  /** Keeps YAML that was typed for a deployment's resources and can't be read, as the page does. */
  keep(text: string, index?: number): void;
  /** Tells what is being typed, as the page does with each key; nothing once it is sent, or taken back. */
  typing(typed?: TypedInput): void;
  /** Presses a button of a table's row, as `press` does. */
  pressInRow(row: string, label: string, index?: number): Promise<ToPageMessages['said']>;
  /** Whether the page was told something since it was shown, as one that was hidden is made anew. */
  isTold(): boolean;
  /** Everything that the page was told, as text. */
  heard(): string;
  /** What a person can do and read on the page, for a test that fails. */
  describe(index?: number): string;
  /** Closes the tab of the page. */
  close(): Promise<void>;
}

export interface Pages {
  /** Watches the pages that the extension serves from now on. */
  watch(provider: vscode.CustomTextEditorProvider): void;
  /** Opens the page of a deployment file, and waits until it was checked. */
  open(file: vscode.Uri): Promise<Page>;
  /** Waits for the page that is in front, until it was checked. */
  inFront(): Promise<Page>;
  /** The pages that are open, for a test that fails. */
  describe(): string[];
}

export function watchPages({ happened, until }: Pick<Changes, 'happened' | 'until'>): Pages {
  const open = new Map<string, Page>();
  return {
    watch(provider) {
      const resolve = provider.resolveCustomTextEditor.bind(provider);
      const watching: vscode.CustomTextEditorProvider = {
        resolveCustomTextEditor: async (document, panel, token) => {
          const key = document.uri.toString();
          open.set(key, watchPage(document, panel, { happened, until }));
          panel.onDidDispose(() => (open.delete(key), happened()));
          await resolve(document, panel, token);
        },
      };
      Object.assign(provider, watching);
    },
    async open(file) {
      await vscode.commands.executeCommand('deploymentManager.deployFile', file);
      return until(() => checkedPage(open.get(file.toString())));
    },
    async inFront() {
      return until(() => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return checkedPage(input instanceof vscode.TabInputCustom ? open.get(input.uri.toString()) : undefined);
      });
    },
    describe: () => [...open].map(([file, page]) => `Page of ${file}:\n${page.describe()}`),
  };
}

function checkedPage(page: Page | undefined): Page {
  if (page?.isTold() !== true) throw new Error('The page was told nothing since it is shown.');
  if (page.state().deployments.some(({ isChecking }) => isChecking)) throw new Error('The page is not checked.');
  return page;
}

/** Numbers of changes that the page itself doesn't reach. */
const firstId = 1000;

function watchPage(
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
  { happened, until }: Pick<Changes, 'happened' | 'until'>,
): Page {
  const { webview } = panel;
  const tellPage = webview.postMessage.bind(webview);
  const onMessage = webview.onDidReceiveMessage.bind(webview);
  let tellEditor: (message: FromPageMessage) => void = () => undefined;
  let last: PageState | undefined;
  let id = firstId;
  let isOpen = true;
  let isTold = false;
  const refusals = new Map<number, string>();
  const heard: string[] = [];
  /** The types of what the page said. */
  const said: string[] = [];
  let answers: ((said: ToPageMessages['said']) => void)[] = [];
  const answer = (said: ToPageMessages['said']): void => {
    for (const each of answers) each(said);
    answers = [];
  };
  panel.onDidChangeViewState(() => {
    if (!panel.visible) isTold = false;
  });
  panel.onDidDispose(() => {
    isOpen = false;
    answer({ type: 'said', failed: false, message: '' });
  });
  Object.assign(webview, {
    onDidReceiveMessage: (listener: typeof tellEditor) => {
      tellEditor = listener;
      return onMessage((message: FromPageMessage) => (said.push(message.type), listener(message), happened()));
    },
    postMessage: (message: ToPageMessage) => {
      heard.push(JSON.stringify(message));
      if (message.type === 'setup' || message.type === 'state') {
        last = message.state;
        isTold = true;
      }
      if (message.type === 'refused') refusals.set(message.id, message.message);
      if (message.type === 'said') answer(message);
      happened();
      return tellPage(message);
    },
  });
  const state = (): PageState => {
    if (last === undefined) throw new Error('The page has been told nothing yet.');
    return last;
  };
  const deployment = (index = 0): PageDeployment => {
    const shown = state().deployments[index];
    if (shown === undefined) throw new Error(`The page has no deployment ${index}.`);
    return shown;
  };
  const buttonsOf = (index: number) => {
    const { findings, tables, groups, progress, deploy, buttons: own } = deployment(index);
    const { deploy: all, buttons } = state();
    return [
      ...(deploy === undefined ? [] : [deploy]),
      ...own,
      ...(all === undefined ? [] : [all]),
      ...buttons,
      ...(state().shared?.fields ?? []).flatMap(({ label, pick }) =>
        pick ? [{ ...pick, label: `All ${label}` }] : [],
      ),
      ...(state().sharedResources?.starts ?? []).map((start) => ({ ...start, label: `All ${start.label}` })),
      ...findings.flatMap((finding) => finding.buttons),
      ...tables.flatMap(({ rows, buttons: ofTable }) => [...ofTable, ...rows.flatMap((row) => row.buttons)]),
      ...groups.flatMap(({ fields }) => fields.flatMap(({ label, pick }) => (pick ? [{ ...pick, label }] : []))),
      ...(progress?.buttons ?? []),
    ];
  };
  const resourceButtonsOf = (index: number) => {
    const { starts = [], open } = deployment(index).resources ?? {};
    return [...starts, ...(open === undefined ? [] : [open])];
  };
  const press = async (find: () => PageButton): Promise<ToPageMessages['said']> => {
    const { id: button } = await until(find);
    const answered = new Promise<ToPageMessages['said']>((resolve) => answers.push(resolve));
    tellEditor({ type: 'press', id: button });
    return answered;
  };
  type Change =
    | Pick<FromPageMessages['change'], 'type' | 'number' | 'key' | 'value'>
    | Pick<FromPageMessages['editResources'], 'type' | 'number' | 'edits'>;
  const numberOf = (index: number): number => deployment(index).number;
  const change = async (changed: Change): Promise<string> => {
    id += 1;
    const own = id;
    tellEditor({ id: own, ...changed });
    return until(() => {
      const refusal = refusals.get(own);
      if (refusal === undefined && state().applied < own) throw new Error('The document does not have the change.');
      return refusal ?? '';
    });
  };
  const describe = (index = 0): string => {
    if (last?.deployments[index] === undefined)
      return `It was told nothing of deployment ${index}, and said: ${said.join(', ')}`;
    const { findings, facts, isChecking } = deployment(index);
    const labels = buttonsOf(index).map(({ label }) => label);
    return [...(isChecking ? ['checking'] : []), ...labels, ...findings.map(({ message }) => message), ...facts].join(
      '\n',
    );
  };
  return {
    document,
    state,
    deployment,
    findings: (index) => deployment(index).findings.map(({ severity, message }) => `${severity}: ${message}`),
    field(key, index) {
      const fields = deployment(index).groups.flatMap((group) => group.fields);
      const found = fields.find((field) => field.key === key);
      if (found === undefined) throw new Error(`The page has no field ${key}.`);
      return found.value === '' ? [found.usual, found.from].filter((words) => words !== '').join(' · ') : found.value;
    },
    type: (key, value, index = 0) => change({ type: 'change', number: numberOf(index), key, value }),
    typeShared: (key, value) => change({ type: 'change', key, value }),
    editOf: (number, edits) => change({ type: 'editResources', number, edits }),
    hear: (index) =>
      tellEditor({ type: 'heard', ofResources: true, number: index === undefined ? index : numberOf(index) }),
    edit: (edits, index = 0) => change({ type: 'editResources', number: numberOf(index), edits }),
    editShared: (edits) => change({ type: 'editResources', edits }),
    typing: (typed) => tellEditor({ type: 'typing', typed }),
    keep: (text, index = 0) => tellEditor({ type: 'keep', kept: [{ number: numberOf(index), key: 'sidecars', text }] }),
    press: (label, index = 0) =>
      press(() => {
        const isMeant = (shown: string): boolean => (typeof label === 'string' ? shown === label : label.test(shown));
        // "Deployment…" starts resources, and deploys nothing.
        const others = typeof label === 'string' ? resourceButtonsOf(index) : [];
        const found = [...buttonsOf(index), ...others].find((each) => isMeant(each.label));
        if (found === undefined)
          throw new Error(`The page has no button "${String(label)}". It shows:\n${describe(index)}`);
        return found;
      }),
    pressInRow: (row, label, index = 0) =>
      press(() => {
        const rows = deployment(index).tables.flatMap((table) => table.rows);
        const found = rows.find(({ name }) => name === row)?.buttons.find((each) => each.label === label);
        if (found === undefined) throw new Error(`The page has no button "${label}" at "${row}".`);
        return found;
      }),
    isTold: () => isTold,
    heard: () => heard.join('\n'),
    describe,
    async close() {
      panel.reveal(panel.viewColumn);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until(() => {
        if (isOpen) throw new Error('The page is still open.');
      });
    },
  };
}
