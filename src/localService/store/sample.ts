import { randomUUID } from 'node:crypto';
import { sampleAgentId } from '../../api/localService.ts';
import type { ServiceParts } from '../parts.ts';
import { newProvider } from './auth.ts';

const day = 86_400_000;

/**
 * Adds an OAuth provider, and an agent with two connections to it: one valid, one expired.
 * No endpoint of the interface creates these, so without them nothing about agents could be tried.
 */
export function addSample({
  oauthProviders,
  agents,
  clock,
}: Pick<ServiceParts, 'oauthProviders' | 'agents' | 'clock'>) {
  const now = clock.now();
  const daysFromNow = (days: number): string => new Date(now + days * day).toISOString();
  const provider = newProvider('calendar', daysFromNow(-40), { name: 'Calendar', provider_type: 'custom' });
  oauthProviders.put(provider.id, provider);
  const connection = (account: string, scope: string, expiresAt: string) => ({
    id: randomUUID(),
    agent_id: sampleAgentId,
    oauth_token_id: randomUUID(),
    provider_id: provider.id,
    provider_account_label: account,
    scopes: [scope],
    expires_at: expiresAt,
    created_by: 'ada',
    created_at: daysFromNow(-40),
  });
  agents.setConnections(sampleAgentId, [
    connection('ada@acme.example', 'events.read', daysFromNow(30)),
    connection('team@acme.example', 'events.write', daysFromNow(-2)),
  ]);
}
