import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { createRepository, git } from '../support/gitRepositories.ts';
import { callService, createFromImage, createFromRepository } from '../support/serviceSeed.ts';
import { addConnection, switchConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { addSecret, discard } from './support/newDeployment.ts';
import { words } from '../support/words.ts';
import type { Page } from './support/pages.ts';
import { startedService, startRelay, startService, useSettings } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { activeTab, addFolder, closeEditors, suiteFolder } from './support/workspace.ts';

const connection = 'Files';
const canary = 'canary-63ad-secret';

describe('A deployment file', () => {
  let service: Service;
  let relay: Relay;
  let root: string;
  let listenerId: string;
  let integrationId: string;

  before(async () => {
    const repository = await createRepository(await suiteFolder(), {
      name: 'filed',
      url: 'https://code.example/acme/filed',
      files: { 'apps/a/graph.json': config, 'apps/a/agent.py': 'graph = None\n' },
    });
    root = repository.folder;
    service = await startService({ repositories: [root], stepMs: 1 });
    ({ id: listenerId } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps', 'tools'] },
    }));
    [{ id: integrationId }] = await callService(service, 'GET', '/v1/integrations/forge/repohost/install');
    relay = await startRelay(service);
    await addFolder(root);
    await tree('Deployments').open();
    await addConnection(connection, relay);
  });

  /** Writes a deployment file in a folder of the repository and shows it. */
  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    const file = path.resolve(root, name);
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
    const page = await pages.open(document.uri);
    expect(page.findings()).toContain('error: Enter the values of TOKEN, ASKED, or remove them.');
    expect(page.state().deploy).toBeUndefined();
    const used = page.press('Use Values…');
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
    await used;
    await expect.poll(() => page.findings()).toContain('error: Enter the value of ASKED, or remove it.');
    const set = page.press('Set Values…');
    await quickInput.answer('Value of ASKED (1/1)', canary);
    await set;
    await expect
      .poll(() => page.deployment().tables[0]?.rows)
      .toMatchObject([
        { name: 'TOKEN', from: '.env', state: 'set' },
        { name: 'ASKED', from: 'this window', state: 'set' },
      ]);
    expect(page.field('name')).toBe('filed-agent');
    expect(page.field('ref')).toBe('main');
    expect(page.field('config')).toBe('apps/a/graph.json · found in the repository');
    expect(page.field('listener')).toBe('cluster');
    expect(JSON.stringify(page.state())).not.toContain(canary);
    relay.sent.length = 0;
    // The files of this test aren't committed.
    expect(page.findings().join('\n')).toContain('2 uncommitted files');
    const [file, text] = [document.uri.fsPath, await readFile(document.uri.fsPath, 'utf8')];
    await page.press(/^Deploy with \d+ Warning/);
    await expect.poll(() => page.deployment().progress?.buttons.map(({ label }) => label)).toContain('Open Details');
    await document.save();
    expect([document.isDirty, await readFile(file, 'utf8')]).toEqual([false, text]);
    expect(relay.sent).toEqual([
      {
        name: 'filed-agent',
        source: 'repohost',
        source_config: {
          integration_id: integrationId,
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
      },
    ]);
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    expect(marked(document)).not.toContain(taken);
  });

  const taken = `"filed-agent" is taken on ${connection}; choose another name.`;
  const marked = ({ uri }: vscode.TextDocument) => vscode.languages.getDiagnostics(uri).map(({ message }) => message);

  it('has marks in text editors for what its page shows, while that is certain', async () => {
    const mistake = 'source: external_docker\nimage: [a]\n';
    const document = await open('apps/a/text.deployment-spec.yaml', `name: filed-agent\n${mistake}`);
    const page = await pages.open(document.uri);
    await expect.poll(() => marked(document)).toContain(taken);
    expect(marked(document).join()).not.toContain('Enter the reference');
    await page.press('Open as Text');
    await change(document, `name: text-agent\n${mistake}`);
    await expect.poll(() => marked(document)).not.toContain(taken);
    await change(document, `name: filed-agent\n${mistake}`);
    await expect.poll(() => marked(document).filter((message) => message === taken)).toHaveLength(1);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  /** Replaces the text of a file in its editor, without saving it. */
  async function change(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, 99, 0)), text);
    await vscode.workspace.applyEdit(edit);
  }

  const questions = () => told.messages.filter(({ isModal }) => isModal).map(({ text }) => text);

  it('sends values of a dotenv file once it was confirmed for what they go to, and never from outside', async () => {
    const text = 'name: again\nsecrets: { TOKEN: { env-file: .env } }\n';
    const document = await open('apps/a/again.deployment-spec.yaml', text);
    const page = await pages.open(document.uri);
    const isSet = () => page.deployment().tables[0]?.rows[0]?.state;
    const missing = 'error: Enter the value of TOKEN, or remove it.';
    expect(questions()).toEqual([]);
    const use = async (answer?: string) => {
      const used = page.press('Use Values…');
      (await told.message(/^Use values from \.env/)).press(answer);
      await used;
    };
    await use('Use Values');
    await expect.poll(isSet).toBe('set');
    // Another type is sent to the same place; another command may send the values anywhere.
    await change(document, `${text}type: prod\n`);
    await expect.poll(() => page.field('type')).toBe('prod');
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    expect(isSet()).toBe('set');
    for (const line of ['build_command: make', 'resources: { cpu: 2 }']) {
      await change(document, `${text}${line}\n`);
      await expect.poll(() => page.findings()).toContain(missing);
      await use();
      expect(isSet()).toBe('missing');
      await change(document, text);
      await expect.poll(isSet).toBe('set');
    }
    // Another branch may send the values anywhere, too.
    const checkOut = async (...branch: readonly string[]) => {
      await git(root, 'checkout', '--quiet', ...branch);
      await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(root));
    };
    await checkOut('-b', 'theirs');
    await expect.poll(() => page.field('ref')).toContain('theirs');
    await expect.poll(() => page.findings()).toContain(missing);
    await checkOut('main');
    await expect.poll(isSet).toBe('set');
    told.clear();
    await writeFile(path.join(root, '../outside.env'), `TOKEN=${canary}\n`);
    await change(document, text.replace('.env', '../../../outside.env'));
    await expect
      .poll(() => page.findings())
      .toContain("warning: Couldn't read ../../../outside.env: It is outside the open folder.");
    expect(page.findings()).toContain(missing);
    expect(questions()).toEqual([]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('sends stored values only of the names that it says are stored, after a question', async () => {
    const text = 'name: keeps\nsecrets: { KEPT: stored }\n';
    const document = await open('apps/a/keeps.deployment-spec.yaml', text);
    const page = await pages.open(document.uri);
    const set = page.press('Set Value…');
    await quickInput.answer('Value of KEPT', canary);
    await set;
    await expect.poll(() => page.deployment().tables[0]?.rows).toMatchObject([{ from: 'this window', state: 'set' }]);
    // Another deployment of the same application, for which nothing was typed.
    await change(document, text.replace('keeps', 'others').replace('stored', 'ask'));
    await expect.poll(() => page.deployment().tables[0]?.rows).toMatchObject([{ from: 'asked for', state: 'missing' }]);
    await change(document, text.replace('keeps', 'others'));
    await expect
      .poll(() => page.deployment().tables[0]?.rows)
      .toMatchObject([{ from: 'this machine', state: 'missing' }]);
    const used = page.press('Use Values…');
    (await told.message(/^Use values from the storage of this machine/)).press('Use Values');
    await used;
    await expect.poll(() => page.deployment().tables[0]?.rows).toMatchObject([{ from: 'this machine', state: 'set' }]);
    const forgotten = page.press('Where From…');
    await quickInput.choose('Stop Remembering');
    await forgotten;
    await expect.poll(() => page.deployment().tables[0]?.rows).toMatchObject([{ from: 'this window', state: 'set' }]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  const same = 'Everything that is set here is the same on the service, so there is nothing to change.';

  /** The texts of the diff in front: what the service has, and the file. */
  async function sides(): Promise<string[]> {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const documents = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    return (await Promise.all(documents)).map((document) => document.getText());
  }

  it('gives a deployment that exists a new revision, after saying what that changes', async () => {
    await useSettings({ 'localService.stepMilliseconds': 20 });
    await run('startLocalService');
    const text = 'name: updated\nref: main\ntype: dev\nsecrets: { KEY: ask }\n';
    const document = await open('apps/a/updated.deployment-spec.yaml', text);
    const page = await pages.open(document.uri);
    const set = page.press('Set Value…');
    await quickInput.answer('Value of KEY', canary);
    await set;
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    expect(page.deployment().progress?.steps.map(({ words }) => words)).toContain('Deployed');
    await page.close();
    // The secret has no value here any more, and stays.
    const compare = () => run('compareFile', { file: document.uri.toString(), index: 0 });
    await compare();
    (await told.message("The file and updated on Local service don't differ.")).press();
    await expect.poll(sides).toEqual([text, text]);
    const again = await pages.open(document.uri);
    await expect.poll(() => again.deployment().facts).toContain(same);
    expect(again.state().deploy).toBeUndefined();
    expect(again.findings().filter((words) => words.startsWith('error'))).toEqual([]);
    const fields = again.deployment().groups.flatMap((group) => group.fields);
    expect(fields.find(({ key }) => key === 'source')?.isLocked).toBe(true);
    // A new commit of the branch may still be to be built.
    const live = 'Bring main Live…';
    const brought = again.press(live);
    await expect.poll(() => quickInput.rows().join('\n')).toContain(words.deployed.deployNew);
    await quickInput.cancel();
    await brought;
    await change(document, `${text}resources: { cpu: 2 }\n`);
    await expect.poll(() => again.deployment().facts).toContain('Main service: CPU request: service default → 2');
    expect(again.deployment().facts[0]).toMatch(/^updated to Local/);
    expect(again.state().buttons.map(({ label }) => label)).not.toContain(live);
    const mark = 'differs from updated.deployment-spec.yaml: Main service: CPU request';
    await tree('Deployments').shows('updated');
    await expect.poll(() => tree('Deployments').spoken('updated')).toContain(mark);
    expect(await tree('Deployments').tooltip('updated')).toContain('spec.yaml: Main service: CPU request');
    await change(document, text);
    await expect.poll(() => tree('Deployments').rows()).not.toContain('differs from');
    await change(document, `${text}resources: { cpu: 2 }\n`);
    await expect.poll(() => tree('Deployments').rows()).toContain(mark);
    await compare();
    (await told.message('updated differs: Main service: CPU request.')).press('Apply…');
    await expect.poll(async () => (await pages.inFront()).document).toBe(document);
    await again.press(/^Deploy New Revision/);
    await expect.poll(() => again.deployment().progress?.look).toBe('success');
    await expect.poll(() => tree('Deployments').rows()).not.toContain('differs from');
    await again.close();
    await change(document, text);
    await compare();
    const kept = await told.message('Only on the service');
    expect(kept.text).toBe('Only on the service, and kept by an update: Resources.');
    expect(kept.buttons).toEqual([]);
    kept.press();
    await expect.poll(sides).toEqual([`${text}resources:\n  cpu: 2\n`, text]);
    await change(document, `${text}resources: { cpu: 2 }\n`);
    const last = await pages.open(document.uri);
    await expect.poll(() => last.deployment().facts).toContain(same);
    // What the file doesn't say is marked, and stays.
    await change(document, text);
    await expect
      .poll(() => tree('Deployments').rows())
      .toContain('differs from updated.deployment-spec.yaml: Resources');
    expect(last.deployment().facts).toContain(same);
    expect(last.state().deploy).toBeUndefined();
    // A new value waits until the user has said that it may be sent there.
    await writeFile(path.join(root, 'apps/a/key.env'), `KEY=${canary}\n`);
    await change(document, `${text.replace('KEY: ask', 'KEY: { env-file: key.env }')}resources: { cpu: 2 }\n`);
    const waiting = /^warning: The values that the file names for KEY are sent only after you confirm that\./;
    await expect.poll(() => last.findings()).toContainEqual(expect.stringMatching(waiting));
    expect(last.state().deploy).toBeUndefined();
    const used = last.press('Use Values…');
    (await told.message(/^Use values from key\.env/)).press('Use Values');
    await used;
    await expect.poll(() => last.state().deploy?.label).toMatch(/^Deploy New Revision/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await last.close();
    await switchConnection(connection);
  });

  it('that was deployed without success is deployed again from its page, where the service can do that', async () => {
    const text = 'name: empty\nconnection: Local service\nsource: internal_source\ntype: dev\n';
    const page = await pages.open((await open('empty.deployment-spec.yaml', text)).uri);
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('failed');
    expect(page.deployment().facts.join()).not.toContain('nothing to deploy');
    const local = await startedService();
    const { resources } = await callService(local, 'GET', '/v2/deployments?name_contains=empty');
    const revisions = async () => {
      const answer = await callService(local, 'GET', `/v2/deployments/${resources[0].id}/revisions`);
      return answer.resources.length;
    };
    expect(await revisions()).toBe(1);
    const again = page.press('Deploy Again');
    (await told.message(/^Deploy .* again as empty on Local service\?$/)).press('Deploy Again');
    await again;
    expect(await revisions()).toBe(2);
    await expect.poll(() => page.deployment().progress?.look).toBe('failed');
    await page.close();
    // The status bar is for the next failure.
    const followed = run('showFollowed');
    await quickInput.asked(/Followed/);
    await quickInput.pressInRow('empty', 'Dismiss');
    await quickInput.cancel();
    await followed;
    await switchConnection(connection);
  });

  it('gives a typed value to no deployment of the same name on another connection', async () => {
    const part = (place: string) =>
      `name: twice\nsource: internal_template\nconnection: ${place}\nsecrets: { KEY: ask }\n`;
    const document = await open('twice.deployment-spec.yaml', `${part(connection)}---\n${part('Nowhere')}`);
    const page = await pages.open(document.uri);
    const set = page.press('Set Value…');
    await quickInput.answer('Value of KEY', canary);
    await set;
    const states = () => page.state().deployments.map(({ tables }) => tables[0]?.rows[0]?.state);
    await expect.poll(states).toEqual(['set', 'missing']);
    await change(document, part('Nowhere'));
    await expect.poll(states).toEqual(['missing']);
    await change(document, part(connection).replace('twice', 'once'));
    await expect.poll(states).toEqual(['missing']);
    await change(document, part(connection));
    await expect.poll(states).toEqual(['set']);
    expect(await page.type('name', 'renamed')).toBe('');
    await expect.poll(states).toEqual(['set']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('is compared with what the service has under its name', async () => {
    const document = await open(
      'apps/a/compared.deployment-spec.yaml',
      '# Ours.\nname: filed-agent\nref: main\ntype: dev\nsecrets: { ASKED: ask, NEW: ask }\n',
    );
    expect(await lenses(document)).toEqual([
      '0: Deploy…',
      '0: Compare With Service',
      expect.stringMatching(/^0: filed-agent: /),
    ]);
    await run('compareFile', { file: document.uri.toString(), index: 0 });
    await activeTab(`filed-agent: ${connection} ↔ File`);
    const [service, file] = await sides();
    expect(file).toBe(document.getText());
    // The service may have made the address itself.
    expect(service).toBe(`# Ours.
name: filed-agent
ref: main
type: prod
secrets:
  TOKEN: ask
  ASKED: ask
resources:
  cpu: 1.5
  memory_mb: 2048
listener: cluster
namespace: tools
install_command: npm ci
build_command: npm run build
`);
    const differing = await told.message('filed-agent differs');
    // Nothing about values of secrets, which a comparison doesn't need.
    const only = 'Resources, Listener, Namespace, Install command, Build command';
    expect(differing.text).toBe(
      `filed-agent differs: Type, Secrets. Only on the service: ${only}. Only a new deployment can change that.`,
    );
    const mark = `differs from compared.deployment-spec.yaml: Type, Secrets, ${only}`;
    await expect.poll(() => tree('Deployments').rows()).toContain(mark);
    differing.press();
    const nobody = await open('nobody.deployment-spec.yaml', 'name: nobody\n');
    const refused = run('compareFile', nobody.uri);
    (await told.message(`${connection} has no deployment called "nobody".`)).press();
    await refused;
  });

  it('with several deployments has them on one page, and deploys those without problems', async () => {
    const document = await open(
      'several.deployment-spec.yaml',
      ['one', 'two', 'Not a name']
        .map((name) => `---\nname: ${name}\nsource: external_docker\nimage: registry.example/acme/${name}:1.0\n`)
        .join(''),
    );
    const page = await pages.open(document.uri);
    expect(page.state().deployments.map(({ title }) => title)).toEqual(['one', 'two', 'Not a name']);
    const labels = page.state().deployments.map(({ buttons }) => buttons.map(({ label }) => label));
    const one = ['Compare With Service', 'Promote…'];
    expect(labels).toEqual([one, one, []]);
    expect(await page.type('image', 'registry.example/acme/first:1.0')).toBe('');
    const left = page.press('Show Request…');
    await quickInput.asked('Show Request');
    expect(quickInput.rows()).toEqual([`one ${connection}`, `two ${connection}`]);
    await quickInput.cancel();
    await left;
    const shown = page.press('Show Request…');
    await quickInput.choose('two');
    await quickInput.choose('Copy as JSON');
    await shown;
    expect(await vscode.env.clipboard.readText()).toContain('"name": "two"');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await pages.inFront();
    relay.sent.length = 0;
    await page.press('Deploy 2 of 3 with 4 Warnings');
    await expect
      .poll(() => page.state().deployments.map(({ progress }) => progress !== undefined))
      .toEqual([true, true, false]);
    expect(relay.sent).toMatchObject([
      { name: 'one', source_revision_config: { image_uri: 'registry.example/acme/first:1.0' } },
      { name: 'two', source_revision_config: { image_uri: 'registry.example/acme/two:1.0' } },
    ]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('with a mistake says so at its field, and leads to its line', async () => {
    const document = await open('wrong.deployment-spec.yaml', 'name: wrong\nsource: zip\n---\nname: second\n');
    await expect.poll(() => marked(document)).toContainEqual(expect.stringContaining('This value is unknown.'));
    expect((await lenses(document)).filter((lens) => lens.endsWith('Deploy…'))).toEqual(['0: Deploy…', '3: Deploy…']);
    const page = await pages.open(document.uri);
    expect(page.deployment().findings).toMatchObject([
      { severity: 'error', key: 'source', message: expect.stringContaining('This value is unknown.') },
    ]);
    expect(await page.type('source', 'internal_template')).toBe('');
    await expect.poll(() => page.findings().filter((words) => words.startsWith('error'))).toEqual([]);
    expect(document.getText()).toBe('name: wrong\nsource: internal_template\n---\nname: second\n');
    await change(document, 'name: wrong\nunknown: 1\nbuild_comand: make\nsecrets: { KEY: value }\n');
    const links = () => page.deployment().findings.map(({ key, buttons }) => [key, buttons.map(({ label }) => label)]);
    await expect.poll(links).toEqual(expect.arrayContaining([['unknown', ['Show in Text']]]));
    expect(links()).toContainEqual(['build_comand', ['Change to "build_command"', 'Show in Text']]);
    expect(links()).toContainEqual(['secrets', ['Change to "ask"']]);
    await page.press('Change to "build_command"');
    await page.press('Change to "ask"');
    expect(document.getText()).toBe('name: wrong\nunknown: 1\nbuild_command: make\nsecrets: { KEY: "ask" }\n');
    await change(document, 'name: elsewhere\nconnection: Nowhere\n');
    await expect
      .poll(() => page.findings())
      .toEqual(['error: The connection "Nowhere" isn\'t set up here. Add it, or choose another one.']);
    await change(document, 'name: "open\n');
    await expect.poll(() => page.findings()).toEqual(['error: A closing quote is missing.']);
    await page.press('Show in Text');
    expect(vscode.window.activeTextEditor?.document).toBe(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('keeps its comments and order in every change, which is one step of undo, also with Windows line ends', async () => {
    const text = '# Ours.\r\nref: main # always\r\nname: filed # the name\r\nunknown: 1\r\n';
    const document = await open('apps/a/kept.deployment-spec.yaml', text);
    const page = await pages.open(document.uri);
    await page.type('name', 'kept: #1');
    await page.type('build_on_push', 'false');
    await page.type('connection', connection);
    expect(document.getText()).toBe(
      '# Ours.\r\nref: main # always\r\nname: "kept: #1" # the name\r\nconnection: Files\r\nbuild_on_push: false\r\nunknown: 1\r\n',
    );
    for (let steps = 0; steps < 3; steps += 1) await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText()).toBe(text);
    await page.type('ref', '');
    await expect.poll(() => document.getText()).toBe(text.replace('ref: main # always\r\n', ''));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('gets what was being typed when its page is hidden, closed or gone with the window', async () => {
    const document = await open('apps/a/typed.deployment-spec.yaml', 'name: filed\n');
    const hide = () => open('apps/a/other.txt', '');
    const page = await pages.open(document.uri);
    page.typing({ number: 0, key: 'name', text: 'typed' });
    await hide();
    await expect.poll(() => document.getText()).toBe('name: typed\n');
    await pages.open(document.uri);
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText()).toBe('name: filed\n');

    page.typing({ number: 0, key: 'name', text: 'sent' });
    page.typing();
    page.typing({ number: 0, edits: [{ kind: 'set', path: ['cpu'], value: { style: 'inline', text: '2' } }] });
    await hide();
    await expect.poll(() => document.getText()).toBe('name: filed\nresources:\n  cpu: 2\n');

    await pages.open(document.uri);
    page.typing({ number: 0, key: 'sidecars', text: '- name: proxy' });
    await hide();
    await pages.open(document.uri);
    await expect.poll(() => document.getText()).toContain('  cpu: 2\n  sidecars:\n    - name: proxy\n');

    await expect.poll(() => document.isDirty).toBe(false);
    page.typing({ number: 0, key: 'name', text: 'closed' });
    await page.close();
    const again = await pages.open(document.uri);
    expect(again.document.getText()).toMatch(/^name: closed$/m);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await again.close();
  });

  it('that was changed since then is left alone, and the page still has what was typed', async () => {
    const document = await open('apps/a/outdated.deployment-spec.yaml', 'name: filed\n');
    const page = await pages.open(document.uri);
    page.typing({ number: 0, key: 'name', text: 'typed' });
    await page.close();
    await change(document, 'name: other\n');
    const again = await pages.open(document.uri);
    expect(document.getText()).toBe('name: other\n');
    await expect.poll(() => again.state().words).toBe('1 problem to correct');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await again.close();
  });

  it('keeps with its deployment what that can not have, wherever it goes, also while that is gone', async () => {
    const [first, second] = ['name: first-of\n', 'name: second-of\n'];
    const document = await open('apps/a/kept.deployment-spec.yaml', `${first}---\n${second}`);
    const page = await pages.open(document.uri);
    const numbers = (of: Page) => of.state().deployments.map(({ number }) => number);
    await expect.poll(() => numbers(page)).toHaveLength(2);
    const [one, two] = numbers(page);
    page.keep('- name: [', 1);
    await change(document, `name: before\n---\n${first}---\n${second}`);
    await expect.poll(() => numbers(page).slice(1)).toEqual([one, two]);
    page.typing({ number: two, key: 'name', text: 'third-of' });
    await document.save();
    await page.close();
    await change(document, first);
    await document.save();
    const without = await pages.open(document.uri);
    expect(without.state().words).not.toMatch(/problem/);
    await change(document, `${second}---\n${first}`);
    await expect.poll(() => without.state().words).toBe('2 problems to correct');
    await document.save();
    await without.close();
    const again = await pages.open(document.uri);
    expect(again.state().words).toBe('2 problems to correct');
    expect(numbers(again)).toEqual([two, one]);
    await again.close();
  });

  it('is not asked about again when its page is shown again', async () => {
    const document = await open('apps/a/known.deployment-spec.yaml', 'name: known-agent\n');
    const page = await pages.open(document.uri);
    const isChecked = () => page.state().deployments.every(({ isChecking }) => !isChecking);
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy/);
    const lookUps = () => relay.requests.filter((request) => request.includes('known-agent'));
    const before = lookUps();
    expect(before).toHaveLength(1);
    await open('apps/a/other.txt', '');
    await pages.open(document.uri);
    await expect.poll(isChecked).toBe(true);
    expect(lookUps()).toEqual(before);
    await page.close();
  });

  it('has a key that was renamed when its page was hidden, also if that is sent as well', async () => {
    const document = await open(
      'apps/a/relabeled.deployment-spec.yaml',
      'name: filed\nresources:\n  labels:\n    a: x\n',
    );
    const page = await pages.open(document.uri);
    const rename = [{ kind: 'rename' as const, path: ['labels', 'a'], name: 'b' }];
    page.typing({ number: 0, edits: rename });
    await open('apps/a/other.txt', '');
    await expect.poll(() => document.getText()).toContain('labels:\n    b: x\n');
    await page.edit(rename);
    expect(document.getText()).toContain('labels:\n    b: x\n');
    expect(told.messages).toEqual([]);
    await pages.open(document.uri);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('keeps what the service says of each deployment when the first is removed meanwhile', async () => {
    const texts = ['first-of', 'second-of', 'third-of'].map((name) => `name: ${name}\nsource: internal_template\n`);
    const document = await open('apps/a/removed.deployment-spec.yaml', texts.join('---\n'));
    const page = await pages.open(document.uri);
    const shown = () => page.state().deployments.map(({ title, isChecking }) => (isChecking ? '…' : title));
    await expect.poll(shown).toEqual(['first-of', 'second-of', 'third-of']);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let count = 0;
    relay.break(/^POST \/v2\/deployments/, (response, request) => {
      count += 1;
      if (count !== 2) return passTo(service.url)(response, request);
      void held.then(() => json({ detail: 'The quota is used up.' }, 422)(response, request));
    });
    const pressed = page.press(/^Deploy All/);
    await expect.poll(() => count).toBe(2);
    await change(document, texts.slice(1).join('---\n'));
    await expect.poll(shown).toEqual(['second-of', 'third-of']);
    goOn();
    expect(await pressed).toMatchObject({ failed: true });
    relay.mend();
    await expect.poll(() => page.findings(0).join()).toContain('The quota is used up.');
    const looks = () => page.state().deployments.map(({ progress }) => progress?.look);
    await expect.poll(looks).toEqual([undefined, 'success']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('takes the answer of a list, and offers what helps', async () => {
    const document = await open('apps/a/picked.deployment-spec.yaml', 'name: filed-agent\n');
    await writeFile(path.join(root, 'apps/a/graph.json'), config.replace('{', '{ "env": ".env",'));
    const page = await pages.open(document.uri);
    expect(page.findings()).toContain(`error: "filed-agent" is taken on ${connection}; choose another name.`);
    const marked = () =>
      vscode.languages.getDiagnostics(document.uri).map(({ range, message }) => [document.getText(range), message]);
    expect(marked()).toContainEqual(['filed-agent', `"filed-agent" is taken on ${connection}; choose another name.`]);
    const taken = page.deployment().findings.find(({ key }) => key === 'name');
    expect(taken?.buttons.map(({ label }) => label)).toEqual([
      'Bring main Live…',
      'Use filed-agent-2',
      'Show Deployment',
    ]);
    const mark = /filed-agent .* · differs from picked\.deployment-spec\.yaml: Type, Secrets, Resources, Listener/;
    await expect.poll(() => tree('Deployments').rows()).toMatch(mark);
    await page.press('Use filed-agent-2');
    await expect.poll(() => document.getText()).toBe('name: filed-agent-2\n');
    await expect.poll(() => tree('Deployments').rows()).not.toMatch(mark);
    await expect.poll(() => marked().join()).not.toContain('is taken');
    const chosen = page.press('Listener');
    await quickInput.choose('cluster');
    await expect.poll(() => quickInput.rows()).toContain('tools');
    // Another change must not lose the answer.
    expect(await page.type('name', 'filed-agent-3')).toBe('');
    await quickInput.choose('tools');
    expect(await chosen).toMatchObject({ failed: false });
    expect(document.getText()).toBe('name: filed-agent-3\nlistener: cluster\nnamespace: tools\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('gets the whole path of its config file with another repository, whose paths start at the root', async () => {
    const document = await open('apps/a/moved.deployment-spec.yaml', 'name: moved\nref: main\nconfig: graph.json\n');
    const page = await pages.open(document.uri);
    const chosen = page.press('Repository');
    await quickInput.choose('Enter a URL…');
    await quickInput.answer('Deploy moved.deployment-spec.yaml', 'https://code.example/acme/elsewhere');
    await chosen;
    const moved =
      'name: moved\nrepository: https://code.example/acme/elsewhere\nref: main\nconfig: apps/a/graph.json\n';
    expect(document.getText()).toBe(moved);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
  });

  it('marks what differs on the service, also after its page is closed, until the file is gone', async () => {
    await closeEditors();
    const document = await open('apps/a/marked.deployment-spec.yaml', 'name: filed-agent\ntype: dev\n');
    const page = await pages.open(document.uri);
    const mark = 'differs from marked.deployment-spec.yaml: Type';
    await expect.poll(() => tree('Deployments').rows()).toContain(mark);
    await page.close();
    await closeEditors();
    expect(tree('Deployments').rows()).toContain(mark);
    const renamed = vscode.Uri.joinPath(document.uri, '..', 'renamed.deployment-spec.yaml');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(document.uri, renamed);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await expect.poll(() => tree('Deployments').rows()).toContain('differs from renamed.deployment-spec.yaml: Type');
    expect(tree('Deployments').rows()).not.toContain(mark);
    await rm(renamed.fsPath);
    await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(root));
    await expect.poll(() => tree('Deployments').rows()).not.toContain('renamed.deployment-spec.yaml');
  });

  it('marks what differs also without a tab, as the file is on disk by then', async () => {
    await closeEditors();
    await createFromImage(service, 'imaged');
    await run('refresh');
    // Outside of open folders, where VS Code watches single files, also without its native watcher.
    const folder = await suiteFolder();
    const text = (tag: string) => `name: imaged\nsource: external_docker\nimage: registry.example/acme/imaged:${tag}\n`;
    const document = await open(path.join(folder, 'away.deployment-spec.yaml'), text('2.0'));
    const differences = (file: string) =>
      new RegExp(`differs from ${file}\\.deployment-spec\\.yaml: ([^·\n]*)`).exec(tree('Deployments').rows())?.[1];
    await expect.poll(() => differences('away')).toContain('Image');
    await expect.poll(() => marked(document).join()).toContain('"imaged" is taken');
    await closeEditors();
    await expect.poll(() => marked(document)).toEqual([]);
    expect(differences('away')).toContain('Image');
    expect(differences('away')).not.toContain('CPU');
    await run('startLocalService');
    relay.requests.length = 0;
    await switchConnection(connection);
    await expect.poll(() => differences('away')).toContain('Image');
    await writeFile(document.uri.fsPath, `${text('1.0')}resources: { cpu: 3 }\n`);
    await expect.poll(() => differences('away')).toContain('Main service: CPU request');
    expect(differences('away')).not.toContain('Image');
    expect(marked(document)).toEqual([]);
    // Only findings need to know whether there are listeners.
    expect(relay.requests).not.toContain('GET /v2/listeners?limit=1');
    await rm(document.uri.fsPath);
    await expect.poll(() => differences('away')).toBeUndefined();
    await writeFile(document.uri.fsPath, text('3.0'));
    await expect.poll(() => differences('away')).toContain('Image');
    // Other suites count what is asked in this window.
    await rm(document.uri.fsPath);
    await expect.poll(() => differences('away')).toBeUndefined();
  });

  it('marks behind other files what differs, until the service has it', async () => {
    await closeEditors();
    // No other file names it, and is compared with it.
    const { id } = await createFromRepository(service, 'behind-agent');
    await run('refresh');
    const document = await open('apps/a/behind.deployment-spec.yaml', 'name: behind-agent\nresources: { cpu: 2 }\n');
    await vscode.window.showTextDocument(document, { preview: false });
    const mark = /differs from behind\.deployment-spec\.yaml: .*Main service: CPU request/;
    await expect.poll(() => tree('Deployments').rows()).toMatch(mark);
    await open('apps/a/agent.py', 'graph = None\n');
    assert.notEqual(vscode.window.activeTextEditor?.document, document);
    await run('refresh');
    expect(tree('Deployments').rows()).toMatch(mark);
    await callService(service, 'PATCH', `/v2/deployments/${id}`, { source_config: { resource_spec: { cpu: 2 } } });
    relay.requests.length = 0;
    await run('refresh');
    await expect.poll(() => tree('Deployments').rows()).not.toMatch(mark);
    await expect.poll(() => tree('Deployments').rows()).toContain('differs from behind.deployment-spec.yaml: ');
    expect(relay.requests.filter((request) => request.includes('name_contains=behind-agent'))).toHaveLength(1);
    await rm(document.uri.fsPath);
    await closeEditors();
    await expect.poll(() => tree('Deployments').rows()).not.toContain('behind.deployment-spec.yaml');
  });

  it('that is only open as text has what its page would warn of at its lines, until it is corrected or closed', async () => {
    const text = 'name: filed-agent\nref: nowhere\nsecrets: { ASKED: ask }\n';
    const document = await open('apps/a/read.deployment-spec.yaml', text);
    const found = () =>
      vscode.languages.getDiagnostics(document.uri).map(({ range, message }) => [document.getText(range), message]);
    const unpushed = 'As of the last fetch, origin has no branch nowhere.';
    const mark = 'differs from read.deployment-spec.yaml: ';
    await expect.poll(found).toContainEqual(['filed-agent', taken]);
    expect(found()).toContainEqual(['nowhere', expect.stringContaining(unpushed)]);
    // The values of secrets are no matter of the file.
    expect(marked(document).join()).not.toContain('ASKED');
    await expect.poll(() => tree('Deployments').rows()).toContain(mark);
    const runGit = async (...args: readonly string[]) => {
      await git(root, ...args);
      await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(root));
    };
    const looked = countStatuses();
    await runGit('push', '--quiet', 'origin', 'main:nowhere');
    await expect.poll(() => marked(document).join()).not.toContain(unpushed);
    expect(marked(document)).toContain(taken);
    // What is checked after each reading of git must not make it read again.
    expect(looked()).toBe(0);
    await change(document, text.replace('filed-agent', 'read-agent'));
    await expect.poll(() => marked(document)).not.toContain(taken);
    await expect.poll(() => tree('Deployments').rows()).not.toContain(mark);
    // Without a branch, the one that is checked out counts.
    await change(document, 'name: read-agent\n');
    await runGit('switch', '--quiet', '--create', 'local');
    await expect.poll(() => marked(document).join()).toContain('origin has no branch local.');
    await runGit('switch', '--quiet', 'main');
    await expect.poll(() => marked(document).join()).not.toContain('local');
    await change(document, text);
    // VS Code closes an unsaved file of a test with the text that it has on disk.
    await document.save();
    await expect.poll(() => marked(document)).toContain(taken);
    const page = await pages.open(document.uri);
    await expect.poll(() => marked(document).filter((message) => message === taken)).toHaveLength(1);
    await page.close();
    await vscode.window.showTextDocument(document);
    await expect.poll(() => marked(document)).toContain(taken);
    await expect.poll(() => tree('Deployments').rows()).toContain(mark);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await closeEditors();
    await expect.poll(() => marked(document)).toEqual([]);
    expect(tree('Deployments').rows()).toContain(mark);
  });

  it('that is only open as text neither asks for what its check lacks nor marks that', async () => {
    const { folder } = await createRepository(await suiteFolder(), {
      name: 'remotes',
      url: 'https://code.example/acme/remotes',
      files: { 'graph.json': config },
    });
    await git(folder, 'branch', '--unset-upstream');
    await git(folder, 'remote', 'rename', 'origin', 'upstream');
    await git(folder, 'remote', 'add', 'fork', 'https://code.example/me/remotes');
    await addFolder(folder);
    const image = 'source: external_docker\nimage: registry.example/acme/agent@sha256:0\n';
    const waits: unknown[] = [];
    const { withProgress } = vscode.window;
    const watched: typeof withProgress = (options, task) => (waits.push(options.location), withProgress(options, task));
    Object.assign(vscode.window, { withProgress: watched });
    const document = await open(
      path.join(folder, 'asks.deployment-spec.yaml'),
      `name: asks\n---\nname: away\nconnection: Nowhere\n${image}---\nname: filed-agent\n${image}`,
    );
    // All are checked once the last one is.
    await expect.poll(() => marked(document)).toContain(taken);
    expect(marked(document).join()).not.toContain('Nowhere');
    expect(marked(document).join()).not.toContain('cancelled');
    expect(quickInput.isOpen()).toBe(false);
    expect(told.messages.map((message) => message.text)).toEqual([]);
    Object.assign(vscode.window, { withProgress });
    expect(waits.filter((location) => typeof location === 'number')).toEqual([]);
    // The user's own page asks.
    const opened = pages.open(document.uri);
    await quickInput.asked('Deploy asks.deployment-spec.yaml');
    await quickInput.choose('upstream');
    const page = await opened;
    expect(page.findings().join()).not.toContain('cancelled');
    const away = page.deployment(1).findings.find(({ key }) => key === 'connection');
    expect(away).toMatchObject({
      key: 'connection',
      message: expect.stringContaining('"Nowhere" isn\'t set up here.'),
    });
    const marks = vscode.languages.getDiagnostics(document.uri).filter(({ message }) => message === away?.message);
    expect(marks.map(({ range }) => document.getText(range))).toEqual(['Nowhere']);
    // Git and the service are asked again, but not the user.
    await page.press('Fetch from upstream');
    await page.press('Try Again');
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    expect(quickInput.isOpen()).toBe(false);
    expect(page.findings().join()).not.toContain('cancelled');
    // Until the chosen remote is gone.
    await git(folder, 'remote', 'rename', 'upstream', 'renamed');
    void page.press('Try Again');
    await quickInput.asked('Deploy asks.deployment-spec.yaml');
    await quickInput.choose('renamed');
    await expect.poll(() => page.state().deployments.some(({ isChecking }) => isChecking)).toBe(false);
    await page.close();
  });

  it('is promoted to another connection as a draft, whose values from elsewhere are confirmed anew', async () => {
    const document = await open(
      'apps/a/promoted.deployment-spec.yaml',
      `# Ask Ada before this changes.
name: updated
ref: main # as everything
integration: 00000000-0000-0000-0000-000000000000
owner: ada
type: prod
custom_url: https://promoted.example
listener: cluster
namespace: tools
build_command: npm run build
resources: small.resource-spec.yaml
secrets:
  TOKEN: { env-file: .env }
  KEPT: stored
  ASKED: ask
`,
    );
    const page = await pages.open(document.uri);
    const promoted = page.press('Promote…');
    await quickInput.choose('Local service');
    await promoted;
    const draft = await pages.inFront();
    expect(draft.findings()).toContain('error: Local service has no listener "cluster".');
    await draft.type('listener', '');
    await draft.type('namespace', '');
    await expect.poll(() => draft.field('name')).toBe('updated-2');
    expect(draft.document.getText()).toBe(`# Ask Ada before this changes.
name: updated-2
connection: Local service
repository: https://code.example/acme/filed
ref: main # as everything
config: apps/a/graph.json
owner: ada
type: prod
build_command: npm run build
resources: apps/a/small.resource-spec.yaml
secrets:
  TOKEN: { env-file: "apps/a/.env" }
  KEPT: stored
  ASKED: ask
`);
    expect(draft.deployment().resources?.open?.label).toBe('Edit apps/a/small.resource-spec.yaml');
    expect(draft.deployment().facts).toContain("Not taken along: Custom URL. Two deployments can't share it.");
    const states = () => draft.deployment().tables[0]?.rows.map(({ state }) => state);
    expect(states()).toEqual(['missing', 'missing', 'missing']);
    const used = draft.press('Use Values…');
    (await told.message('Use values from apps/a/.env for a deployment on Local service?')).press('Use Values');
    await used;
    await expect.poll(states).toEqual(['set', 'missing', 'missing']);
    expect(draft.heard()).not.toContain(canary);
    await discard(draft);
    await page.close();
  });

  it('is promoted under another name on the same connection', async () => {
    const text = 'name: first\nsource: internal_template\ntype: dev\n';
    const page = await pages.open((await open('first.deployment-spec.yaml', text)).uri);
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    const promoted = page.press('Promote…');
    await quickInput.choose(connection);
    await promoted;
    const draft = await pages.inFront();
    await expect.poll(() => draft.field('name')).toBe('first-2');
    await draft.type('name', 'second');
    await draft.press(/^Deploy/);
    await expect.poll(() => draft.deployment().progress?.look).toBe('success');
    const { resources } = await callService(service, 'GET', '/v2/deployments');
    const names = resources.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['first', 'second']));
    await draft.close();
    await page.close();
  });

  it('says at its fields what it names and is not there, and is checked and corrected all the same', async () => {
    const start = 'name: lost\nref: main\nconfig: ';
    const end = 'namespace: tools\nresources: gone.resource-spec.yaml\n';
    const document = await open(
      'apps/a/lost.deployment-spec.yaml',
      `${start}../../../graph.json\nlistener: nowhere\n${end}`,
    );
    const outside = 'The config file "../../../graph.json" is outside the repository. Correct its path.';
    const refused = run('compareFile', document.uri);
    (await told.message(outside)).press();
    await refused;
    const page = await pages.open(document.uri);
    const errors = () =>
      page
        .deployment()
        .findings.filter(({ severity }) => severity === 'error')
        .map(({ key, message }) => [key, message]);
    expect(errors()).toEqual([
      ['config', outside],
      ['resources', expect.stringContaining("The resources in gone.resource-spec.yaml can't be read: ")],
      ['listener', `${connection} has no listener "nowhere".`],
    ]);
    expect(page.state().deploy).toBeUndefined();
    expect(page.state().buttons.map(({ label }) => label)).toEqual(['Open as Text']);
    expect(page.deployment().findings.map(({ key }) => key)).toContain('ref');
    for (const [label, row] of [
      ['Config file', 'apps/a/graph.json'],
      ['Listener', 'cluster'],
    ] as const) {
      const chosen = page.press(label);
      await quickInput.choose(row);
      await chosen;
    }
    expect(document.getText()).toBe(`${start}graph.json\nlistener: cluster\n${end}`);
    await change(document, `${start}graph.json\nlistener: cluster\nnamespace: nowhere\n`);
    await expect.poll(() => page.findings()).toContain('warning: The listener cluster has no namespace "nowhere".');
    await change(document, `${start}graph.json\nlistener: ${listenerId}\nnamespace: tools\n`);
    await expect.poll(errors).toEqual([]);
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress).toBeDefined();
    expect(relay.sent.at(-1)).toMatchObject({
      name: 'lost',
      source_config: { listener_id: listenerId, listener_config: { k8s_namespace: 'tools' } },
    });
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await page.close();
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

  it('says where the path of its config file starts, for each source', async () => {
    const sources = ['repohost', 'internal_source'];
    const texts = sources.map((source) => `name: ${source}\nsource: ${source}\nconfig: graph.json\n`);
    const document = await open('starts.deployment-spec.yaml', texts.join('---\n'));
    const page = await pages.open(document.uri);
    const fields = page.state().deployments.map(({ groups }) => groups.flatMap((group) => group.fields));
    expect(fields.map((each) => each.find(({ key }) => key === 'config')?.help)).toEqual([
      'Relative to this file; in a draft or another repository, to the root; in an upload, as it is sent. If left empty, the one that is found.',
      'The path in the upload, which is sent as it is.',
    ]);
    await page.close();
  });

  it('offers quick fixes, below resources those of a resource spec', async () => {
    const text = (cpu: string, key: string) =>
      `name: a\n---\nname: b\nresources:\n  ${cpu}\nsecrets: { KEY: ${key} }\n`;
    const document = await open('fixes.deployment-spec.yaml', text('cpus: 2', canary));
    const apply = async (title: string): Promise<void> => {
      const actions: vscode.CodeAction[] = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        document.uri,
        document.validateRange(new vscode.Range(0, 0, 99, 0)),
        vscode.CodeActionKind.QuickFix.value,
      );
      const edit = actions.find((action) => action.title === title)?.edit;
      assert.ok(edit);
      await vscode.workspace.applyEdit(edit);
    };
    await apply('Change to "cpu"');
    await apply('Change to "ask"');
    expect(document.getText()).toBe(text('cpu: 2', '"ask"'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is written from a draft, without the values of secrets, which its page still has', async () => {
    const created = run('createDeployment');
    await quickInput.choose('External image');
    await created;
    const draft = await pages.inFront();
    await draft.type('image', 'registry.example/acme/saved:1.0');
    await draft.type('name', 'saved');
    await addSecret(draft, 'KEY', canary);
    const origins = async ({ press }: Pick<typeof draft, 'press'>) => {
      const chosen = press('Where From…');
      await quickInput.asked('Where KEY Comes From');
      const rows = quickInput.rows();
      await quickInput.cancel();
      await chosen;
      return rows.map((row) => row.split('…')[0]);
    };
    expect(await origins(draft)).toEqual(['Asked For ask', 'Stored on This Machine stored']);
    told.dialogGives(path.join(root, 'saved.yaml'));
    await draft.press('Save as Deployment File…');
    const page = await pages.inFront();
    const file = path.join(root, 'saved.deployment-spec.yaml');
    expect(page.document.uri.fsPath).toBe(file);
    expect(await readFile(file, 'utf8')).toBe(
      'source: external_docker\nimage: registry.example/acme/saved:1.0\ntype: dev\nname: saved\nsecrets:\n  KEY: ask\n',
    );
    expect(page.field('image')).toBe('registry.example/acme/saved:1.0');
    expect(page.deployment().tables.find(({ id }) => id === 'secrets')?.rows).toMatchObject([
      { name: 'KEY', from: 'this window', state: 'set' },
    ]);
    expect(await origins(page)).toContain('A .env File');
    expect(page.heard()).not.toContain(canary);
    await expect.poll(() => stat(draft.document.uri.fsPath).catch(() => 'gone')).toBe('gone');
    await page.close();
  });

  it('has above it what is live under its name, also if this workspace has not deployed that', async () => {
    await callService(service, 'POST', '/v2/deployments', {
      name: 'unlisted',
      source: 'internal_docker',
      source_config: { deployment_type: 'dev' },
      source_revision_config: { image_uri: 'agent:1' },
      secrets: [],
    });
    const text = `name: unlisted\nconnection: ${connection}\nsource: internal_docker\nimage: agent:1\n`;
    const document = await open('foreign.deployment-spec.yaml', text);
    const live = expect.stringMatching(/^0: unlisted: /);
    // The check of the text asks for it, because no earlier answer tells of such a name. No list has it yet.
    await expect.poll(() => lenses(document)).toContainEqual(live);
    await addConnection('Elsewhere', await startService({ repositories: [root], stepMs: 1 }));
    await expect.poll(() => lenses(document)).toContainEqual(live);
    await switchConnection(connection);
  });
});

/** Counts from now on how often extensions let VS Code's git look for changed files. */
function countStatuses(): () => number {
  const [repository] = vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1).repositories ?? [];
  const api: { status: (this: unknown) => Promise<void> } = Object.getPrototypeOf(repository);
  const look = api.status;
  let count = 0;
  api.status = async function status() {
    count += 1;
    return look.call(this);
  };
  return () => {
    api.status = look;
    return count;
  };
}
