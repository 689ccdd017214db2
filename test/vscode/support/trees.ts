import * as vscode from 'vscode';
import type { Shown } from '../../../src/extension.ts';
import type { Changes } from './changes.ts';

export type ViewName = Capitalize<keyof Shown['trees']>;

/** A view as VS Code has it: what the extension answered when VS Code last asked. */
export interface Tree {
  /** The open rows as text, one a line: indented by level, `▾` open, `▸` closed, `-` without children. */
  rows(): string;
  /** What stands beside the title. */
  heading(): string;
  /** What stands above the rows. */
  message(): string;
  /** What a screen reader says of a row. */
  spoken(label: string | RegExp): string;
  /** The tags of a row, which the menus match. */
  tags(label: string | RegExp): string;
  /** The tooltip of a row as Markdown. */
  tooltip(label: string | RegExp): Promise<string>;
  /** The name of a row's icon. */
  icon(label: string | RegExp): string;
  /** The text of the selected row; empty without one. */
  selected(): string;
  /** The row, as a command of its menu gets it. */
  row(label: string | RegExp): object;
  /** Waits for the row. */
  shows(label: string | RegExp): Promise<object>;
  /** Does what a click on a row does: selects it and runs its command. */
  click(label: string | RegExp): Promise<void>;
  select(label: string | RegExp): Promise<void>;
  /** Opens a row, and waits until VS Code has asked for the rows below it. */
  expand(label: string | RegExp): Promise<void>;
  /** Opens the view's container and the view. */
  open(): Promise<void>;
  /** Takes the view out of its container until `open`; to the extension it is closed as by its title. */
  close(): Promise<void>;
  /** How often VS Code asked how a row looks, by label. */
  readonly drawn: string[];
}

type Shows = Shown['trees'][keyof Shown['trees']];

/** Watches what VS Code asks of a view; the view must not have been opened before. */
export function watchTree(name: ViewName, tree: Shows, { happened, until }: Changes): Tree {
  const { view } = tree;
  const items = new Map<object, vscode.TreeItem>();
  const below = new Map<object | undefined, readonly object[]>();
  /** The ids of rows: a new row of the same id stays open, and no event tells of it. */
  const open = new Set<string | undefined>();
  const drawn: string[] = [];
  /** How many requests for rows have no answer yet. */
  let asked = 0;
  const getTreeItem = tree.getTreeItem.bind(tree);
  const getChildren = tree.getChildren.bind(tree);
  Object.assign(tree, {
    getTreeItem: async (row: object) => {
      const item = await getTreeItem(row);
      items.set(row, item);
      drawn.push(labelOf(item));
      happened();
      return item;
    },
    getChildren: async (row?: object) => {
      asked += 1;
      try {
        const rows = (await getChildren(row)) ?? [];
        below.set(row, rows);
        return rows;
      } finally {
        asked -= 1;
        happened();
      }
    },
  });
  view.onDidChangeSelection(happened);
  view.onDidChangeVisibility(happened);
  const idOf = (row: object): string | undefined => items.get(row)?.id;
  view.onDidExpandElement(({ element }) => (open.add(idOf(element)), happened()));
  view.onDidCollapseElement(({ element }) => (open.delete(idOf(element)), happened()));

  const labelOf = ({ label = '' }: vscode.TreeItem): string => (typeof label === 'string' ? label : label.label);
  const textOf = (item: vscode.TreeItem): string =>
    [labelOf(item), typeof item.description === 'string' ? item.description : ''].filter(Boolean).join(' ');
  const isOpen = (row: object, item: vscode.TreeItem): boolean =>
    below.has(row) && (open.has(item.id) || item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded);
  const linesOf = (parent: object | undefined, indent: string): string[] =>
    (below.get(parent) ?? []).flatMap((row) => {
      const item = items.get(row);
      if (item === undefined) return [];
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.None) return [`${indent}- ${textOf(item)}`];
      if (!isOpen(row, item)) return [`${indent}▸ ${textOf(item)}`];
      return [`${indent}▾ ${textOf(item)}`, ...linesOf(row, `${indent}  `)];
    });
  const shownRows = (parent?: object): readonly object[] =>
    (below.get(parent) ?? []).flatMap((row) => {
      const item = items.get(row);
      return item !== undefined && isOpen(row, item) ? [row, ...shownRows(row)] : [row];
    });
  const rows = (): string => linesOf(undefined, '').join('\n');
  const row = (label: string | RegExp): object => {
    const found = shownRows().find((each) => {
      const item = items.get(each);
      if (item === undefined) return false;
      return typeof label === 'string' ? textOf(item).includes(label) : label.test(textOf(item));
    });
    if (found === undefined) throw new Error(`${name} shows no row "${label}", but:\n${rows()}`);
    return found;
  };
  const itemOf = (label: string | RegExp): vscode.TreeItem => {
    const item = items.get(row(label));
    if (item === undefined) throw new Error(`${label} was not drawn.`);
    return item;
  };
  /** VS Code may still have a row of the connection before. */
  const presentRow = (label: string | RegExp): object => {
    const shown = row(label);
    if (tree.find(shown) === undefined) throw new Error(`${label} is no longer a row of ${name}.`);
    return shown;
  };
  const shows = (label: string | RegExp): Promise<object> => until(() => presentRow(label));
  /**
   * Repeated, because VS Code can't reveal a row whose neighbors are replaced meanwhile, and closes a replaced row. Not
   * while VS Code asks for rows: if it gets the same ones twice at once, it may not find them again.
   */
  const reveal = (label: string | RegExp, expand = false): Promise<object> =>
    until(async () => {
      const wanted = presentRow(label);
      if (asked > 0) throw new Error(`VS Code still asks for rows of ${name}.`);
      await view.reveal(wanted, { select: true, expand });
      if (expand && !below.has(wanted)) throw new Error(`VS Code has not asked for what is below ${label}.`);
      return wanted;
    });
  const select = async (label: string | RegExp): Promise<void> => {
    const wanted = await reveal(label);
    await until(() => {
      const [selected] = view.selection;
      if (selected === undefined || idOf(selected) !== idOf(wanted)) throw new Error(`${label} is not selected.`);
    });
  };

  return {
    rows,
    heading: () => view.description ?? '',
    message: () => view.message ?? '',
    spoken: (label) => itemOf(label).accessibilityInformation?.label ?? '',
    tags: (label) => itemOf(label).contextValue ?? '',
    async tooltip(label) {
      const found = await shows(label);
      const { tooltip } = (await tree.resolveTreeItem?.(
        itemOf(label),
        found,
        new vscode.CancellationTokenSource().token,
      )) ?? { tooltip: undefined };
      return typeof tooltip === 'object' ? tooltip.value : (tooltip ?? '');
    },
    icon(label) {
      const { iconPath } = itemOf(label);
      return iconPath instanceof vscode.ThemeIcon ? iconPath.id : '';
    },
    selected() {
      const item = view.selection[0] && items.get(view.selection[0]);
      return item === undefined ? '' : textOf(item);
    },
    row,
    shows,
    select,
    async click(label) {
      await select(label);
      const { command } = itemOf(label);
      if (command !== undefined) await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    },
    async expand(label) {
      const wanted = await reveal(label, true);
      open.add(idOf(wanted));
    },
    async open() {
      // A view that has the focus takes it back when it is drawn again, which would close a list that was just opened.
      const focus = `deploymentManager.${name.toLowerCase()}.focus`;
      await vscode.commands.executeCommand(focus, { preserveFocus: true });
      await until(() => {
        if (!view.visible) throw new Error(`${name} is not visible.`);
      });
    },
    async close() {
      if (!view.visible) return;
      await vscode.commands.executeCommand(`deploymentManager.${name.toLowerCase()}.toggleVisibility`);
      await until(() => {
        if (view.visible) throw new Error(`${name} is still visible.`);
      });
    },
    drawn,
  };
}
