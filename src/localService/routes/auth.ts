import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { oauthProviderPatchWire, oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { OAuthProviderPatch, OAuthProviderWire } from '../../api/resources/oauthProviders.ts';
import { HttpProblem, orNotFound, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';

/** The body that creates a provider: what the provider itself has, and the secret. */
export const oauthProviderBody = oauthProviderWire
  .omit({ id: true, organization_id: true, created_at: true, updated_at: true })
  .extend({
    provider_id: z.string().min(1, { error: 'must not be empty' }),
    client_secret: z.string().nullish(),
    uses_pkce: z.boolean().default(false),
    code_challenge_method: z.string().nullable().default(null),
  });

/** The routes of "OAuth providers" and "Agent connections". */
export function authRoutes({ oauthProviders, agents, clock }: ServiceParts): Route[] {
  const find = (id: string): OAuthProviderWire => orNotFound(oauthProviders.find(id), 'OAuth provider');
  const one = { path: '/v2/auth/providers/{provider_id}', params: z.object({ provider_id: z.string() }) } as const;
  const updateProvider = route(
    {
      ...one,
      method: 'PATCH',
      operationId: 'updateOAuthProvider',
      summary: 'Change an OAuth provider.',
      body: oauthProviderPatchWire,
      success: { status: 200, description: 'The provider after the change.', schema: oauthProviderWire },
      problems: [404],
    },
    ({ params, body }) => {
      const changed = patched(find(params.provider_id), body, new Date(clock.now()).toISOString());
      oauthProviders.put(params.provider_id, changed);
      return changed;
    },
  );
  const list = route(
    {
      method: 'GET',
      path: '/v2/auth/providers',
      operationId: 'listOAuthProviders',
      summary: 'List the OAuth providers.',
      success: { status: 200, description: 'The providers.', schema: z.array(oauthProviderWire) },
    },
    () => oauthProviders.list(),
  );
  const create = route(
    {
      method: 'POST',
      path: '/v2/auth/providers',
      operationId: 'createOAuthProvider',
      summary: 'Create an OAuth provider.',
      body: oauthProviderBody,
      success: { status: 201, description: 'The provider.', schema: oauthProviderWire },
      problems: [409],
    },
    ({ body }) => {
      const { provider_id: id } = body;
      if (oauthProviders.find(id) !== undefined) throw new HttpProblem(409, `'provider_id' is taken.`);
      const now = new Date(clock.now()).toISOString();
      // Parsing drops the client secret.
      const provider = oauthProviderWire.parse({
        ...body,
        id,
        organization_id: 'local',
        created_at: now,
        updated_at: now,
      });
      oauthProviders.put(id, provider);
      return provider;
    },
  );
  const get = route(
    {
      ...one,
      method: 'GET',
      operationId: 'getOAuthProvider',
      summary: 'Get one OAuth provider.',
      success: { status: 200, description: 'The provider.', schema: oauthProviderWire },
      problems: [404],
    },
    ({ params }) => find(params.provider_id),
  );
  const remove = route(
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteOAuthProvider',
      summary: 'Delete an OAuth provider.',
      success: { status: 204, description: 'The provider is gone.' },
      problems: [404],
    },
    ({ params }) => {
      find(params.provider_id);
      oauthProviders.remove(params.provider_id);
    },
  );
  const listConnections = route(
    {
      method: 'GET',
      path: '/v2/auth/agents/{agent_id}/connections',
      operationId: 'listAgentConnections',
      summary: 'List the connections between an agent and OAuth providers.',
      params: z.object({ agent_id: z.string() }),
      success: {
        status: 200,
        description: 'The connections.',
        schema: z.object({ data: z.array(agentConnectionWire) }),
      },
    },
    ({ params }) => ({ data: agents.find(params.agent_id) ?? [] }),
  );
  return [list, create, get, updateProvider, remove, listConnections];
}

/** What null makes of a field that an answer can't have as null. */
const emptyValues = new Map<string, string | boolean>([
  ['name', ''],
  ['client_id', ''],
  ['auth_url', ''],
  ['token_url', ''],
  ['uses_pkce', false],
]);

/** Applies a patch: null clears a field, an absent one stays. Drops the client secret, because nothing uses it. */
function patched(provider: OAuthProviderWire, patch: OAuthProviderPatch, updatedAt: string): OAuthProviderWire {
  const given = Object.entries(patch).map(
    ([field, value]) => [field, value ?? emptyValues.get(field) ?? null] as const,
  );
  return oauthProviderWire.parse({ ...provider, ...Object.fromEntries(given), updated_at: updatedAt });
}
