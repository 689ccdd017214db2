import type { ServiceAccess } from './sampleDeployments.mts';

const day = 86_400_000;

/**
 * Gives the service an OAuth provider and an agent with two connections to it, one valid and one expired. No endpoint
 * of the interface makes these, so the service must have been started with development controls.
 */
export async function createSampleAgent(service: ServiceAccess): Promise<void> {
  const provider = { name: 'Calendar', provider_type: 'custom', client_id: 'sample-agent' };
  await put(service, '/_dev/providers/calendar', provider);
  const connection = { provider_id: 'calendar', oauth_token_id: 'token', created_by: 'ada', created_at: fromNow(-40) };
  await put(service, '/_dev/agents/sample-agent/connections', {
    data: [
      { ...connection, provider_account_label: 'ada@acme.example', scopes: ['events.read'], expires_at: fromNow(30) },
      { ...connection, provider_account_label: 'team@acme.example', scopes: ['events.write'], expires_at: fromNow(-2) },
    ],
  });
}

/** A time as the interface writes it. */
function fromNow(days: number): string {
  return new Date(Date.now() + days * day).toISOString();
}

async function put({ url, apiKey }: ServiceAccess, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok)
    throw new Error(`The local service refused PUT ${path}: ${response.status} ${await response.text()}`);
}
