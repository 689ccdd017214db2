import * as vscode from 'vscode';
import type { Listener } from '../../api/resources/listeners.ts';
import { nameOfListener, namespacesOf, summarizeListener } from '../../core/resources/listeners.ts';
import { formatEvent } from '../../core/status/duration.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace } from '../window/documentPlace.ts';
import { isEndRow, type ListState } from '../window/listRows.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type ListRequests, RowTree } from '../window/rowTree.ts';

type ListenersViewDependencies = Pick<Stores, 'connections' | 'listeners' | 'clock' | 'log'>;

type ListenerRow = Extract<DocumentPlace, { readonly kind: 'listener' }>;

/** The listeners view: the clusters registered with the service. */
export class ListenersView extends RowTree<ListenerRow, ListenersViewDependencies> {
  constructor(dependencies: ListenersViewDependencies) {
    super('deploymentManager.listeners', dependencies);
    const redraw = (): void => this.redraw();
    this.disposeWithView(dependencies.listeners.onDidChange(redraw), this.view.onDidChangeVisibility(redraw));
    this.describe();
  }

  /** The listener of a row that a command was called with, or of the selected one. */
  listenerOf(argument: unknown): Listener | undefined {
    const row = this.rowOf(argument);
    return row === undefined || isEndRow(row) ? undefined : this.dependencies.listeners.of().find(...row.ids);
  }

  protected override listBelow(): ListState {
    return this.dependencies.listeners.of().state;
  }

  protected override rowBelow(_parent: undefined, id: string): ListenerRow {
    return { kind: 'listener', ids: [id] };
  }

  protected override requestsBelow(): ListRequests {
    return this.dependencies.listeners.of();
  }

  protected override look({ ids }: ListenerRow): RowView | undefined {
    const { listeners, clock } = this.dependencies;
    const listener = listeners.of().find(...ids);
    return listener && { ...summarizeListener(listener, clock.now()), icon: 'server' };
  }

  protected override linesOf({ ids }: ListenerRow): readonly Line[] {
    const { listeners, connections, clock } = this.dependencies;
    const listener = listeners.of().find(...ids);
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
      [vscode.l10n.t('ID'), listener.id],
    ];
  }
}
