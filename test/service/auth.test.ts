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

describe('the connections of an agent', () => {
  it('belong to agents whose IDs contain any characters', async () => {
    const path = `agents/${encodeURIComponent('a/b ü%')}/connections`;
    await fixture.caller.send('PUT', `/_dev/${path}`, { body: { data: [{ provider_id: 'mail' }] } });
    expect((await fixture.caller.get(`/v2/auth/${path}`)).body).toMatchObject({
      data: [{ agent_id: 'a/b ü%', provider_id: 'mail' }],
    });
  });
});
