import type { AgentConnection } from '../../api/resources/agentConnections.ts';
import { sampleAgentId } from '../../api/localService.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import { Emitter } from '../emitter.ts';
import { readTexts, type Memory } from '../memory.ts';
import { createWholeLists, type ListStore, type WholeListsOptions } from './listStore.ts';

interface AgentsDependencies extends Omit<WholeListsOptions<AgentConnection>, 'fetchAll'> {
  readonly workspaceMemory: Memory;
}

/**
 * Agents that the user added on the current connection, and the connections of opened agents.
 * The user adds agents by id, because the service can't list them.
 */
export class Agents {
  readonly #dependencies: AgentsDependencies;
  readonly #changed = new Emitter<void>();
  /** The connections of each agent. */
  readonly connections: ListStore<AgentConnection>;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: AgentsDependencies) {
    this.#dependencies = dependencies;
    this.connections = createWholeLists<AgentConnection>({
      ...dependencies,
      fetchAll: async (client, signal, agentId) => (await client.agentConnections.list(agentId, { signal })).data,
    });
    this.connections.onDidChange(() => this.#changed.fire());
  }

  /** Agent ids in the order in which the user added them. The local service begins with its sample, if it has one. */
  get ids(): readonly string[] {
    if (!this.#beginsWithSample) return readTexts(this.#dependencies.workspaceMemory, this.#slot());
    const { entries, loadedAt } = this.connections.of(sampleAgentId).state;
    return loadedAt !== undefined && entries.length === 0 ? [] : [sampleAgentId];
  }

  /** Learns whether the local service has its sample. */
  async load(): Promise<void> {
    if (this.#beginsWithSample) await this.connections.of(sampleAgentId).load();
  }

  get #beginsWithSample(): boolean {
    const { connections, workspaceMemory } = this.#dependencies;
    const { session } = connections;
    const isLocal = session.kind === 'ready' && session.connection.kind === 'local';
    return isLocal && workspaceMemory.get(this.#slot()) === undefined;
  }

  find(agentId: string, connectionId: string): AgentConnection | undefined {
    return this.connections.of(agentId).find(connectionId);
  }

  /** Remembers an agent; adding it again changes nothing. */
  async add(agentId: string): Promise<void> {
    const { ids } = this;
    if (ids.includes(agentId)) return;
    await this.#dependencies.workspaceMemory.update(this.#slot(), [...ids, agentId]);
    this.#changed.fire();
  }

  /** Forgets an agent in this workspace; nothing changes on the service. */
  async remove(agentId: string): Promise<void> {
    const others = this.ids.filter((id) => id !== agentId);
    this.connections.drop(agentId);
    await this.#dependencies.workspaceMemory.update(this.#slot(), others);
    this.#changed.fire();
  }

  dispose(): void {
    this.connections.dispose();
    this.#changed.dispose();
  }

  /** An agent's id is valid on its own service only. */
  #slot(): string {
    return slotOfConnection('agents', this.#dependencies.connections.session);
  }
}
