import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactBody } from '../../../../src/api/redaction/hideValues.ts';
import { logEntry, safeText } from '../../../../src/api/redaction/redact.ts';
import { isKeyHeader, isSecretName, looksLikeKey } from '../../../../src/api/redaction/secretNames.ts';
import { MAX_TEXT_LENGTH } from '../../../../src/api/schema/limits.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import * as faults from '../../../support/faults.ts';

/** Values that are planted wherever a secret can be, and that must appear in no text. */
const canaries = {
  key: 'canary-key-4711',
  header: 'canary-header-4711',
  secret: 'canary secret "quoted"\n4711',
  environment: 'canary-environment-4711',
  clientSecret: 'canary-client-secret-4711',
  proxyPassword: 'canary-proxy-4711',
  argument: 'canary-argument-4711',
  command: 'canary-command-4711',
  probe: 'canary-probe-4711',
  annotation: 'canary-annotation-4711',
  attribute: 'canary-attribute-4711',
  userInfo: 'canary-user-info-4711',
};

const create = {
  name: 'agent',
  source: 'repohost' as const,
  secrets: [{ name: 'TOKEN', value: canaries.secret }],
  source_config: {
    repo_url: `https://me:${canaries.userInfo}@code.example/acme/agent`,
    install_command: `NPM_TOKEN=${canaries.command} npm ci`,
    resource_spec: {
      annotations: { 'example/note': canaries.annotation },
      volumes: [{ name: 'a', csi: { driver: 'x', volumeAttributes: { share: canaries.attribute } } }],
      sidecars: [
        {
          name: 'proxy',
          env: [{ name: 'A', value: canaries.environment }],
          args: [`--api-key=${canaries.argument}`],
          livenessProbe: { httpGet: { httpHeaders: [{ name: 'Authorization', value: `Bearer ${canaries.probe}` }] } },
        },
      ],
    },
  },
};

/** Answers with everything that it was sent, in every place that the client reads. */
const echo =
  (status: number): Fault =>
  (response, request) => {
    const sent = `${JSON.stringify(request.headers)} ${JSON.stringify(everythingSent)}`;
    const detail = [{ loc: ['body', canaries.key], msg: sent, input: everythingSent }];
    const body = status === 422 ? { detail } : { detail: sent, input: everythingSent };
    faults.json(body, status, { 'x-request-id': canaries.key })(response, request);
  };

const everythingSent = { ...create, client_secret: canaries.clientSecret };

const everyFault: Record<string, Fault> = {
  'an echo with 400': echo(400),
  'an echo with 401': echo(401),
  'an echo with 403': echo(403),
  'an echo with 409': echo(409),
  'an echo with 422': echo(422),
  'an echo with 429': echo(429),
  'an echo with 500': echo(500),
  'an echo that is a success but no deployment': echo(200),
  'JSON that is cut off after a secret': faults.raw(`{"id": "${canaries.environment}", "na`),
  'a redirect with a key': faults.redirect(`https://${canaries.key}.example/?key=${canaries.environment}`),
  'something that is not HTTP': (response) => void response.socket?.end(`${canaries.key} ${canaries.secret}\r\n`),
  'a reset': faults.resetBeforeHeaders,
  'a cut-off': faults.cutOff,
  'a stall': faults.stallInBody,
};

/** Fails with the name of the canary that a text contains, in any of its spellings. */
function expectNoCanary(text: string): void {
  for (const [name, canary] of Object.entries(canaries)) {
    const quoted = JSON.stringify(canary).slice(1, -1);
    for (const spelling of [canary, quoted, encodeURIComponent(canary), canary.replace('\n', ' ')]) {
      expect(text.includes(spelling), `the canary ${name} is in: ${text}`).toBe(false);
    }
  }
}

const everythingOf = (error: unknown) => inspect(error, { depth: Infinity, showHidden: true, getters: true });

describe('keys and secret values', () => {
  it.each(Object.entries(everyFault))('are in no error and no log entry after %s', async (_name, fault) => {
    await using server = await startFaultServer();
    await using client = testClient({
      baseUrl: server.url,
      auth: async () => canaries.key,
      headers: { 'X-Extra-Token': canaries.header },
      timeoutMs: 200,
    });
    server.answer(fault);
    // The whole is sent as one body, although no endpoint takes it, so one echo can quote everything.
    expectNoCanary(everythingOf(await failureOf(client.deployments.create(everythingSent))));
    expectNoCanary(client.logged.join('\n'));
    expect(client.logged.length).toBeGreaterThan(0);
  });

  it('are in no log entry after a request that succeeds', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, auth: async () => canaries.key });
    server.answer(faults.json({ id: '1', name: 'agent' }));
    await client.deployments.create(create);
    expectNoCanary(client.logged.join('\n'));
    expect(client.logged.join('\n')).toContain('TOKEN');
  });

  it('are in no error after a create that is rejected before it is sent', async () => {
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1', auth: async () => canaries.key });
    const refused = { ...create, id: canaries.environment, source: 'ftp' as 'repohost' };
    expectNoCanary(everythingOf(await failureOf(client.deployments.create(refused))));
  });

  it("are in no error if the key can't be sent in a header", async () => {
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1', auth: async () => `${canaries.key}\r\nX: y` });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'invalid', sent: false });
    expectNoCanary(everythingOf(error));
  });

  it('are in no error if a key was pasted as a header name', async () => {
    const headers = { [`${canaries.header} `]: 'x' };
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1', headers });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'invalid', sent: false });
    expectNoCanary(everythingOf(error));
    expectNoCanary(client.logged.join('\n'));
  });

  it("are in no error if the key can't be read", async () => {
    const auth = () => Promise.reject(new Error('The keyring is locked'));
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1', auth });
    expect(await failureOf(client.deployments.list())).toMatchObject({ kind: 'unauthorized', sent: false });
  });

  it('are in no error if a proxy with a password fails', async () => {
    const proxy = `http://me:${canaries.proxyPassword}@127.0.0.1:1`;
    for (const baseUrl of ['http://127.0.0.1:2', 'https://127.0.0.1:2']) {
      await using client = testClient({ baseUrl, network: { proxy } });
      expectNoCanary(everythingOf(await failureOf(client.deployments.list())));
      expectNoCanary(client.logged.join('\n'));
    }
  });
});

describe('a client secret', () => {
  it('is in no error and no log entry of an update', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(faults.json({ detail: `bad secret ${canaries.clientSecret}` }, 400));
    const error = await failureOf(client.oauthProviders.update('p', { client_secret: canaries.clientSecret }));
    expect(error.message).toContain('bad secret •••');
    expectNoCanary(everythingOf(error) + client.logged.join('\n'));
  });
});

describe('safe text', () => {
  it.each([
    { text: 'token abcd1234 is bad', secrets: ['abcd1234'], safe: 'token ••• is bad' },
    { text: 'x="a\\"b" y', secrets: ['a"b'], safe: 'x="•••" y' },
    { text: 'q=p%20w%26', secrets: ['p w&'], safe: 'q=•••' },
    { text: 'Basic aGVsbG8gd29ybGQ=', secrets: ['hello world'], safe: 'Basic •••' },
    { text: 'first secret-long, then secret', secrets: ['secret', 'secret-long'], safe: 'first •••, then •••' },
    { text: '1 of 10 is a1', secrets: ['1'], safe: '••• of 10 is a1' },
    {
      text: 'clone https://me:word@code.example/a failed',
      secrets: [],
      safe: 'clone https://code.example/a failed',
    },
    {
      text: 'GET https://store.example/a.tar.gz?sv=1&sig=canary%2F&se=2: 403',
      secrets: [],
      safe: 'GET https://store.example/a.tar.gz?sv=1&sig=•••&se=2: 403',
    },
    { text: 'nothing to hide.', secrets: [''], safe: 'nothing to hide.' },
    { text: ' \t one\nline ', secrets: [], safe: 'one line' },
    { text: 'a +b (c) [d]', secrets: ['+b', '(c'], safe: 'a ••• •••) [d]' },
  ])('turns "$text" into "$safe"', ({ text, secrets, safe }) => {
    expect(safeText(text, secrets)).toBe(safe);
  });

  it('is shortened', () => {
    const longest = 'x'.repeat(MAX_TEXT_LENGTH);
    expect(safeText(longest)).toBe(longest);
    expect(safeText(`${longest}x`)).toBe(`${longest}…`);
  });

  it('has one space for any blank, also a line separator', () => {
    expect(safeText(' a\r\n\t b\u2028\u2029c\u200B ')).toBe('a b c');
  });

  it('keeps the user of ssh, but not of a scheme that only begins like it', () => {
    expect(safeText('sshd://user@host ssh://user@host')).toBe('sshd://host ssh://user@host');
  });

  it('masks a secret with a color in the middle', () => {
    expect(safeText('key abcd\u001B[31m1234', ['abcd1234'])).toBe('key •••');
  });

  it('masks a secret that continues past the limit', () => {
    const secret = 'canary-4711-'.repeat(20);
    for (const blanks of [9_900, 10_000, 10_100, 10_200]) {
      expect(safeText(`a${' '.repeat(blanks)}${secret} b`, [secret])).not.toContain('canary');
    }
  });

  it('takes time in proportion to its length', () => {
    const hostile = [
      'a.'.repeat(500_000),
      '?a.'.repeat(300_000),
      'a://'.repeat(250_000),
      '\u001B['.repeat(300_000),
      '@'.repeat(1_000_000),
    ];
    const start = performance.now();
    for (const text of hostile) safeText(text, ['a.a.', '1']);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('never contains a secret of four characters or more, whatever surrounds it', () => {
    const secret = fc.string({ minLength: 4, maxLength: 20 }).filter((text) => !'•••…'.includes(text.trim()));
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
        expect(safeText(before + hidden + after, [hidden])).not.toContain(hidden);
      }),
    );
  });
});

describe('the name of a secret', () => {
  it.each(['apiKey', 'API_KEY', 'db.password', 'accessToken', 'userAuth', 'MY_PWD', 'otp', 'x'.repeat(201)])(
    'is %s',
    (name) => expect(isSecretName(name)).toBe(true),
  );

  it.each(['completion_tokens', 'keyword', 'bypAss', 'x'.repeat(200), ''])("isn't %j", (name) =>
    expect(isSecretName(name)).toBe(false),
  );
});

describe('a header with a key', () => {
  it.each(['Authorization', 'X-Auth', 'X_Api_Key', 'Proxy-Authenticate', 'Set-Cookie', 'X-Key', 'x'.repeat(201)])(
    'is %s',
    (name) => expect(isKeyHeader(name)).toBe(true),
  );

  it.each(['Accept', 'X-Author', 'Keep-Alive', 'X-Monkey', 'X-Organization-Id', 'x'.repeat(200)])("isn't %s", (name) =>
    expect(isKeyHeader(name)).toBe(false),
  );
});

describe('a pasted key', () => {
  it.each(['a-'.repeat(26), 'abcdefghijklmnopqrstu', 'ABCDEFGHIJKLMNOPQRSTU', 'key-1a2b3c4d'])('is %s', (text) =>
    expect(looksLikeKey(text)).toBe(true),
  );

  it.each(['', 'a-'.repeat(25), 'abcdefghijklmnopqrst', 'X-Api-Key-123'])("isn't %j", (text) =>
    expect(looksLikeKey(text)).toBe(false),
  );
});

describe('a log entry', () => {
  it('contains library output without user names and passwords in addresses, shortened to a page', () => {
    const error = Object.assign(new Error('fatal: https://me:canary@code.example/a'), { stderr: 'http://u:canary@b' });
    const entry = logEntry('git failed at https://me:canary@code.example/a:', [error, { url: 'https://canary@b' }]);
    expect(entry).toContain('git failed at https://code.example/a: Error: fatal: https://code.example/a');
    expect(entry).toContain('http://b');
    expect(entry).not.toContain('canary');
    expect(logEntry('a'.repeat(1_000_000), []).length).toBeLessThan(50_000);
  });
});

describe('a body in the log', () => {
  it('is masked wherever it can contain a secret, and keeps names', () => {
    const repo_url = `https://me:${canaries.proxyPassword}@code.example/a`;
    const body = { ...create, repo_url, client_secret: canaries.clientSecret, value: null };
    const text = redactBody(body);
    expectNoCanary(text);
    expect(text).toContain('"name":"TOKEN","value":"•••"');
    expect(text).toContain('"value":null');
  });

  it('is shortened', () => {
    expect(redactBody({ name: 'a'.repeat(1_000_000) }).length).toBeLessThan(50_000);
  });

  it('is empty without a body, and omits missing values', () => {
    expect(redactBody(undefined)).toBe('');
    expect(redactBody({ name: 'agent', value: undefined })).toBe('{"name":"agent"}');
  });
});
