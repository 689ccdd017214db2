import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { storeConnections, switchConnection } from './support/connections.ts';
import { expect, forms, told } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

const fileName = 'host.resource-spec.yaml';

describe('A resource spec as a file', () => {
  let temporary: string;
  let file: vscode.Uri;
  let document: vscode.TextDocument;

  before(async () => {
    temporary = await suiteFolder();
    file = vscode.Uri.file(path.join(temporary, fileName));
    await writeFile(file.fsPath, 'cpu: 2\ncpu_limit: 1\nmemory_l');
    document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it("marks errors with the form's messages", async () => {
    await edit('cpu: 2\ncpu_limit: 1\n');
    await expect.poll(marks).toEqual(['The limit (1) is below the request (2).']);
    expect(vscode.languages.getDiagnostics(file)[0]?.range.start.line).toBe(1);
  });

  it("marks errors by the current connection's rules, also after a switch", async () => {
    const baseUrl = 'https://deployments.example.com';
    await storeConnections([
      { name: 'Plain', baseUrl, flavor: 'standard' },
      { name: 'With Flavor', baseUrl, flavor: 'langsmith' },
    ]);
    await switchConnection('With Flavor');
    await edit('cpu: 0.25\n');
    await expect.poll(marks).toEqual(['This service counts CPU in tenths of a core.']);
    await switchConnection('Plain');
    await expect.poll(marks).toEqual([]);
    await switchConnection('With Flavor');
    await expect.poll(marks).toEqual(['This service counts CPU in tenths of a core.']);
    await storeConnections();
    await edit('cpu: 2\ncpu_limit: 1\n');
  });

  it('shows the help of a field on hover', async () => {
    const hovers: vscode.Hover[] = await vscode.commands.executeCommand(
      'vscode.executeHoverProvider',
      file,
      new vscode.Position(1, 2),
    );
    const words = hovers.flatMap(({ contents }) =>
      contents.map((content) => (typeof content === 'string' ? content : content.value)),
    );
    expect(words.join('\n')).toMatch(/^\*\*Main service: CPU limit\*\*$/m);
  });

  it('suggests missing keys', async () => {
    await edit('cpu: 2\ncpu_limit: 1\nmemory_l');
    const editor = await vscode.window.showTextDocument(document);
    const end = document.positionAt(document.getText().length);
    editor.selection = new vscode.Selection(end, end);
    const list: vscode.CompletionList = await vscode.commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      file,
      end,
    );
    const labels = list.items.map(({ label }) => label);
    expect(labels).toContain('memory_limit_mb');
    expect(labels).not.toContain('cpu_limit');
    await vscode.commands.executeCommand('editor.action.triggerSuggest');
    await expect
      .poll(async () => {
        await vscode.commands.executeCommand('acceptSelectedSuggestion');
        return document.getText();
      })
      .toBe('cpu: 2\ncpu_limit: 1\nmemory_limit_mb: ');
  });

  it('offers quick fixes for an unknown key, an amount with a unit and a key that is there twice', async () => {
    for (const [text, title, after] of [
      ['cpus: 2\n', 'Change to "cpu"', 'cpu: 2\n'],
      ['memory_mb: 4Gi # much\n', 'Change to 4096', 'memory_mb: 4096 # much\n'],
      ['cpu: "2500m"\n', 'Change to 2.5', 'cpu: 2.5\n'],
      ['cpu: 1\ncpu: 2\n', 'Remove this "cpu"', 'cpu: 1\n'],
    ] as const) {
      await edit(text);
      const actions: vscode.CodeAction[] = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        file,
        new vscode.Range(0, 0, 1, 0),
      );
      const fix = actions.find((action) => action.title === title);
      assert.ok(fix?.edit);
      await vscode.workspace.applyEdit(fix.edit);
      expect(document.getText()).toBe(after);
    }
  });

  it('opens in the form with unsaved text', async () => {
    await edit('cpu: 2\ncpu_limit: 1\nmemory_limit_mb: 4096 # later');
    const form = await forms.open(file);
    expect(form.text()).toContain('4096 # later');
    expect(form.document).toBe(document);
    await form.close();
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    expect(told.messages).toEqual([]);
  });

  function marks(): string[] {
    return vscode.languages.getDiagnostics(file).map(({ message }) => message);
  }

  async function edit(text: string): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.replace(file, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(change);
  }
});
