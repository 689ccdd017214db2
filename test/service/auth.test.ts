import { describe, expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { refusedFields } from './support/requests.ts';

const fixture = runningService();

describe('an OAuth provider', () => {
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

describe('OAuth providers beyond the document', () => {
  const body = {
    provider_id: 'mail',
    name: 'Mail',
    client_id: 'client',
    client_secret: 'canary-secret',
    auth_url: 'https://mail.example/authorize',
    token_url: 'https://mail.example/token',
  };
  const path = '/v2/auth/providers';

  it('are created, listed, read and deleted', async () => {
    const created = await fixture.caller.post(path, body);
    expect(created).toMatchObject({
      status: 201,
      body: { id: 'mail', provider_id: 'mail', name: 'Mail', uses_pkce: false, code_challenge_method: null },
    });
    expect(JSON.stringify(created.body)).not.toContain('canary-secret');
    expect((await fixture.caller.get(path)).body).toEqual(expect.arrayContaining([created.body]));
    expect((await fixture.caller.get(`${path}/mail`)).body).toEqual(created.body);
    expect((await fixture.caller.post(path, body)).status).toBe(409);
    expect(await fixture.caller.send('DELETE', `${path}/mail`)).toMatchObject({ status: 204, body: undefined });
    expect((await fixture.caller.get(`${path}/mail`)).status).toBe(404);
    expect((await fixture.caller.send('DELETE', `${path}/mail`)).status).toBe(404);
  });

  it('need the fields that a provider has', async () => {
    expect(refusedFields(await fixture.caller.post(path, { provider_id: '', uses_pkce: 'yes' })).toSorted()).toEqual([
      'body.auth_url',
      'body.client_id',
      'body.name',
      'body.provider_id',
      'body.token_url',
      'body.uses_pkce',
    ]);
    expect((await fixture.caller.send('PUT', path, { body })).status).toBe(405);
  });
});

describe('the connections of an agent', () => {
  it('belong to agents whose IDs contain any characters', async () => {
    const path = `agents/${encodeURIComponent('a/b ü%')}/connections`;
    await fixture.caller.send('PUT', `/_dev/${path}`, { body: { data: [{ provider_id: 'mail' }] } });
    expect((await fixture.caller.get(`/v2/auth/${path}`)).body).toMatchObject({
      data: [{ agent_id: 'a/b ü%', provider_id: 'mail' }],
    });
  });
});
