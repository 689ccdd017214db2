import { before, describe, it } from 'mocha';
import { createRepository } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { addSecret, answer, edit } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, tree } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

const connection = 'Sent';
const title = 'Create Deployment';
const secret = 'canary "91f3" $secret';
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const repositoryUrl = 'https://code.example/acme/typed';
const resourceSpec = { cpu: 1.5, memory_mb: 2048, labels: { team: 'a' } };

describe('The body that creates a deployment', () => {
  let service: Service;
  let relay: Relay;
  let listenerId: string;
  let integrationId: string;

  before(async () => {
    const repository = await createRepository(await suiteFolder(), {
      name: 'typed',
      url: repositoryUrl,
      files: { 'apps/a/graph.json': config, 'apps/a/agent.py': 'graph = None\n' },
    });
    service = await startService({ repositories: [repository.folder], stepMs: 1 });
    ({ id: listenerId } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps', 'tools'] },
    }));
    [{ id: integrationId }] = await callService(service, 'GET', '/v1/integrations/forge/repohost/install');
    relay = await startRelay(service);
    await tree('Deployments').open();
    await addConnection(connection, relay);
  });

  const editField = (field: string): Promise<void> => edit(field, `${title}: Review`);

  async function option(label: string, prompt: string, text: string): Promise<void> {
    await editField('More options…');
    await quickInput.choose(label);
    await answer(prompt, text);
  }

  /** Enters what every source takes, in the review. */
  async function enterCommonFields(): Promise<void> {
    await editField('Type');
    await quickInput.choose('prod');
    await editField('Secrets');
    await addSecret('TOKEN', secret);
    await quickInput.choose('Done');
    await option('Custom URL', "The application's own address", 'https://agent.example');
    await option('Install command', "Installs the application's packages.", 'npm ci --omit=dev');
    await option('Build command', 'Builds the application.', 'npm run build && npm test');
    await editField('More options…');
    await quickInput.choose('Listener');
    await quickInput.choose('cluster');
    await quickInput.choose('tools');
  }

  const commonConfig = () => ({
    deployment_type: 'prod',
    resource_spec: resourceSpec,
    custom_url: 'https://agent.example',
    listener_id: listenerId,
    listener_config: { k8s_namespace: 'tools' },
    install_command: 'npm ci --omit=dev',
    build_command: 'npm run build && npm test',
  });

  const starts = {
    repohost: async () => {
      await quickInput.choose('Repository');
      await quickInput.choose('Other Repository…');
      await quickInput.answer(`${title} (1/4)`, repositoryUrl);
      await quickInput.asked(`${title} (2/4)`);
      await quickInput.choose('This computer');
      await quickInput.answer(`${title} (3/4)`, 'main');
      await quickInput.answer(`${title} (4/4)`, 'apps/a/graph.json');
      await editField('Build on push');
      await editField('Name');
      await answer('The name of the deployment.', 'sent-repohost');
    },
    external_docker: async () => {
      await quickInput.choose('External image');
      await quickInput.answer(`${title} (1/2)`, `registry.example/acme/agent@${digest}`);
      await quickInput.answer(`${title} (2/2)`, 'sent-external');
      await editField('Secret references');
      await quickInput.choose('Add Secret Reference…');
      await quickInput.answer('Secret Reference (1/3)', 'DATABASE_PASSWORD');
      await quickInput.answer('Secret Reference (2/3)', 'database');
      await quickInput.answer('Secret Reference (3/3)', 'password');
      await quickInput.choose('Done');
    },
    internal_docker: async () => {
      await quickInput.choose('Pushed image');
      await quickInput.answer(`${title} (1/2)`, `pushed/agent@${digest}`);
      await quickInput.answer(`${title} (2/2)`, 'sent-pushed');
    },
    internal_source: async () => {
      await quickInput.choose('Uploaded source');
      await quickInput.answer(`${title} (1/3)`, 'uploads/agent.tar.gz');
      await quickInput.answer(`${title} (2/3)`, 'apps/a/graph.json');
      await quickInput.answer(`${title} (3/3)`, 'sent-uploaded');
    },
    internal_template: async () => {
      await quickInput.choose('Template');
      await quickInput.answer(`${title} (1/1)`, 'sent-template');
    },
  };

  const own = () => ({
    repohost: {
      name: 'sent-repohost',
      source_config: { integration_id: integrationId, repo_url: repositoryUrl, build_on_push: false },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'apps/a/graph.json' },
    },
    external_docker: {
      name: 'sent-external',
      source_revision_config: { image_uri: `registry.example/acme/agent@${digest}` },
      secret_references: [{ name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' }],
    },
    internal_docker: { name: 'sent-pushed', source_revision_config: { image_uri: `pushed/agent@${digest}` } },
    internal_source: {
      name: 'sent-uploaded',
      source_revision_config: { source_tarball_path: 'uploads/agent.tar.gz', graph_config_path: 'apps/a/graph.json' },
    },
    internal_template: { name: 'sent-template', source_revision_config: {} },
  });

  for (const source of [
    'repohost',
    'external_docker',
    'internal_docker',
    'internal_source',
    'internal_template',
  ] as const) {
    it(`from ${source} is what was entered and what Show Request shows, and nothing else`, async () => {
      const ended = run('createDeployment', { resourceSpec });
      await quickInput.asked(title);
      await starts[source]();
      await enterCommonFields();
      await editField('Show Request');
      await quickInput.asked(/^POST /);
      await quickInput.choose('Back to Review');
      const [address, ...lines] = editorText().split('\n');
      const shown: unknown = JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'));
      expect(address).toBe(`// POST ${relay.url}/v2/deployments`);

      const { [source]: parts } = own();
      await editField(`Deploy ${parts.name} to ${connection}`);
      await ended;
      const body = {
        source,
        ...parts,
        source_config: { ...('source_config' in parts ? parts.source_config : {}), ...commonConfig() },
        secrets: [{ name: 'TOKEN', value: secret }],
      };
      expect(relay.sent).toEqual([body]);
      expect(shown).toEqual({ ...body, secrets: [{ name: 'TOKEN', value: '•••' }] });
      await tree('Deployments').shows(parts.name);
    });
  }
});
