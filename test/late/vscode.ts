import * as vscode from 'vscode';
import { late, lateness } from './late.ts';

// Takes the place of `vscode` in a late build: prompts and messages appear late, and views get their rows late.

export * from 'vscode';

export const window = new Proxy(vscode.window, {
  get: (real, name) => Reflect.get(name in lateWindow ? lateWindow : real, name),
});

/**
 * VS Code 1.106 requests the same rows twice at once if it looks one up to reveal it while it refreshes them. When both
 * answers are late, it refuses the second one ("already registered") and shows none of the rows: "Data tree node not
 * found". Rows that the extension has are never late in earnest: only the answer of a service is, which is late here too.
 */
const losesLateRows = vscode.version.startsWith('1.106.');

// Each call looks up the real function, which tests replace.
const lateWindow = {
  createQuickPick: () => lateBox(vscode.window.createQuickPick()),
  createInputBox: () => lateBox(vscode.window.createInputBox()),
  createTreeView: (id: string, options: vscode.TreeViewOptions<unknown>) => {
    const { treeDataProvider: provider } = options;
    if (losesLateRows) return vscode.window.createTreeView(id, options);
    const getChildren = provider.getChildren.bind(provider);
    // In their order: a view that gets two answers in the wrong one stays empty.
    let delivered: Promise<unknown> = Promise.resolve();
    provider.getChildren = async (parent) => {
      const rows = await getChildren(parent);
      delivered = Promise.all([delivered, late('rows')]);
      await delivered;
      return rows;
    };
    return vscode.window.createTreeView(id, options);
  },
  ...Object.fromEntries(
    (
      ['showErrorMessage', 'showInformationMessage', 'showOpenDialog', 'showSaveDialog', 'showWarningMessage'] as const
    ).map((name) => [
      name,
      async (...parameters: unknown[]) => {
        await late('prompt');
        return Reflect.apply(vscode.window[name], vscode.window, parameters);
      },
    ]),
  ),
};

function lateBox<Box extends vscode.QuickInput>(box: Box): Box {
  let showing: NodeJS.Timeout | undefined;
  const calls: Readonly<Record<string | symbol, () => void>> = {
    show: () => {
      showing = setTimeout(() => box.show(), lateness('prompt'));
    },
    hide: () => {
      clearTimeout(showing);
      box.hide();
    },
    dispose: () => {
      clearTimeout(showing);
      box.dispose();
    },
  };
  return new Proxy(box, {
    get(_box, name) {
      const value: unknown = calls[name] ?? Reflect.get(box, name);
      return typeof value === 'function' ? value.bind(box) : value;
    },
    set: (_box, name, value) => Reflect.set(box, name, value),
  });
}
