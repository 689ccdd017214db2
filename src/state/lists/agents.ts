import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import type { Clock } from '../clock.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { Session } from '../connections/connections.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { readTexts, type Memory } from '../memory.ts';
import { createWholeList, isUnasked, readableRows, type PagedList, type PagedListState } from './pagedList.ts';
import { readySession } from './readySession.ts';

export interface AgentsDependencies {
  readonly connections: { readonly session: Session; readonly onDidChange: Event<Session> };
  readonly workspaceMemory: Memory;
  readonly clock: Clock;
}

/**
 * The agents that the person has named on the present connection, since the service lists none, and the connections
 * of those that were opened.
 */
export class Agents {
  readonly #dependencies: AgentsDependencies;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  readonly #connections = new Map<string, PagedList<AgentConnection>>();

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: AgentsDependencies) {
    this.#dependencies = dependencies;
    this.#subscription = dependencies.connections.onDidChange(() => {
      this.#drop();
      this.#changed.fire();
    });
  }

  /** The ids in the order in which they were named. */
  get ids(): readonly string[] {
    return readTexts(this.#dependencies.workspaceMemory, this.#slot());
  }

  connectionsOf(agentId: string): PagedListState<AgentConnection> {
    return this.#listOf(agentId).state;
  }

  find(agentId: string, connectionId: string): AgentConnection | undefined {
    return readableRows(this.connectionsOf(agentId).rows).find(({ id }) => id === connectionId);
  }

  /** Remembers an agent; naming one again changes nothing. */
  async add(agentId: string): Promise<void> {
    const { ids } = this;
    if (ids.includes(agentId)) return;
    await this.#dependencies.workspaceMemory.update(this.#slot(), [...ids, agentId]);
    this.#changed.fire();
  }

  /** Forgets an agent; the service is not told, as nothing of it changes. */
  async remove(agentId: string): Promise<void> {
    const others = this.ids.filter((id) => id !== agentId);
    this.#connections.get(agentId)?.dispose();
    this.#connections.delete(agentId);
    await this.#dependencies.workspaceMemory.update(this.#slot(), others);
    this.#changed.fire();
  }

  /** Loads the connections of an agent unless they were asked for before. What goes wrong is in their state. */
  async load(agentId: string): Promise<void> {
    await this.#listOf(agentId).load();
  }

  async refresh(agentId: string): Promise<void> {
    await this.#listOf(agentId).refresh();
  }

  /** Loads anew what anybody has asked for before. */
  async refreshLoaded(): Promise<void> {
    const loaded = [...this.#connections.values()].filter(({ state }) => !isUnasked(state));
    await Promise.all(loaded.map((list) => list.refresh()));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#drop();
    this.#changed.dispose();
  }

  #drop(): void {
    for (const list of this.#connections.values()) list.dispose();
    this.#connections.clear();
  }

  #listOf(agentId: string): PagedList<AgentConnection> {
    const existing = this.#connections.get(agentId);
    if (existing !== undefined) return existing;
    const list = createWholeList<AgentConnection>({
      fetchAll: async (signal) => {
        const client = await readySession(this.#dependencies.connections.session).client();
        return (await client.agentConnections.list(agentId, { signal })).data;
      },
      clock: this.#dependencies.clock,
      onChange: () => this.#changed.fire(),
    });
    this.#connections.set(agentId, list);
    return list;
  }

  /** An agent's id means something on its own service only. */
  #slot(): string {
    return slotOfConnection('agents', this.#dependencies.connections.session);
  }
}
