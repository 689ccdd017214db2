import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { knownGitPath } from '../../src/ui/workspace/gitExtension.ts';

describe('The test workspace', () => {
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

describe('The path of git that the local service gets', () => {
  const { getExtension } = vscode.extensions;
  const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');

  afterEach(() => {
    Object.assign(vscode.extensions, { getExtension });
    if (trust !== undefined) Object.defineProperty(vscode.workspace, 'isTrusted', trust);
  });

  /** Puts an extension in the place of the editor's Git extension. */
  function replaceGit(activate: () => Promise<unknown>): void {
    Object.assign(vscode.extensions, { getExtension: () => ({ isActive: false, activate }) });
  }

  const gitAt = (gitPath: string, enabled = true) => ({ enabled, getAPI: () => ({ git: { path: gitPath } }) });

  it('is the one of the Git extension, which only knows a name on some systems', async () => {
    const git = getExtension<GitExtension>('vscode.git')?.exports.getAPI(1).git.path;
    assert.ok(git);
    assert.equal(await knownGitPath(), path.isAbsolute(git) ? git : undefined);
  });

  it('is none when the extension knows only a name, is disabled, fails or is missing', async () => {
    const absolute = path.resolve('git');
    replaceGit(async () => gitAt(absolute));
    assert.equal(await knownGitPath(), absolute);
    const without = [gitAt('git'), gitAt('./git'), gitAt(''), gitAt(absolute, false)];
    for (const exported of without) {
      replaceGit(async () => exported);
      assert.equal(await knownGitPath(), undefined);
    }
    replaceGit(async () => Promise.reject(new Error('The extension failed.')));
    assert.equal(await knownGitPath(), undefined);
    Object.assign(vscode.extensions, { getExtension: () => undefined });
    assert.equal(await knownGitPath(), undefined);
  });

  it('is none in Restricted Mode, where the extension is not started', async () => {
    let isStarted = false;
    replaceGit(async () => ((isStarted = true), gitAt(path.resolve('git'))));
    Object.defineProperty(vscode.workspace, 'isTrusted', { get: () => false, configurable: true });
    assert.equal(await knownGitPath(), undefined);
    assert.equal(isStarted, false);
  });
});

/** The few members used here of what `vscode.git` exports. */
interface GitExtension {
  getAPI(version: 1): {
    readonly git: { readonly path: string };
    openRepository(folder: vscode.Uri): Promise<{
      status(): Promise<void>;
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly { readonly name: string }[];
      };
    } | null>;
  };
}
