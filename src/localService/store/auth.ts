import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { sampleAgentId } from '../../api/localService.ts';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import type { AgentConnectionWire } from '../../api/resources/agentConnections.ts';
import { oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { OAuthProviderWire } from '../../api/resources/oauthProviders.ts';
import { json } from './database.ts';
import type { Database } from './database.ts';

/** The OAuth providers. Their client secrets are never stored. */
export class OAuthProviderTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(providerId: string): OAuthProviderWire | undefined {
    const row = this.#database.get('SELECT provider_json FROM oauth_providers WHERE id = ?', providerId);
    return row === undefined ? undefined : oauthProviderWire.parse(json(row, 'provider_json'));
  }

  /** All providers, by id. */
  list(): OAuthProviderWire[] {
    const rows = this.#database.all('SELECT provider_json FROM oauth_providers ORDER BY id');
    return rows.map((row) => oauthProviderWire.parse(json(row, 'provider_json')));
  }

  remove(providerId: string): void {
    this.#database.run('DELETE FROM oauth_providers WHERE id = ?', providerId);
  }

  put(providerId: string, provider: OAuthProviderWire): void {
    this.#database.run(
      `INSERT INTO oauth_providers (id, provider_json) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET provider_json = excluded.provider_json`,
      providerId,
      JSON.stringify(provider),
    );
  }
}

const connectionsShape = z.array(agentConnectionWire);

/** The connections between agents and OAuth providers. No endpoint sets them. */
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

const day = 86_400_000;

/**
 * Adds an OAuth provider, and an agent with two connections to it: one valid, one expired.
 * No endpoint of the interface creates these, so without them nothing about agents could be tried.
 */
export function addSample(oauthProviders: OAuthProviderTable, agents: AgentTable, now: number): void {
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
  agents.setConnections(sampleAgentId, [
    connection('ada@acme.example', 'events.read', daysFromNow(30)),
    connection('team@acme.example', 'events.write', daysFromNow(-2)),
  ]);
}
