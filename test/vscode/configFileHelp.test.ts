import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { openLayouts, read, type Layouts } from './support/layouts.ts';
import { expect } from './support/window.ts';
import { closeEditors } from './support/workspace.ts';

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
