import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createRepository, git } from '../support/gitRepositories.ts';
import { addConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { addSecret, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import { expect, pages, quickInput, told, tree } from './support/window.ts';
import { addFolder, suiteFolder } from './support/workspace.ts';

const savedUrl = 'https://code.example/acme/saved';
const otherUrl = 'https://code.example/acme/other';
const canary = 'canary-2c81-secret';

describe('A draft that is saved as a file', () => {
  let temporary: string;
  let root: string;

  before(async () => {
    temporary = await suiteFolder();
    const files = Object.fromEntries(
      ['apps/a', 'apps/b', 'apps/c'].flatMap((folder) => [
        [`${folder}/graph.json`, config],
        [`${folder}/agent.py`, 'graph = None\n'],
      ]),
    );
    const saved = await createRepository(temporary, { name: 'saved', url: savedUrl, files });
    const other = await createRepository(temporary, { name: 'other', url: otherUrl, files });
    root = saved.folder;
    await git(root, 'push', '--quiet', 'origin', 'main:next');
    await writeFile(path.join(root, 'apps/small.resource-spec.yaml'), 'cpu: 1.5\nmemory_mb: 2048\n');
    await writeFile(path.join(root, 'apps/a/.env'), `TOKEN=${canary}\n`);
    const service = await startService({ repositories: [saved.folder, other.folder], stepMs: 1 });
    await addFolder(saved.folder);
    await addFolder(other.folder);
    await tree('Deployments').open();
    await addConnection('Saving', await startRelay(service));
  });

  async function begin(): Promise<Page> {
    const page = await openDraft('deployCurrentRepository', vscode.Uri.file(path.join(root, 'apps/a/graph.json')));
    await page.type('name', 'saved');
    return page;
  }

  /** What each deployment of a page would send. */
  async function requests(page: Page): Promise<unknown[]> {
    const bodies: unknown[] = [];
    await expect.poll(() => page.state().deployments.map(({ isChecking }) => isChecking)).not.toContain(true);
    const { deployments } = page.state();
    for (const { title } of deployments) {
      const shown = page.press(/^Show Request/);
      if (deployments.length > 1) await quickInput.choose(title);
      await quickInput.choose('Copy as JSON');
      await shown;
      bodies.push(JSON.parse(await vscode.env.clipboard.readText()));
    }
    return bodies;
  }

  /** Saves a draft and gives the page of its file, and the text of that. */
  async function save(draft: Page, file: string): Promise<{ readonly page: Page; readonly text: string }> {
    told.dialogGives(file);
    expect(await draft.press('Save as Deployment File…')).toMatchObject({ failed: false });
    const page = await pages.inFront();
    expect(page.document.uri.fsPath).toBe(file);
    return { page, text: await readFile(file, 'utf8') };
  }

  /** Adds lines below the config file of the first deployment, as a user does in the text. */
  async function addBelowConfig({ document }: Page, lines: string): Promise<void> {
    const line = document.getText().split('\n').indexOf('config: apps/a/graph.json');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line + 1, 0), lines);
    await vscode.workspace.applyEdit(edit);
  }

  it('beside its config file names only what that place does not say, and sends the same', async () => {
    const draft = await begin();
    await addBelowConfig(
      draft,
      'resources: apps/small.resource-spec.yaml # shared\nsecrets:\n  TOKEN:\n    env-file: apps/a/.env\n',
    );
    await expect.poll(() => draft.deployment().tables[0]?.rows).toMatchObject([{ name: 'TOKEN', state: 'set' }]);
    const before = await requests(draft);
    expect(before).toMatchObject([
      {
        source_config: { repo_url: savedUrl, resource_spec: { cpu: 1.5, memory_mb: 2048 } },
        source_revision_config: { repo_ref: 'main', graph_config_path: 'apps/a/graph.json' },
      },
    ]);
    const { page, text } = await save(draft, path.join(root, 'apps/a/saved.deployment-spec.yaml'));
    expect(text).toBe(`name: saved
config: graph.json
resources: ../small.resource-spec.yaml # shared
secrets:
  TOKEN:
    env-file: .env
type: dev
build_on_push: true
`);
    const used = page.press('Use Values…');
    (await told.message('Use values from .env for a deployment on Saving?')).press('Use Values');
    await used;
    expect(await requests(page)).toEqual(before);
    await page.close();
  });

  it('keeps the repository, the branch and the config file of those that are made from others', async () => {
    const draft = await begin();
    const added = draft.press('Deploy Several…');
    await quickInput.asked('Deploy Several Applications');
    await quickInput.tick('apps/b/graph.json', 'apps/c/graph.json');
    await added;
    await expect.poll(() => draft.state().deployments.length).toBe(3);
    await draft.type('repository', otherUrl, 1);
    await draft.type('ref', 'next', 2);
    const before = await requests(draft);
    const { page, text } = await save(draft, path.join(root, 'apps/a/three.deployment-spec.yaml'));
    const places = text.split('---\n').map((each) => each.match(/^(?:repository|ref|config): .*$/gm));
    expect(places).toEqual([
      ['config: graph.json'],
      [`repository: ${otherUrl}`, 'ref: main', 'config: apps/b/graph.json'],
      ['ref: next', 'config: ../c/graph.json'],
    ]);
    expect(await requests(page)).toEqual(before);
    await page.close();
  });

  it('names a remote that the repository is not deployed from otherwise', async () => {
    const fork = 'https://code.example/me/saved';
    await git(root, 'remote', 'add', 'fork', fork);
    const draft = await begin();
    await draft.type('repository', fork);
    const before = await requests(draft);
    const { page, text } = await save(draft, path.join(root, 'apps/a/fork.deployment-spec.yaml'));
    expect(text).toContain(`repository: ${fork}\nref: main\nconfig: graph.json\n`);
    expect(await requests(page)).toEqual(before);
    await page.close();
    await git(root, 'remote', 'remove', 'fork');
  });

  it('over a file whose page is open leaves the values of secrets to that page', async () => {
    const file = path.join(root, 'apps/a/over.deployment-spec.yaml');
    const { page } = await save(await begin(), file);
    const draft = await begin();
    await addSecret(draft, 'KEY', canary);
    await expect.poll(() => draft.deployment().tables[0]?.rows).toMatchObject([{ name: 'KEY', state: 'set' }]);
    draft.keep('cpu: [');
    const { page: again, text } = await save(draft, file);
    expect(again.document.uri).toEqual(page.document.uri);
    expect(again.state().words).toBe('1 problem to correct');
    expect(text).toContain('secrets:\n  KEY: ask\n');
    await expect
      .poll(() => again.deployment().tables[0]?.rows)
      .toMatchObject([{ name: 'KEY', from: 'this window', state: 'set' }]);
    await again.close();
  });

  it('replaces a file with other deployments only after a question that names them', async () => {
    const file = path.join(root, 'apps/a/others.deployment-spec.yaml');
    const others = 'name: saved\n---\nname: second\n---\nref: main\n---\nname: saved\nconnection: Elsewhere\n';
    await writeFile(file, others);
    const draft = await begin();
    told.dialogGives(file);
    const kept = draft.press('Save as Deployment File…');
    const question = await told.message('Replace others.deployment-spec.yaml?');
    expect(question.detail).toBe('The file loses these deployments: second, Deployment 3, saved.');
    question.press();
    await kept;
    expect(await readFile(file, 'utf8')).toBe(others);
    told.dialogGives(file);
    const replaced = draft.press('Save as Deployment File…');
    (await told.message('Replace others.deployment-spec.yaml?')).press('Replace');
    await replaced;
    expect(await readFile(file, 'utf8')).toMatch(/^name: saved$/m);
    expect(await readFile(file, 'utf8')).not.toContain('second');
    await (await pages.inFront()).close();
  });

  it('outside of any repository keeps everything', async () => {
    const draft = await begin();
    const text = draft.document.getText();
    expect(text).toContain(`repository: ${savedUrl}\nref: main\nconfig: apps/a/graph.json\n`);
    const before = await requests(draft);
    const folder = path.join(temporary, 'loose');
    await mkdir(folder);
    const { page, ...saved } = await save(draft, path.join(folder, 'loose.deployment-spec.yaml'));
    expect(saved.text).toBe(text);
    expect(await requests(page)).toEqual(before);
    await page.close();
  });
});
