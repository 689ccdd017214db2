import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commitFiles, git, type SampleRepository } from '../support/gitRepositories.ts';
import { advanceClock, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { openLayouts, read, type Layouts } from './support/layouts.ts';
import { startRelay, startService, type Service } from './support/suite.ts';
import { editorText, expect, run, told, tree } from './support/window.ts';
import { activeTab, closeEditors, openSample, showFile } from './support/workspace.ts';

const config = JSON.stringify({
  dependencies: ['.', '../lib', './plain'],
  graphs: {
    agent: './src/agent.py:graph',
    chat: 'chat.main:make',
    web: './web/graph.ts:graph',
    linked: './linked.py:graph',
    gone: './gone.py:graph',
    outside: '../../../../outside.py:graph',
  },
  env: '.env',
});

const files = {
  'apps/one/langgraph.json': config,
  'apps/one/pyproject.toml': '',
  'apps/one/plain/notes.txt': '',
  'apps/one/src/agent.py': 'import os\n\n\ngraph = (\n    os\n)\n',
  'apps/one/chat/main.py': 'def make(config):\n    pass\n',
  'apps/one/web/graph.ts': '// The graph.\nexport const graph = 1;\n',
  'apps/lib/requirements.txt': '',
};

describe('A link in a config file', () => {
  let layouts: Layouts;
  let folder: string;
  const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');

  before(async () => {
    layouts = await openLayouts();
    ({ folder } = await layouts.clone(files));
    // Opens the repository, as git does for a file in an editor.
    await read(folder, 'apps/one/langgraph.json');
    await writeFile(path.join(folder, 'apps/one/.env'), 'KEY=secret\n');
    await writeFile(path.join(layouts.folder, 'elsewhere.py'), 'graph = 1\n');
    await symlink(path.join(layouts.folder, 'elsewhere.py'), path.join(folder, 'apps/one/linked.py'));
  });

  afterEach(async () => {
    if (trust !== undefined) Object.defineProperty(vscode.workspace, 'isTrusted', trust);
    await closeEditors();
  });

  /** The links of a file by the text that they are on, and where each leads. */
  async function links(file: string): Promise<Record<string, string | undefined>> {
    const uri = vscode.Uri.file(path.join(folder, file));
    const document = await vscode.workspace.openTextDocument(uri);
    const found: readonly vscode.DocumentLink[] = await vscode.commands.executeCommand(
      'vscode.executeLinkProvider',
      uri,
      100,
    );
    const root = vscode.Uri.file(folder).toString();
    return Object.fromEntries(
      found.map(({ range, target }) => [document.getText(range), target?.toString(true).replace(`${root}/`, '')]),
    );
  }

  it('leads to the line of a graph, to the dotenv file, and to what a dependency needs', async () => {
    const { './plain': plain, './linked.py:graph': linked, ...found } = await links('apps/one/langgraph.json');
    expect(found).toEqual({
      './src/agent.py:graph': 'apps/one/src/agent.py#L4',
      'chat.main:make': 'apps/one/chat/main.py#L1',
      './web/graph.ts:graph': 'apps/one/web/graph.ts#L2',
      './gone.py:graph': 'apps/one/gone.py',
      '.env': 'apps/one/.env',
      '.': 'apps/one/pyproject.toml',
      '../lib': 'apps/lib/requirements.txt',
    });
    expect(plain).toMatch(/^command:revealInExplorer\?.*one\/plain"/);
    // The file is a link that leaves the repository.
    expect(linked).toMatch(/^command:revealInExplorer\?.*one\/linked.py"/);
  });

  it('is made in YAML and under any name, as long as the file has graphs', async () => {
    await writeFile(path.join(folder, 'apps/one/any.yaml'), 'graphs:\n  a: ./src/agent.py:graph\n');
    await writeFile(path.join(folder, 'apps/one/other.yaml'), 'paths:\n  a: ./src/agent.py:graph # no graphs\n');
    expect(await links('apps/one/any.yaml')).toEqual({ './src/agent.py:graph': 'apps/one/src/agent.py#L4' });
    expect(await links('apps/one/other.yaml')).toEqual({});
  });

  it('is never made in Restricted Mode', async () => {
    Object.defineProperty(vscode.workspace, 'isTrusted', { get: () => false, configurable: true });
    expect(await links('apps/one/langgraph.json')).toEqual({});
  });
});

describe('The lenses of a config file', () => {
  const stepMs = 600_000;
  let sample: SampleRepository;
  let service: Service;
  let file: vscode.Uri;

  before(async () => {
    sample = await openSample();
    file = vscode.Uri.file(path.join(sample.folder, 'graph.json'));
    service = await startService({ repositories: [sample.folder], stepMs, devControls: true });
    await showFile(file.fsPath);
  });

  after(async () => {
    await closeEditors();
    await git(sample.folder, 'reset', '--quiet', '--hard', 'origin/main');
    await git(sample.folder, 'clean', '--quiet', '--force');
    await run('refresh');
  });

  const lenses = async (): Promise<readonly vscode.Command[]> => {
    const found: readonly vscode.CodeLens[] = await vscode.commands.executeCommand(
      'vscode.executeCodeLensProvider',
      file,
    );
    return found.flatMap(({ command }) => command ?? []);
  };
  const titles = async () => (await lenses()).map(({ title }) => title);

  it('only offer to deploy it while nothing is known', async () => {
    expect(await titles()).toEqual(['Deploy…']);
    const [deploy] = await lenses();
    expect(deploy?.command).toBe('deploymentManager.deployCurrentRepository');
    expect(String(deploy?.arguments?.[0])).toBe(file.toString());
  });

  it('say what is deployed from it, and how that relates to the branch', async () => {
    const deployment = await createFromRepository(service, 'lens-agent', sample.url);
    await advanceClock(service, 13 * stepMs);
    await untilEnded(service, [deployment]);
    await tree('Deployments').open();
    await addConnection('Lenses', service);
    const commit = await git(sample.folder, 'rev-parse', '--short=7', 'origin/main');
    await expect.poll(titles).toEqual([`lens-agent: up to date · live: ${commit}`, 'Deploy…']);
    await commitFiles(sample.folder, { 'lens.md': 'A lens.\n' }, 'Write about a lens');
    await run('refresh');
    await expect.poll(titles).toEqual([`lens-agent: 1 behind, 1 unpushed · live: ${commit}`, 'Deploy…']);
    const [live] = await lenses();
    expect(live?.tooltip).toMatch(/^Open Details · Lenses · last checked at \d/);
    await vscode.commands.executeCommand(live?.command ?? '', ...(live?.arguments ?? []));
    await activeTab('lens-agent.yaml');
  });

  it('ask no service', async () => {
    const relay = await startRelay(service);
    await addConnection('Asked', relay);
    await showFile(file.fsPath);
    await expect.poll(async () => (await titles()).length).toBe(2);
    // The list asks in its own time.
    const requestsMeanwhile = async () => {
      relay.requests.length = 0;
      await titles();
      return relay.requests;
    };
    await expect.poll(requestsMeanwhile).toEqual([]);
  });

  it('stay while a mistake makes it unreadable, and are in no other file', async () => {
    await showFile(file.fsPath);
    const editor = vscode.window.activeTextEditor;
    await editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), ']'));
    expect((await titles()).at(-1)).toBe('Deploy…');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const other = vscode.Uri.file(path.join(sample.folder, 'other.json'));
    await writeFile(other.fsPath, '{ "graphs": [] }');
    await showFile(other.fsPath);
    expect(await vscode.commands.executeCommand('vscode.executeCodeLensProvider', other)).toEqual([]);
  });
});

describe('A file that a config file names', () => {
  let layouts: Layouts;
  let folder: string;
  let config: string;

  before(async () => void (layouts = await openLayouts()));
  beforeEach(async () => {
    ({ folder } = await layouts.clone({ ...files, 'node_modules/a/langgraph.json': files['apps/one/langgraph.json'] }));
    config = path.join(folder, 'apps/one/langgraph.json');
  });
  afterEach(closeEditors);

  const uriOf = (file: string) => vscode.Uri.file(path.join(folder, file));
  const textOf = async () => (await vscode.workspace.openTextDocument(vscode.Uri.file(config))).getText();

  async function rename(from: string, to: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uriOf(from), uriOf(to));
    await vscode.workspace.applyEdit(edit);
  }

  it('is renamed there too, if the user wants that, without another change', async () => {
    await rename('apps/one/src/agent.py', 'apps/one/src/chat.py');
    const name = vscode.workspace.asRelativePath(config, false);
    const message = await told.message(`Files moved. Update the paths in ${name}?`);
    expect(message.buttons).toEqual(['Update Paths']);
    message.press('Update Paths');
    const expected = files['apps/one/langgraph.json'].replace('./src/agent.py', './src/chat.py');
    await expect.poll(textOf).toBe(expected);
    // The user looks at it and saves it.
    expect(await readFile(config, 'utf8')).toBe(files['apps/one/langgraph.json']);
    await vscode.workspace.saveAll();
  });

  it('is found again with its folder, also in text that is not saved', async () => {
    await showFile(config);
    await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
    await rename('apps/one/web', 'apps/one/site');
    (await told.message('Files moved.')).press('Update Paths');
    await expect.poll(textOf).toBe(`\n${files['apps/one/langgraph.json'].replace('./web/', './site/')}`);
    await vscode.workspace.saveAll();
  });

  it('is not asked about if the user renames another one', async () => {
    await rename('apps/one/plain/notes.txt', 'apps/one/plain/text.txt');
    await rename('apps/one/src/agent.py', 'apps/one/src/chat.py');
    await told.message('Files moved.');
    expect(told.messages).toHaveLength(1);
    told.clear();
    expect(await textOf()).toBe(files['apps/one/langgraph.json']);
  });
});

describe('Creating a config file', () => {
  let layouts: Layouts;

  before(async () => void (layouts = await openLayouts()));
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeEditors();
  });

  const graph = 'from langgraph.graph import StateGraph\n\nagent = StateGraph(dict).compile()\n';

  it('opens one with the graphs that the folder has, without those that git ignores, and the user saves it', async () => {
    const { folder } = await layouts.clone({
      'pyproject.toml': '',
      'src/chat.py': graph,
      '.gitignore': 'ignored/\n',
    });
    await mkdir(path.join(folder, 'ignored'), { recursive: true });
    await writeFile(path.join(folder, 'ignored/other.py'), graph);
    await run('createConfigFile', vscode.Uri.file(folder));
    const document = vscode.window.activeTextEditor?.document;
    expect(JSON.parse(editorText())).toEqual({ dependencies: ['.'], graphs: { chat: './src/chat.py:agent' } });
    expect(document?.languageId).toBe('json');
    const file = path.join(folder, 'langgraph.json');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    await document?.save();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ dependencies: ['.'] });
  });

  it('is refused in a folder that is not on disk', async () => {
    const created = run('createConfigFile', vscode.Uri.parse('virtual-files:/application'));
    (await told.message(/^The folder of a config file must be on disk\./)).press();
    await created;
  });

  it('shows the one that there is', async () => {
    const { folder } = await layouts.clone({ 'langgraph.json': '{}\n' });
    await run('createConfigFile', vscode.Uri.file(folder));
    expect(vscode.window.activeTextEditor?.document.uri.fsPath).toBe(path.join(folder, 'langgraph.json'));
    expect(editorText()).toBe('{}\n');
  });

  it('opens an example in a folder without a repository', async () => {
    const folder = path.join(layouts.folder, 'plain');
    await mkdir(folder);
    await run('createConfigFile', vscode.Uri.file(folder));
    expect(editorText()).toContain('./src/agent.py:graph');
  });
});
