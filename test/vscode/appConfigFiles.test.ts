import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { openGit } from '../../src/ui/workspace/gitExtension.ts';
import { git } from '../support/gitRepositories.ts';
import { openLayouts, read } from './support/layouts.ts';
import { expect, told } from './support/window.ts';
import { addFolder, closeFolders, suiteFolder } from './support/workspace.ts';

const good = '{\n  "dependencies": ["."],\n  "graphs": { "agent": "./agent.ts:graph" }\n}\n';

describe('An application config as a file', () => {
  let folder: string;
  let document: vscode.TextDocument;

  before(async () => {
    folder = await suiteFolder();
    await writeFile(path.join(folder, 'agent.ts'), 'export const graph = {};\n');
    document = await open('langgraph.json', good);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    expect(told.messages).toEqual([]);
  });

  it('has every mistake marked at its place, until it is corrected', async () => {
    await expect.poll(() => marks(document)).toEqual([]);
    await edit(document, '{\n  "graphs": { "a": "./agent.ts" },\n  "env": 7,\n  "node_version": "18"\n}\n');
    await expect
      .poll(() => marks(document))
      .toEqual([
        'error 2: The graph "a" must be written as "./path/file.py:attribute".',
        'error 3: "env" must be the path of a dotenv file, a list of names or a map of names to values.',
        'warning 4: This version is unknown; write only the major one, 20 or newer, such as "22".',
      ]);
    await edit(document, good);
    await expect.poll(() => marks(document)).toEqual([]);
  });

  it('has a quick fix for an unknown key', async () => {
    await edit(document, good.replace('dependencies', 'dependecies'));
    await expect.poll(() => marks(document)).toHaveLength(1);
    const fix = (await fixes(document)).find(({ title }) => title === 'Change to "dependencies"');
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    expect(document.getText()).toBe(good);
    await expect.poll(() => marks(document)).toEqual([]);
  });

  it('has the same help in YAML and under another name, if it has graphs', async () => {
    const yaml = await open('agent.yaml', 'graphs:\n  agent: ./agent.ts:graph\nimage_distro: alpine\n');
    await expect
      .poll(() => marks(yaml))
      .toEqual(['warning 3: This value is unknown; the known ones are debian, wolfi, bookworm.']);
    // Half a text is still the same file.
    await edit(yaml, 'graphs: [');
    await expect.poll(() => marks(yaml)).toEqual([expect.stringMatching(/^error 1: /)]);
    const other = await open('chart.json', '{ "graphs": { "a": { "color": "red" } }, "colour": 1 }');
    const next = await open('other.yaml', 'graphs:\n  agent: ./agent.ts\n  b: ./agent.ts:graph\n');
    await expect.poll(() => marks(next)).toHaveLength(1);
    expect(marks(other)).toEqual([]);
  });

  it('forgets a file that has graphs no longer, but not while it cannot be read', async () => {
    const pasted = await open('values.yaml', 'graphs:\n  a: ./agent.ts:graph\ncolour: 1\n');
    await expect.poll(() => marks(pasted)).toHaveLength(1);
    await edit(pasted, 'graphs: [\n');
    await expect.poll(() => marks(pasted)).toEqual([expect.stringMatching(/^error /)]);
    await edit(pasted, 'colour: 1\n');
    await expect.poll(() => marks(pasted)).toEqual([]);
  });

  it('explains and suggests keys, in YAML by its own help and in JSON by the schema', async () => {
    const yaml = await open('help.yaml', 'graphs:\n  agent: ./agent.ts:graph\nhttp:\n  disable_\npip_installer: \n');
    await expect.poll(() => marks(yaml)).toHaveLength(1);
    expect(await hover(yaml, 4)).toContain('The installer of Python packages.');
    expect(await suggested(yaml, new vscode.Position(3, 10))).toEqual(expect.arrayContaining(['disable_mcp']));
    expect(await suggested(yaml, new vscode.Position(4, 15))).toEqual(['auto', 'pip', 'uv']);
    await vscode.window.showTextDocument(document, { preview: false });
    await edit(document, good.replace('"."]', '"."],\n  "'));
    await expect.poll(() => suggested(document, new vscode.Position(2, 3))).toContain('python_version');
    await edit(document, good);
    await expect.poll(() => hover(document, 1)).toContain('Packages to install');
  });

  it('leaves the help to the schema that a file names, but no mistake', async () => {
    const text = '{\n  "graphs": { "a": "./agent.ts:graph" },\n  "image_distro": "alpine"\n}\n';
    const own = await open('own.json', text);
    await expect.poll(() => marks(own)).toHaveLength(1);
    expect(await hover(own, 2)).toContain('The Linux distribution of the image.');
    await edit(own, text.replace('{', '{ "$schema": "./none.json",'));
    await expect.poll(() => hover(own, 2)).not.toContain('The Linux distribution of the image.');
    expect(marks(own)).toHaveLength(1);
  });

  it('says that a graph has no file, and creates it', async () => {
    const text = '{ "dependencies": ["."], "graphs": { "agent": "./src/new.py:graph", "b": "./agent.ts:made" } }\n';
    await addFolder(folder);
    await edit(document, text);
    const withoutAttribute = 'warning 1: The file agent.ts doesn\'t export "made".';
    await expect
      .poll(() => marks(document))
      .toEqual(["error 1: The file src/new.py doesn't exist; create it, or correct its path.", withoutAttribute]);
    const fix = (await fixes(document)).find(({ title }) => title === 'Create src/new.py');
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    await expect.poll(() => marks(document)).toEqual([withoutAttribute]);
    await edit(document, '{ "dependencies": ["."], "graphs": { "web": "./src/web.ts:default" } }\n');
    await expect.poll(() => marks(document)).toEqual([expect.stringContaining('src/web.ts')]);
    const web = (await fixes(document)).find(({ title }) => title === 'Create src/web.ts');
    assert.ok(web?.edit);
    await vscode.workspace.applyEdit(web.edit);
    await expect.poll(() => marks(document)).toEqual([]);
    const created = await vscode.workspace.openTextDocument(path.join(folder, 'src/web.ts'));
    expect(created.getText()).toBe('export default undefined;\n');
    await vscode.workspace.saveAll();
    await writeFile(path.join(folder, '.env'), 'MINE=1\nLANGSMITH_API_KEY=1\n');
    await edit(document, good.replace('],', '],\n  "env": ".env",'));
    await expect
      .poll(() => marks(document))
      .toEqual(["warning 3: The platform sets LANGSMITH_API_KEY itself, so it can't be a secret; remove it here."]);
    await closeFolders();
  });

  it('offers the file that a graph may mean, and says until then what is not committed or pushed', async () => {
    const layouts = await openLayouts();
    const clone = await layouts.clone({
      'langgraph.json': good.replace('agent.ts', 'src/agent.py'),
      'src/agents.py': 'graph = None\n',
    });
    await read(clone.folder, 'langgraph.json');
    const config = await vscode.workspace.openTextDocument(path.join(clone.folder, 'langgraph.json'));
    await expect
      .poll(() => marks(config))
      .toEqual(["error 3: The file src/agent.py doesn't exist; create it, or correct its path."]);
    const titles = (await fixes(config)).map(({ title }) => title);
    expect(titles).toEqual(['Change to ./src/agents.py', 'Create src/agent.py']);
    const [fix] = await fixes(config);
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    expect(config.getText()).toBe(good.replace('agent.ts', 'src/agents.py'));
    await config.save();
    const { repositories } = await openGit();
    const repository = repositories.find(({ rootUri }) => rootUri.fsPath === clone.folder);
    const unshared = (what: string) => `info 3: This file isn't ${what}; a deployment builds what is pushed.`;
    // The editor does this by itself, while its window has the focus.
    await repository?.status();
    await expect.poll(() => marks(config)).toEqual([unshared('committed as it is here')]);
    await git(clone.folder, 'commit', '--quiet', '--all', '--message', 'Correct the path');
    await repository?.status();
    await expect.poll(() => marks(config)).toEqual([unshared('pushed as it is committed')]);
    // A new branch has no upstream yet.
    await git(clone.folder, 'branch', '--unset-upstream');
    await repository?.status();
    await expect.poll(() => repository?.state.HEAD?.upstream).toBeUndefined();
    expect(marks(config)).toEqual([unshared('pushed as it is committed')]);
    await git(clone.folder, 'push', '--quiet', 'origin', 'main');
    await repository?.status();
    await expect.poll(() => marks(config)).toEqual([]);
    await closeFolders();
  });

  async function hover({ uri }: vscode.TextDocument, line: number): Promise<string> {
    const place = new vscode.Position(line, 4);
    const hovers: vscode.Hover[] = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, place);
    const contents = hovers.flatMap((found) => found.contents);
    const texts = contents.map((content) => (typeof content === 'string' ? content : content.value));
    return texts.join().replaceAll('&nbsp;', ' ');
  }

  async function suggested({ uri }: vscode.TextDocument, place: vscode.Position): Promise<string[]> {
    const command = 'vscode.executeCompletionItemProvider';
    const list: vscode.CompletionList = await vscode.commands.executeCommand(command, uri, place);
    return list.items
      .filter(({ kind }) => kind !== vscode.CompletionItemKind.Text)
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  /** Our marks in a document, with severity and line. */
  function marks({ uri }: vscode.TextDocument): string[] {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Deployment Manager');
    const words = ['error', 'warning', 'info', 'hint'];
    return ours.map(({ severity, range, message }) => `${words[severity]} ${range.start.line + 1}: ${message}`);
  }

  async function fixes({ uri, lineCount }: vscode.TextDocument): Promise<vscode.CodeAction[]> {
    const whole = new vscode.Range(0, 0, lineCount, 0);
    const kind = vscode.CodeActionKind.QuickFix.value;
    return vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, whole, kind);
  }

  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    await writeFile(path.join(folder, name), text);
    const opened = await vscode.workspace.openTextDocument(path.join(folder, name));
    await vscode.window.showTextDocument(opened, { preview: false });
    return opened;
  }

  async function edit(changed: vscode.TextDocument, text: string): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.replace(changed.uri, new vscode.Range(0, 0, changed.lineCount, 0), text);
    await vscode.workspace.applyEdit(change);
  }
});
