import * as vscode from 'vscode';
import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import { describeExpiry, nextExpiry, summarizeAgent, summarizeAgentConnection } from '../../core/resources/agents.ts';
import { formatEvent, formatMoment } from '../../core/status/duration.ts';
import type { Clock } from '../../state/clock.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Disposable } from '../../state/emitter.ts';
import type { Agents } from '../../state/lists/agents.ts';
import { readableRows } from '../../state/lists/pagedList.ts';
import {
  describeCount,
  endKey,
  endLines,
  isEndRow,
  listRows,
  type EndRow,
  type RowTarget,
  viewEnd,
} from '../window/listRows.ts';
import type { Log } from '../window/log.ts';
import { markdown, opening, plainView, type Line, type RowView } from '../window/rowLook.ts';
import { RowTree } from '../window/rowTree.ts';

export interface AgentsViewDependencies {
  readonly connections: Connections;
  readonly agents: Agents;
  readonly clock: Clock;
  readonly log: Log;
}

type AgentRow = { readonly kind: 'agent'; readonly id: string };
type ConnectionRow = { readonly kind: 'agentConnection'; readonly agentId: string; readonly id: string };
type Row = AgentRow | ConnectionRow | EndRow;

/** The agents view: the agents that the person named, and what each of them may use in whose name. */
export class AgentsView {
  readonly #dependencies: AgentsViewDependencies;
  readonly tree: RowTree<Row>;
  readonly #subscriptions: vscode.Disposable;
  #expiry: Disposable | undefined;

  constructor(dependencies: AgentsViewDependencies) {
    this.#dependencies = dependencies;
    const { connections, agents } = dependencies;
    this.tree = new RowTree<Row>(
      'deploymentManager.agents',
      {
        keyOf: keyOfRow,
        parentOf: (row) => parentOf(row),
        childrenOf: (parent) => this.#childrenOf(parent),
        load: async (parent) => {
          if (parent?.kind === 'agent') await agents.load(parent.id);
        },
        look: (row) => this.#look(row),
        tooltip: (row) => markdown(this.#lines(row)),
      },
      dependencies,
    );
    const redraw = (): void => this.#redraw();
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      connections.onDidChange(redraw),
      agents.onDidChange(redraw),
      this.tree.onDidChangeVisibility(redraw),
      { dispose: () => this.#expiry?.dispose() },
    );
    this.#describe();
  }

  get visible(): boolean {
    return this.tree.visible;
  }

  /** Loads anew what was opened, with progress shown in the view. */
  async refresh(): Promise<void> {
    await this.tree.whileLoading(() => this.#dependencies.agents.refreshLoaded());
  }

  /** What a command can do with a row of this view; undefined for anything else. */
  targetOf(argument: unknown): RowTarget | undefined {
    const row = this.tree.find(argument);
    if (row === undefined) return undefined;
    const { agents, clock } = this.#dependencies;
    const connection = row.kind === 'agentConnection' ? agents.find(row.agentId, row.id) : undefined;
    const agentId = agentOf(row);
    return {
      id: row.kind === 'unreadable' || row.kind === 'agentConnection' || row.kind === 'agent' ? row.id : undefined,
      name: connection === undefined ? agentId : summarizeAgentConnection(connection, clock.now()).label,
      place: row.kind === 'agentConnection' ? { kind: 'agentConnection', ids: [row.agentId, row.id] } : undefined,
      reload: () => this.tree.whileLoading(() => agents.refresh(agentId)),
      // Connections come whole, so that there is never more of them.
      loadMore: async () => undefined,
    };
  }

  /** The agent that a command was called for: that of its row, or of the selected one. */
  agentOf(argument: unknown): string | undefined {
    const row = this.tree.find(argument) ?? this.tree.selection[0];
    return row === undefined ? undefined : agentOf(row);
  }

  /** The connection of a row that a command was called with. */
  connectionOf(argument: unknown): AgentConnection | undefined {
    const row = this.tree.find(argument);
    return row?.kind === 'agentConnection' ? this.#dependencies.agents.find(row.agentId, row.id) : undefined;
  }

  /** Shows an agent with its connections. */
  async reveal(agentId: string): Promise<void> {
    await this.tree.reveal({ kind: 'agent', id: agentId }, { expand: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #childrenOf(parent: Row | undefined): readonly Row[] {
    const { agents } = this.#dependencies;
    if (parent === undefined) return agents.ids.map((id) => ({ kind: 'agent', id }));
    if (parent.kind !== 'agent') return [];
    const agentId = parent.id;
    return listRows<AgentConnection, Row>(agents.connectionsOf(agentId), agentId, ({ id }) => ({
      kind: 'agentConnection',
      agentId,
      id,
    }));
  }

  #redraw(): void {
    this.#describe();
    this.tree.redraw();
    this.#awaitExpiry();
  }

  /** A connection that expires before the eyes of the person is drawn again; nothing is asked of the service. */
  #awaitExpiry(): void {
    this.#expiry?.dispose();
    this.#expiry = undefined;
    if (!this.tree.visible) return;
    const { agents, clock } = this.#dependencies;
    const loaded = agents.ids.flatMap((id) => readableRows(agents.connectionsOf(id).rows));
    const next = nextExpiry(loaded, clock.now());
    if (next === undefined) return;
    this.#expiry = clock.schedule(() => this.#redraw(), Math.min(next - clock.now(), longestWait));
  }

  #describe(): void {
    const { connections, agents } = this.#dependencies;
    const { length } = agents.ids;
    this.tree.describe(describeCount(connections.session, length === 0 ? undefined : length));
  }

  #look(row: Row): RowView {
    const { connections, agents, clock } = this.#dependencies;
    if (isEndRow(row)) return viewEnd(row, agents.connectionsOf(row.list));
    if (row.kind === 'agent') {
      const { rows, loadedAt } = agents.connectionsOf(row.id);
      const summary =
        loadedAt === undefined
          ? { description: '', isExpired: false }
          : summarizeAgent(readableRows(rows), clock.now());
      return {
        ...plainView(keyOfRow(row), 'agent', {
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
      return plainView(keyOfRow(row), row.kind, { label: row.id, description: '', icon: 'question' });
    }
    const { label, description, isExpired } = summarizeAgentConnection(connection, clock.now());
    return plainView(keyOfRow(row), row.kind, {
      label,
      description,
      ...(isExpired ? { icon: 'warning', ...warningColor } : { icon: 'key' }),
      ...opening(connections.session, { kind: 'agentConnection', ids: [row.agentId, row.id] }),
    });
  }

  #lines(row: Row): readonly Line[] {
    const { agents, clock } = this.#dependencies;
    if (isEndRow(row)) return endLines(row, agents.connectionsOf(row.list));
    if (row.kind === 'agent') return [[vscode.l10n.t('Agent'), row.id]];
    const connection = agents.find(row.agentId, row.id);
    const expiry = describeExpiry(connection?.expires_at, clock.now());
    return [
      [vscode.l10n.t('Account'), connection?.provider_account_label],
      [vscode.l10n.t('OAuth provider'), connection?.provider_id],
      [vscode.l10n.t('Agent'), row.agentId],
      [vscode.l10n.t('Scopes'), connection?.scopes?.join(', ')],
      [vscode.l10n.t('Expiry'), expiry?.text ?? vscode.l10n.t('the service gives none')],
      [vscode.l10n.t('Expires'), connection?.expires_at && formatMoment(connection.expires_at)],
      [vscode.l10n.t('Created by'), connection?.created_by],
      [vscode.l10n.t('Created'), formatEvent(connection?.created_at, clock.now())],
      [vscode.l10n.t('Id'), row.id],
    ];
  }
}

/** The wall clock can be set meanwhile; looking again each hour costs nothing. */
const longestWait = 60 * 60 * 1000;

const warningColor = { color: 'problemsWarningIcon.foreground' } as const;

function agentOf(row: Row): string {
  if (isEndRow(row)) return row.list;
  return row.kind === 'agent' ? row.id : row.agentId;
}

function parentOf(row: Row): Row | undefined {
  return row.kind === 'agent' ? undefined : { kind: 'agent', id: agentOf(row) };
}

/** People name agents with any characters, so that a key must not depend on what they leave out. */
function keyOfRow(row: Row): string {
  switch (row.kind) {
    case 'agent':
      return JSON.stringify(['agent', row.id]);
    case 'agentConnection':
      return JSON.stringify(['agent', row.agentId, 'connection', row.id]);
    case 'unreadable':
    case 'loadMore':
    case 'failure':
      return endKey(row);
  }
}
