import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SampleRepository } from '../../support/gitRepositories.ts';
import { git } from '../../support/gitRepositories.ts';
import { until } from './window.ts';

/** The sample repository, the first folder of the workspace of these tests. */
export async function openSample(): Promise<SampleRepository> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'A folder is open.');
  const folder = first.uri.fsPath;
  return { folder, bare: `${folder}.git`, url: await git(folder, 'config', 'remote.origin.url') };
}

/**
 * A new folder that is removed with the whole run. VS Code's git still asks about a repository after its folder was
 * closed, and throws where nobody can catch it if the folder is gone.
 */
export async function suiteFolder(): Promise<string> {
  const { workspaceFile } = vscode.workspace;
  assert.ok(workspaceFile, 'The run has a workspace file.');
  return mkdtemp(path.join(await realpath(path.dirname(workspaceFile.fsPath)), 'suite-'));
}

/** Adds a folder to the workspace. VS Code only restarts its extensions when the first folder changes. */
export async function addFolder(folder: string): Promise<void> {
  const uri = vscode.Uri.file(folder);
  const count = vscode.workspace.workspaceFolders?.length ?? 0;
  await whenFoldersChanged(() => vscode.workspace.updateWorkspaceFolders(count, 0, { uri }));
}

/** Adds a folder to the workspace and shows one of its files, which makes its repository the current one. */
export async function openFolder(folder: string): Promise<void> {
  await addFolder(folder);
  const file = (await readdir(folder, { withFileTypes: true })).find((entry) => entry.isFile());
  if (file !== undefined) await showFile(path.join(folder, file.name));
}

export async function showFile(file: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Closes all editors and removes every folder but the sample from the workspace. */
export async function closeFolders(): Promise<void> {
  await closeEditors();
  const count = vscode.workspace.workspaceFolders?.length ?? 0;
  if (count > 1) await whenFoldersChanged(() => vscode.workspace.updateWorkspaceFolders(1, count - 1));
}

/** Closes the repositories of closed folders, which VS Code's git would go on asking about. */
export async function closeRepositories(): Promise<void> {
  const sample = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  const opened: readonly { readonly rootUri: vscode.Uri }[] =
    vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1).repositories ?? [];
  for (const { rootUri } of opened.slice()) {
    if (rootUri.toString() !== sample) await vscode.commands.executeCommand('git.close', rootUri);
  }
}

/** The tab that is in front, when its title fits. */
export async function activeTab(title: string | RegExp): Promise<vscode.Tab> {
  return until(() => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab !== undefined && (typeof title === 'string' ? tab.label === title : title.test(tab.label))) return tab;
    throw new Error(`The tab in front is called "${tab?.label}", not "${title}".`);
  });
}

async function whenFoldersChanged(change: () => boolean): Promise<void> {
  const changed = new Promise<void>((resolve) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      listener.dispose();
      resolve();
    });
  });
  assert.ok(change(), 'VS Code accepts the change of folders.');
  await changed;
}
