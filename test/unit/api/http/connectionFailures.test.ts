import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeConnectionFailure, ProxyFailure } from '../../../../src/api/http/connectionFailures.ts';

const origin = 'https://a.example';
const failure = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('a network failure', () => {
  it.each([
    { code: 'ENOTFOUND', sent: false, kind: 'network', says: "The host of https://a.example can't be resolved." },
    { code: 'EAI_AGAIN', sent: false, kind: 'network', says: "The host of https://a.example can't be resolved." },
    { code: 'ECONNREFUSED', sent: false, kind: 'network', says: 'https://a.example refused the connection.' },
    {
      code: 'EHOSTUNREACH',
      sent: false,
      kind: 'network',
      says: "Couldn't connect to https://a.example (EHOSTUNREACH).",
    },
    {
      code: 'ECONNRESET',
      sent: true,
      kind: 'network',
      says: 'was lost before the response was complete (ECONNRESET).',
    },
    {
      code: 'UND_ERR_CONNECT_TIMEOUT',
      sent: false,
      kind: 'timeout',
      says: "Couldn't connect to https://a.example in time.",
    },
    { code: 'UND_ERR_DESTROYED', sent: false, kind: 'cancelled', says: 'was cancelled.' },
    { code: 'HPE_INVALID_CONSTANT', sent: true, kind: 'unexpectedResponse', says: "didn't respond with HTTP." },
    {
      code: 'CERT_SIGNATURE_FAILURE',
      sent: false,
      kind: 'tls',
      says: "Couldn't connect securely to https://a.example",
    },
    { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', sent: false, kind: 'tls', says: 'isn\'t trusted here. Set "caFile"' },
    { code: 'INVALID_PURPOSE', sent: false, kind: 'tls', says: "Couldn't connect securely to https://a.example" },
    { code: 'ERROR_IN_CERT_NOT_AFTER_FIELD', sent: false, kind: 'tls', says: '(ERROR_IN_CERT_NOT_AFTER_FIELD)' },
    { code: 'UNSPECIFIED', sent: false, kind: 'tls', says: '(UNSPECIFIED)' },
  ])('turns $code into the kind $kind', ({ code, sent, kind, says }) => {
    const error = describeConnectionFailure(failure(code), { origin }, sent);
    expect(error).toMatchObject({ kind, sent });
    expect(error.message).toContain(says);
  });

  it('has a message without a code or an error', () => {
    for (const cause of [new Error('x'), 'text', undefined]) {
      const error = describeConnectionFailure(cause, { origin }, false);
      expect(error.kind).toBe('network');
      expect(error.message).not.toContain('()');
    }
  });

  it('finds the code in nested causes', () => {
    const cause = new Error('outer', { cause: new AggregateError([], 'middle', { cause: failure('ENOTFOUND') }) });
    expect(describeConnectionFailure(cause, { origin }, false).message).toContain("can't be resolved");
  });
});

describe('a failure behind a proxy', () => {
  const proxy = 'proxy.example:3128';

  it.each([
    {
      name: 'of the proxy itself',
      cause: new ProxyFailure(failure('ENOTFOUND')),
      says: `proxy ${proxy} (ENOTFOUND)`,
    },
    { name: 'without a reason', cause: new ProxyFailure(new Error('x')), says: `proxy ${proxy} (no connection)` },
    { name: 'with 407', cause: failure('X', 'Proxy response (407) !== 200'), says: 'requires a user name' },
    { name: 'with 503', cause: failure('X', 'Proxy response (503) !== 200'), says: 'status 503' },
  ])('has the kind proxy: $name', ({ cause, says }) => {
    const error = describeConnectionFailure(cause, { origin, proxy }, false);
    expect(error.kind).toBe('proxy');
    expect(error.message).toContain(`proxy ${proxy}`);
    expect(error.message).toContain(says);
  });

  it.each(['UND_ERR_PRX_TLS', 'CERT_HAS_EXPIRED'])('has the kind tls for TLS to the proxy (%s)', (code) => {
    const error = describeConnectionFailure(new ProxyFailure(failure(code)), { origin, proxy }, false);
    expect(error.kind).toBe('tls');
    expect(error.message).toContain(`Couldn't connect to the proxy ${proxy} (${code})`);
  });

  it('keeps the kind of the service inside a tunnel', () => {
    const error = describeConnectionFailure(failure('ECONNRESET'), { origin, proxy }, true);
    expect(error).toMatchObject({ kind: 'network', sent: true });
  });
});

it('drops what undici attaches to its errors, which can be part of a response', () => {
  const cause = Object.assign(failure('HPE_X', 'Bad'), { data: 'planted-4711', socket: { remoteAddress: '10.0.0.1' } });
  const text = inspect(describeConnectionFailure(cause, { origin }, true), { depth: Infinity, showHidden: true });
  expect(text).not.toMatch(/planted-4711|10\.0\.0\.1/);
});
