import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { DocumentPlace } from './documentResources.ts';
import { isCancelled } from './errors.ts';
import {
  type AnyRow,
  endKey,
  endLines,
  isEndRow,
  type ListState,
  listRows,
  type TreeRow,
  viewEnd,
} from './listRows.ts';
import type { Log } from './log.ts';
import { type Line, markdown, type RowView, toTreeItem } from './rowLook.ts';

/** What commands want to know of any row. */
export interface RowFacts {
  readonly id: string;
  readonly name?: string | undefined;
  /** Where a document about the row finds it. */
  readonly place?: DocumentPlace | undefined;
}

/** What a command can do with a row of any view. A row without facts is none of the service's things. */
export interface RowTarget extends Partial<RowFacts> {
  /** Asks again for the list that the row belongs to. */
  readonly reload: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
}

/** A view as the commands see it that work in all views. */
export interface RowsView {
  readonly visible: boolean;
  /** Loads anew what was opened, with progress shown in the view. */
  readonly refresh: () => Promise<void>;
  /** What can be done with the row that a command is about; undefined where that is no row of this view. */
  readonly targetOf: (argument: unknown) => RowTarget | undefined;
}

/** What a view says about its rows as a whole. */
export interface Heading {
  /** Stands beside the title. */
  readonly description: string;
  /** Stands above the rows, mostly where there are none; an empty one hides it. */
  readonly message: string;
}

export interface RowTreeDependencies {
  readonly connections: Connections;
  readonly log: Log;
}

/**
 * A view that is drawn from stores: only what looks different is drawn again, and a new connection starts it anew. Rows
 * are names of things; what they show is looked up in the stores when they are drawn.
 */
export abstract class RowTree<R extends AnyRow> implements vscode.TreeDataProvider<TreeRow<R>>, RowsView {
  readonly #viewId: string;
  readonly #dependencies: RowTreeDependencies;
  readonly #changed = new vscode.EventEmitter<TreeRow<R> | undefined>();
  readonly #subscriptions: Disposable[];
  /** VS Code tells rows apart by identity, so that each row is made once. */
  readonly #rows = new Map<string, TreeRow<R>>();
  /** What was last drawn of each row, and which children it had. */
  readonly #drawn = new Map<string, string>();
  readonly #children = new Map<string, string>();

  readonly view: vscode.TreeView<TreeRow<R>>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(viewId: string, dependencies: RowTreeDependencies) {
    this.#viewId = viewId;
    this.#dependencies = dependencies;
    this.view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = [
      this.view,
      this.#changed,
      dependencies.connections.onDidChange(() => {
        this.#restart();
        this.describe();
      }),
      // VS Code keeps the rows below a closed one, so that opening it again asks for nothing.
      this.view.onDidExpandElement(({ element: row }) => isEndRow(row) || void this.load(row)),
      this.view.onDidCollapseElement(({ element: row }) => isEndRow(row) || this.close(row)),
    ];
  }

  /** Unique in the whole tree and the same after each refresh, so that selection and expansion stay. */
  protected abstract keyOf(row: R): string;
  protected abstract parentOf(row: R): R | undefined;
  /** The list below a row, or else the topmost one, as far as it is known now. */
  protected abstract listBelow(parent: R | undefined): ListState;
  /** The row of an item of the list below a row. */
  protected abstract rowBelow(parent: R | undefined, id: string): R;
  /** Asks the service for the list below a row that was opened, unless it was asked for before. */
  protected abstract load(parent: R | undefined): Promise<void>;
  /** Asks again for the list below a row. */
  protected abstract reload(parent: R | undefined): Promise<void>;
  protected abstract look(row: R): RowView;
  /** What the tooltip of a row says. */
  protected abstract linesOf(row: R): readonly Line[];
  protected abstract factsOf(row: R): RowFacts | undefined;
  protected abstract heading(): Heading;
  abstract refresh(): Promise<void>;

  /** Loads the next page of the list below a row. Most lists come whole, so that there is never more of them. */
  protected async loadMore(_parent: R | undefined): Promise<void> {}

  /** Hears of a row that was closed. */
  protected close(_row: R): void {}

  /** The rows below a row, or else the topmost ones, as far as they are known now. */
  protected childrenOf(parent: R | undefined): readonly TreeRow<R>[] {
    return listRows(this.listBelow(parent), parent, (id) => this.rowBelow(parent, id));
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.view.onDidChangeVisibility;
  }

  /** The row of this tree that a command was called with; undefined for anything else. */
  find(argument: unknown): TreeRow<R> | undefined {
    for (const row of this.#rows.values()) if (row === argument) return row;
    return undefined;
  }

  /** The row that a command is about: the one that it was called with, or the selected one where it was called without. */
  rowOf(argument: unknown): TreeRow<R> | undefined {
    return this.find(argument === undefined ? this.view.selection[0] : argument);
  }

  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.rowOf(argument);
    if (row === undefined) return undefined;
    const parent = this.#parentOf(row);
    return {
      ...(isEndRow(row) ? {} : this.factsOf(row)),
      reload: () => this.whileLoading(() => this.reload(parent)),
      loadMore: () => this.whileLoading(() => this.loadMore(parent)),
    };
  }

  getTreeItem(row: TreeRow<R>): vscode.TreeItem {
    const view = this.#look(row);
    this.#drawn.set(view.key, JSON.stringify(view));
    return toTreeItem(view, row);
  }

  resolveTreeItem(item: vscode.TreeItem, row: TreeRow<R>): vscode.TreeItem {
    item.tooltip = markdown(isEndRow(row) ? endLines(row, this.listBelow(row.parent)) : this.linesOf(row));
    return item;
  }

  getParent(row: TreeRow<R>): TreeRow<R> | undefined {
    const parent = this.#parentOf(row);
    return parent === undefined ? undefined : this.#row(parent);
  }

  async getChildren(parent?: TreeRow<R>): Promise<TreeRow<R>[]> {
    const session = await this.#dependencies.connections.current();
    if (session.kind !== 'ready' || (parent !== undefined && isEndRow(parent))) return [];
    // A row of the connection before, which VS Code still has, means nothing to the new one.
    if (parent !== undefined && this.find(parent) !== parent) return [];
    // Nothing of the connection before stays while the new one answers; its answer redraws the topmost rows.
    if (parent === undefined && !this.#children.has('')) void this.whileLoading(() => this.load(parent));
    else await this.load(parent);
    if (session !== this.#dependencies.connections.session) return [];
    const rows = this.childrenOf(parent).map((row) => this.#row(row));
    this.#children.set(this.#keyOf(parent), this.#keysOf(rows));
    if (parent === undefined) this.#forgetOthers(rows);
    return rows;
  }

  /** Selects a row and brings it into sight, so that the person sees what they have just made or asked for. */
  async reveal(row: R, { focus = false, expand = false } = {}): Promise<void> {
    try {
      // VS Code finds a row only among those that it is given, and the first answer to it does not wait for them.
      if (!this.#children.has('')) await this.load(undefined);
      await this.view.reveal(this.#row(row), { select: true, focus, expand });
    } catch (error) {
      // The row may be filtered out or the view hidden; the thing itself is not affected.
      if (!isCancelled(error)) this.#dependencies.log.debug('The row cannot be shown.', error);
    }
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return vscode.window.withProgress({ location: { viewId: this.#viewId } }, task);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Ends these together with the view. */
  protected own(...subscriptions: readonly Disposable[]): void {
    this.#subscriptions.push(...subscriptions);
  }

  /** Says around the rows what the heading is now. */
  protected describe(): void {
    const { session } = this.#dependencies.connections;
    const { description, message } = this.heading();
    this.view.description = description;
    // It stands in place of the words for a key that is not there at all.
    this.view.message = session.kind === 'keyMissing' ? (session.error?.message ?? '') : message;
  }

  /** Describes the view again, and redraws a list whose rows are others than before, else the rows that look different. */
  protected redraw(): void {
    this.describe();
    const root = this.#children.get('');
    if (root === undefined) return;
    if (root === this.#keysOf(this.childrenOf(undefined))) this.#redrawWhere(() => true);
    else this.#changed.fire(undefined);
  }

  /** Describes the view again, and redraws what looks different of a row and of the rows below it. */
  protected redrawBelow(top: R): void {
    this.describe();
    const key = this.keyOf(top);
    const isBelow = (row: TreeRow<R> | undefined): boolean =>
      row !== undefined && (this.#keyOf(row) === key || isBelow(this.#parentOf(row)));
    this.#redrawWhere(isBelow);
  }

  #redrawWhere(isMeant: (row: TreeRow<R>) => boolean): void {
    for (const [key, drawn] of this.#drawn) {
      const row = this.#rows.get(key);
      if (row === undefined || !isMeant(row)) continue;
      const children = this.#children.get(key);
      const isOther = JSON.stringify(this.#look(row)) !== drawn;
      const hasOthers = children !== undefined && !isEndRow(row) && children !== this.#keysOf(this.childrenOf(row));
      // A closed row is asked for its rows when it is opened again, not before.
      if (hasOthers) this.#children.delete(key);
      if (isOther || hasOthers) this.#changed.fire(row);
    }
  }

  #restart(): void {
    this.#rows.clear();
    this.#drawn.clear();
    this.#children.clear();
    this.#changed.fire(undefined);
  }

  /** Forgets the rows that are no longer below any of the topmost ones. */
  #forgetOthers(topmost: readonly TreeRow<R>[]): void {
    const keys = new Set(topmost.map((row) => this.#keyOf(row)));
    const isShown = (row: TreeRow<R>): boolean => {
      const parent = this.#parentOf(row);
      return parent === undefined ? keys.has(this.#keyOf(row)) : isShown(parent);
    };
    for (const [key, row] of this.#rows) {
      if (isShown(row)) continue;
      for (const known of [this.#rows, this.#drawn, this.#children]) known.delete(key);
    }
  }

  #look(row: TreeRow<R>): RowView {
    return isEndRow(row) ? viewEnd(row, this.#keyOf(row), this.listBelow(row.parent)) : this.look(row);
  }

  #parentOf(row: TreeRow<R>): R | undefined {
    return isEndRow(row) ? row.parent : this.parentOf(row);
  }

  /** The one row that stands for this name. */
  #row(row: TreeRow<R>): TreeRow<R> {
    const key = this.#keyOf(row);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, row);
    return row;
  }

  #keyOf(row: TreeRow<R> | undefined): string {
    if (row === undefined) return '';
    return isEndRow(row) ? endKey(row, this.#keyOf(row.parent)) : this.keyOf(row);
  }

  #keysOf(rows: readonly TreeRow<R>[]): string {
    return JSON.stringify(rows.map((row) => this.#keyOf(row)));
  }
}
