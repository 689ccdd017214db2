/** A deployment as a service with everything filled in would answer it: a whole resource spec and a sidecar. */
export function makeDeployment(index: number): object {
  const id = (kind: number) => `${String(index).padStart(8, '0')}-000${kind}-4000-8000-000000000000`;
  const environment = Array.from({ length: 4 }, (_, item) => ({ name: `SETTING_${item}`, value: `value ${item}` }));
  const mount = { name: 'cache', mountPath: '/var/cache/app', readOnly: false };
  return {
    id: id(1),
    name: `agent-${index}`,
    tenant_id: id(2),
    source: index % 2 === 0 ? 'repohost' : 'external_docker',
    source_config: {
      integration_id: id(3),
      repo_url: `https://code.example/acme/agent-${index}`,
      deployment_type: 'prod',
      build_on_push: true,
      custom_url: `https://agent-${index}.apps.example`,
      resource_spec: {
        ...numbers('', ['min_scale', 'max_scale', 'cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb']),
        ...numbers('queue_', ['min_scale', 'max_scale', 'cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb']),
        ...numbers('redis_', ['cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb']),
        ...numbers('db_', ['cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb', 'storage_gi', 'max_connections']),
        labels: { team: 'search', 'app.example/tier': 'backend' },
        annotations: { 'app.example/owner': 'search@acme.example' },
        service_account_name: 'agent',
        image_pull_secrets: [{ name: 'registry' }],
        volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1Gi' } }],
        volume_mounts: [mount],
        init_containers: [],
        sidecars: [
          {
            name: 'proxy',
            image: 'registry.example/proxy:1.2.3',
            command: ['/proxy'],
            args: ['--port', '8080'],
            env: environment,
            resources: { limits: { cpu: '1', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
            volumeMounts: [mount],
          },
        ],
      },
      listener_id: id(4),
      listener_config: { k8s_namespace: 'agents' },
      install_command: null,
      build_command: null,
    },
    source_revision_config: {
      repo_ref: 'main',
      graph_config_path: 'agents/search/graph.json',
      image_uri: null,
      source_tarball_path: null,
      repo_commit_sha: '0123456789abcdef0123456789abcdef01234567',
    },
    secrets: Array.from({ length: 3 }, (_, item) => ({ name: `SECRET_${item}`, value: '' })),
    secret_references: [],
    status: 'READY',
    latest_revision_id: id(5),
    active_revision_id: id(6),
    image_version: '3.12',
    created_at: '2026-01-02T03:04:05Z',
    updated_at: '2026-02-03T04:05:06Z',
  };
}

function numbers(prefix: string, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name, index) => [prefix + name, name.includes('cpu') ? 0.5 : index + 1]));
}
