import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { SOURCES } from '../../src/api/schema/enums.ts';
import { createRepository } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { addSecret, finish } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, pages, quickInput, run, tree } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

const connection = 'Sent';
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

  /** Opens the page of a new deployment from a source. */
  async function begin(source: string): Promise<Page> {
    const ended = run('createDeployment', { resourceSpec });
    await quickInput.asked('Create Deployment');
    await quickInput.choose(source);
    await ended;
    return pages.inFront();
  }

  /** Enters what every source takes. */
  async function enterCommonFields(page: Page): Promise<void> {
    await page.type('type', 'prod');
    await addSecret(page, 'TOKEN', secret);
    await page.type('custom_url', 'https://agent.example');
    await page.type('install_command', 'npm ci --omit=dev');
    await page.type('build_command', 'npm run build && npm test');
    const chosen = page.press('Listener');
    await quickInput.choose('cluster');
    await quickInput.choose('tools');
    await chosen;
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
      const page = await begin('Repository');
      await page.type('repository', repositoryUrl);
      await page.type('ref', 'main');
      await page.type('config', 'apps/a/graph.json');
      await page.type('build_on_push', 'false');
      await page.type('name', 'sent-repohost');
      return page;
    },
    external_docker: async () => {
      const page = await begin('External image');
      await page.type('image', `registry.example/acme/agent@${digest}`);
      await page.type('name', 'sent-external');
      const edited = page.press('Edit References…');
      await quickInput.choose('Add Secret Reference…');
      await quickInput.answer('Secret Reference (1/3)', 'DATABASE_PASSWORD');
      await quickInput.answer('Secret Reference (2/3)', 'database');
      await quickInput.answer('Secret Reference (3/3)', 'password');
      await quickInput.choose('Done');
      await edited;
      return page;
    },
    internal_docker: async () => {
      const page = await begin('Pushed image');
      await page.type('image', `pushed/agent@${digest}`);
      await page.type('name', 'sent-pushed');
      return page;
    },
    internal_source: async () => {
      const page = await begin('Uploaded source');
      await page.type('upload', 'uploads/agent.tar.gz');
      await page.type('config', 'apps/a/graph.json');
      await page.type('name', 'sent-uploaded');
      return page;
    },
    internal_template: async () => {
      const page = await begin('Template');
      await page.type('name', 'sent-template');
      return page;
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

  const bodyFrom = (source: keyof ReturnType<typeof own>) => {
    const { [source]: parts } = own();
    return {
      source,
      ...parts,
      source_config: { ...('source_config' in parts ? parts.source_config : {}), ...commonConfig() },
      secrets: [{ name: 'TOKEN', value: secret }],
    };
  };

  const commonText = `type: prod
custom_url: https://agent.example
install_command: npm ci --omit=dev
build_command: npm run build && npm test
listener: cluster
namespace: tools
resources: { cpu: 1.5, memory_mb: 2048, labels: { team: a } }
secrets: { TOKEN: ask }
`;

  const texts = {
    repohost: `repository: ${repositoryUrl}\nref: main\nconfig: apps/a/graph.json\nbuild_on_push: false\n`,
    external_docker: `image: registry.example/acme/agent@${digest}
secret_references: [{ name: DATABASE_PASSWORD, secret: database, key: password }]
`,
    internal_docker: `image: pushed/agent@${digest}\n`,
    internal_source: 'upload: uploads/agent.tar.gz\nconfig: apps/a/graph.json\n',
    internal_template: '',
  };

  for (const source of SOURCES) {
    it(`from ${source} is what a file says that has no errors`, async () => {
      const body = bodyFrom(source);
      const name = `written-${source.replace('_', '-')}`;
      // Without it, the file would be checked for the connections of later suites.
      const text = `name: ${name}\nconnection: ${connection}\nsource: ${source}\n${texts[source]}${commonText}`;
      const file = path.join(await suiteFolder(), `${name}.deployment-spec.yaml`);
      await writeFile(file, text.replace('namespace: tools', 'namespaces: tools'));
      const document = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(document);
      const found = () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
      await expect.poll(() => found().join()).toContain('namespaces');
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await expect.poll(() => found().filter((message) => message.includes('namespaces'))).toEqual([]);
      const page = await pages.open(document.uri);
      const set = page.press('Set Value…');
      await quickInput.answer('Value of TOKEN', secret);
      await set;
      await page.press(/^Deploy/);
      expect(relay.sent).toEqual([{ ...body, name }]);
      expect(document.getText()).toBe(text);
      expect(await readFile(file, 'utf8')).toBe(text);
      await page.close();
    });

    it(`from ${source} is what was entered and what Show Request shows, and nothing else`, async () => {
      const page = await starts[source]();
      await enterCommonFields(page);
      const asked = page.press('Show Request');
      await quickInput.asked(/^POST /);
      const [address, ...lines] = editorText().split('\n');
      const shown: unknown = JSON.parse(lines.filter((line) => !line.startsWith('//')).join('\n'));
      expect(address).toBe(`// POST ${relay.url}/v2/deployments`);
      await quickInput.cancel();
      await asked;

      const body = bodyFrom(source);
      expect(page.state().words).toBe(`${body.name} to ${connection}`);
      await page.press('Deploy');
      expect(relay.sent).toEqual([body]);
      expect(shown).toEqual({ ...body, secrets: [{ name: 'TOKEN', value: '•••' }] });
      await tree('Deployments').shows(body.name);
      await finish(page);
    });
  }
});
