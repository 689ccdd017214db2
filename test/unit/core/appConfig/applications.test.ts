import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { checkAppConfig, parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';

const python = { dependencies: ['.'], graphs: { agent: './src/agent.py:graph' } };
const node = { node_version: '22', graphs: { agent: './src/agent.ts:graph' } };
const target = { path: './src/agent.py:graph' };
const withHttp = (http: object) => ({ ...python, http });
const withStore = (store: object) => ({ ...python, store });

/** Configs that the public command-line tools take without a word. */
const taken: readonly object[] = [
  python,
  node,
  { ...python, graphs: { agent: 'agent.main:graph' } },
  { ...python, graphs: { agent: 'src/agent.py:make_graph' } },
  { ...python, graphs: { agent: './agent.py:graph', other: './other.py:graph' } },
  { ...python, graphs: { agent: target } },
  { ...python, graphs: { agent: { ...target, description: 'Answers questions.' } } },
  { ...python, graphs: { 'agent with a space': './a.py:graph', 'agent-2': './b.py:graph' } },
  { ...python, graphs: { agent: '../shared/agent.py:graph' } },
  { ...node, graphs: { agent: './src/agent.js:graph' } },
  { ...node, graphs: { agent: './src/agent.mts:graph' } },
  { ...node, graphs: { agent: './src/agent.tsx:graph' } },
  { ...node, graphs: { agent: './dist/agent.js:default' } },
  { ...python, graphs: { ...python.graphs, web: './web/agent.ts:graph' }, node_version: '20' },
  { ...python, dependencies: ['.', './packages/shared'] },
  { ...python, dependencies: ['langchain_openai', 'tavily-python>=0.5', '.'] },
  { ...python, dependencies: ['./src[extra]'] },
  { ...python, dependencies: undefined, source: { kind: 'uv' } },
  { ...node, dependencies: [] },
  { ...node, dependencies: ['.'] },
  { ...python, env: '.env' },
  { ...python, env: './config/.env.production' },
  { ...python, env: '' },
  { ...python, env: {} },
  { ...python, env: { OPENAI_API_KEY: '', MODEL: 'small' } },
  { ...python, env: { RETRIES: 3, VERBOSE: true } },
  { ...python, env: ['OPENAI_API_KEY', 'MODEL=small'] },
  ...['3.11', '3.12', '3.13', '3.11-slim', '3.12-bookworm'].map((version) => ({ ...python, python_version: version })),
  ...['20', '21', '22', '24'].map((version) => ({ ...node, node_version: version })),
  ...['debian', 'wolfi', 'bookworm'].map((distro) => ({ ...python, image_distro: distro })),
  ...['auto', 'pip', 'uv'].map((installer) => ({ ...python, pip_installer: installer })),
  { ...python, pip_config_file: './pip.conf' },
  { ...python, dockerfile_lines: [] },
  { ...python, dockerfile_lines: ['RUN apt-get update', 'ENV MODE=fast'] },
  { ...python, base_image: 'registry.example/server:1' },
  { ...python, api_version: '0.3' },
  { ...python, keep_pkg_tools: true },
  { ...python, keep_pkg_tools: ['pip', 'setuptools'] },
  withStore({ index: { embed: 'openai:text-embedding-3-small', dims: 1536 } }),
  withStore({ index: { embed: './src/embed.py:embed', dims: 256, fields: ['$', 'text'] } }),
  withStore({ ttl: { default_ttl: 60, sweep_interval_minutes: 10, refresh_on_read: true } }),
  withStore({}),
  { ...python, checkpointer: { ttl: { strategy: 'delete', default_ttl: 43_200, sweep_interval_minutes: 60 } } },
  { ...python, checkpointer: { ttl: { strategy: 'keep_latest', sweep_limit: 100 } } },
  { ...python, checkpointer: { serde: { allowed_json_modules: [['app', 'State']], pickle_fallback: false } } },
  { ...python, checkpointer: { path: './src/checkpointer.py:make' } },
  { ...python, auth: { path: './src/auth.py:auth' } },
  { ...python, auth: { path: 'app.auth:auth', disable_studio_auth: true } },
  { ...python, auth: { path: './a.py:auth', openapi: { securitySchemes: { key: { type: 'apiKey' } } } } },
  { ...python, auth: { path: './a.py:auth', cache: { cache_keys: ['x-user'], ttl_seconds: 60, max_size: 10 } } },
  { ...node, auth: { path: './src/auth.ts:auth' } },
  { ...python, encryption: { path: './src/encryption.py:encryption' } },
  withHttp({ app: './src/webapp.py:app' }),
  withHttp({ app: 'app.web:app', enable_custom_route_auth: true, middleware_order: 'auth_first' }),
  withHttp({ cors: { allow_origins: ['https://app.example'], allow_credentials: true } }),
  withHttp({ cors: { allow_origin_regex: 'https://.*', expose_headers: ['x-id'], max_age: 600 } }),
  withHttp({ disable_mcp: true, disable_a2a: true, disable_meta: false, disable_webhooks: true }),
  withHttp({ configurable_headers: { includes: ['x-*'], excludes: ['authorization'] } }),
  withHttp({ logging_headers: { excludes: ['*'] }, mount_prefix: '/agents' }),
  { ...python, webhooks: { env_prefix: 'HOOK_', headers: { 'x-key': '${{ env.HOOK_KEY }}' } } },
  { ...python, webhooks: { url: { require_https: true, allowed_domains: ['*.example.com'], allowed_ports: [443] } } },
  { ...python, ui: { agent: './src/ui.tsx' } },
  { ...node, ui: { agent: './src/ui.tsx' }, ui_config: { shared: ['react'] } },
  { $schema: 'https://example.com/schema.json', ...python },
  { _comment: 'ours', '//': 'also ours', ...python },
  { ...python, python_version: null, node_version: null, env: null, auth: null, store: null, http: null },
];

/** Configs that they take with a warning, and the keys that lead to it. */
const doubted: readonly (readonly [path: string, content: object])[] = [
  ...['2.7', '3.8', '3.10', '3', '3.12.1', 'three'].map(
    (version) => ['python_version', { ...python, python_version: version }] as const,
  ),
  ...['18', '16', '20.1', 'v22', 'lts'].map((version) => ['node_version', { ...node, node_version: version }] as const),
  ['python_version', { ...python, python_version: 3.12 }],
  ['node_version', { ...node, node_version: 22 }],
  ['dependencies', { ...python, dependencies: undefined }],
  ['dependencies', { ...python, dependencies: [] }],
  ['dependencies', { ...python, dependencies: null }],
  ['dependencies', { ...python, dependencies: '.' }],
  ['dependencies.1', { ...python, dependencies: ['.', 1] }],
  ['auth.path', { ...python, auth: { path: './auth.py' } }],
  ['http.app', withHttp({ app: './webapp.py' })],
  ['encryption.path', { ...python, encryption: { path: './keys.py' } }],
  ['image_distro', { ...python, image_distro: 'alpine' }],
  ['pip_installer', { ...python, pip_installer: 'poetry' }],
  ['dockerfile_lines', { ...python, dockerfile_lines: 'RUN true' }],
  ['store.index.dims', withStore({ index: { dims: 'many' } })],
  ['http.disable_mcp', withHttp({ disable_mcp: 'yes' })],
  ['http.cors.allow_origins', withHttp({ cors: { allow_origins: '*' } })],
  ['webhooks.url.allowed_ports.0', { ...python, webhooks: { url: { allowed_ports: ['443'] } } }],
  ['ui', { ...python, ui: './ui.tsx' }],
  ['dependecies', { ...python, dependencies: undefined, dependecies: ['.'] }],
  ['enviroment', { ...python, enviroment: {} }],
  ['graph', { ...python, graph: {} }],
  ['pythonVersion', { ...python, pythonVersion: '3.12' }],
  ['auth.paths', { ...python, auth: { paths: 'a:b', path: 'a:b' } }],
  ['graphs.agent.name', { ...python, graphs: { agent: { ...target, name: 'mine' } } }],
];

/** Configs that they refuse, and the keys that lead to the mistake. */
const refused: readonly (readonly [path: string, content: unknown])[] = [
  ['', []],
  ['', 'graphs'],
  ['', null],
  ['graphs', {}],
  ['graphs', { dependencies: ['.'] }],
  ['graphs', { ...python, graphs: {} }],
  ['graphs', { ...python, graphs: [] }],
  ['graphs', { ...python, graphs: './agent.py:graph' }],
  ['graphs', { ...python, graphs: null }],
  ['graphs.agent', { ...python, graphs: { agent: './agent.py' } }],
  ['graphs.agent', { ...python, graphs: { agent: './agent.py:' } }],
  ['graphs.agent', { ...python, graphs: { agent: ':graph' } }],
  ['graphs.agent', { ...python, graphs: { agent: '' } }],
  ['graphs.agent', { ...python, graphs: { agent: null } }],
  ['graphs.agent', { ...python, graphs: { agent: 1 } }],
  ['graphs.agent', { ...python, graphs: { agent: ['./agent.py:graph'] } }],
  ['graphs.agent', { ...python, graphs: { agent: 'C:\\agent.py' } }],
  ['graphs.agent', { ...python, graphs: { agent: {} } }],
  ['graphs.agent.path', { ...python, graphs: { agent: { path: './agent.py' } } }],
  ['graphs.agent', { ...python, graphs: { agent: { description: 'No path.' } } }],
  ['env', { ...python, env: 7 }],
  ['env', { ...python, env: true }],
  ['env', { ...python, env: [1] }],
];

/** Each finding as its severity and the keys that lead to it. */
function findings(text: string, file: string): readonly string[] {
  return checkAppConfig(text, file).findings.map(({ severity, path }) => `${severity} ${path.join('.')}`);
}

/** The findings, which are the same in JSON and in YAML. */
function found(content: unknown): readonly string[] {
  const json = findings(JSON.stringify(content, undefined, 2), 'langgraph.json');
  // JSON leaves out what is undefined.
  expect(findings(stringify(JSON.parse(JSON.stringify(content))), 'graph.yaml')).toEqual(json);
  return json;
}

describe('the config of an application', () => {
  it.each(taken.map((content) => [JSON.stringify(content), content] as const))('is good: %s', (text, content) => {
    expect(found(content)).toEqual([]);
    expect(parseAppConfig(text, 'langgraph.json')).toMatchObject({ kind: 'config', warnings: [] });
  });

  it.each(doubted)('is built with a warning of %s: %j', (path, content) => {
    expect(found(content)).toEqual([`warning ${path}`]);
    expect(parseAppConfig(JSON.stringify(content), 'langgraph.json')).toMatchObject({ kind: 'config' });
  });

  it.each(refused)('is refused because of %s: %j', (path, content) => {
    expect(found(content)).toEqual([`error ${path}`]);
    expect(parseAppConfig(JSON.stringify(content), 'langgraph.json')).toMatchObject({ kind: 'finding' });
  });
});
