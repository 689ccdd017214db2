import { describe, expect, it } from 'vitest';
import { hideValues, redactBody } from '../../../../src/api/redaction/hideValues.ts';
import { logEntry, safeText } from '../../../../src/api/redaction/redact.ts';
import { isKeyHeader, isSecretName } from '../../../../src/api/redaction/secretNames.ts';

/** Every way on which a text reaches a log, an error, a document, a copied request or a `curl` command. */
const surfaces: Readonly<Record<string, (text: string) => string>> = {
  'an error': (text) => safeText(text),
  'a log entry': (text) => logEntry('git failed:', [text]),
  'the log of a request': (text) => redactBody({ note: text }),
  'a document': (text) => JSON.stringify(hideValues({ note: text }, () => '•••')),
  'an argument': (text) => JSON.stringify(hideValues({ args: [text] }, () => '•••')),
  'a build command': (text) => JSON.stringify(hideValues({ build_command: text }, () => '•••')),
};

const secretNames = [
  'STRIPE_KEY',
  'sshKey',
  'GH_PAT',
  'SENTRY_DSN',
  'npm_auth',
  'dbPwd',
  'CLIENT_CERT',
  'webhook-sig',
  'creds',
  'dbCred',
  'API_KEY_PROD',
  'apiKeyStaging2',
  'PASSWORD2',
  'token-old',
  'PASSWORDS',
  'TOKENS',
  'accessTokens',
  'API_KEYS',
];

/** Texts with the word "canary", which is secret. The rest of each is shown. */
const secretTexts: readonly (readonly [text: string, shown: string])[] = [
  ...secretNames.map((name) => [`${name}=canary run`, `${name}=••• run`] as const),
  ['--stripe-key canary --port 80', '--stripe-key ••• --port 80'],
  ["curl -H 'X-Team-Key: canary' x", "curl -H 'X-Team-Key: •••' x"],
  ['X-Team-Key: canary was refused', 'X-Team-Key: ••• was refused'],
  ['Cookie: a=b; c=canary', 'Cookie: •••'],
  ['password: hunter2-canary', 'password: •••'],
  ['https://a.example/?code=canary&x=1', 'https://a.example/?code=•••&x=1'],
  ['https://a.example/?x=1&key=canary#b', 'https://a.example/?x=1&key=•••#b'],
  ['https://a.example/?x=1&amp;sig=canary&amp;y=2', 'https://a.example/?x=1&amp;sig=•••&amp;y=2'],
  ['https://a.example/?x=1&teamKey=canary', 'https://a.example/?x=1&teamKey=•••'],
  ['https://a.example/#access_token=canary&x=1', 'https://a.example/#access_token=•••&x=1'],
  ['curl -u me:canary https://a.example', 'curl -u ••• https://a.example'],
  ['curl -ume:canary https://a.example', 'curl -u••• https://a.example'],
  [`curl -u"me:can ary canary" https://a.example`, 'curl -u••• https://a.example'],
  ['authorization:canary', 'authorization:•••'],
  ['{"apiKey": "canary", "port": 80}', '{"apiKey": •••, "port": 80}'],
  [String.raw`{\"apiKey\": \"canary\"}`, String.raw`{\"apiKey\": •••}`],
  [String.raw`{"password":"a\"b canary","port":80}`, '{"password":•••,"port":80}'],
  [String.raw`{'password': 'a\'b canary', 'port': 80}`, "{'password': •••, 'port': 80}"],
  [String.raw`{\"password\":\"a\\\"b canary\",\"port\":80}`, String.raw`{\"password\":•••,\"port\":80}`],
  [String.raw`curl -H "X-Team-Key: a\"b canary" x`, 'curl -H "X-Team-Key: •••" x'],
  [`curl -H "X-Team-Key: it's canary" x`, 'curl -H "X-Team-Key: •••" x'],
  ['{"password":"a canary that was cut', '{"password":•••'],
  ['{"token":{"a":"}canary","b":["canary"]},"port":80}', '{"token":•••,"port":80}'],
  ['{"token": [\n  "canary"\n], "port": 80}', '{"token": •••, "port": 80}'],
  [String.raw`{\"token\":{\"a\":\"}canary\"},\"port\":80}`, String.raw`{\"token\":•••,\"port\":80}`],
  ['{"token":{"a":"canary', '{"token":•••'],
  ['PASSWORD={a}canary run', 'PASSWORD=••• run'],
  ['me:canary@tcp(db.example:3306)/a', 'tcp(db.example:3306)/a'],
  ['curl --user me:canary https://a.example', 'curl --user ••• https://a.example'],
  ['docker login -u me -p canary', 'docker login -u me -p •••'],
  ['mysql -u root -pcanary db', 'mysql -u root -p••• db'],
  [
    'mysqldump -h db.internal.example.com -P 3306 --single-transaction -u root -pcanary db',
    'mysqldump -h db.internal.example.com -P 3306 --single-transaction -u root -p••• db',
  ],
  ['mysql -u root -p canary', 'mysql -u root -p •••'],
  ['mariadb-dump \\\n -u root \\\n -pcanary', 'mariadb-dump \\ -u root \\ -p•••'],
  ['sshpass -p canary ssh a', 'sshpass -p ••• ssh a'],
  ['password: CANARY1', 'password: •••'],
  ['tool --password canary -v', 'tool --password ••• -v'],
  ['//npm.example/:_authToken=canary', '//npm.example/:_authToken=•••'],
  ['npm config set _authToken canary', 'npm config set _authToken •••'],
  ['https://hooks.slack.com/services/T0/B0/canary said 404', 'https://hooks.slack.com/services/••• said 404'],
  ['https://discord.com/api/webhooks/1/canary', 'https://discord.com/api/webhooks/•••'],
  ['https://discordapp.com/api/v10/webhooks/1/canary', 'https://discordapp.com/api/v10/webhooks/•••'],
  ['https://acme.webhook.office.com/webhookb2/canary@a/b', 'https://acme.webhook.office.com/webhookb2/•••'],
  [
    'https://chat.googleapis.com/v1/spaces/A/messages?key=canary',
    'https://chat.googleapis.com/v1/spaces/A/messages?key=•••',
  ],
  ['https://api.telegram.org/bot12:canary/send', 'https://api.telegram.org/bot•••'],
  ['https://chat.example/hooks/canarycanarycanarycanary12', 'https://chat.example/hooks/•••'],
  ['https://hooks.zapier.com/hooks/catch/1/canary', 'https://hooks.zapier.com/hooks/catch/•••'],
  ['https://open.feishu.cn/open-apis/bot/v2/hook/canary', 'https://open.feishu.cn/open-apis/bot/v2/hook/•••'],
  [`sh -c "TOKEN='canary1' run"`, 'sh -c "TOKEN=•••"'],
  [String.raw`{"cmd":"sh -c \"TOKEN='canary1' run\""}`, String.raw`{"cmd":"sh -c \"TOKEN=•••\""}`],
  [String.raw`{"log":"-H \"X-Key: it's canary\" x"}`, String.raw`{"log":"-H \"X-Key: •••\" x"}`],
  ['"clientSecret: "canary1""', '"clientSecret: •••""'],
  ["{ h: 'token: (a) canary' }", "{ h: 'token: •••' }"],
  ['Authorization: ApiKey canary', 'Authorization: •••'],
  ['Proxy-Authorization: Bearer canary, canary', 'Proxy-Authorization: Bearer •••'],
  ['Authorization: Digest username="canary", response="canary"', 'Authorization: •••'],
  [`curl -H 'Authorization: Token token="canary"' x`, `curl -H 'Authorization: Token •••' x`],
  [String.raw`{"h":"Authorization: Digest a=\"u\", b=\"canary\"","port":80}`, '{"h":"Authorization: •••","port":80}'],
  ["{ authorization: 'canary', port: 80 }", '{ authorization: •••, port: 80 }'],
  ['cookie=a=x; b=canary', 'cookie=•••'],
  ['password => canary, port => 80', 'password => ••• port => 80'],
  ['password := canary', 'password := •••'],
  ['if [ token == "canary" ]', 'if [ token == ••• ]'],
  ['a:\n  password: |\n    canary\n\n     canary\n  port: 1', 'a: password: ••• port: 1'],
  ['password: >- # folded\n  canary\nport: 1', 'password: ••• port: 1'],
  [String.raw`'a: b\n password: |\n  canary'`, String.raw`'a: b\n password: •••`],
  ['password: !!str canary', 'password: !!str •••'],
  ['PASSWORD=$(cat canary "canary)") run', 'PASSWORD=••• run'],
  ['PASSWORD=${A:-a canary} run', 'PASSWORD=••• run'],
  ['ENV API_KEY the canary', 'ENV API_KEY •••'],
  ['FROM a\n  ARG API_KEY canary\nRUN b', 'FROM a ARG API_KEY ••• RUN b'],
  [`RUN echo "ENV API_KEY canary"`, 'RUN echo "ENV API_KEY •••"'],
  [String.raw`'FROM a\nENV API_KEY canary\nRUN b'`, String.raw`'FROM a\nENV API_KEY •••\nRUN b'`],
  [
    'redis-cli -h cache.internal.example.com --tls -a canary ping',
    'redis-cli -h cache.internal.example.com --tls -a ••• ping',
  ],
  ...['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_', 'github_pat_', 'glpat-', 'sk-ant-', 'sk-proj-', 'lsv2_pt_', 'xoxb-'].map(
    (prefix) => [`push of ${prefix}canary7890abcdefghij, refused`, 'push of •••, refused'] as const,
  ),
  ['id AKIACANARY7890ABCDEF', 'id •••'],
  ['rejected Bearer canary-91f3.of_a.token', 'rejected Bearer •••'],
  ['id AIzacanary7890abcdefghijcanary7890abcdefghi', 'id •••'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY----- -----BEGIN PRIVATE KEY-----\ncanary',
    '••• •••',
  ],
];

describe('what looks secret', () => {
  it.for(secretTexts)('in %j is in no error, log, document, copy or command', ([text]) => {
    const leaks = Object.entries(surfaces).filter(([, shownOn]) => /canary/i.test(shownOn(text)));
    expect(leaks.map(([surface]) => surface)).toEqual([]);
  });

  it.for(secretTexts)('in %j is hidden, and the rest is shown', ([text, shown]) => {
    expect(safeText(text)).toBe(shown);
  });

  it.for([
    'https://me:can@ary@db.example/a',
    'postgres://me:can/ary@db.example@host/a',
    'see redis://:canary@cache@host:6379/0',
    'https://me:canary%40x@y@db.example',
  ])('in the user information of %j goes up to the last "@"', (text) => {
    for (const shownOn of Object.values(surfaces)) expect(shownOn(text)).not.toMatch(/can|ary/);
  });

  it.for([
    ['curl', '-u', 'me:canary'],
    ['curl', '-u', 'canary:canary'],
    ['redis-cli', '-a', 'canary'],
    ['docker', 'login', '-p', 'canary'],
    ['mysql', '-pcanary'],
    ['mysql', '-h', 'db', '-P', '3306', '-u', 'root', '--batch', '-pcanary'],
    ['mysql', '-h', 'db', '-P', '3306', '-u', 'root', '--batch', '-p', 'canary'],
    ['tool', '--stripe-key', 'canary'],
    ['tool', '--proxy-user', 'me:canary'],
    ['--user=me:canary'],
    ['npm', 'config', 'set', '_authToken', 'canary'],
  ])('in %j is hidden', (args) => {
    expect(JSON.stringify(hideValues({ args }, () => '*'))).not.toContain('canary');
  });

  it.for(secretNames)('is a name like %s, also of a member and a header', (name) => {
    expect([isSecretName(name), isKeyHeader(name)]).toEqual([true, true]);
    expect(hideValues({ [name]: 'canary' }, () => '*')).toEqual({ [name]: '*' });
  });

  it.for([
    'monkey',
    'keyboard',
    'KEY_COUNT',
    'path',
    'PATTERN',
    'compat',
    'concert',
    'author',
    'keyId',
    'code',
    'design',
    'sacred',
    'KEY_TESTS',
  ])("isn't a name like %s", (name) => {
    expect([isSecretName(name), isKeyHeader(name)]).toEqual([false, false]);
    expect(safeText(`${name}=shown --${name} shown`)).toBe(`${name}=shown --${name} shown`);
  });

  it.for([
    'id: 0b7e2c4a-5d1f-4c3a-9e8b-1a2b3c4d5e6f, cluster_id=12345, commit 3bdd46e0c1',
    'https://a.example/?codes=1&signal=a&keyword=b&monkey=c&policy=d',
    'secret_key: field required',
    'The API key was rejected. token: expected a string',
    'mkdir -p dist/app && cp -p a b',
    'docker run -p 8080:80 -p 127.0.0.1:80:80 -u 1000:1000 --user root a',
    'python -u main.py -p 8000 --path=/a -print -port=80',
    'git push -u origin main',
    'git fetch -p origin && poetry -p app install && npm -p app ci && node -p process.title',
    'docker login && git fetch -p origin',
    'unknown option -public-path',
    'dotnet publish -p:Configuration=Release',
    'Missing secret: OPENAI_API_KEY1, TEAM_KEY2.',
    'session: 12 minutes, session: 30s',
    'ssh://git@code.example/acme/agent.git',
    'https://github.com/acme/hooks/blob/main/a.ts https://a.example/hooks/build',
    'registry.example/app@sha256:abc acme/auth:1.2 npm:lodash@4.17.21',
    'https://a.example:8443/user@example.com postgres://h:5432/db?user=a@b',
    'fix-token: 3bdd46e',
    'auth: 401',
    'cert: 2 days',
    'docker run -u app:app image',
    'https://git.example/tree/main/hooks/abcdefghijklmnopqrstuvwx',
    '{"max_tokens": 4096, "total_tokens": 512} --max-tokens 4096 MAX_TOKENS=4096 promptTokens: 512',
    'TOKEN= && run',
    'ENV PORT 80, the ENV token is missing, echo -a b, skim-ghp_a AKIA, the bearer authentication-scheme, bearer 12',
  ])('is not in %j', (text) => {
    expect(safeText(text)).toBe(text);
    const resource = { note: text, args: ['run', ...text.split(' ')], build_command: text };
    expect(hideValues(resource, () => '*')).toEqual(resource);
  });

  it.for(['fix-token: 3bdd46e', 'auth: 401', 'cert: 2 days'])('is not in %j, also if a log quotes it', (text) => {
    expect(logEntry('git:', [text])).toBe(`git: '${text}'`);
  });

  it('is no port, also if that is a number', () => {
    expect(hideValues({ args: ['-p', 8080] }, () => '*')).toEqual({ args: ['-p', 8080] });
  });

  it("isn't the name that Kubernetes gives a key", () => {
    const resource = {
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      topologySpreadConstraints: [{ topologyKey: 'kubernetes.io/hostname' }],
      volumes: [{ name: 'a', secret: { items: [{ key: 'c', path: 'd' }] } }],
      id: '0b7e2c4a',
      cluster_id: 'c1',
      repo_commit_sha: '3bdd46e',
    };
    expect(hideValues(resource, () => '*')).toEqual(resource);
  });
});
