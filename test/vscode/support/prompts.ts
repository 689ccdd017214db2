import * as vscode from 'vscode';
import type { Changes } from './changes.ts';

type Pick = vscode.QuickPick<vscode.QuickPickItem>;
type Input = Pick | vscode.InputBox;

/** The box at the top in which VS Code asks, read and answered through what the extension shows. */
export interface QuickInput {
  isOpen(): boolean;
  /** The title with its step, such as `Add Connection (2/4)`; empty when nothing is asked. */
  title(): string;
  /** What an input box asks or why it refuses a value; the placeholder of a list. */
  message(): string;
  /** The rows as label, description and detail with single blanks between; without icons and separators. */
  rows(): string[];
  /** The title of the last question that was left or answered; empty without one. */
  ended(): string;
  /** The box itself, for what is not read here. */
  box(): Input;
  /** Waits for the row with this label, or with this text as `rows` gives it, and accepts it. */
  choose(label: string | RegExp): Promise<void>;
  /** Ticks exactly these rows of a list that takes several, and accepts. */
  tick(...labels: readonly string[]): Promise<void>;
  /** Presses the button with this tooltip in a row. */
  pressInRow(label: string | RegExp, tooltip: string): Promise<void>;
  /** Waits until the box asks under this title, as `title` gives it, types the text and accepts it. */
  answer(title: string, text: string): Promise<void>;
  /** Waits until the box asks under this title. */
  asked(title: string | RegExp): Promise<void>;
  /** Replaces the text in the line, as typing does. */
  fill(text: string): Promise<void>;
  accept(): Promise<void>;
  /** Goes to the question before. */
  goBack(): Promise<void>;
  /** Leaves with Escape. */
  cancel(): Promise<void>;
  /** Waits until nothing is asked. */
  closed(): Promise<void>;
}

const acceptCommand = 'workbench.action.acceptSelectedQuickOpenItem';

/** Listeners that VS Code does not call for what a test does, by their box. */
interface Listeners {
  value?: (text: string) => unknown;
  itemButton?: (event: vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>) => unknown;
}

/** Watches what the extension shows with `createQuickPick` and `createInputBox`; VS Code shows it all the same. */
export function watchPrompts({ happened, until }: Changes): QuickInput {
  const { createQuickPick, createInputBox } = vscode.window;
  const listeners = new WeakMap<Input, Listeners>();
  let shown: Input | undefined;
  let ended = '';

  function watched<Box extends Input>(real: Box): Box {
    const heard: Listeners = {};
    const proxy: Box = new Proxy(real, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...parameters: [never]) => {
          if (name === 'show') shown = proxy;
          if (name === 'onDidChangeValue') [heard.value] = parameters;
          if (name === 'onDidTriggerItemButton') [heard.itemButton] = parameters;
          happened();
          return Reflect.apply(value, target, parameters);
        };
      },
      set(target, name, value) {
        happened();
        return Reflect.set(target, name, value, target);
      },
    });
    listeners.set(proxy, heard);
    real.onDidHide(() => {
      if (shown === proxy) {
        ended = title();
        shown = undefined;
      }
      happened();
    });
    return proxy;
  }
  Object.assign(vscode.window, {
    createQuickPick: () => watched(createQuickPick()),
    createInputBox: () => watched(createInputBox()),
  });

  const box = (): Input => {
    if (shown === undefined) throw new Error('Nothing is asked.');
    return shown;
  };
  const list = (): Pick => {
    const found = box();
    if (isList(found)) return found;
    throw new Error(`"${title()}" asks for a text.`);
  };
  const row = (label: string | RegExp): vscode.QuickPickItem => {
    const found = rowsOf(list()).find((item) => fits(plain(item.label), label) || textOf(item) === label);
    if (found === undefined) throw new Error(`No row is called ${label}. The rows are:\n${rows().join('\n')}`);
    return found;
  };
  const rows = (): string[] => (shown === undefined || !isList(shown) ? [] : rowsOf(shown).map(textOf));
  const title = (): string => {
    if (shown === undefined) return '';
    const { title: words = '', step, totalSteps } = shown;
    return step === undefined || totalSteps === undefined ? words : `${words} (${step}/${totalSteps})`;
  };
  const asked = (wanted: string | RegExp): Promise<void> =>
    until(() => {
      if (!fits(title(), wanted)) throw new Error(`The box asks "${title()}", not "${wanted}".`);
    });
  const run = async (command: string): Promise<void> => {
    // VS Code collects what is set on a box until the next turn.
    await turn();
    await vscode.commands.executeCommand(command);
  };
  const accept = (): Promise<void> => run(acceptCommand);
  const fill = async (text: string): Promise<void> => {
    const line = box();
    line.value = text;
    // VS Code tells the extension of a list that is filtered, but not of a text that is set.
    if (!isList(line)) listeners.get(line)?.value?.(text);
  };

  return {
    isOpen: () => shown !== undefined,
    title,
    message() {
      if (shown === undefined) return '';
      if (isList(shown)) return shown.placeholder ?? '';
      const { validationMessage = '', prompt = '' } = shown;
      return (typeof validationMessage === 'string' ? validationMessage : validationMessage.message) || prompt;
    },
    rows,
    ended: () => ended,
    box,
    async choose(label) {
      await until(async () => {
        const box = list();
        const active = row(label);
        box.activeItems = [active];
        await turn();
        // Rows that the extension has replaced meanwhile are looked up again: nothing would be active.
        if (shown !== box || !box.items.includes(active)) throw new Error(`The row ${label} was replaced.`);
      });
      await vscode.commands.executeCommand(acceptCommand);
    },
    async tick(...labels) {
      const wanted = await until(() => labels.map((label) => row(label)));
      list().selectedItems = wanted;
      await accept();
    },
    async pressInRow(label, tooltip) {
      const { item, button } = await until(() => {
        const found = row(label);
        const pressed = found.buttons?.find((each) => each.tooltip === tooltip);
        if (pressed === undefined) throw new Error(`"${found.label}" has no button "${tooltip}".`);
        return { item: found, button: pressed };
      });
      listeners.get(list())?.itemButton?.({ item, button });
    },
    async answer(wanted, text) {
      await asked(wanted);
      await fill(text);
      await accept();
    },
    asked,
    fill,
    accept,
    goBack: () => run('workbench.action.quickInputBack'),
    cancel: () => run('workbench.action.closeQuickOpen'),
    closed: () =>
      until(() => {
        if (shown !== undefined) throw new Error(`"${title()}" is still asked.`);
      }),
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function isList(input: Input): input is Pick {
  return 'items' in input;
}

function rowsOf({ items }: Pick): readonly vscode.QuickPickItem[] {
  return items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
}

function textOf({ label, description = '', detail = '' }: vscode.QuickPickItem): string {
  return [label, description, detail].map(plain).filter(Boolean).join(' ');
}

function plain(text: string): string {
  return text.replaceAll(/\$\([\w~-]+\)/g, '').trim();
}

function fits(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}
