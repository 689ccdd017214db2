import * as z from 'zod';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { timestamp } from '../schema/wire.ts';
import { checkBeforeSending, pathStep } from './check.ts';
import { readList, readOne } from './reading.ts';

/** "OAuth provider" from the document, with its required fields and defaults. */
export const oauthProviderWire = z.object({
  id: z.string(),
  organization_id: z.string(),
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean(),
  code_challenge_method: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  provider_type: z.string().nullish(),
  mcp_server_url: z.string().nullish(),
  token_endpoint_auth_method: z.string().default('client_secret_post'),
  is_dynamic_client: z.boolean().default(false),
});

/** The body of PATCH /v2/auth/providers/{provider_id}. Every field is optional and nullable. */
export const oauthProviderPatchWire = z.object({
  name: z.string().nullish(),
  client_id: z.string().nullish(),
  client_secret: z.string().nullish(),
  auth_url: z.string().nullish(),
  token_url: z.string().nullish(),
  uses_pkce: z.boolean().nullish(),
  code_challenge_method: z.string().nullish(),
});

/** Parses an OAuth provider from a response. Drops a `client_secret`. */
export const oauthProviderReader = lenient(oauthProviderWire);

export type OAuthProviderWire = z.infer<typeof oauthProviderWire>;
export type OAuthProvider = z.infer<typeof oauthProviderReader>;
export type OAuthProviderPatch = z.infer<typeof oauthProviderPatchWire>;

/** The endpoint of section "OAuth providers", and the list. They fail only with ApiError. */
export function createOAuthProviders(http: Http) {
  return {
    /** GET /v2/auth/providers, which the document doesn't have. */
    async list(options?: CallOptions) {
      const answer = await http.get('/v2/auth/providers', {}, options);
      // Some lists of the interface are members of an object.
      const member = Array.isArray(answer) ? undefined : 'providers';
      return readList(http, oauthProviderReader, answer, member);
    },

    /** PATCH /v2/auth/providers/{provider_id}. Never sent twice. The response has no `client_secret`. */
    async update(providerId: string, patch: OAuthProviderPatch, options?: CallOptions) {
      checkBeforeSending(oauthProviderPatchWire, patch);
      const path = `/v2/auth/providers/${pathStep('provider_id', providerId)}`;
      return readOne(http, oauthProviderReader, await http.send({ method: 'PATCH', path, body: patch }, options));
    },
  };
}
