import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { oauthProviderPatchWire, oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import type { OAuthProviderPatch, OAuthProviderWire } from '../../api/resources/oauthProviders.ts';
import { notFound, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';

/** The routes of "OAuth providers" and "Agent connections". */
export function authRoutes({ oauthProviders, agents, clock }: ServiceParts): Route[] {
  const updateProvider = route(
    {
      method: 'PATCH',
      path: '/v2/auth/providers/{provider_id}',
      operationId: 'updateOAuthProvider',
      summary: 'Change an OAuth provider.',
      params: z.object({ provider_id: z.string() }),
      body: oauthProviderPatchWire,
      success: { status: 200, description: 'The provider after the change.', schema: oauthProviderWire },
      problems: [404],
    },
    ({ params, body }) => {
      const provider = oauthProviders.find(params.provider_id);
      if (provider === undefined) throw notFound('OAuth provider');
      const changed = patched(provider, body, new Date(clock.now()).toISOString());
      oauthProviders.put(params.provider_id, changed);
      return changed;
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
    ({ params }) => ({ data: agents.connections(params.agent_id) }),
  );
  return [updateProvider, listConnections];
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
