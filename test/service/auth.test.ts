import { describe, expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { refusedFields } from './support/requests.ts';

const fixture = runningService();

describe('an OAuth provider', () => {
  it('is changed field by field: null clears, and an absent field stays', async () => {
    await fixture.caller.send('PUT', '/_dev/providers/calendar', { body: { name: 'Calendar' } });
    const { status, body } = await fixture.caller.send('PATCH', '/v2/auth/providers/calendar', {
      body: { client_id: 'new-client', auth_url: null, uses_pkce: false, code_challenge_method: null },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      provider_id: 'calendar',
      name: 'Calendar',
      client_id: 'new-client',
      auth_url: '',
      token_url: 'https://calendar.example/token',
      uses_pkce: false,
      code_challenge_method: null,
      token_endpoint_auth_method: 'client_secret_post',
      is_dynamic_client: false,
    });
  });

  it('keeps what was changed', async () => {
    await fixture.caller.send('PUT', '/_dev/providers/mail', { body: {} });
    await fixture.caller.send('PATCH', '/v2/auth/providers/mail', { body: { name: 'Mail' } });
    const { body } = await fixture.caller.send('PATCH', '/v2/auth/providers/mail', { body: {} });
    expect(body).toMatchObject({ name: 'Mail' });
  });

  it('accepts a client secret and never returns it', async () => {
    await fixture.caller.send('PUT', '/_dev/providers/drive', { body: {} });
    const { status, body } = await fixture.caller.send('PATCH', '/v2/auth/providers/drive', {
      body: { client_secret: 'canary-client-secret' },
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  it("is not found if it doesn't exist", async () => {
    expect((await fixture.caller.send('PATCH', '/v2/auth/providers/nobody', { body: {} })).status).toBe(404);
  });

  it('rejects fields of the wrong type', async () => {
    await fixture.caller.send('PUT', '/_dev/providers/typed', { body: {} });
    const answer = await fixture.caller.send('PATCH', '/v2/auth/providers/typed', {
      body: { name: 1, client_secret: ['canary'], uses_pkce: 'yes' },
    });
    expect(refusedFields(answer)).toEqual(['body.name', 'body.client_secret', 'body.uses_pkce']);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });
});

describe('the connections of an agent', () => {
  it('are none for an unknown agent', async () => {
    expect((await fixture.caller.get('/v2/auth/agents/unknown/connections')).body).toEqual({ data: [] });
  });

  it('are listed as they were set', async () => {
    const connection = {
      id: 'connection-1',
      agent_id: 'agent-1',
      oauth_token_id: 'token-1',
      provider_id: 'calendar',
      provider_account_label: 'ada@example.com',
      created_by: 'user-1',
      scopes: ['read', 'write'],
      expires_at: '2026-01-01T00:00:00Z',
      created_at: '2025-01-01T00:00:00+02:00',
    };
    await fixture.caller.send('PUT', '/_dev/agents/agent-1/connections', { body: { data: [connection] } });
    expect((await fixture.caller.get('/v2/auth/agents/agent-1/connections')).body).toEqual({ data: [connection] });
  });

  it('belong to agents whose IDs contain any characters', async () => {
    const path = `agents/${encodeURIComponent('a/b ü%')}/connections`;
    await fixture.caller.send('PUT', `/_dev/${path}`, { body: { data: [{ provider_id: 'mail' }] } });
    expect((await fixture.caller.get(`/v2/auth/${path}`)).body).toMatchObject({
      data: [{ agent_id: 'a/b ü%', provider_id: 'mail' }],
    });
  });
});
