import * as vscode from 'vscode';
import { nameOfListener, namespacesOf, summarizeListener } from '../../core/resources/listeners.ts';
import { formatEvent } from '../../core/status/duration.ts';
import type { Clock } from '../../state/clock.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { ListenerStore } from '../../state/lists/listeners.ts';
import {
  describeCount,
  endKey,
  endLines,
  isEndRow,
  listRows,
  loadingMessage,
  type EndRow,
  type RowTarget,
  viewEnd,
} from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { markdown, opening, plainView, type Line, type RowView } from '../window/rowLook.ts';
import { RowTree } from '../window/rowTree.ts';

export interface ListenersViewDependencies {
  readonly connections: Connections;
  readonly listeners: ListenerStore;
  readonly clock: Clock;
  readonly log: Log;
}

type Row = { readonly kind: 'listener'; readonly id: string } | EndRow;

/** The listeners view: the clusters that are registered with the service. */
export class ListenersView {
  readonly #dependencies: ListenersViewDependencies;
  readonly tree: RowTree<Row>;
  readonly #subscriptions: vscode.Disposable;

  constructor(dependencies: ListenersViewDependencies) {
    this.#dependencies = dependencies;
    const { connections, listeners } = dependencies;
    this.tree = new RowTree<Row>(
      'deploymentManager.listeners',
      {
        keyOf: (row) => (isEndRow(row) ? endKey(row) : `listener/${row.id}`),
        parentOf: () => undefined,
        childrenOf: (parent) => (parent === undefined ? this.#rows() : []),
        load: () => listeners.load(),
        look: (row) => this.#look(row),
        tooltip: (row) => markdown(this.#lines(row)),
      },
      dependencies,
    );
    const redraw = (): void => {
      this.#describe();
      this.tree.redraw();
    };
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      connections.onDidChange(() => this.#describe()),
      listeners.onDidChange(redraw),
      this.tree.onDidChangeVisibility(redraw),
    );
    this.#describe();
  }

  get visible(): boolean {
    return this.tree.visible;
  }

  /** Loads the list anew, with progress shown in the view. */
  async refresh(): Promise<void> {
    await this.tree.whileLoading(() => this.#dependencies.listeners.refresh());
  }

  /** What a command can do with a row of this view; undefined for anything else. */
  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.tree.find(argument);
    if (row === undefined) return undefined;
    const { listeners } = this.#dependencies;
    const listener = row.kind === 'listener' ? listeners.find(row.id) : undefined;
    return {
      id: listener?.id,
      name: listener === undefined ? undefined : nameOfListener(listener),
      place: listener === undefined ? undefined : { kind: 'listener', ids: [listener.id] },
      reload: () => this.tree.whileLoading(() => listeners.refresh()),
      loadMore: () => this.tree.whileLoading(() => listeners.loadMore()),
    };
  }

  /** Selects a listener's row, so that the person sees what they have just made. */
  async reveal(listenerId: string): Promise<void> {
    await this.tree.reveal({ kind: 'listener', id: listenerId });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #rows(): readonly Row[] {
    return listRows<{ readonly id: string }, Row>(this.#dependencies.listeners.stateOf(), '', ({ id }) => ({
      kind: 'listener',
      id,
    }));
  }

  #describe(): void {
    const { connections, listeners } = this.#dependencies;
    const { session } = connections;
    const { rows, hasMore, loadedAt } = listeners.stateOf();
    const count = loadedAt === undefined ? undefined : rows.length;
    this.tree.describe(describeCount(session, count, { hasMore }), loadingMessage(session, listeners.stateOf()));
  }

  #look(row: Row): RowView {
    const { connections, listeners, clock } = this.#dependencies;
    if (isEndRow(row)) return viewEnd(row, listeners.stateOf());
    const listener = listeners.find(row.id);
    const summary =
      listener === undefined ? { label: row.id, description: '' } : summarizeListener(listener, clock.now());
    return plainView(`listener/${row.id}`, 'listener', {
      ...summary,
      icon: 'server',
      ...opening(connections.session, { kind: 'listener', ids: [row.id] }),
    });
  }

  #lines(row: Row): readonly Line[] {
    const { listeners, connections, clock } = this.#dependencies;
    if (isEndRow(row)) return endLines(row, listeners.stateOf());
    const listener = listeners.find(row.id);
    const { session } = connections;
    if (listener === undefined) return [];
    return [
      [vscode.l10n.t('Listener'), nameOfListener(listener)],
      [vscode.l10n.t('Connection'), session.kind === 'none' ? undefined : session.connection.name],
      [vscode.l10n.t('Compute type'), listener.compute_type],
      [vscode.l10n.t('Namespaces'), namespacesOf(listener).join(', ')],
      [vscode.l10n.t('Version'), listener.version],
      [vscode.l10n.t('Created'), formatEvent(listener.created_at, clock.now())],
      [vscode.l10n.t('Updated'), formatEvent(listener.updated_at, clock.now())],
      [vscode.l10n.t('Id'), listener.id],
    ];
  }
}
