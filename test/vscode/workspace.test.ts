import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('The workspace of these tests', () => {
  it('is the sample repository, and the git extension knows its remote', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, 'A folder is open.');
    assert.equal(path.basename(folder.uri.fsPath), 'sample-agent');

    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    assert.ok(extension, 'VS Code brings its git extension.');
    const git = (await extension.activate()).getAPI(1);
    const repository = await git.openRepository(folder.uri);
    assert.ok(repository, 'The folder is a repository.');
    await repository.status();
    assert.equal(repository.state.HEAD?.name, 'main');
    assert.deepEqual(
      repository.state.remotes.map(({ name }) => name),
      ['origin'],
    );
  });
});

/** The few members used here of what `vscode.git` exports. */
interface GitExtension {
  getAPI(version: 1): {
    openRepository(folder: vscode.Uri): Promise<{
      status(): Promise<void>;
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly { readonly name: string }[];
      };
    } | null>;
  };
}
