import { oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { OAuthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { Database } from './database.ts';
import { json } from './rows.ts';

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
