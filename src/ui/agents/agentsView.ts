import * as vscode from 'vscode';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import { describeExpiry, nextExpiry, summarizeAgent, summarizeAgentConnection } from '../../core/resources/agents.ts';
import { formatEvent, formatMoment } from '../../core/status/duration.ts';
import type { Disposable } from '../../state/emitter.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace } from '../window/documentPlace.ts';
import { describeCount, isEndRow, type ListState } from '../window/listRows.ts';
import type { Line, RowView } from '../window/rowLook.ts';
import { type Heading, type ListRequests, RowTree } from '../window/rowTree.ts';

type AgentsViewDependencies = Pick<Stores, 'connections' | 'agents' | 'clock' | 'log'>;

type AgentsRow =
  | { readonly kind: 'agent'; readonly ids: readonly [agent: string] }
  | Extract<DocumentPlace, { readonly kind: 'agentConnection' }>;

/** The agents view: the agents that the user added, and the accounts that each of them may use. */
export class AgentsView extends RowTree<AgentsRow, AgentsViewDependencies> {
  #expiry: Disposable | undefined;

  constructor(dependencies: AgentsViewDependencies) {
    super('deploymentManager.agents', dependencies);
    const { agents } = dependencies;
    const redraw = (): void => this.#redrawUntilExpiry();
    this.disposeWithView(agents.onDidChange(redraw), this.view.onDidChangeVisibility(redraw), {
      dispose: () => this.#expiry?.dispose(),
    });
    this.describe();
  }

  /** The agent for a command: the one of its row, or of the selected row. */
  agentOf(argument: unknown): string | undefined {
    const row = this.rowOf(argument);
    return row === undefined || isEndRow(row) ? undefined : row.ids[0];
  }

  /** The connection whose row a command was called with. */
  connectionOf(argument: unknown): AgentConnection | undefined {
    const row = this.find(argument);
    return row?.kind === 'agentConnection' ? this.dependencies.agents.find(...row.ids) : undefined;
  }

  protected override parentOf(row: AgentsRow): AgentsRow | undefined {
    return row.kind === 'agent' ? undefined : { kind: 'agent', ids: [row.ids[0]] };
  }

  protected override listBelow(parent: AgentsRow | undefined): ListState {
    const { agents } = this.dependencies;
    if (parent !== undefined) return agents.connections.of(parent.ids[0]).state;
    return { entries: agents.ids.map((id) => ({ id })), hasMore: false, loading: false };
  }

  protected override rowBelow(parent: AgentsRow | undefined, id: string): AgentsRow {
    return parent === undefined ? { kind: 'agent', ids: [id] } : { kind: 'agentConnection', ids: [parent.ids[0], id] };
  }

  protected override requestsBelow(parent: AgentsRow | undefined): ListRequests {
    const { agents } = this.dependencies;
    if (parent !== undefined) return agents.connections.of(parent.ids[0]);
    return { load: () => agents.load(), refresh: () => agents.connections.refreshLoaded() };
  }

  protected override heading(): Heading {
    const { connections, agents } = this.dependencies;
    const { length } = agents.ids;
    return { description: describeCount(connections.session, length === 0 ? undefined : length), message: '' };
  }

  /** Redraws now, and when a connection expires while the view is visible; sends no request. */
  #redrawUntilExpiry(): void {
    this.redraw();
    this.#expiry?.dispose();
    this.#expiry = undefined;
    if (!this.view.visible) return;
    const { agents, clock } = this.dependencies;
    const loaded = agents.ids.flatMap((id) => readableEntries(agents.connections.of(id).state.entries));
    const next = nextExpiry(loaded, clock.now());
    if (next === undefined) return;
    this.#expiry = clock.schedule(() => this.#redrawUntilExpiry(), Math.min(next - clock.now(), longestWait));
  }

  protected override look(row: AgentsRow): RowView | undefined {
    const { agents, clock } = this.dependencies;
    if (row.kind === 'agentConnection') {
      const connection = agents.find(...row.ids);
      if (connection === undefined) return undefined;
      const { label, description, isExpired } = summarizeAgentConnection(connection, clock.now());
      return { label, description, ...(isExpired ? { icon: 'warning', ...warningColor } : { icon: 'key' }) };
    }
    const [label] = row.ids;
    const { entries, loadedAt } = agents.connections.of(label).state;
    const shown = { label, icon: 'robot', isExpandable: true };
    if (loadedAt === undefined) return { ...shown, description: '' };
    const { description, isExpired } = summarizeAgent(readableEntries(entries), clock.now());
    return { ...shown, description, ...(isExpired ? warningColor : {}) };
  }

  protected override linesOf(row: AgentsRow): readonly Line[] {
    const { agents, clock } = this.dependencies;
    const agent: Line = [vscode.l10n.t('Agent'), row.ids[0]];
    if (row.kind === 'agent') return [agent];
    const connection = agents.find(...row.ids);
    const expiry = describeExpiry(connection?.expires_at, clock.now());
    return [
      [vscode.l10n.t('Account'), connection?.provider_account_label],
      [vscode.l10n.t('OAuth provider'), connection?.provider_id],
      agent,
      [vscode.l10n.t('Scopes'), connection?.scopes?.join(', ')],
      [vscode.l10n.t('Expiry'), expiry?.text ?? vscode.l10n.t('not reported by the service')],
      [vscode.l10n.t('Expires'), connection?.expires_at && formatMoment(connection.expires_at)],
      [vscode.l10n.t('Created by'), connection?.created_by],
      [vscode.l10n.t('Created'), formatEvent(connection?.created_at, clock.now())],
      [vscode.l10n.t('ID'), row.ids[1]],
    ];
  }
}

/** Longest wait in milliseconds before the expiry is checked again: the wall clock may be set meanwhile. */
const longestWait = 60 * 60 * 1000;

const warningColor = { color: 'problemsWarningIcon.foreground' } as const;
