import * as vscode from 'vscode';
import { nameOfListener, namespacesOf, summarizeListener } from '../../core/resources/listeners.ts';
import { formatEvent } from '../../core/status/duration.ts';
import type { Clock } from '../../state/clock.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { ListenerStore } from '../../state/lists/listeners.ts';
import { describeCount, type ListState, loadingMessage } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { type Line, opening, plainView, type RowView } from '../window/rowLook.ts';
import { type Heading, type RowFacts, RowTree } from '../window/rowTree.ts';

export interface ListenersViewDependencies {
  readonly connections: Connections;
  readonly listeners: ListenerStore;
  readonly clock: Clock;
  readonly log: Log;
}

interface ListenerRow {
  readonly kind: 'listener';
  readonly id: string;
}

/** The listeners view: the clusters registered with the service. */
export class ListenersView extends RowTree<ListenerRow> {
  readonly #dependencies: ListenersViewDependencies;

  constructor(dependencies: ListenersViewDependencies) {
    super('deploymentManager.listeners', dependencies);
    this.#dependencies = dependencies;
    const redraw = (): void => this.redraw();
    this.own(dependencies.listeners.onDidChange(redraw), this.onDidChangeVisibility(redraw));
    this.describe();
  }

  override async refresh(): Promise<void> {
    await this.whileLoading(() => this.reload());
  }

  protected override heading(): Heading {
    const { connections, listeners } = this.#dependencies;
    const { session } = connections;
    const { entries, hasMore, loadedAt } = listeners.stateOf();
    return {
      description: describeCount(session, loadedAt === undefined ? undefined : entries.length, { hasMore }),
      message: loadingMessage(session, listeners.stateOf()),
    };
  }

  protected override keyOf({ id }: ListenerRow): string {
    return `listener/${id}`;
  }

  protected override parentOf(): undefined {
    return undefined;
  }

  protected override listBelow(): ListState {
    return this.#dependencies.listeners.stateOf();
  }

  protected override rowBelow(_parent: undefined, id: string): ListenerRow {
    return { kind: 'listener', id };
  }

  protected override async load(): Promise<void> {
    await this.#dependencies.listeners.load();
  }

  protected override async reload(): Promise<void> {
    await this.#dependencies.listeners.refresh();
  }

  protected override async loadMore(): Promise<void> {
    await this.#dependencies.listeners.loadMore();
  }

  protected override look(row: ListenerRow): RowView {
    const { connections, listeners, clock } = this.#dependencies;
    const listener = listeners.find(row.id);
    const summary =
      listener === undefined ? { label: row.id, description: '' } : summarizeListener(listener, clock.now());
    return plainView(this.keyOf(row), row.kind, {
      ...summary,
      icon: 'server',
      ...opening(connections.session, { kind: 'listener', ids: [row.id] }),
    });
  }

  protected override linesOf({ id }: ListenerRow): readonly Line[] {
    const { listeners, connections, clock } = this.#dependencies;
    const listener = listeners.find(id);
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

  protected override factsOf({ id }: ListenerRow): RowFacts {
    const listener = this.#dependencies.listeners.find(id);
    const name = listener === undefined ? undefined : nameOfListener(listener);
    return { id, name, place: { kind: 'listener', ids: [id] } };
  }
}
