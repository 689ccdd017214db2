import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { sampleAgentId } from '../../api/localService.ts';
import type { AgentConnectionWire } from '../../api/resources/agentConnections.ts';
import { oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { OAuthProviderWire } from '../../api/resources/oauthProviders.ts';
import { json, Table } from './database.ts';
import type { Database } from './database.ts';

/** Values by id, each as JSON in one column. */
export class JsonTable<Value> extends Table {
  readonly #table: string;
  readonly #column: string;
  readonly #shape: z.ZodType<Value>;

  constructor(database: Database, table: string, column: string, shape: z.ZodType<Value>) {
    super(database);
    this.#table = table;
    this.#column = column;
    this.#shape = shape;
  }

  find(id: string): Value | undefined {
    const row = this.database.get(`SELECT ${this.#column} FROM ${this.#table} WHERE id = ?`, id);
    return row && this.#shape.parse(json(row, this.#column));
  }

  /** All values, by id. */
  list(): Value[] {
    const rows = this.database.all(`SELECT ${this.#column} FROM ${this.#table} ORDER BY id`);
    return rows.map((row) => this.#shape.parse(json(row, this.#column)));
  }

  remove(id: string): void {
    this.database.run(`DELETE FROM ${this.#table} WHERE id = ?`, id);
  }

  put(id: string, value: Value): void {
    this.database.run(
      `INSERT INTO ${this.#table} (id, ${this.#column}) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET ${this.#column} = excluded.${this.#column}`,
      id,
      JSON.stringify(value),
    );
  }
}

const day = 86_400_000;

/**
 * Adds an OAuth provider, and an agent with two connections to it: one valid, one expired.
 * No endpoint of the interface creates these, so without them nothing about agents could be tried.
 */
export function addSample(
  oauthProviders: JsonTable<OAuthProviderWire>,
  agents: JsonTable<AgentConnectionWire[]>,
  now: number,
): void {
  const daysFromNow = (days: number): string => new Date(now + days * day).toISOString();
  const id = 'calendar';
  const createdAt = daysFromNow(-40);
  const provider = {
    id,
    organization_id: 'local',
    provider_id: id,
    provider_type: 'custom',
    name: 'Calendar',
    client_id: `${id}-client`,
    auth_url: `https://${id}.example/authorize`,
    token_url: `https://${id}.example/token`,
    uses_pkce: true,
    code_challenge_method: 'S256',
    created_at: createdAt,
    updated_at: createdAt,
  };
  oauthProviders.put(id, oauthProviderWire.parse(provider));
  const connection = (account: string, scope: string, expiresAt: string) => ({
    id: randomUUID(),
    agent_id: sampleAgentId,
    oauth_token_id: randomUUID(),
    provider_id: id,
    provider_account_label: account,
    scopes: [scope],
    expires_at: expiresAt,
    created_by: 'ada',
    created_at: createdAt,
  });
  agents.put(sampleAgentId, [
    connection('ada@acme.example', 'events.read', daysFromNow(30)),
    connection('team@acme.example', 'events.write', daysFromNow(-2)),
  ]);
}
