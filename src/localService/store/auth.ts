import * as z from 'zod';
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

  put(providerId: string, provider: OAuthProviderWire): void {
    this.#database.run(
      `INSERT INTO oauth_providers (id, provider_json) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET provider_json = excluded.provider_json`,
      providerId,
      JSON.stringify(provider),
    );
  }
}

type GivenFields = { readonly [Field in keyof OAuthProviderWire]?: OAuthProviderWire[Field] | undefined };

/** A provider with defaults for the fields that aren't given. */
export function newProvider(id: string, now: string, given: GivenFields): OAuthProviderWire {
  return oauthProviderWire.parse({
    id,
    organization_id: 'local',
    provider_id: id,
    name: id,
    client_id: `${id}-client`,
    auth_url: `https://${id}.example/authorize`,
    token_url: `https://${id}.example/token`,
    uses_pkce: true,
    code_challenge_method: 'S256',
    created_at: now,
    updated_at: now,
    ...given,
  });
}

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
