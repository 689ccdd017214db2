import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request } from 'undici';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';

export const name = 'service';

const deployments = 10_000;
const revisionsEach = 10;
const warmUp = 200;
const measured = 2000;

/** Requests per second, latencies, memory and start-up time of the local service with a large database. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'service-bench-'));
  const agent = new Agent({ connections: 8 });
  try {
    // The service itself makes the file, so the bench knows no schema but the columns that it fills.
    await (await startLocalService({ dataFolder })).stop();
    const ids = fill(path.join(dataFolder, 'service.sqlite'));
    print(`${deployments} deployments, ${deployments * revisionsEach} revisions stored`);

    const starts: number[] = [];
    for (let count = 0; count < 5; count++) {
      const before = performance.now();
      const service = await startLocalService({ dataFolder });
      starts.push(performance.now() - before);
      await service.stop();
    }
    print(`start to first line: median ${percentile(starts, 0.5).toFixed(0)} ms (target 500)`);

    const service = await startLocalService({ dataFolder });
    const deployment = `/v2/deployments/${ids.deployment}`;
    const paths: Record<string, (count: number) => string> = {
      'list deployments, first page of 20': () => '/v2/deployments',
      'list deployments, any page of 20': (count) => `/v2/deployments?offset=${(count * 997) % deployments}`,
      'list deployments, page of 100': (count) => `/v2/deployments?limit=100&offset=${(count * 100) % deployments}`,
      'list deployments by name': (count) => `/v2/deployments?name_contains=bench-${count % 1000}`,
      'one deployment by id': () => `/v2/deployments?deployment_ids=${ids.deployment}`,
      'list revisions of a deployment': () => `${deployment}/revisions`,
      'get a revision': () => `${deployment}/revisions/${ids.revision}`,
    };
    for (const [title, pathOf] of Object.entries(paths)) {
      print(`${title.padEnd(36)} ${await measure(service, agent, pathOf)}`);
    }
    print(`memory after all of it: ${(await residentMegabytes(service.process.pid)).toFixed(0)} MB (target 150)`);
    await service.stop();
  } finally {
    await agent.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** One request after the other gives the latencies, eight at a time the throughput. */
async function measure(service: RunningLocalService, agent: Agent, pathOf: (count: number) => string): Promise<string> {
  const get = async (count: number): Promise<void> => {
    const { statusCode, body } = await request(`${service.url}${pathOf(count)}`, {
      dispatcher: agent,
      headers: { 'x-api-key': service.apiKey },
    });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${pathOf(count)} was answered with ${statusCode}`);
  };
  for (let count = 0; count < warmUp; count++) await get(count);
  const latencies: number[] = [];
  for (let count = 0; count < measured; count++) {
    const before = performance.now();
    await get(count);
    latencies.push(performance.now() - before);
  }
  const before = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      for (let count = client; count < measured; count += 8) await get(count);
    }),
  );
  const perSecond = measured / ((performance.now() - before) / 1000);
  const [median, slowest] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return `${perSecond.toFixed(0).padStart(5)}/s   p50 ${median.toFixed(2)} ms   p99 ${slowest.toFixed(2)} ms`;
}

function fill(file: string): { deployment: string; revision: string } {
  const database = new DatabaseSync(file);
  const addProject = database.prepare('INSERT INTO tracing_projects (name, id, created_at) VALUES (?, ?, ?)');
  const addDeployment = database.prepare(
    `INSERT INTO deployments (id, name, source, source_config_json, deployment_type, build_on_push, secret_names_json,
       secret_references_json, status, remote_reconciled, latest_revision_id, active_revision_id, created_at, updated_at)
     VALUES (?, ?, 'repohost', ?, 'dev', 0, '["API_KEY","TOKEN"]', '[]', 'READY', 0, ?, ?, ?, ?)`,
  );
  const addRevision = database.prepare(
    `INSERT INTO revisions (id, deployment_id, source, config_json, status, created_at, updated_at)
     VALUES (?, ?, 'repohost', ?, 'DEPLOYED', ?, ?)`,
  );
  const last = { deployment: '', revision: '' };
  database.exec('BEGIN');
  for (let index = 0; index < deployments; index++) {
    const createdAt = 1_700_000_000_000 + index * 60_000;
    last.deployment = randomUUID();
    const revisions = Array.from({ length: revisionsEach }, () => randomUUID());
    last.revision = revisions.at(-1) ?? '';
    addProject.run(`bench-${index}`, randomUUID(), createdAt);
    addDeployment.run(
      last.deployment,
      `bench-${index}`,
      JSON.stringify(sourceConfig),
      last.revision,
      last.revision,
      createdAt,
      createdAt,
    );
    for (const [age, id] of revisions.entries()) {
      const config = { ...revisionConfig, repo_commit_sha: id.replaceAll('-', '').padEnd(40, '0') };
      addRevision.run(id, last.deployment, JSON.stringify(config), createdAt + age * 1000, createdAt + age * 1000);
    }
  }
  database.exec('COMMIT');
  database.close();
  return last;
}

const sourceConfig = {
  integration_id: randomUUID(),
  repo_url: 'https://code.example/acme/sample-agent',
  deployment_type: 'dev',
  build_on_push: false,
  custom_url: null,
  resource_spec: {
    min_scale: 1,
    max_scale: 4,
    cpu: 1,
    cpu_limit: 2,
    memory_mb: 1024,
    memory_limit_mb: 2048,
    labels: { team: 'agents', stage: 'production' },
    volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1Gi' } }],
    volume_mounts: [{ name: 'cache', mountPath: '/cache' }],
    sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1.2', env: [{ name: 'MODE', value: 'quiet' }] }],
  },
  listener_id: null,
  listener_config: null,
  install_command: null,
  build_command: null,
};

const revisionConfig = {
  repo_ref: 'main',
  graph_config_path: 'graph.json',
  image_uri: null,
  source_tarball_path: null,
};

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The memory that a process occupies, in megabytes of 1,000,000 bytes; 0 where the system does not tell it. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / 1_000_000;
}
