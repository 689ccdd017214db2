import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../../src/api/errors.ts';
import { serviceError } from '../../../../src/api/http/answer.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json, raw } from '../../../support/faults.ts';

/** What a person gets when a change meets this answer. */
async function errorFor(fault: Fault): Promise<ApiError> {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url });
  server.answer(fault);
  return await failureOf(client.oauthProviders.update('a', { name: 'A' }));
}

describe('an unsuccessful response', () => {
  it.each([
    { name: 'detail as text', body: { detail: 'Name is taken' }, says: ': Name is taken.' },
    { name: 'error as text', body: { error: 'quota_exceeded' }, says: ': quota_exceeded.' },
    { name: 'message', body: { message: 'Slow down!' }, says: ': Slow down!' },
    { name: 'a nested error', body: { error: { message: 'Deep', code: 1 } }, says: ': Deep.' },
    { name: 'nothing that is known', body: { reason: 'unknown' }, says: 'rejected the request (400).' },
    { name: 'a list', body: [1, 2], says: 'rejected the request (400).' },
    { name: 'null', body: null, says: 'rejected the request (400).' },
  ])('is read with $name', async ({ body, says }) => {
    const error = await errorFor(json(body, 400));
    expect(error).toMatchObject({ kind: 'invalid', status: 400, sent: true });
    expect(error.message).toContain(says);
  });

  it.each([
    { name: 'HTML', fault: raw('<html><title>502 Bad Gateway</title>', 502, { 'content-type': 'text/html' }) },
    { name: 'an empty body', fault: raw('', 502) },
    { name: 'JSON that is cut off', fault: raw('{"detail": "x', 502) },
    { name: 'too many values', fault: raw(`{"detail":"x","y":[${'0,'.repeat(200_000)}0]}`, 502) },
    { name: 'no UTF-8', fault: raw(Buffer.from([0xff, 0xfe, 0x00]), 502) },
  ])('is read by its status with $name', async ({ fault }) => {
    const error = await errorFor(fault);
    expect(error).toMatchObject({ kind: 'server', status: 502 });
    expect(error.message).toMatch(/couldn't complete the request \(502\)\. Try again later\.$/);
  });

  it('lists the rejected fields of a 422 by path, without the input', async () => {
    const detail = [
      { loc: ['body', 'secrets', 0, 'value'], msg: 'Too short', type: 'x', input: 'planted-input' },
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['query'], msg: 'Odd' },
      { nothing: true },
      'text',
    ];
    const error = await errorFor(json({ detail }, 422));
    expect(error.kind).toBe('invalid');
    expect(error.fields).toEqual([
      { path: 'secrets.0.value', message: 'Too short' },
      { path: 'name', message: 'Field required' },
      { path: 'query', message: 'Odd' },
      { path: '', message: 'is invalid' },
    ]);
    expect(error.message).toContain('secrets.0.value: Too short; name: Field required');
    expect(JSON.stringify(error)).not.toContain('planted-input');
  });

  it('names at most five rejected fields in its message', async () => {
    const detail = Array.from({ length: 9 }, (_, index) => ({ loc: ['body', `field${index}`], msg: 'bad' }));
    const error = await errorFor(json({ detail }, 422));
    expect(error.fields).toHaveLength(9);
    expect(error.message).toContain('field4: bad; …');
    expect(error.message).not.toContain('field5');
  });

  it.each(['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'])(
    'keeps the request ID from %s',
    async (header) => {
      const error = await errorFor(json({ detail: 'x' }, 500, { [header]: 'id-1' }));
      expect(error.requestId).toBe('id-1');
    },
  );

  it('is trimmed and shortened, and loses control characters and colors', async () => {
    const error = await errorFor(
      json({ detail: ` \u001B[31mred\u001B[0m\u0007 a\r\nb\u202E ${'x'.repeat(2000)}` }, 400),
    );
    expect(error.message).toContain(': red a b xxx');
    expect(error.message).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(error.message.length).toBeLessThan(700);
  });
});

describe('the message of a rejection', () => {
  it.each([
    { status: 401, detail: undefined, says: /^API key rejected by http:\S+ \(401\)\. Use Set API Key\.$/ },
    { status: 403, detail: 'no', says: /doesn't allow this with the current API key \(403\): no\.$/ },
    { status: 404, detail: 'Not Found', says: /^Not found on http:\S+ \(404\): Not Found\.$/ },
    { status: 429, detail: undefined, says: /is rate-limiting requests \(429\)\. Try again later\.$/ },
    {
      status: 400,
      detail: "'source_config.listener_id' is required for workspace with available listener IDs: ['a']",
      says: /Choose one of the listeners of your workspace\.$/,
    },
    {
      status: 403,
      detail: 'This API key is org-scoped and requires workspace specification',
      says: /Add the header X-Tenant-Id/,
    },
    { status: 403, detail: 'LangSmith Deployment is not enabled for this organization', says: /Ask the owner/ },
    { status: 409, detail: 'Tracer session already exists', says: /tracing project with this name may still exist/ },
  ])('says what to do for $status with $detail', async ({ status, detail, says }) => {
    expect((await errorFor(json({ detail }, status))).message).toMatch(says);
  });
});

it('explains the address of the tracing service', () => {
  const notFound = { status: 404, headers: {}, body: Buffer.from('{"detail":"Not Found"}') };
  const errorOf = (origin: string) => serviceError(notFound, { origin, secrets: [] });
  expect(errorOf('https://api.smith.langchain.com').message).toContain('https://api.host.langchain.com');
  expect(errorOf('https://a.example').message).not.toContain('langchain');
});

it('says how long to wait if the service does', async () => {
  const error = await errorFor(json({}, 429, { 'retry-after': '7' }));
  expect(error).toMatchObject({ kind: 'rateLimited', retryAfterMs: 7000 });
  expect(error.message).toContain('Try again in 7 s.');
});
