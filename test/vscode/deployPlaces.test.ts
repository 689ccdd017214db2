import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { UserError } from '../../src/ui/window/errors.ts';
import { words } from '../support/words.ts';
import { app, config, openLayouts, read } from './support/layouts.ts';
import type { Layouts } from './support/layouts.ts';
import { expect, happened } from './support/window.ts';
import { closeEditors, showFile, suiteFolder } from './support/workspace.ts';

describe('The key of the menus for config files with other names', () => {
  const { executeCommand } = vscode.commands;
  let layouts: Layouts;
  let folder: string;
  let key: unknown;

  before(async () => {
    layouts = await openLayouts();
    const files = {
      'apps/service.json': config,
      'apps/other.json': '{}',
      'apps/app.yaml': 'graphs: { a: ./a.py:a }\n',
    };
    ({ folder } = await layouts.clone({ ...app, ...files }));
    const record = async (command: string, ...values: readonly unknown[]): Promise<unknown> => {
      const [name, value] = values;
      if (command === 'setContext' && name === 'deploymentManager.activeConfig') {
        key = value;
        happened();
      }
      return executeCommand(command, ...values);
    };
    Object.assign(vscode.commands, { executeCommand: record });
  });

  after(async () => {
    Object.assign(vscode.commands, { executeCommand });
  });

  const show = (name: string) => showFile(path.join(folder, name));

  it('has the file in the active editor, whatever its name, while it has graphs', async () => {
    await show('apps/service.json');
    await expect.poll(() => key).toEqual([path.join(folder, 'apps/service.json')]);
    await show('apps/other.json');
    await expect.poll(() => key).toEqual([]);
    await show('apps/app.yaml');
    await expect.poll(() => key).toEqual([path.join(folder, 'apps/app.yaml')]);
    await closeEditors();
    await expect.poll(() => key).toEqual([]);
  });

  it('has a file as soon as it is saved with graphs', async () => {
    await show('apps/other.json');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor, 'The file is open.');
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 2), config));
    await editor.document.save();
    await expect.poll(() => key).toEqual([path.join(folder, 'apps/other.json')]);
    await closeEditors();
    await expect.poll(() => key).toEqual([]);
  });
});

describe('A menu', () => {
  let layouts: Layouts;

  before(async () => void (layouts = await openLayouts()));
  it('of a file deploys that file, whatever is open beside it', async () => {
    const [first, second] = [await layouts.clone(), await layouts.clone({ ...app, 'apps/one/graph.json': config })];
    await showFile(path.join(first.folder, 'graph.json'));
    const repository = await read(second.folder, 'apps/one/graph.json');
    expect(repository.root.fsPath).toBe(second.folder);
    expect(repository.configPaths).toEqual(['apps/one/graph.json', 'graph.json']);
    await closeEditors();
  });

  it('of the Source Control view deploys the repository of that entry', async () => {
    const [first, second] = [await layouts.clone(), await layouts.clone()];
    await showFile(path.join(first.folder, 'graph.json'));
    const repository = await read({ rootUri: vscode.Uri.file(second.folder) });
    expect(repository.root.fsPath).toBe(second.folder);
    await closeEditors();
  });

  it('of a file outside a repository does not deploy another one', async () => {
    await layouts.clone();
    const folder = path.join(layouts.folder, 'loose');
    await mkdir(folder);
    await writeFile(path.join(folder, 'graph.json'), config);
    await expect(read(folder)).rejects.toThrow('is not a git repository.');
  });
});

describe('Where git cannot run, deploying what is open says why', () => {
  const own = ['isTrusted', 'workspaceFolders'] as const;
  const { getExtension } = vscode.extensions;
  const present = own.map((name) => Object.getOwnPropertyDescriptor(vscode.workspace, name));

  afterEach(() => {
    own.forEach((name, place) => Object.defineProperty(vscode.workspace, name, present[place] ?? {}));
    Object.assign(vscode.extensions, { getExtension });
  });

  async function refusal(): Promise<UserError> {
    const error: unknown = await read().catch((reason: unknown) => reason);
    assert.ok(error instanceof UserError, 'It is refused in words.');
    return error;
  }

  function replace(name: (typeof own)[number], value: unknown): void {
    Object.defineProperty(vscode.workspace, name, { get: () => value, configurable: true });
  }

  it('in Restricted Mode', async () => {
    replace('isTrusted', false);
    expect((await refusal()).message).toContain(words.restrictedMode);
  });

  it('in a virtual workspace', async () => {
    const uri = vscode.Uri.parse('virtual-files:/agent');
    replace('workspaceFolders', [{ uri, name: 'agent', index: 0 }]);
    expect((await refusal()).message).toBe(words.virtualWorkspace('agent'));
  });

  /** Puts an extension in the place of the editor's Git extension. */
  function replaceGit(exports: object | undefined): void {
    const extension = exports && { activate: async () => exports };
    Object.assign(vscode.extensions, { getExtension: () => extension });
  }

  it('without the Git extension, and without git', async () => {
    replaceGit(undefined);
    expect((await refusal()).message).toContain('The built-in Git extension is disabled.');
    replaceGit({ enabled: false });
    const { message, remedies } = await refusal();
    expect(message).toContain(words.gitMissing);
    expect(remedies.map(({ title }) => title)).toEqual([words.openSettings, words.downloadGit]);
  });

  it('with a git that is too old, and where to get a newer one', async () => {
    const program = path.join(await suiteFolder(), 'old git', 'git');
    await mkdir(path.dirname(program));
    await writeFile(program, '#!/bin/sh\necho git version 2.17.1\n', { mode: 0o755 });
    replaceGit({ enabled: true, getAPI: () => ({ git: { path: program } }) });
    const { message, remedies } = await refusal();
    expect(message).toBe('Git 2.17.1 is too old. Install Git 2.30 or newer, then reload the window.');
    expect(remedies.map(({ title }) => title)).toEqual([words.downloadGit]);
  });

  it('without a folder', async () => {
    replace('workspaceFolders', undefined);
    expect((await refusal()).message).toContain('No folder is open.');
  });
});

describe('The key of the command', () => {
  it('is used by nothing else in VS Code', async () => {
    await vscode.commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
    const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    await expect.poll(text).toContain('"ctrl+shift+f5"');
    const rules = text().match(/\{[^{}]*"ctrl\+shift\+f8"[^{}]*\}/g) ?? [];
    expect(rules.map((rule) => /"command": "([^"]+)"/.exec(rule)?.[1])).toEqual([
      'deploymentManager.deployCurrentRepository',
    ]);
    await closeEditors();
  });
});
