import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance, createDeployment, imageBody, repositoryBody, statusWithHost } from './support/requests.ts';

const fixture = runningServiceWithSample();

describe('a request', () => {
  const paths = [
    '/v2/deployments',
    '/openapi.json',
    '/_dev/clock',
    '/_control/repositories',
    '/_control/stop',
    '/no/such/path',
  ];

  it.each(paths)('gets 401 without the key to %s', async (target) => {
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': '' }, { authorization: 'Bearer wrong' }]) {
      const response = await fetch(`${fixture.service.url}${target}`, { headers });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain(fixture.service.apiKey);
    }
  });

  it('can have the key as a bearer token', async () => {
    const headers = { authorization: `Bearer ${fixture.service.apiKey}` };
    expect((await fetch(`${fixture.service.url}/v2/deployments`, { headers })).status).toBe(200);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '192.168.0.1'])(
    'is rejected with the Host header %j, which a web page could send',
    async (host) => {
      expect(await statusWithHost(fixture.service, host, '/v2/deployments')).toBe(421);
    },
  );

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:1234'])('is accepted with the Host header %j', async (host) => {
    expect(await statusWithHost(fixture.service, host, '/v2/deployments')).toBe(200);
  });

  it('gives a web page no permission to read the response', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await fetch(`${fixture.service.url}/v2/deployments`, {
        method,
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-api-key' },
      });
      expect(response.status).toBe(401);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('reaches the service on the loopback interface only', async () => {
    const { port } = new URL(fixture.service.url);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) expect(await canConnect(address, Number(port))).toBe(false);
    expect(await canConnect('127.0.0.1', Number(port))).toBe(true);
  });
});

describe('a proof of identity', () => {
  const nonce = 'a'.repeat(43);
  const ask = async (path: string, method = 'GET') => fetch(`${fixture.service.url}${path}`, { method });

  it('needs no key, and proves that the service knows it', async () => {
    const { host } = new URL(fixture.service.url);
    const response = await ask(`/_control/proof/${nonce}`);
    const { pid } = fixture.service.process;
    const hmac = createHmac('sha256', fixture.service.apiKey).update(`${nonce}\n${host}\n${pid}`).digest('base64url');
    expect(response.status).toBe(204);
    expect(response.headers.get('proof')).toBe(`${pid} ${hmac}`);
    expect(await response.text()).toBe('');
  });

  it.each(['', '/', '/short', `/${nonce}a`, `/${nonce}/`, `/${nonce.slice(1)}.`, `?nonce=${nonce}`])(
    'is refused for a nonce of another form (%s)',
    async (end) => {
      expect((await ask(`/_control/proof${end}`)).status).toBe(401);
    },
  );

  it('is refused to a web page that points its own name at the service', async () => {
    expect(await statusWithHost(fixture.service, 'evil.example', `/_control/proof/${nonce}`)).toBe(421);
  });

  it.each(['POST', 'PUT', 'PATCH'])("doesn't replace the key for %s", async (method) => {
    expect((await ask(`/_control/proof/${nonce}`, method)).status).toBe(401);
  });
});

it('gives each response its own ID, and keeps it out of caches', async () => {
  const first = await fixture.caller.get('/v2/deployments');
  const second = await fixture.caller.get('/v2/deployments');
  expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(first.headers.get('cache-control')).toBe('no-store');
});

it('keeps secret values out of files, responses and logs', async () => {
  const secrets = [{ name: 'TOKEN', value: 'canary-of-a-secret' }];
  const { id } = await createDeployment(
    fixture.caller,
    await repositoryBody(fixture.caller, 'with-canary', { secrets }),
  );
  await fixture.caller.send('PUT', '/_dev/providers/mail', { body: {} });
  await fixture.caller.send('PATCH', '/v2/auth/providers/mail', { body: { client_secret: 'canary-of-a-client' } });
  await fixture.caller.post('/v2/deployments', imageBody('bad', { secrets: [{ name: 'A', value: ['canary-array'] }] }));
  await advance(fixture.caller, 6 * stepMs);
  const answers = [
    await fixture.caller.get(`/v2/deployments?deployment_ids=${id}`),
    await fixture.caller.get(`/v2/deployments/${id}/revisions`),
  ];
  const { dataFolder } = fixture.service;
  const names = await readdir(dataFolder);
  const contents = await Promise.all(names.map(async (name) => readFile(path.join(dataFolder, name), 'latin1')));
  expect(contents.join('')).toContain('TOKEN');
  for (const text of [...contents, JSON.stringify(answers), fixture.service.errors()]) {
    expect(text).not.toContain('canary-');
  }
});

async function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const finish = (connected: boolean): void => {
      socket.destroy();
      resolve(connected);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}
