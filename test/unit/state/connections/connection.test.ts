import { describe, expect, it } from 'vitest';
import { normalizeBaseUrl, parseConnection } from '../../../../src/state/connections/connection.ts';

const proxyWithPassword =
  "The proxy address can't contain a user name or password. Use Edit Connection, which keeps them encrypted.";
const plain = { name: 'Work', baseUrl: 'https://host.example' };

describe('an item of the connections setting', () => {
  it('is read with all of its fields', () => {
    const item = {
      name: 'Work',
      baseUrl: 'https://host.example/prefix',
      flavor: 'langsmith',
      codeHost: 'forge',
      authHeader: 'X-Service-Key',
      authPrefix: 'Bearer',
      headers: { 'X-Tenant-Id': 'acme' },
      allowPlainHttp: true,
      proxy: 'http://proxy.example:3128',
      caFile: '/ca.pem',
      clientCertFile: '/cert.pem',
      clientKeyFile: '/key.pem',
    };
    expect(parseConnection(item)).toEqual({ kind: 'service', ...item });
  });

  it.each([
    [{}, {}],
    [{ flavor: undefined, proxy: '', caFile: '', headers: {}, allowPlainHttp: false }, {}],
    [{ proxy: null, headers: null, authPrefix: null }, {}],
    [{ name: '  Work ' }, {}],
    [{ authPrefix: '' }, { authPrefix: '' }],
    [{ headers: { 'X-Keyspace': 'a', 'X-Version': '1' } }, { headers: { 'X-Keyspace': 'a', 'X-Version': '1' } }],
    [{ proxy: 'https://proxy.example' }, { proxy: 'https://proxy.example' }],
    [{ other: 'field' }, {}],
    [{ baseUrl: 'host.example/v2/' }, {}],
  ])('with %o is the plain connection with %o', (changes, expected) => {
    expect(parseConnection({ ...plain, ...changes })).toStrictEqual({
      kind: 'service',
      flavor: 'standard',
      ...plain,
      ...expected,
    });
  });

  it.each([
    [{ name: '' }, 'A connection needs a name.'],
    [{ name: 7 }, 'A connection needs a name.'],
    [{ name: 'Local service' }, 'The name "Local service" is reserved for the local service. Choose another name.'],
    [{ baseUrl: undefined }, 'Enter the base URL of the service, such as https://deployments.example.com.'],
    [{ baseUrl: 'ftp://host' }, "The base URL isn't a web address. Enter one like https://host/path."],
    [{ flavor: 'vanilla' }, 'The flavor is "standard" or "langsmith", not "vanilla".'],
    [{ headers: ['a'] }, '"headers" must be an object of header names and values.'],
    [{ headers: 'a' }, '"headers" must be an object of header names and values.'],
    [{ headers: { 'X A': 'b' } }, "The name of header 1 isn't valid. Use Set API Key for the key."],
    [{ headers: { 'X-A': 'b\r\nX-B: c' } }, 'The value of header 1 must be one line of ASCII text.'],
    [{ headers: { 'X-A': 'b\u0000' } }, 'The value of header 1 must be one line of ASCII text.'],
    // No request could carry it.
    [{ headers: { 'X-A': 'é' } }, 'The value of header 1 must be one line of ASCII text.'],
    [{ headers: { 'X-A': 'a', 'X-B': 1 } }, 'The value of header 2 must be one line of ASCII text.'],
    [{ authHeader: 'X-A\r\nX-B: c' }, '"authHeader" must be the name of a header. Use Set API Key for the key.'],
    [{ authPrefix: 'Bearer\n' }, '"authPrefix" must be one line of ASCII text.'],
    [{ authPrefix: 7 }, '"authPrefix" must be text.'],
    [{ caFile: 7 }, '"caFile" must be text.'],
    [{ proxy: { host: 'a' } }, '"proxy" must be text.'],
    [{ proxy: 'proxy' }, "The proxy isn't a web address."],
    [{ proxy: 'socks5://proxy:1' }, 'The proxy must begin with http:// or https://, not socks5://.'],
    [{ proxy: 'http://me:word@proxy:1' }, proxyWithPassword],
    [{ proxy: 'http://:word@proxy:1' }, proxyWithPassword],
    [{ proxy: 'http://me@proxy:1' }, proxyWithPassword],
  ])('with %o is a problem: %s', (changes, message) => {
    const problem = parseConnection({ ...plain, ...changes });
    expect(problem).toMatchObject({ kind: 'problem', message });
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'X-API-Key',
    'apikey',
    'X-Auth-Key',
    'Ocp-Apim-Subscription-Key',
    'X-Auth-Token',
    'Client-Secret',
    'X-Password',
    'X-Auth',
    'X_Api_Key',
    'X-Bearer',
    'X-Jwt',
    'X-JWT-Assertion',
    'Authentication',
    'X-Session-Id',
    'X.Auth.Request',
    'x-pass',
    'Signature',
  ])("can't have a key in the header %s", (header) => {
    const problem = parseConnection({ ...plain, headers: { [header]: 'canary-value' } });
    expect(problem).toMatchObject({ kind: 'problem', message: expect.stringContaining('Use Set API Key') });
    expect(JSON.stringify(problem)).not.toContain('canary-value');
  });

  it.each(['X-Tenant-Id', 'X-Workspace', 'X-Author', 'X-Authority', 'X-Keyspace', 'X-B3-TraceId', 'X-Bypass-Cache'])(
    'can have the header %s',
    (header) => {
      expect(parseConnection({ ...plain, headers: { [header]: 'acme' } })).toMatchObject({
        headers: { [header]: 'acme' },
      });
    },
  );

  it.each(['lsv2_pt_canary0123456789abcdef', 'canary-4711-8012', 'canarycanarycanarycanary', 'a canary', 'canary: x'])(
    "doesn't reveal the key %s that was pasted as a header name",
    (key) => {
      for (const item of [{ headers: { [key]: 'x' } }, { headers: { [key]: 7 } }, { authHeader: key }]) {
        const problem = parseConnection({ ...plain, ...item });
        expect(problem).toMatchObject({ kind: 'problem', message: expect.stringContaining('Set API Key') });
        expect(JSON.stringify(problem)).not.toContain('canary');
      }
    },
  );

  it("doesn't reveal a key that was pasted as the auth scheme", () => {
    const problem = parseConnection({ ...plain, authPrefix: 'Bearer lsv2_pt_canary0123456789abcdef' });
    expect(problem).toMatchObject({ kind: 'problem', message: expect.stringContaining('Set API Key') });
    expect(JSON.stringify(problem)).not.toContain('canary');
  });

  it("can't have a key in its own auth header", () => {
    const item = { ...plain, authHeader: 'X-Service', headers: { 'x-service': 'canary-value' } };
    expect(parseConnection(item)).toMatchObject({
      kind: 'problem',
      message: expect.stringContaining('Use Set API Key'),
    });
  });

  it.each([null, 'text', 7, [], [plain]])('is a problem if it is %o', (item) => {
    expect(parseConnection(item)).toMatchObject({ kind: 'problem', name: '' });
  });

  it('never shows a password in an address', () => {
    for (const changes of [{ baseUrl: 'https://me:canary@host' }, { proxy: 'http://me:canary@host' }]) {
      const problem = parseConnection({ ...plain, ...changes });
      expect(problem.kind).toBe('problem');
      expect(JSON.stringify(problem)).not.toContain('canary');
    }
  });
});

describe('a base URL', () => {
  it.each([
    ['https://HOST.example/', 'https://host.example'],
    [' https://host.example// ', 'https://host.example'],
    ['host.example', 'https://host.example'],
    ['host.example:8443/api-host', 'https://host.example:8443/api-host'],
    ['https://host.example/prefix/v2/', 'https://host.example/prefix'],
  ])('entered as %s is %s', (input, expected) => {
    expect(normalizeBaseUrl(input, false)).toBe(expected);
  });

  it.each([
    ['', /Enter the base URL/],
    ['   ', /Enter the base URL/],
    ['not an address', /isn't a web address/],
    ['javascript://x', /isn't a web address/],
    ['htp:/host.example', /isn't a web address/],
    ['https://', /isn't a web address/],
    ['me:word@host', /user name or password/],
    ['host?to=https://other', /"\?" or "#"/],
    ['http://host.example', /without encryption/],
  ])('entered as %s is refused', (input, message) => {
    expect(normalizeBaseUrl(input, false)).toEqual({ message: expect.stringMatching(message) });
  });

  it('can be plain http to another machine if that is allowed', () => {
    expect(normalizeBaseUrl('http://host.example', true)).toBe('http://host.example');
  });
});
