import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('Resource specs in the host', () => {
  let file: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, 'A folder is open.');
    file = vscode.Uri.joinPath(folder.uri, 'host.resource-spec.yaml');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('cpu: 2\ncpu_limit: 1\n'));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
  });

  it('are shown in a form of their own', async () => {
    await vscode.commands.executeCommand('deploymentManager.editResourceSpec', file);
    const tab = await until(() => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputWebview ? active : undefined;
    });
    assert.equal(tab.label, 'Resources: host.resource-spec.yaml');
  });

  it('get diagnostics, hover and completion as files', async () => {
    const document = await vscode.workspace.openTextDocument(file);
    const [problem] = await until(() => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(problem?.message, 'The limit (1) is below the request (2).');
    assert.equal(problem.range.start.line, 1);

    const position = new vscode.Position(1, 2);
    const hovers: vscode.Hover[] = await vscode.commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const words = hovers.flatMap(({ contents }) =>
      contents.map((content) => (typeof content === 'string' ? content : content.value)),
    );
    assert.match(words.join('\n'), /^\*\*Main service: CPU limit\*\*$/m);

    const list: vscode.CompletionList = await vscode.commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(2, 0),
    );
    assert.ok(list.items.some(({ label }) => label === 'memory_limit_mb'));
  });
});

/** Waits for what VS Code tells by its events of tabs and diagnostics. */
async function until<Value>(read: () => Value | undefined): Promise<Value> {
  const subscriptions: vscode.Disposable[] = [];
  try {
    return await new Promise((resolve) => {
      const look = (): void => {
        const value = read();
        if (value !== undefined) resolve(value);
      };
      subscriptions.push(vscode.window.tabGroups.onDidChangeTabs(look), vscode.languages.onDidChangeDiagnostics(look));
      look();
    });
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
  }
}
