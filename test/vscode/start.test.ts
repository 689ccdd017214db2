import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { activate } from '../../src/extension.ts';
import { expect } from './support/window.ts';
import { closeEditors, openSample, suiteFolder } from './support/workspace.ts';

/** Stands for a view or a registration of VS Code, of which the real start has made the only one. */
const anything: unknown = new Proxy(() => {}, {
  get: (_target, name) => (name === 'then' ? undefined : name === 'visible' ? false : anything),
  set: () => true,
  apply: () => anything,
});

const taken = [
  [vscode.window, 'createOutputChannel'],
  [vscode.window, 'createTreeView'],
  [vscode.window, 'registerCustomEditorProvider'],
  [vscode.commands, 'registerCommand'],
  [vscode.workspace, 'registerTextDocumentContentProvider'],
] as const;

const searches = ['findFiles', 'findFiles2', 'findTextInFiles', 'createFileSystemWatcher', 'openTextDocument'] as const;

describe('The start of the extension', () => {
  const { fs } = vscode.workspace;
  const restore: (() => void)[] = [];
  const touched: string[] = [];
  let subscriptions: vscode.Disposable[];

  function replace(owner: object, name: string, value: unknown): void {
    const present = Object.getOwnPropertyDescriptor(owner, name);
    if (present === undefined) return;
    restore.push(() => Object.defineProperty(owner, name, present));
    Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  }

  beforeEach(async () => {
    await closeEditors();
    subscriptions = [];
    touched.length = 0;
    for (const [owner, name] of taken) replace(owner, name, () => anything);
    for (const name of searches) {
      const original: unknown = Reflect.get(vscode.workspace, name);
      if (typeof original !== 'function') continue;
      replace(vscode.workspace, name, (...values: readonly unknown[]) => {
        touched.push(name);
        return Reflect.apply(original, vscode.workspace, values);
      });
    }
    replace(
      vscode.workspace,
      'fs',
      new Proxy(fs, { get: (target, name) => (touched.push(`fs.${String(name)}`), Reflect.get(target, name)) }),
    );
  });

  afterEach(async () => {
    for (const subscription of subscriptions.toReversed()) subscription.dispose();
    for (const undo of restore.toReversed()) undo();
    restore.length = 0;
    await closeEditors();
  });

  it('reads, searches and watches nothing in the open folders, and a config file only asks for the files it names', async () => {
    const { folder } = await openSample();
    activate(await freshContext(subscriptions));
    const open = async (name: string): Promise<void> => {
      const shown = new Promise((resolve) => subscriptions.push(vscode.window.onDidChangeActiveTextEditor(resolve)));
      // Not by `showTextDocument`, which is recorded too.
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path.join(folder, name)));
      await shown;
      await new Promise(setImmediate);
    };
    await open('README.md');
    expect(touched).toEqual([]);
    // What is recorded is what the extension uses.
    await vscode.workspace.fs.stat(vscode.Uri.file(folder));
    vscode.workspace.createFileSystemWatcher('**/never').dispose();
    await vscode.workspace.findFiles('never');
    expect(touched).toEqual(['fs.stat', 'createFileSystemWatcher', 'findFiles']);
    touched.length = 0;
    await open('graph.json');
    await expect.poll(() => new Set(touched)).toEqual(new Set(['fs.stat']));
  });
});

/** The context of an extension that was never used before. */
async function freshContext(subscriptions: vscode.Disposable[]): Promise<vscode.ExtensionContext> {
  const extension = vscode.extensions.getExtension('deployment-manager.deployment-manager');
  assert.ok(extension, 'VS Code has loaded the extension.');
  const storage = vscode.Uri.file(await suiteFolder());
  const memory = { keys: () => [], get: (_key: string, otherwise?: unknown) => otherwise, update: async () => {} };
  const secrets = { keys: async () => [], get: async () => undefined, onDidChange: () => ({ dispose: () => {} }) };
  return {
    subscriptions,
    extension,
    extensionUri: extension.extensionUri,
    extensionMode: vscode.ExtensionMode.Production,
    workspaceState: memory,
    globalState: memory,
    secrets,
    storageUri: storage,
    globalStorageUri: storage,
    asAbsolutePath: (relative: string) => vscode.Uri.joinPath(extension.extensionUri, relative).fsPath,
  } as unknown as vscode.ExtensionContext;
}
