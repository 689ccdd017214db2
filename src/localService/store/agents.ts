import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import type { AgentConnectionWire } from '../../api/resources/agentConnections.ts';
import type { Database } from './database.ts';
import { json } from './rows.ts';

const connectionsShape = z.array(agentConnectionWire);

/** The connections between agents and OAuth providers. Only development controls can set them. */
export class AgentTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The connections of an agent; empty for an unknown agent. */
  connections(agentId: string): AgentConnectionWire[] {
    const row = this.#database.get('SELECT connections_json FROM agents WHERE id = ?', agentId);
    return row === undefined ? [] : connectionsShape.parse(json(row, 'connections_json'));
  }

  setConnections(agentId: string, connections: readonly AgentConnectionWire[]): void {
    this.#database.run(
      `INSERT INTO agents (id, connections_json) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET connections_json = excluded.connections_json`,
      agentId,
      JSON.stringify(connections),
    );
  }
}
