import * as vscode from 'vscode';
import { shortened } from '../../core/text/text.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Stores } from '../stores.ts';
import { type DocumentPlace, parsePlace } from './documentPlace.ts';
import { isCancelled } from './errors.ts';
import {
  describeCount,
  endLines,
  isEndRow,
  listRows,
  type ListState,
  loadingMessage,
  type TreeRow,
  viewEnd,
} from './listRows.ts';
import { type AnyRow, type Line, longestRow, markdown, rowKey, type RowView, toTreeItem } from './rowLook.ts';

/** A row of any view, as commands use it. Only a row of a resource has an id and a name. */
export interface RowTarget {
  readonly id?: string | undefined;
  readonly name?: string;
  /** The place of the row's resource, for documents. */
  readonly place?: DocumentPlace | undefined;
  /** Reloads the list that the row belongs to. */
  readonly reload: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
}

/** A view, as used by commands that work in all views. */
export interface RowsView {
  readonly view: { readonly visible: boolean };
  /** The row of this view that a command was called with; undefined for anything else. */
  readonly find: (argument: unknown) => object | undefined;
  readonly refresh: () => Promise<void>;
  /** The target of a command; undefined if its row isn't in this view. */
  readonly targetOf: (argument: unknown) => RowTarget | undefined;
}

/** A view's texts about all of its rows. */
export interface Heading {
  /** Shown next to the title. */
  readonly description: string;
  /** Shown above the rows, usually if there are none; empty hides it. */
  readonly message: string;
}

/** The requests for one list. One that the service sends in one response has no `loadMore`. */
export interface ListRequests {
  /** Loads the list, unless it was requested before. */
  readonly load: () => Promise<void>;
  /** Reloads the list; the top list with everything that was opened. */
  readonly refresh: () => Promise<void>;
  readonly loadMore?: () => Promise<void>;
}

/**
 * A tree view drawn from stores that redraws only changed rows.
 * Rows only identify resources; their content is looked up in the stores when they are drawn. A new connection starts
 * the view over.
 */
export abstract class RowTree<R extends AnyRow, Dependencies extends Pick<Stores, 'connections' | 'log'>>
  implements vscode.TreeDataProvider<TreeRow<R>>, RowsView
{
  protected readonly dependencies: Dependencies;
  readonly #viewId: string;
  readonly #changed = new vscode.EventEmitter<TreeRow<R> | undefined>();
  readonly #subscriptions: Disposable[];
  /** VS Code identifies rows by object identity, so each row is created once. */
  readonly #rows = new Map<string, TreeRow<R>>();
  /** The last drawn content of each row, and the keys of its children. */
  readonly #drawn = new Map<string, string>();
  readonly #children = new Map<string, string>();

  readonly view: vscode.TreeView<TreeRow<R>>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(viewId: string, dependencies: Dependencies) {
    this.#viewId = viewId;
    this.dependencies = dependencies;
    this.view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = [
      this.view,
      this.#changed,
      dependencies.connections.onDidChange(() => {
        this.#restart();
        this.describe();
      }),
      // VS Code keeps a collapsed row's children and doesn't request them again, so load them here.
      this.view.onDidExpandElement(({ element: row }) => isEndRow(row) || void this.requestsBelow(row).load()),
      this.view.onDidCollapseElement(({ element: row }) => isEndRow(row) || this.close(row)),
    ];
  }

  /** The current state of the list below a row, or of the top list. */
  protected abstract listBelow(parent: R | undefined): ListState;
  /** The row for an entry of the list below `parent`. */
  protected abstract rowBelow(parent: R | undefined, id: string): R;
  /** Requests the list below a row, or the top list. */
  protected abstract requestsBelow(parent: R | undefined): ListRequests;
  /** The content of a row; undefined if its resource is no longer known. */
  protected abstract look(row: R): RowView | undefined;
  /** The lines of a row's tooltip. */
  protected abstract linesOf(row: R): readonly Line[] | Promise<readonly Line[]>;

  /** Rows above the top list that group other rows. */
  protected groups(): readonly R[] {
    return [];
  }

  /** The row above a row; undefined for a top row, and in a view that has only these. */
  protected parentOf(_row: R): R | undefined {
    return undefined;
  }

  /** Called when a row is collapsed. */
  protected close(_row: R): void {}

  protected heading(): Heading {
    const { session } = this.dependencies.connections;
    const list = this.listBelow(undefined);
    const count = list.loadedAt === undefined ? undefined : list.entries.length;
    return { description: describeCount(session, count, list), message: loadingMessage(session, list) };
  }

  /** Reloads everything that was opened, with progress in the view. */
  async refresh(): Promise<void> {
    await this.whileLoading(() => this.requestsBelow(undefined).refresh());
  }

  find(argument: unknown): TreeRow<R> | undefined {
    for (const row of this.#rows.values()) if (row === argument) return row;
    return undefined;
  }

  /** The row for a command: the one it was called with, or else the selected one. */
  rowOf(argument: unknown): TreeRow<R> | undefined {
    return this.find(argument === undefined ? this.view.selection[0] : argument);
  }

  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.rowOf(argument);
    if (row === undefined) return undefined;
    const parent = this.#parentOf(row);
    const resource = { id: row.ids.at(-1), name: this.#look(row).label, place: parsePlace(row.kind, row.ids) };
    return {
      ...(isEndRow(row) ? {} : resource),
      reload: () => this.whileLoading(() => this.requestsBelow(parent).refresh()),
      loadMore: () => this.whileLoading(async () => this.requestsBelow(parent).loadMore?.()),
    };
  }

  getTreeItem(row: TreeRow<R>): vscode.TreeItem {
    const view = this.#look(row);
    this.#drawn.set(rowKey(row), JSON.stringify(view));
    return toTreeItem(row, view, this.dependencies.connections.session);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: TreeRow<R>): Promise<vscode.TreeItem> {
    item.tooltip = markdown(isEndRow(row) ? endLines(row, this.listBelow(row.parent)) : await this.linesOf(row));
    return item;
  }

  getParent(row: TreeRow<R>): TreeRow<R> | undefined {
    const parent = this.#parentOf(row);
    return parent === undefined ? undefined : this.#row(parent);
  }

  async getChildren(parent?: TreeRow<R>): Promise<TreeRow<R>[]> {
    const session = await this.dependencies.connections.current();
    if (session.kind !== 'ready' || (parent !== undefined && isEndRow(parent))) return [];
    // VS Code may still have a row of the previous connection, which means nothing to the new one.
    if (parent !== undefined && this.find(parent) !== parent) return [];
    // Don't wait for the first answer, so old rows disappear at once; the answer redraws the top rows.
    if (parent === undefined && !this.#children.has(''))
      void this.whileLoading(() => this.requestsBelow(parent).load());
    else await this.requestsBelow(parent).load();
    if (session !== this.dependencies.connections.session) return [];
    const rows = this.#childrenOf(parent).map((row) => this.#row(row));
    this.#children.set(parent === undefined ? '' : rowKey(parent), keysOf(rows));
    if (parent === undefined) this.#forgetOthers(rows);
    return rows;
  }

  /** Selects a row and scrolls to it, so the user sees what they just created or requested. */
  async reveal(row: R, { expand = false } = {}): Promise<void> {
    try {
      // VS Code finds only rows that it was given, and its first request for them doesn't wait for the load.
      if (!this.#children.has('')) await this.requestsBelow(undefined).load();
      await this.view.reveal(this.#row(row), { select: true, expand });
    } catch (error) {
      // The row may be filtered out or the view hidden; its resource isn't affected.
      if (!isCancelled(error)) this.dependencies.log.debug('The row cannot be shown.', error);
    }
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return vscode.window.withProgress({ location: { viewId: this.#viewId } }, task);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Disposes these together with the view. */
  protected disposeWithView(...subscriptions: readonly Disposable[]): void {
    this.#subscriptions.push(...subscriptions);
  }

  /** Updates the texts around the rows from the heading. */
  protected describe(): void {
    const { session } = this.dependencies.connections;
    const { description, message } = this.heading();
    this.view.description = shortened(description, longestRow);
    // The message about an unreadable key replaces the text for a missing one.
    this.view.message = session.kind === 'keyMissing' ? (session.error?.message ?? '') : message;
  }

  /** Updates the heading and redraws: the whole list if its rows changed, otherwise only changed rows. */
  redraw(): void {
    this.describe();
    const root = this.#children.get('');
    if (root === undefined) return;
    if (root === keysOf(this.#childrenOf(undefined))) this.#redrawWhere(() => true);
    else this.#changed.fire(undefined);
  }

  /** Updates the heading and redraws changed rows, at and below a row. */
  protected redrawBelow(top: R): void {
    this.describe();
    const key = rowKey(top);
    const isBelow = (row: TreeRow<R> | undefined): boolean =>
      row !== undefined && (rowKey(row) === key || isBelow(this.#parentOf(row)));
    this.#redrawWhere(isBelow);
  }

  #redrawWhere(isMeant: (row: TreeRow<R>) => boolean): void {
    for (const [key, drawn] of this.#drawn) {
      const row = this.#rows.get(key);
      if (row === undefined || !isMeant(row)) continue;
      const children = this.#children.get(key);
      const isOther = JSON.stringify(this.#look(row)) !== drawn;
      const hasOthers = children !== undefined && !isEndRow(row) && children !== keysOf(this.#childrenOf(row));
      // VS Code requests a collapsed row's children only when it is expanded again, so don't compare them until then.
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

  /** Forgets rows that are no longer below a top row. */
  #forgetOthers(topmost: readonly TreeRow<R>[]): void {
    const keys = new Set(topmost.map(rowKey));
    const isShown = (row: TreeRow<R>): boolean => {
      const parent = this.#parentOf(row);
      return parent === undefined ? keys.has(rowKey(row)) : isShown(parent);
    };
    for (const [key, row] of this.#rows) {
      if (isShown(row)) continue;
      for (const known of [this.#rows, this.#drawn, this.#children]) known.delete(key);
    }
  }

  #look(row: TreeRow<R>): RowView {
    if (isEndRow(row)) return viewEnd(row, this.listBelow(row.parent));
    return this.look(row) ?? { label: row.ids.at(-1) ?? '', description: '', icon: 'question' };
  }

  #childrenOf(parent: R | undefined): readonly TreeRow<R>[] {
    const rows = listRows(this.listBelow(parent), parent, (id) => this.rowBelow(parent, id));
    return parent === undefined ? [...this.groups(), ...rows] : rows;
  }

  #parentOf(row: TreeRow<R>): R | undefined {
    return isEndRow(row) ? row.parent : this.parentOf(row);
  }

  /** The single row object for this key. */
  #row(row: TreeRow<R>): TreeRow<R> {
    const key = rowKey(row);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, row);
    return row;
  }
}

function keysOf(rows: readonly AnyRow[]): string {
  return JSON.stringify(rows.map(rowKey));
}
