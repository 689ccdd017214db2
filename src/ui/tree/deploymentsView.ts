import * as vscode from 'vscode';
import { isUnreadable } from '../../api/page.ts';
import { describeFilter } from '../../core/deploymentFilter.ts';
import type { Clock } from '../../state/clock.ts';
import { localConnection } from '../../state/connection.ts';
import type { Connections } from '../../state/connections.ts';
import type { Deployments } from '../../state/deployments.ts';
import type { Follower } from '../../state/follower.ts';
import type { PagedListState } from '../../state/pagedList.ts';
import type { RevisionWatch } from '../../state/revisionWatch.ts';
import { isCancelled } from '../errors.ts';
import type { WorkspaceDrift } from '../workspaceDrift.ts';
import { isRow, rowKey, type Row } from './rows.ts';
import { toTreeItem, viewRow, type RowSources } from './rowView.ts';
import { tooltipOf } from './tooltip.ts';

export interface DeploymentsViewDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly revisionWatch: RevisionWatch;
  readonly workspaceDrift: WorkspaceDrift;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

const viewId = 'deploymentManager.deployments';

/** The deployments view: it reads the stores, asks them to load what is opened, and redraws what changed. */
export class DeploymentsView implements vscode.TreeDataProvider<Row> {
  readonly #dependencies: DeploymentsViewDependencies;
  readonly #changed = new vscode.EventEmitter<Row | undefined>();
  readonly #view: vscode.TreeView<Row>;
  readonly #subscriptions: vscode.Disposable;
  /** VS Code tells rows apart by identity, so that each row is made once. */
  readonly #rows = new Map<string, Row>();
  /** What was last drawn of each row, and which children it had. */
  readonly #drawn = new Map<string, string>();
  readonly #children = new Map<string, string>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(dependencies: DeploymentsViewDependencies) {
    this.#dependencies = dependencies;
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    const { connections, deployments, follower, workspaceDrift } = dependencies;
    const redraw = (): void => this.#redraw();
    this.#subscriptions = vscode.Disposable.from(
      this.#view,
      this.#changed,
      connections.onDidChange(() => this.#restart()),
      deployments.onDidChange(redraw),
      follower.onDidChange(redraw),
      workspaceDrift.onDidChange(redraw),
    );
    this.#describe();
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.#view.onDidChangeVisibility;
  }

  get selection(): readonly Row[] {
    return this.#view.selection;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const view = viewRow(row, this.#sources());
    this.#drawn.set(view.key, JSON.stringify(view));
    return toTreeItem(view, row);
  }

  resolveTreeItem(item: vscode.TreeItem, row: Row): vscode.TreeItem {
    item.tooltip = tooltipOf(row, this.#sources());
    return item;
  }

  getParent(row: Row): Row | undefined {
    if (row.kind === 'deployment' || row.deploymentId === undefined) return undefined;
    return this.#row({ kind: 'deployment', id: row.deploymentId });
  }

  async getChildren(parent?: Row): Promise<Row[]> {
    const { deployments, connections } = this.#dependencies;
    const session = await connections.current();
    if (session.kind !== 'ready') return [];
    if (parent === undefined) {
      const isFresh = deployments.state.loadedAt === undefined && deployments.state.error === undefined;
      if (isFresh && !deployments.state.loading) await deployments.refresh();
      return this.#remember('', this.#listRows());
    }
    if (parent.kind !== 'deployment') return [];
    const { loadedAt, error, loading } = deployments.revisionsOf(parent.id);
    if (loadedAt === undefined && error === undefined && !loading) await deployments.loadRevisions(parent.id);
    return this.#remember(rowKey(parent), this.#revisionRows(parent.id));
  }

  /** Selects a deployment's row, so that the person sees what they have just made. */
  async reveal(deploymentId: string): Promise<void> {
    const row = this.#row({ kind: 'deployment', id: deploymentId });
    try {
      await this.#view.reveal(row, { select: true, focus: false, expand: false });
    } catch (error) {
      // The row may be filtered out or the view hidden; the deployment itself is not affected.
      if (!isCancelled(error)) this.#dependencies.log.debug('The row cannot be shown.', error);
    }
  }

  /** Runs a task with progress shown in the view. */
  async whileLoading<T>(task: () => Promise<T>): Promise<T> {
    return vscode.window.withProgress({ location: { viewId } }, task);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #restart(): void {
    this.#rows.clear();
    this.#drawn.clear();
    this.#children.clear();
    this.#describe();
    this.#changed.fire(undefined);
  }

  /** Redraws a list whose rows are others than before, and otherwise only the rows that look different. */
  #redraw(): void {
    this.#describe();
    const root = this.#children.get('');
    if (root === undefined) return;
    if (root !== keysOf(this.#listRows())) {
      this.#changed.fire(undefined);
      return;
    }
    const sources = this.#sources();
    for (const [key, drawn] of this.#drawn) {
      const row = this.#rows.get(key);
      if (row === undefined) continue;
      const children = this.#children.get(key);
      const isOther = JSON.stringify(viewRow(row, sources)) !== drawn;
      const hasOthers =
        row.kind === 'deployment' && children !== undefined && children !== keysOf(this.#revisionRows(row.id));
      if (isOther || hasOthers) this.#changed.fire(row);
    }
  }

  #describe(): void {
    const { connections, deployments } = this.#dependencies;
    const { session } = connections;
    if (session.kind === 'none') {
      this.#view.description = '';
      return;
    }
    const { rows, hasMore, loadedAt } = deployments.state;
    const filter = describeFilter(deployments.filter);
    const count = hasMore ? vscode.l10n.t('{0} loaded', rows.length) : String(rows.length);
    const parts = [session.connection.name, filter, loadedAt === undefined ? '' : count];
    this.#view.description = parts.filter((part) => part !== '').join(' · ');
    // The welcome text is for a service without deployments; a filter that fits nothing says so itself.
    this.#view.message =
      filter !== '' && loadedAt !== undefined && rows.length === 0
        ? vscode.l10n.t('No deployment fits the filter: {0}', filter)
        : '';
  }

  #listRows(): readonly Row[] {
    const { state } = this.#dependencies.deployments;
    return this.#withEnds(state, undefined, (row, index) =>
      isUnreadable(row)
        ? { kind: 'unreadable', id: row.id ?? String(index), reason: row.reason }
        : { kind: 'deployment', id: row.id },
    );
  }

  #revisionRows(deploymentId: string): readonly Row[] {
    const state = this.#dependencies.deployments.revisionsOf(deploymentId);
    return this.#withEnds(state, deploymentId, (row, index) =>
      isUnreadable(row)
        ? { kind: 'unreadable', id: row.id ?? String(index), reason: row.reason, deploymentId }
        : { kind: 'revision', id: row.id, deploymentId },
    );
  }

  /** The rows of a list, a failure before them and "Load more" behind them. */
  #withEnds<T>(
    state: PagedListState<T>,
    deploymentId: string | undefined,
    toRow: (row: PagedListState<T>['rows'][number], index: number) => Row,
  ): readonly Row[] {
    const owner = deploymentId === undefined ? {} : { deploymentId };
    const rows: Row[] = state.rows.map(toRow);
    if (state.error !== undefined) rows.unshift({ kind: 'failure', ...owner });
    if (state.hasMore) rows.push({ kind: 'loadMore', ...owner });
    return rows.map((row) => this.#row(row));
  }

  #row(row: Row): Row {
    const key = rowKey(row);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, row);
    return row;
  }

  #remember(parent: string, rows: readonly Row[]): Row[] {
    this.#children.set(parent, keysOf(rows));
    return [...rows];
  }

  #sources(): RowSources {
    const { connections, deployments, follower, revisionWatch, workspaceDrift, clock } = this.#dependencies;
    const { session } = connections;
    const connection = session.kind === 'none' ? localConnection : session.connection;
    return { deployments, follower, revisionWatch, workspaceDrift, connection, now: clock.now() };
  }
}

/** The row that a command is about: the one it was called with, or else the selected one. */
export function rowOf(argument: unknown, view: DeploymentsView): Row | undefined {
  return isRow(argument) ? argument : view.selection[0];
}

function keysOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(rowKey));
}
