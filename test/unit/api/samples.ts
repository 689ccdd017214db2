// One complete sample of every resource: what the tables of the interface show, line by line.

export const uuid = (digit: number) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;

const time = '2026-01-02T03:04:05.678Z';

export const container = {
  name: 'proxy',
  image: 'registry.example/proxy:1',
  imagePullPolicy: 'IfNotPresent',
  workingDir: '/app',
  restartPolicy: 'Always',
  command: ['/proxy'],
  args: ['--port', '8080'],
  env: [
    { name: 'MODE', value: 'fast' },
    { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
  ],
  envFrom: [{ configMapRef: { name: 'settings' } }],
  resources: { limits: { cpu: '1' }, requests: { cpu: '100m' } },
  volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
  securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
};

export const volumeMount = {
  name: 'cache',
  mountPath: '/cache',
  subPath: 'a',
  mountPropagation: 'None',
  readOnly: true,
  subPathExpr: '$(POD)',
};

export const volume = {
  name: 'cache',
  configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] },
  secret: { secretName: 'keys' },
  emptyDir: { sizeLimit: '1Gi', medium: null },
  persistentVolumeClaim: { claimName: 'data' },
  nfs: { server: 'nfs.example', path: '/' },
  projected: { sources: [] },
  downwardAPI: { items: [] },
  csi: { driver: 'x' },
};

/** Cpu fields: fractions are allowed. */
export const cpuFields = {
  cpu: 0.5,
  cpu_limit: 1.5,
  queue_cpu: 0.25,
  queue_cpu_limit: 2,
  orchestrator_cpu: 0.1,
  orchestrator_cpu_limit: 1,
  executor_cpu: 0.3,
  executor_cpu_limit: 4,
  redis_cpu: 0.7,
  redis_cpu_limit: 0.9,
  db_cpu: 1.25,
  db_cpu_limit: 8,
};

/** Scale counts and memory fields: whole units. */
export const wholeFields = {
  min_scale: 1,
  max_scale: 3,
  memory_mb: 512,
  memory_limit_mb: 1024,
  queue_min_scale: 1,
  queue_max_scale: 2,
  queue_memory_mb: 256,
  queue_memory_limit_mb: 512,
  orchestrator_memory_mb: 128,
  orchestrator_memory_limit_mb: 256,
  orchestrator_min_scale: 0,
  orchestrator_max_scale: 1,
  executor_memory_mb: 64,
  executor_memory_limit_mb: 128,
  redis_memory_mb: 32,
  redis_memory_limit_mb: 64,
  db_memory_mb: 1024,
  db_memory_limit_mb: 2048,
};

export const resourceSpec = {
  ...cpuFields,
  ...wholeFields,
  db_storage_gi: 10,
  db_max_connections: 100,
  labels: { team: 'search' },
  annotations: { 'example/owner': 'me', nested: { free: [1, null] } },
  service_account_name: 'agent',
  image_pull_secrets: [{ name: 'registry' }],
  volumes: [volume],
  volume_mounts: [volumeMount],
  init_containers: [container],
  sidecars: [{ ...container, name: 'second' }],
};

export const sourceConfig = {
  integration_id: uuid(3),
  repo_url: 'https://code.example/acme/agent',
  deployment_type: 'prod' as const,
  build_on_push: true,
  custom_url: 'https://agent.example',
  resource_spec: resourceSpec,
  listener_id: uuid(4),
  listener_config: { k8s_namespace: 'agents' },
  install_command: 'npm ci',
  build_command: 'npm run build',
};

export const sourceRevisionConfigCreate = {
  repo_ref: 'main',
  graph_config_path: 'agents/graph.json',
  image_uri: 'registry.example/agent:1',
  source_tarball_path: 'uploads/1.tar.gz',
};

export const sourceRevisionConfig = {
  ...sourceRevisionConfigCreate,
  repo_commit_sha: '0123456789abcdef0123456789abcdef01234567',
};

export const deployment = {
  name: 'agent',
  source: 'external_docker',
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: [{ name: 'API_TOKEN', value: 'a secret value' }],
  secret_references: [{ name: 'DB', secret_name: 'db', secret_key: 'password' }],
  id: uuid(1),
  tenant_id: uuid(2),
  created_at: time,
  updated_at: time,
  status: 'READY',
  latest_revision_id: uuid(5),
  active_revision_id: uuid(6),
  image_version: '3.12',
};

export const deploymentCreate = {
  name: 'agent',
  source: 'external_docker' as const,
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfigCreate,
  secrets: [{ name: 'API_TOKEN', value: 'a secret value' }],
  secret_references: [{ name: 'DB', secret_name: 'db', secret_key: 'password' }],
};

export const revision = {
  id: uuid(5),
  created_at: time,
  updated_at: time,
  status: 'BUILDING',
  source: 'repohost',
  source_revision_config: sourceRevisionConfig,
};

export const listenerCreate = {
  compute_type: 'k8s',
  compute_id: 'cluster-1',
  compute_config: { k8s_namespaces: ['agents', 'tools'] },
  version: '1.2.3',
};

export const listener = { ...listenerCreate, id: uuid(7), created_at: time, updated_at: time };

export const repository = {
  host_integration_id: uuid(3),
  id: 42,
  name: 'agent',
  owner: 'acme',
  url: 'https://code.example/acme/agent',
  default_branch: 'main',
};

export const integration = { id: uuid(3), installation_id: 17, name: 'acme' };

export const oauthProvider = {
  id: 'row-1',
  organization_id: 'org-1',
  provider_id: 'calendar',
  name: 'Calendar',
  client_id: 'client-1',
  auth_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  uses_pkce: true,
  code_challenge_method: 'S256',
  created_at: time,
  updated_at: time,
  provider_type: 'custom',
  mcp_server_url: 'https://mcp.example',
  token_endpoint_auth_method: 'client_secret_basic',
  is_dynamic_client: true,
};

export const oauthProviderPatch = {
  name: 'Calendar',
  client_id: 'client-2',
  client_secret: 'a client secret',
  auth_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  uses_pkce: false,
  code_challenge_method: 'S256',
};

export const agentConnection = {
  id: 'connection-1',
  agent_id: 'agent-1',
  oauth_token_id: 'token-1',
  provider_id: 'calendar',
  provider_account_label: 'me@acme.example',
  created_by: 'user-1',
  scopes: ['read', 'write'],
  expires_at: time,
  created_at: time,
};
