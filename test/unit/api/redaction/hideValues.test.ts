import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideValues, secretsIn } from '../../../../src/api/redaction/hideValues.ts';
import { withoutCredentials } from '../../../../src/api/redaction/hideInText.ts';

const hide = (resource: unknown) => hideValues(resource, () => '*');

/** Where a value can be a secret, each as a resource that holds the canary, and what is shown of it. */
const hidingPlaces: readonly (readonly [place: string, resource: object, shown: object])[] = [
  ['a secret', { secrets: [{ name: 'TOKEN', value: 'canary' }] }, { secrets: [{ name: 'TOKEN', value: '*' }] }],
  ['a variable', { env: [{ name: 'MODE', value: 'canary' }] }, { env: [{ name: 'MODE', value: '*' }] }],
  ['a value with parts', { env: [{ name: 'A', value: ['canary'] }] }, { env: [{ name: 'A', value: ['*'] }] }],
  ['a map of variables', { env: { MODE: 'canary', A: { b: 'canary' } } }, { env: { MODE: '*', A: { b: '*' } } }],
  ['lines of variables', { env: ['MODE=can=ary', 'canary', 42] }, { env: ['MODE=*', '*', '*'] }],
  ['variables as one text', { env: 'canary' }, { env: '*' }],
  [
    'an annotation',
    { annotations: { 'a/b': 'canary', c: [1, null] } },
    { annotations: { 'a/b': '*', c: ['*', null] } },
  ],
  [
    'a volume attribute',
    { volumes: [{ name: 'a', csi: { driver: 'x', volumeAttributes: { share: 'canary' } } }] },
    { volumes: [{ name: 'a', csi: { driver: 'x', volumeAttributes: { share: '*' } } }] },
  ],
  [
    'a header of a probe',
    { livenessProbe: { httpGet: { path: '/', httpHeaders: [{ name: 'Authorization', value: 'canary' }] } } },
    { livenessProbe: { httpGet: { path: '/', httpHeaders: [{ name: 'Authorization', value: '*' }] } } },
  ],
  ['headers as a map', { httpHeaders: { 'X-A': 'canary' } }, { httpHeaders: { 'X-A': '*' } }],
  ['an argument', { args: ['--api-key=canary', '--port=80'] }, { args: ['--api-key=*', '--port=80'] }],
  ['a command', { command: ['run', '--token', 'canary'] }, { command: ['run', '--token', '*'] }],
  [
    'the command of a hook',
    { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'PASSWORD=canary run'] } } } },
    { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'PASSWORD=*'] } } } },
  ],
  ['a command as one text', { command: 'run --token canary' }, { command: 'run --token *' }],
  ['an install command', { install_command: 'NPM_TOKEN=canary npm ci' }, { install_command: 'NPM_TOKEN=* npm ci' }],
  ['a member with such a name', { client_secret: 'canary', apiKey: 'canary' }, { client_secret: '*', apiKey: '*' }],
  ['an address', { repo_url: 'https://me:canary@code.example/a' }, { repo_url: 'https://*@code.example/a' }],
  [
    'the query of an address',
    { custom_url: 'https://a/?x=1&token=canary#b' },
    { custom_url: 'https://a/?x=1&token=*#b' },
  ],
];

describe('a value that may be a secret', () => {
  it.for(hidingPlaces)('is hidden in %s, and names stay', ([, resource, shown]) => {
    expect(hide(resource)).toEqual(shown);
    expect(hide({ source_config: { resource_spec: { sidecars: [resource] } } })).toEqual({
      source_config: { resource_spec: { sidecars: [shown] } },
    });
  });

  it.for(hidingPlaces)('is masked in a text that quotes %s', ([, resource]) => {
    const text = secretsIn(resource).reduce((rest, secret) => rest.replaceAll(secret, '*'), 'it is canary, can=ary');
    expect(text).not.toContain('canary');
  });

  it('is masked in a text that quotes it without its scheme', () => {
    expect(secretsIn({ httpHeaders: { Authorization: 'Bearer canary' } })).toEqual(['Bearer canary', 'canary']);
  });

  it("isn't a reference, a label or a description of a container", () => {
    const resource = {
      labels: { app: 'agent' },
      secret_references: [{ name: 'KEY', secret_name: 'a', secret_key: 'b' }],
      image_pull_secrets: [{ name: 'registry' }],
      volumes: [{ name: 'a', secret: { secretName: 'b', items: [{ key: 'c', path: 'd' }] } }],
      sidecars: [{ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }], envFrom: [{ a: 'b' }] }],
      automountServiceAccountToken: true,
      nothing: null,
      replicas: 2,
      texts: ['--token', 'main'],
      command: [1, 'a', '--password', ''],
      env: [{ name: 'A', value: null }, { name: 'B', value: '' }, { name: 'C' }],
      token_url: 'https://accounts.example/token',
      repo_url: 'ssh://git@code.example/acme/agent.git',
    };
    expect(hide(resource)).toEqual(resource);
    expect(secretsIn(resource)).toEqual([]);
  });

  it('is hidden at any depth', () => {
    const leaf = fc.constantFrom<unknown>(1, true, null, 'plain', ...hidingPlaces.map(([, resource]) => resource));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
    }));
    fc.assert(fc.property(tree, (resource) => !JSON.stringify(hide(resource) ?? null).includes('canary')));
  });
});

describe('the query of a signed address', () => {
  it.for([
    ['Azure', 'sv=2024-11-04&se=2030-01-01&sp=r', ['sig']],
    ['Amazon S3', 'X-Amz-Expires=60', ['X-Amz-Credential', 'X-Amz-Security-Token', 'X-Amz-Signature']],
    ['Amazon S3, version 2', 'Expires=60', ['AWSAccessKeyId', 'Signature', 'x-amz-security-token']],
    ['CloudFront', 'Expires=60', ['Signature', 'Key-Pair-Id']],
    ['Google', 'X-Goog-Date=20300101', ['X-Goog-Credential', 'X-Goog-Signature']],
    ['Google, version 2', 'Expires=60', ['GoogleAccessId', 'Signature']],
    ['Alibaba', 'Expires=60', ['OSSAccessKeyId', 'Signature', 'security-token']],
  ] as const)('of %s shows neither its signature nor the key that made it', ([, plain, names]) => {
    const signed = (value: string) =>
      `https://store.example/a.tar.gz?${names.map((name) => `${name}=${value}`).join('&')}&${plain}#b`;
    expect(hide({ source_tarball_path: signed('ca%2Fnary') })).toEqual({ source_tarball_path: signed('*') });
    expect(hide({ args: [`curl ${signed('canary')}`] })).toEqual({ args: [`curl ${signed('*')}`] });
  });

  it.for(['config=1', 'signal=a&design=b', 'keys=a', 'policy=a'])('keeps %s', (query) => {
    const resource = { custom_url: `https://agent.example/?${query}` };
    expect(hide(resource)).toEqual(resource);
  });
});

describe('the arguments of a container', () => {
  it.for([
    [
      ['--apikey', 'canary', 'next'],
      ['--apikey', '*', 'next'],
    ],
    [
      ['--token', 4711],
      ['--token', '*'],
    ],
    [
      ['-e', 'DB_PASSWORD=canary'],
      ['-e', 'DB_PASSWORD=*'],
    ],
    [['--token=a=canary'], ['--token=*']],
    [['--password=a canary&canary;'], ['--password=*']],
    [['--client-secret="a canary b" --port 80'], ['--client-secret=*']],
    [["export API_KEY='a canary'; run --token canary && go"], ['export API_KEY=*; run --token * && go']],
    [['Authorization: Bearer canary'], ['Authorization: Bearer *']],
    [
      ['-H', 'X-Auth: canary', '-H', 'X_Jwt: canary'],
      ['-H', 'X-Auth: *', '-H', 'X_Jwt: *'],
    ],
    [['curl -H "Cookie: a=b; c=canary" x'], ['curl -H "Cookie: *" x']],
    [['{"user": "me", "password": "canary"}'], ['{"user": "me", "password": *}']],
    [
      ['--AUTH-TOKEN', 'canary'],
      ['--AUTH-TOKEN', '*'],
    ],
    [
      ['--url', 'http://u:canary@b'],
      ['--url', 'http://*@b'],
    ],
  ] as const)('leave nothing secret in %j', ([args, shown]) => {
    expect(hide({ args })).toEqual({ args: shown });
  });

  it.for([
    [['--max-tokens=4096', '--tokenizer', 'fast']],
    [['--token-file=/run/secrets/token', '--token-file', '/run/a']],
    [['--token', '--verbose']],
    [['-c', 'exec run --port 80', '--keys=value', 'monkey=1', '--author=me', '--bypass=1']],
    [['--secret-name', 'database']],
    [['', '--password']],
  ] as const)('keep %j', ([args]) => {
    expect(hide({ args })).toEqual({ args });
  });

  it('are hidden completely if one is too long to check', () => {
    expect(hide({ args: ['x'.repeat(200_000)] })).toEqual({ args: ['*'] });
  });
});

it('empties a spec, and removes user names and passwords with their "@"', () => {
  const spec = {
    cpu: 1,
    sidecars: [{ args: ['--api-key=canary', 'http://u:canary@b'], env: [{ name: 'A', value: 'x' }] }],
  };
  const emptied = { cpu: 1, sidecars: [{ args: ['--api-key=', 'http://b'], env: [{ name: 'A', value: '' }] }] };
  expect(hideValues(spec, () => '')).toEqual(emptied);
  expect([secretsIn(spec), secretsIn(emptied)]).toEqual([['canary', 'u:canary', 'x'], []]);
});

it('knows the password of an address with a second "@", whichever of them ends it', () => {
  expect(secretsIn({ url: 'db://u:canary@host/a@b' })).toEqual(['u:canary@host/a', 'canary@host/a', 'canary']);
});

describe('withoutCredentials', () => {
  const digest = 'ab'.repeat(32);

  it.for([
    ['https://token@code.example/a', 'https://code.example/a'],
    ['see ssh://git:canary@host:22/a and http://u:p@b', 'see ssh://host:22/a and http://b'],
    ['ssh://git@host:22/a', 'ssh://git@host:22/a'],
    ['notssh://git@host', 'notssh://host'],
    [`${'long'.repeat(20)}://me:canary@host`, `${'long'.repeat(20)}://host`],
    ['https://code.example/a@b', 'https://code.example/a@b'],
    ['git@code.example:acme/app.git', 'git@code.example:acme/app.git'],
    ['registry.example/app@sha256:abc', 'registry.example/app@sha256:abc'],
    [`https://host:5000/app:1@sha256:${digest}`, `https://host:5000/app:1@sha256:${digest}`],
    [`app:1@sha256:${digest}`, `app:1@sha256:${digest}`],
    ['see http://u:p@host/x and me@host', 'see http://host/x and me@host'],
    ['see http://host:80/x and me@host', 'see http://host:80/x and me@host'],
    ['http://u:can@ary@host/x', 'http://host/x'],
    ['http://u:can#ar/y@host/x', 'http://host/x'],
    ['http://u:can ary@host/x and me@host', 'http://host/x and me@host'],
    ['http://u:can@ ary@host/x', 'http://host/x'],
    ['http//u:canary@host/x', 'http//host/x'],
    ['u:can@ary@host:acme/app', 'host:acme/app'],
    ['a // comment for me@host', 'a // comment for me@host'],
    ['http://a:canary@b\nhttp://c:canary@d', 'http://b\nhttp://d'],
  ] as const)('makes %s into %s', ([text, shown]) => {
    expect(withoutCredentials(text)).toBe(shown);
  });
});
