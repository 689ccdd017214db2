import * as vscode from 'vscode';
import type { Connections } from '../../state/connections/connections.ts';
import { isCancelled } from './errors.ts';
import type { Log } from './log.ts';
import { toTreeItem, type RowView } from './rowLook.ts';

/** What a tree shows. Rows are names of things; what they show is looked up in the stores when they are drawn. */
export interface RowSource<R extends object> {
  /** Unique in the whole tree and the same after each refresh, so that selection and expansion stay. */
  readonly keyOf: (row: R) => string;
  readonly parentOf: (row: R) => R | undefined;
  /** The rows below a row, or else the topmost ones, as far as they are known now. */
  readonly childrenOf: (parent: R | undefined) => readonly R[];
  /** Asks the service for what is below a row that was opened, unless it was asked before. */
  readonly load: (parent: R | undefined) => Promise<void>;
  /** Hears of a row that was closed. */
  readonly close?: (row: R) => void;
  readonly look: (row: R) => RowView;
  readonly tooltip: (row: R) => vscode.MarkdownString;
}

export interface RowTreeDependencies {
  readonly connections: Connections;
  readonly log: Log;
}

/** A view that is drawn from stores: only what looks different is drawn again, and a new connection starts it anew. */
export class RowTree<R extends object> implements vscode.TreeDataProvider<R> {
  readonly #viewId: string;
  readonly #source: RowSource<R>;
  readonly #dependencies: RowTreeDependencies;
  readonly #changed = new vscode.EventEmitter<R | undefined>();
  readonly view: vscode.TreeView<R>;
  readonly #subscriptions: vscode.Disposable;
  /** VS Code tells rows apart by identity, so that each row is made once. */
  readonly #rows = new Map<string, R>();
  /** What was last drawn of each row, and which children it had. */
  readonly #drawn = new Map<string, string>();
  readonly #children = new Map<string, string>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(viewId: string, source: RowSource<R>, dependencies: RowTreeDependencies) {
    this.#viewId = viewId;
    this.#source = source;
    this.#dependencies = dependencies;
    this.view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = vscode.Disposable.from(
      this.view,
      this.#changed,
      dependencies.connections.onDidChange(() => this.#restart()),
      // VS Code keeps the rows below a closed one, so that opening it again asks for nothing.
      this.view.onDidExpandElement(({ element }) => void source.load(element)),
      this.view.onDidCollapseElement(({ element }) => source.close?.(element)),
    );
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.view.onDidChangeVisibility;
  }

  get selection(): readonly R[] {
    return this.view.selection;
  }

  /** The row of this tree that a command was called with; undefined for anything else. */
  find(argument: unknown): R | undefined {
    for (const row of this.#rows.values()) if (row === argument) return row;
    return undefined;
  }

  getTreeItem(row: R): vscode.TreeItem {
    const view = this.#source.look(row);
    this.#drawn.set(view.key, JSON.stringify(view));
    return toTreeItem(view, row);
  }

  resolveTreeItem(item: vscode.TreeItem, row: R): vscode.TreeItem {
    item.tooltip = this.#source.tooltip(row);
    return item;
  }

  getParent(row: R): R | undefined {
    const parent = this.#source.parentOf(row);
    return parent === undefined ? undefined : this.#row(parent);
  }

  async getChildren(parent?: R): Promise<R[]> {
    const { connections } = this.#dependencies;
    const session = await connections.current();
    if (session.kind !== 'ready') return [];
    // Nothing of the connection before stays while the new one answers; its answer redraws the topmost rows.
    if (parent === undefined && !this.#children.has('')) void this.whileLoading(() => this.#source.load(parent));
    else await this.#source.load(parent);
    const rows = this.#source.childrenOf(parent).map((row) => this.#row(row));
    this.#children.set(this.#keyOf(parent), this.#keysOf(rows));
    if (parent === undefined) this.#forgetOthers(rows);
    return rows;
  }

  /** Says beside the title what is shown, and above the rows why there are none; an empty message hides it. */
  describe(description: string, message = ''): void {
    const { session } = this.#dependencies.connections;
    this.view.description = description;
    // It stands in place of the words for a key that is not there at all.
    this.view.message = session.kind === 'keyMissing' ? (session.error?.message ?? '') : message;
  }

  /** Redraws a list whose rows are others than before, and otherwise only the rows that look different. */
  redraw(): void {
    const root = this.#children.get('');
    if (root === undefined) return;
    if (root === this.#keysOf(this.#source.childrenOf(undefined))) this.redrawWhere(() => true);
    else this.#changed.fire(undefined);
  }

  /** Redraws those of the given rows that look different. */
  redrawWhere(isMeant: (row: R) => boolean): void {
    for (const [key, drawn] of this.#drawn) {
      const row = this.#rows.get(key);
      if (row === undefined || !isMeant(row)) continue;
      const children = this.#children.get(key);
      const isOther = JSON.stringify(this.#source.look(row)) !== drawn;
      const hasOthers = children !== undefined && children !== this.#keysOf(this.#source.childrenOf(row));
      // A closed row is asked for its rows when it is opened again, not before.
      if (hasOthers) this.#children.delete(key);
      if (isOther || hasOthers) this.#changed.fire(row);
    }
  }

  /** Selects a row and brings it into sight, so that the person sees what they have just made or asked for. */
  async reveal(row: R, { focus = false, expand = false } = {}): Promise<void> {
    try {
      // VS Code finds a row only where those beside it are known.
      await this.#source.load(undefined);
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
    this.#subscriptions.dispose();
  }

  #restart(): void {
    this.#rows.clear();
    this.#drawn.clear();
    this.#children.clear();
    this.#changed.fire(undefined);
  }

  /** Forgets the rows that are no longer below any of the topmost ones. */
  #forgetOthers(topmost: readonly R[]): void {
    const keys = new Set(topmost.map((row) => this.#source.keyOf(row)));
    const isShown = (row: R): boolean => {
      const parent = this.#source.parentOf(row);
      return parent === undefined ? keys.has(this.#source.keyOf(row)) : isShown(parent);
    };
    for (const [key, row] of this.#rows) {
      if (isShown(row)) continue;
      for (const known of [this.#rows, this.#drawn, this.#children]) known.delete(key);
    }
  }

  #row(row: R): R {
    const key = this.#source.keyOf(row);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, row);
    return row;
  }

  #keyOf(row: R | undefined): string {
    return row === undefined ? '' : this.#source.keyOf(row);
  }

  #keysOf(rows: readonly R[]): string {
    return JSON.stringify(rows.map((row) => this.#source.keyOf(row)));
  }
}
