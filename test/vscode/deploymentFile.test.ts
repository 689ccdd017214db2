import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createRepository } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { checked, deployAnyway, edit, rows } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay } from './support/suite.ts';
import { expect, quickInput, run, told, tree } from './support/window.ts';
import { activeTab, addFolder, suiteFolder } from './support/workspace.ts';

const connection = 'Files';
const title = 'Deploy from File';
const review = `${title}: Review`;
const canary = 'canary-63ad-secret';

describe('A deployment file', () => {
  let relay: Relay;
  let root: string;
  let listenerId: string;

  before(async () => {
    const repository = await createRepository(await suiteFolder(), {
      name: 'filed',
      url: 'https://code.example/acme/filed',
      files: { 'apps/a/graph.json': config, 'apps/a/agent.py': 'graph = None\n' },
    });
    root = repository.folder;
    const service = await startService({ repositories: [root], stepMs: 1 });
    ({ id: listenerId } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps', 'tools'] },
    }));
    relay = await startRelay(service);
    await addFolder(root);
    await tree('Deployments').open();
    await addConnection(connection, relay);
  });

  /** Writes a deployment file in a folder of the repository and shows it. */
  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    return document;
  }

  const lenses = async ({ uri }: vscode.TextDocument): Promise<string[]> => {
    const found: readonly vscode.CodeLens[] = await vscode.commands.executeCommand(
      'vscode.executeCodeLensProvider',
      uri,
      10,
    );
    return found.map(({ range, command }) => `${range.start.line}: ${command?.title}`);
  };

  it('is deployed with everything that it says, beside its config file', async () => {
    await writeFile(path.join(root, 'apps/a/.env'), `TOKEN=${canary}\nOTHER=1\n`);
    await writeFile(path.join(root, 'apps/a/small.resource-spec.yaml'), 'cpu: 1.5\nmemory_mb: 2048\n');
    const document = await open(
      'apps/a/filed.deployment-spec.yaml',
      `name: filed-agent
ref: main
type: prod
custom_url: https://agent.example
listener: cluster
namespace: tools
install_command: npm ci
build_command: npm run build
resources: small.resource-spec.yaml
secrets:
  TOKEN: { env-file: .env }
  ASKED: ask
`,
    );
    expect(await lenses(document)).toEqual(['0: Deploy…', '0: Compare With Service']);
    const ended = run('deployFile', document.uri);
    const question = await told.message('Use values from .env for a deployment on Files?');
    for (const line of [
      'filed.deployment-spec.yaml asks for TOKEN.',
      `Service: ${relay.url}`,
      'Repository: https://code.example/acme/filed',
      'Branch: main',
      'Listener: cluster',
      'Install command: npm ci',
    ]) {
      expect(question.detail.split('\n')).toContain(line);
    }
    question.press('Use Values');
    await quickInput.answer('Value of ASKED (1/1)', canary);
    await checked(review);
    const from = 'filed.deployment-spec.yaml';
    expect(rows()).toContain(`Name filed-agent · ${from}`);
    expect(rows()).toContain(`Branch main · ${from}`);
    expect(rows()).toContain('Config file apps/a/graph.json · found in the repository');
    expect(rows()).toContain(`Listener cluster · ${from}`);
    expect(rows()).toContain(`Namespace tools · ${from}`);
    expect(rows()).not.toContain(canary);
    relay.sent.length = 0;
    await quickInput.choose(`Deploy filed-agent to ${connection}`);
    // The files of this test aren't committed.
    await deployAnyway(`Deploy filed-agent to ${connection}?`);
    await ended;
    expect(relay.sent.at(-1)).toMatchObject({
      name: 'filed-agent',
      source: 'repohost',
      source_config: {
        repo_url: 'https://code.example/acme/filed',
        deployment_type: 'prod',
        build_on_push: true,
        custom_url: 'https://agent.example',
        listener_id: listenerId,
        listener_config: { k8s_namespace: 'tools' },
        install_command: 'npm ci',
        build_command: 'npm run build',
        resource_spec: { cpu: 1.5, memory_mb: 2048 },
      },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'apps/a/graph.json' },
      secrets: [
        { name: 'TOKEN', value: canary },
        { name: 'ASKED', value: canary },
      ],
    });
  });

  /** Replaces the text of a file in its editor, without saving it. */
  async function change(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, 99, 0)), text);
    await vscode.workspace.applyEdit(edit);
  }

  /** Deploys a file up to the review, works there and leaves it. */
  async function inReviewOf(
    document: vscode.TextDocument,
    before: () => Promise<void>,
    work: () => Promise<void> | void,
  ) {
    told.clear();
    const ended = run('deployFile', document.uri);
    await quickInput.choose(words.deployed.deployNew);
    await before();
    await checked(review);
    await work();
    await quickInput.cancel();
    await ended;
  }

  const questions = () => told.messages.filter(({ isModal }) => isModal).map(({ text }) => text);

  it('sends values of a dotenv file once it was confirmed for what they go to, and never from outside', async () => {
    const text = 'name: again\nsecrets: { TOKEN: { env-file: .env } }\n';
    const document = await open('apps/a/again.deployment-spec.yaml', text);
    const send = async () => (await told.message(/^Use values from \.env/)).press('Use Values');
    await inReviewOf(document, send, () => expect(rows()).toContain('Secrets 1 secret · again.deployment-spec.yaml'));
    // Another type is sent to the same place; another command may send the values anywhere.
    await change(document, `${text}type: prod\n`);
    await inReviewOf(
      document,
      async () => {},
      () => {
        expect(rows()).toContain('Type prod · again.deployment-spec.yaml');
        expect(questions()).toEqual([]);
        expect(rows()).not.toContain('without a value');
      },
    );
    const decline = async () => {
      (await told.message(/^Use values from \.env/)).press();
      await quickInput.answer('Value of TOKEN (1/1)', '');
    };
    for (const line of ['build_command: make', 'resources: { cpu: 2 }']) {
      await change(document, `${text}${line}\n`);
      await inReviewOf(document, decline, () => expect(quickInput.rows()).toContain('Not taken from .env: TOKEN.'));
    }
    await writeFile(path.join(root, '../outside.env'), `TOKEN=${canary}\n`);
    await change(document, text.replace('.env', '../../../outside.env'));
    const leave = () => quickInput.answer('Value of TOKEN (1/1)', '');
    await inReviewOf(document, leave, () => {
      expect(quickInput.rows().join(' ')).toContain(
        "Couldn't read ../../../outside.env: It is outside the open folder.",
      );
      expect(questions()).toEqual([]);
    });
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('sends stored values only of the names that it says are stored, after a question', async () => {
    const text = 'name: keeps\nsecrets: { KEPT: ask }\n';
    const document = await open('apps/a/keeps.deployment-spec.yaml', text);
    const enter = () => quickInput.answer('Value of KEPT (1/1)', canary);
    await inReviewOf(document, enter, async () => {
      await edit('Secrets', review);
      await quickInput.pressInRow('KEPT', 'Remember on This Machine');
      await expect.poll(() => quickInput.rows()).toContain('KEPT stored');
      await quickInput.choose('Done');
      await checked(review);
    });
    await change(document, 'name: keeps\ntype: prod\n');
    await inReviewOf(
      document,
      async () => {},
      () => expect(rows()).toContain('Secrets none'),
    );
    await change(document, text.replace('ask', 'stored'));
    const send = async () => (await told.message(/^Use values from the storage of this machine/)).press('Use Values');
    await inReviewOf(document, send, () => expect(rows()).toContain('Secrets 1 secret, stored: KEPT'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is compared with what the service has under its name', async () => {
    const document = await open(
      'apps/a/compared.deployment-spec.yaml',
      '# Ours.\nname: filed-agent\nref: main\ntype: dev\nlistener: cluster\nnamespace: tools\nsecrets: { ASKED: ask }\n',
    );
    expect(await lenses(document)).toContainEqual(expect.stringMatching(/^0: filed-agent: /));
    await run('compareFile', { file: document.uri.toString(), index: 0 });
    const { input } = await activeTab(`filed-agent: ${connection} ↔ File`);
    assert.ok(input instanceof vscode.TabInputTextDiff);
    expect(input.modified.toString()).toBe(document.uri.toString());
    const service = (await vscode.workspace.openTextDocument(input.original)).getText();
    expect(service).toContain(
      `# Ours.\nname: filed-agent\nref: main\ntype: prod\nlistener: cluster\nnamespace: tools\n`,
    );
    expect(service).toContain('custom_url: https://agent.example\n');
    expect(service).toContain('resources:\n  cpu: 1.5\n  memory_mb: 2048\n');
    expect(service).not.toContain('config:');
    expect(service).not.toContain(canary);
    const nobody = await open('nobody.deployment-spec.yaml', 'name: nobody\n');
    const refused = run('compareFile', nobody.uri);
    (await told.message(`${connection} has no deployment called "nobody".`)).press();
    await refused;
  });

  it('with several deployments makes all of them from one list, each with its own values', async () => {
    const document = await open(
      'several.deployment-spec.yaml',
      ['one', 'two']
        .map((name) => `---\nname: ${name}\nsource: external_docker\nimage: registry.example/acme/${name}:1.0\n`)
        .join(''),
    );
    relay.sent.length = 0;
    const ended = run('deployFile', document.uri);
    await quickInput.choose('All 2 Deployments');
    await quickInput.choose(`Deploy 2 applications to ${connection}`);
    await deployAnyway(`Deploy one, two to ${connection}?`);
    (await told.message(`Created one, two on ${connection}.`)).press();
    await ended;
    expect(relay.sent).toMatchObject([
      { name: 'one', source_revision_config: { image_uri: 'registry.example/acme/one:1.0' } },
      { name: 'two', source_revision_config: { image_uri: 'registry.example/acme/two:1.0' } },
    ]);
  });

  it('with a mistake says its line, and leads there', async () => {
    const document = await open('wrong.deployment-spec.yaml', 'name: wrong\nsource: zip\n---\nname: second\n');
    await expect
      .poll(() => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message))
      .toEqual([expect.stringContaining('This value is unknown.')]);
    expect((await lenses(document)).filter((lens) => lens.endsWith('Deploy…'))).toEqual(['0: Deploy…', '2: Deploy…']);
    const ended = run('deployFile', document.uri);
    await quickInput.choose('wrong');
    const refused = await told.message(
      /^wrong\.deployment-spec\.yaml can't be deployed: line 2: This value is unknown/,
    );
    refused.press('Open File');
    await ended;
    expect(vscode.window.activeTextEditor?.selection.active.line).toBe(1);
    await change(document, 'name: elsewhere\nconnection: Nowhere\n');
    const asked = run('deployFile', document.uri);
    (await told.message('The file is for the connection "Nowhere", which isn\'t set up here.')).press();
    await asked;
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is completed and explained, below resources as a resource spec is', async () => {
    const document = await open('help.deployment-spec.yaml', 'name: a\n---\nname: b\nresources:\n  cpu_l\nso\n');
    const suggested = async (line: number, column: number): Promise<string[]> => {
      const { items }: vscode.CompletionList = await vscode.commands.executeCommand(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(line, column),
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    await expect.poll(async () => suggested(5, 2)).toEqual(expect.arrayContaining(['source', 'secrets']));
    expect(await suggested(5, 2)).not.toContain('resources');
    expect(await suggested(4, 7)).toContain('cpu_limit');
    const [hover]: readonly vscode.Hover[] = await vscode.commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(2, 1),
    );
    expect(hover?.contents.map((each) => (typeof each === 'string' ? each : each.value)).join()).toContain(
      "It can't be changed later.",
    );
  });

  it('is written from a review, without the values of secrets, and deploys the same again', async () => {
    const ended = run('createDeployment');
    await quickInput.choose('External image');
    await quickInput.answer('Create Deployment (1/2)', 'registry.example/acme/saved:1.0');
    await quickInput.answer('Create Deployment (2/2)', 'saved');
    await edit('Secrets', 'Create Deployment: Review');
    await quickInput.choose('Add Secret…');
    await quickInput.answer('Add Secret (1/2)', 'KEY');
    await quickInput.answer('Value of KEY (2/2)', canary);
    await quickInput.choose('Done');
    await checked('Create Deployment: Review');
    const file = path.join(root, 'saved.yaml');
    told.dialogGives(file);
    await quickInput.choose('Save as Deployment File…');
    await checked('Create Deployment: Review');
    expect(quickInput.rows()).toContain('Saved as saved.deployment-spec.yaml.');
    const text = await readFile(path.join(root, 'saved.deployment-spec.yaml'), 'utf8');
    expect(text).toBe(
      'name: saved\nsource: external_docker\nimage: registry.example/acme/saved:1.0\ntype: dev\nsecrets:\n  KEY: ask\n',
    );
    await quickInput.cancel();
    await ended;
    const again = run('deployFile', vscode.Uri.file(path.join(root, 'saved.deployment-spec.yaml')));
    await quickInput.answer('Value of KEY (1/1)', canary);
    await checked(review);
    expect(rows()).toContain('Image registry.example/acme/saved:1.0 · saved.deployment-spec.yaml');
    await quickInput.cancel();
    await again;
  });
});
