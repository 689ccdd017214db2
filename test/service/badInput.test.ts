import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { imageBody, refusedFields, sentenceOf } from './support/requests.ts';

const fixture = runningService();
const create = '/v2/deployments';
let before: string;

/** Everything that the interface shows, as text. */
async function stored(): Promise<string> {
  const lists = ['/v2/deployments', '/v2/listeners'].map(async (path) => fixture.caller.get(`${path}?limit=100`));
  return JSON.stringify((await Promise.all(lists)).map(({ body }) => body));
}

beforeEach(async () => {
  before = await stored();
});

afterEach(async () => {
  // Whatever was refused has changed nothing, and the service is as well as before.
  expect(await stored()).toBe(before);
  expect(fixture.service.errors()).toBe('');
});

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"name": canary}', 400],
    ['that is empty', '', 400],
    ['that is no UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
    ['nested 100,000 levels deep', '['.repeat(100_000), 400],
    ['that is a list', '[]', 422],
    ['that is null', 'null', 422],
    ['that is a text', '"canary"', 422],
    ['with a NUL in a text', JSON.stringify(imageBody('a\0b')), 422],
    ['with a NUL in a key', '{"a\\u0000": 1}', 422],
    ['with half a Unicode character', '{"name": "\\ud800"}', 422],
    ['with the key __proto__', '{"__proto__": {"name": "canary"}}', 422],
    ['with the key __proto__ deep inside', specOf('{"labels": {"a": {"__proto__": 1}}}'), 422],
    ['with the key __proto__ written as an escape', String.raw`{"__proto\u005f_": 1}`, 422],
    ['with an infinite number', specOf('{"cpu": 1e999}'), 422],
    ['with a number beyond 2^53', specOf('{"labels": {"a": 9007199254740993}}'), 422],
    ['with an enormous whole number', specOf('{"memory_mb": 1e300}'), 422],
  ])('%s is refused', async (_, rawBody, status) => {
    const answer = await fixture.caller.send('POST', create, { rawBody });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=utf-16'],
    ['multipart/form-data'],
  ])('is rejected if it is sent as %s', async (type) => {
    const answer = await fixture.caller.send('POST', create, { rawBody: '{}', headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
  });

  it('is rejected if it is compressed', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await fixture.caller.send('POST', create, { rawBody: '{}', headers })).status).toBe(415);
  });

  it('is rejected if it is larger than 1 MiB, whether its length is announced or not', async () => {
    const name = 'x'.repeat(1024 * 1024);
    expect((await fixture.caller.post(create, imageBody(name))).status).toBe(413);
    const rawBody = new Blob([JSON.stringify(imageBody(name))]).stream();
    expect((await fixture.caller.send('POST', create, { rawBody })).status).toBe(413);
  });

  it('is cut off if it never ends', async () => {
    expect(await sendEndlessly()).toMatch(/^HTTP\/1\.1 413 |^EPIPE$|^ECONNRESET$/);
  });
});

describe('a field', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['of a wrong type', { name: 1 }, ['body.name']],
    ['that is not known as a source', { source: 'canary' }, ['body.source']],
    ['that is missing', { name: undefined }, ['body.name']],
    ['that is no object', { source_config: 'canary' }, ['body.source_config']],
    ['that is no UUID', { source_config: { listener_id: 'canary' } }, ['body.source_config.listener_id']],
    ['with an unknown type', { source_config: { deployment_type: 'canary' } }, ['body.source_config.deployment_type']],
    ['with a fraction of a MB', spec({ memory_mb: 1.5 }), ['body.source_config.resource_spec.memory_mb']],
    ['with a number as text', spec({ cpu: 'canary' }), ['body.source_config.resource_spec.cpu']],
    [
      'deep in a list',
      spec({ sidecars: [{ env: [{ value: 1 }] }] }),
      ['body.source_config.resource_spec.sidecars.0.env.0.value'],
    ],
    ['with a NUL', { secrets: [{ name: 'TOKEN', value: 'canary\0' }] }, ['body.secrets.0.value']],
    ['that is too large', spec({ db_storage_gi: 2 ** 60 }), ['body.source_config.resource_spec.db_storage_gi']],
    ['of a secret', { secrets: [{ name: 'A', value: { canary: 1 } }] }, ['body.secrets.0.value']],
  ])('is rejected with its place and without its value: %s', async (_, fields, places) => {
    const answer = await fixture.caller.post(create, { ...imageBody('refused'), ...fields });
    expect(refusedFields(answer)).toEqual(places);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });

  it('is reported together with other invalid fields, up to a limit', async () => {
    const answer = await fixture.caller.post(
      create,
      imageBody('many', { secrets: Array.from({ length: 500 }, () => 1) }),
    );
    expect(refusedFields(answer)).toHaveLength(50);
  });

  it('is reported with the beginning of a long key', async () => {
    const answer = await fixture.caller.post(create, spec({ [`key${'x'.repeat(5000)}\0`]: 1 }));
    expect(JSON.stringify(answer.body).length).toBeLessThan(500);
  });

  it('is ignored if it is unknown', async () => {
    const answer = await fixture.caller.post('/v2/listeners', { compute_type: 'vm', compute_id: 'x', colour: 'red' });
    expect(sentenceOf(answer)).toContain("'compute_type'");
  });
});

describe('a path', () => {
  it("is not found if it doesn't exist, unlike a wrong method", async () => {
    expect((await fixture.caller.get('/v2/nothing')).status).toBe(404);
    const answer = await fixture.caller.send('DELETE', create);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, GET');
  });

  it.each(['/v2/deployments/%00/revisions', '/v2/deployments/%ff/revisions', '/v2/deployments/../../etc/passwd'])(
    'is rejected if it is %s',
    async (path) => {
      expect([404, 422]).toContain((await fixture.caller.get(path)).status);
    },
  );
});

function spec(fields: Record<string, unknown>): Record<string, unknown> {
  return imageBody('with-spec', { source_config: { resource_spec: fields } });
}

function specOf(json: string): string {
  return `{"name": "a", "source": "external_docker", "source_config": {"resource_spec": ${json}}}`;
}

/**
 * Sends a chunked body until the service puts an end to it, and gives the first line of its answer. Who goes on sending
 * can miss the answer, because the connection is closed behind it; then the code of that error is given.
 */
async function sendEndlessly(): Promise<string> {
  const { hostname, port } = new URL(fixture.service.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send);
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().split('\r\n', 1)[0] ?? '');
    });
    socket.write(
      [
        `POST ${create} HTTP/1.1`,
        `Host: ${hostname}`,
        `X-Api-Key: ${fixture.service.apiKey}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '\r\n',
      ].join('\r\n'),
    );
    send();
  });
}
