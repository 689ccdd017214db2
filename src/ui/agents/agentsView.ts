import * as vscode from 'vscode';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import { describeExpiry, nextExpiry, summarizeAgent, summarizeAgentConnection } from '../../core/resources/agents.ts';
import { formatEvent, formatMoment } from '../../core/status/duration.ts';
import type { Clock } from '../../state/clock.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Agents } from '../../state/lists/agents.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import { describeCount, isEndRow, type ListState } from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { type Line, opening, plainView, type RowView } from '../window/rowLook.ts';
import { type Heading, type RowFacts, RowTree } from '../window/rowTree.ts';

export interface AgentsViewDependencies {
  readonly connections: Connections;
  readonly agents: Agents;
  readonly clock: Clock;
  readonly log: Log;
}

type AgentsRow =
  | { readonly kind: 'agent'; readonly id: string }
  | { readonly kind: 'agentConnection'; readonly agentId: string; readonly id: string };

/** The agents view: the agents that the user added, and the accounts that each of them may use. */
export class AgentsView extends RowTree<AgentsRow> {
  readonly #dependencies: AgentsViewDependencies;
  #expiry: Disposable | undefined;

  constructor(dependencies: AgentsViewDependencies) {
    super('deploymentManager.agents', dependencies);
    this.#dependencies = dependencies;
    const { agents } = dependencies;
    const redraw = (): void => this.#redrawUntilExpiry();
    this.own(agents.onDidChange(redraw), this.onDidChangeVisibility(redraw), {
      dispose: () => this.#expiry?.dispose(),
    });
    this.describe();
  }

  override async refresh(): Promise<void> {
    await this.whileLoading(() => this.#dependencies.agents.refreshLoaded());
  }

  /** The agent for a command: the one of its row, or of the selected row. */
  agentOf(argument: unknown): string | undefined {
    const row = this.rowOf(argument);
    return row === undefined || isEndRow(row) ? undefined : agentIdOf(row);
  }

  /** The connection whose row a command was called with. */
  connectionOf(argument: unknown): AgentConnection | undefined {
    const row = this.find(argument);
    return row?.kind === 'agentConnection' ? this.#dependencies.agents.find(row.agentId, row.id) : undefined;
  }

  protected override keyOf(row: AgentsRow): string {
    // Agent ids may contain any character, so no separator would be safe in a key.
    return JSON.stringify(row.kind === 'agent' ? ['agent', row.id] : ['agent', row.agentId, 'connection', row.id]);
  }

  protected override parentOf(row: AgentsRow): AgentsRow | undefined {
    return row.kind === 'agent' ? undefined : { kind: 'agent', id: row.agentId };
  }

  protected override listBelow(parent: AgentsRow | undefined): ListState {
    const { agents } = this.#dependencies;
    if (parent !== undefined) return agents.connectionsOf(agentIdOf(parent));
    return { entries: agents.ids.map((id) => ({ id })), hasMore: false, loading: false };
  }

  protected override rowBelow(parent: AgentsRow | undefined, id: string): AgentsRow {
    return parent === undefined ? { kind: 'agent', id } : { kind: 'agentConnection', agentId: agentIdOf(parent), id };
  }

  protected override async load(parent: AgentsRow | undefined): Promise<void> {
    if (parent !== undefined) await this.#dependencies.agents.load(agentIdOf(parent));
  }

  protected override async reload(parent: AgentsRow | undefined): Promise<void> {
    const { agents } = this.#dependencies;
    await (parent === undefined ? agents.refreshLoaded() : agents.refresh(agentIdOf(parent)));
  }

  protected override heading(): Heading {
    const { connections, agents } = this.#dependencies;
    const { length } = agents.ids;
    return { description: describeCount(connections.session, length === 0 ? undefined : length), message: '' };
  }

  #redrawUntilExpiry(): void {
    this.redraw();
    this.#awaitExpiry();
  }

  /** Redraws when a connection expires while the view is visible; sends no request. */
  #awaitExpiry(): void {
    this.#expiry?.dispose();
    this.#expiry = undefined;
    if (!this.visible) return;
    const { agents, clock } = this.#dependencies;
    const loaded = agents.ids.flatMap((id) => readableEntries(agents.connectionsOf(id).entries));
    const next = nextExpiry(loaded, clock.now());
    if (next === undefined) return;
    this.#expiry = clock.schedule(() => this.#redrawUntilExpiry(), Math.min(next - clock.now(), longestWait));
  }

  protected override look(row: AgentsRow): RowView {
    const { connections, agents, clock } = this.#dependencies;
    if (row.kind === 'agent') {
      const { entries, loadedAt } = agents.connectionsOf(row.id);
      const summary =
        loadedAt === undefined
          ? { description: '', isExpired: false }
          : summarizeAgent(readableEntries(entries), clock.now());
      return {
        ...plainView(this.keyOf(row), 'agent', {
          label: row.id,
          description: summary.description,
          icon: 'robot',
          ...(summary.isExpired ? warningColor : {}),
        }),
        isExpandable: true,
      };
    }
    const connection = agents.find(row.agentId, row.id);
    if (connection === undefined) {
      return plainView(this.keyOf(row), row.kind, { label: row.id, description: '', icon: 'question' });
    }
    const { label, description, isExpired } = summarizeAgentConnection(connection, clock.now());
    return plainView(this.keyOf(row), row.kind, {
      label,
      description,
      ...(isExpired ? { icon: 'warning', ...warningColor } : { icon: 'key' }),
      ...opening(connections.session, { kind: 'agentConnection', ids: [row.agentId, row.id] }),
    });
  }

  protected override linesOf(row: AgentsRow): readonly Line[] {
    const { agents, clock } = this.#dependencies;
    if (row.kind === 'agent') return [[vscode.l10n.t('Agent'), row.id]];
    const connection = agents.find(row.agentId, row.id);
    const expiry = describeExpiry(connection?.expires_at, clock.now());
    return [
      [vscode.l10n.t('Account'), connection?.provider_account_label],
      [vscode.l10n.t('OAuth provider'), connection?.provider_id],
      [vscode.l10n.t('Agent'), row.agentId],
      [vscode.l10n.t('Scopes'), connection?.scopes?.join(', ')],
      [vscode.l10n.t('Expiry'), expiry?.text ?? vscode.l10n.t('not reported by the service')],
      [vscode.l10n.t('Expires'), connection?.expires_at && formatMoment(connection.expires_at)],
      [vscode.l10n.t('Created by'), connection?.created_by],
      [vscode.l10n.t('Created'), formatEvent(connection?.created_at, clock.now())],
      [vscode.l10n.t('Id'), row.id],
    ];
  }

  protected override factsOf(row: AgentsRow): RowFacts {
    if (row.kind === 'agent') return { id: row.id, name: row.id };
    const { agents, clock } = this.#dependencies;
    const connection = agents.find(row.agentId, row.id);
    const name = connection === undefined ? undefined : summarizeAgentConnection(connection, clock.now()).label;
    return { id: row.id, name, place: { kind: 'agentConnection', ids: [row.agentId, row.id] } };
  }
}

/** Longest wait in milliseconds before the expiry is checked again: the wall clock may be set meanwhile. */
const longestWait = 60 * 60 * 1000;

const warningColor = { color: 'problemsWarningIcon.foreground' } as const;

function agentIdOf(row: AgentsRow): string {
  return row.kind === 'agent' ? row.id : row.agentId;
}
