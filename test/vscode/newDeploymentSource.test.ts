import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { before, beforeEach, describe, it } from 'mocha';
import { json } from '../support/faults.ts';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection, removeConnection, switchConnection } from './support/connections.ts';
import { setKey } from './support/forms.ts';
import { config } from './support/layouts.ts';
import { discard, inNewDeployment, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, pages, quickInput, told, tree } from './support/window.ts';
import { openFolder, showFile, suiteFolder } from './support/workspace.ts';

const refPrompt = 'A branch, refs/tags/… for a tag, or a whole commit ID.';
const urlPrompt = 'The URL of the repository on the code host.';

describe('The source of a new deployment', () => {
  let temporary: string;
  let sample: SampleRepository;
  let service: Service;
  let other: Service;
  let empty: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    sample = await createSampleRepository(temporary);
    [service, other, empty] = await Promise.all([
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ stepMs: 1 }),
    ]);
    relay = await startRelay(service);
    await pushedBySomebodyElse();
    await git(sample.folder, 'checkout', '--quiet', '-b', 'broken');
    await commitFiles(sample.folder, { 'graph.json': '{ "graphs": ' }, 'Break the config file');
    await git(sample.folder, 'push', '--quiet', '--set-upstream', 'origin', 'broken');
    await git(sample.folder, 'checkout', '--quiet', 'main');
    await addKeylessConnection('Source B', other.url);
    await addKeylessConnection('Source C', empty.url);
    await addConnection('Source A', relay);
    await openFolder(sample.folder);
  });

  // A page that a failed test left in front belongs to no repository.
  beforeEach(() => showFile(path.join(sample.folder, 'graph.json')));

  /** Pushes a branch with a second config file; the clone that is open has not heard of it. */
  async function pushedBySomebodyElse(): Promise<void> {
    const elsewhere = path.join(temporary, 'elsewhere');
    await git(temporary, 'clone', '--quiet', sample.bare, elsewhere);
    await git(elsewhere, 'config', 'user.name', 'Other Author');
    await git(elsewhere, 'config', 'user.email', 'other@code.example');
    await git(elsewhere, 'checkout', '--quiet', '-b', 'release');
    await commitFiles(elsewhere, { 'services/graph.json': '{ "graphs": { "agent": "./a.py:graph" } }\n' }, 'Split');
    await git(elsewhere, 'push', '--quiet', 'origin', 'release');
  }

  /** Opens the list of a field, chooses there, and waits until the answer was checked. */
  async function pick(page: Page, label: string, ...rows: readonly (string | RegExp)[]): Promise<void> {
    const picked = page.press(label);
    for (const row of rows) await quickInput.choose(row);
    await picked;
    await pages.inFront();
  }

  /** Opens the list of a field and there the question that asks for a text. */
  async function askText(page: Page, label: string, row: string, prompt: string) {
    const picked = page.press(label);
    await quickInput.choose(row);
    await expect.poll(() => quickInput.message()).toContain(prompt);
    return {
      refuses: async (text: string, why: string) => {
        await quickInput.fill(text);
        await quickInput.accept();
        await expect.poll(() => quickInput.message()).toContain(why);
        await quickInput.goBack();
        await picked;
      },
      takes: async (text?: string) => {
        if (text !== undefined) await quickInput.fill(text);
        await quickInput.accept();
        await picked;
        await pages.inFront();
      },
    };
  }

  const askRef = (page: Page, label: string) => askText(page, label, 'Enter a branch, tag or commit…', refPrompt);

  const labelOf = (page: Page, key: string): string | undefined =>
    page
      .deployment()
      .groups.flatMap(({ fields }) => fields)
      .find((field) => field.key === key)?.label;

  /** Everything that the page says of a deployment. */
  const said = (page: Page): string => [...page.findings(), ...page.deployment().facts].join('\n');

  const buttonsOf = (page: Page): string[] =>
    page.deployment().findings.flatMap(({ buttons }) => buttons.map(({ label }) => label));

  const source = (page: Page) => ['name', 'ref', 'config'].map((key) => page.field(key));
  const entered = ['not-taken', 'release', 'services/graph.json'];

  /** Names the deployment, a branch that was pushed by somebody else, and a config file that only this branch has. */
  async function enterSource(page: Page): Promise<void> {
    await page.type('name', 'not-taken');
    await page.type('ref', 'release');
    await (
      await askText(page, 'Config file', 'Enter a path…', 'Relative to the root of the repository')
    ).takes('./services/graph.json');
    expect(source(page)).toEqual(entered);
  }

  it('refuses impossible values in its questions, and keeps the previous ones', () =>
    inNewDeployment(async (page) => {
      const config = await askText(page, 'Config file', 'Enter a path…', 'Relative to the root of the repository');
      await config.refuses(' ', 'Enter the path of the config file.');
      await (await askRef(page, 'Branch')).refuses('', 'Enter a branch, a tag or a commit.');
      expect(source(page)).toEqual(['sample-agent', 'main', 'graph.json']);
    }));

  it('keeps what is half typed in its questions for the next time', () =>
    inNewDeployment(async (page) => {
      for (const [label, row, half] of [
        ['Branch', 'Enter a branch, tag or commit…', 'half-a-branch'],
        ['Config file', 'Enter a path…', 'half/a-path'],
      ] as const) {
        for (const shown of [page.field(label === 'Branch' ? 'ref' : 'config'), half]) {
          const picked = page.press(label);
          await quickInput.choose(row);
          await expect.poll(() => quickInput.box().value).toBe(shown);
          await quickInput.fill(half);
          await quickInput.cancel();
          await picked;
        }
      }
      expect(source(page)).toEqual(['sample-agent', 'main', 'graph.json']);
    }));

  it('keeps a tag as a tag if it is accepted again', () =>
    inNewDeployment(async (page) => {
      await (await askRef(page, 'Branch')).takes('refs/tags/v1');
      expect(page.field('ref')).toBe('refs/tags/v1');
      await (await askRef(page, 'Tag')).takes();
      expect(page.field('ref')).toBe('refs/tags/v1');
      expect(labelOf(page, 'ref')).toBe('Tag');
    }));

  it('is known and chosen also beside a value that has an error', () =>
    inNewDeployment(async (page) => {
      const shown = () => page.deployment().groups;
      const before = shown();
      expect(await page.edit([setKey('cpu', 'much')])).toBe('');
      await pages.inFront();
      expect(shown()).toEqual(before);
      expect(page.findings().map((found) => found.replace(/:.*/s, ''))).toEqual(['error', 'info']);
      expect(page.state().deploy).toBeUndefined();
      expect(page.state().buttons.map(({ label }) => label)).not.toContain('Show Request');
      await pick(page, 'Branch', 'broken');
      expect(page.document.getText()).toMatch(/^ref: broken$[^]*^ {2}cpu: much$/m);
      expect(said(page)).toContain('broken');
    }));

  it('labels a branch, a tag and a commit as such', () =>
    inNewDeployment(async (page) => {
      const commit = await git(sample.folder, 'rev-parse', 'HEAD');
      for (const [typed, label] of [
        [commit, 'Commit'],
        ['refs/tags/v1', 'Tag'],
        ['main', 'Branch'],
      ] as const) {
        await page.type('ref', typed);
        await expect.poll(() => labelOf(page, 'ref')).toBe(label);
        // Only a branch is built on push.
        const fields = page.deployment().groups.flatMap((group) => group.fields);
        const push = fields.find(({ key }) => key === 'build_on_push');
        const isBranch = label === 'Branch';
        expect(push?.isLocked).toBe(!isBranch);
        expect(push?.options.find(({ value }) => value === push.value)?.label).toBe(isBranch ? 'on' : 'off');
        expect(page.field('ref')).toBe(typed);
      }
    }));

  it('has the config file of the deployed branch, not of the open one', () =>
    inNewDeployment(async (page) => {
      await pick(page, 'Branch', 'broken');
      expect(said(page)).toContain("graph.json can't be used:");
      await pick(page, 'Branch', 'main');
      expect(said(page)).not.toContain("can't be used");
    }));

  it('keeps everything if git fails during a change', () =>
    inNewDeployment(async (page) => {
      await page.type('name', 'not-taken');
      const packedRefs = path.join(sample.folder, '.git', 'packed-refs');
      const present = await readFile(packedRefs, 'utf8').catch(() => undefined);
      await writeFile(packedRefs, 'no refs\n');
      const answer = await page.press('Branch');
      expect(answer.failed).toBe(true);
      expect(answer.message).toContain('packed-refs');
      await (present === undefined ? rm(packedRefs) : writeFile(packedRefs, present));
      expect(source(page)).toEqual(['not-taken', 'main', 'graph.json']);
    }));

  it('doubts a branch that the clone does not know until it fetches, and loses nothing if a fetch fails or is canceled', () =>
    inNewDeployment(async (page) => {
      await enterSource(page);
      expect(said(page)).toContain('As of the last fetch, origin has no branch release.');
      await page.press('Fetch from origin');
      await pages.inFront();
      expect(said(page)).toMatch(/origin\/release is at [0-9a-f]{7}/);
      expect(said(page)).not.toContain('has no branch');
      expect(source(page)).toEqual(entered);

      await git(sample.folder, 'config', `url.${sample.bare}-gone.insteadOf`, sample.url);
      await git(sample.folder, 'config', '--unset', `url.${sample.bare}.insteadOf`);
      expect(await page.press('Fetch from origin')).toMatchObject({
        failed: true,
        message: expect.stringContaining('The fetch failed.'),
      });
      await git(sample.folder, 'config', '--unset', `url.${sample.bare}-gone.insteadOf`);
      await git(sample.folder, 'config', `url.${sample.bare}.insteadOf`, sample.url);
      expect(await page.press('Fetch from origin')).toMatchObject({ failed: false, message: '' });

      const gate = path.join(temporary, 'gate');
      await writeFile(gate, '');
      const slowly = `while test -e '${gate}'; do sleep 0.1; done; git-upload-pack`;
      await git(sample.folder, 'config', 'remote.origin.uploadpack', slowly);
      const fetched = page.press('Fetch from origin');
      await told.cancel('Fetching from origin…');
      (await told.message('Stopped waiting. Git may still finish.')).press();
      await fetched;
      await rm(gate);
      await git(sample.folder, 'config', '--unset', 'remote.origin.uploadpack');
      await pages.inFront();
      expect(source(page)).toEqual(entered);
    }));

  it('is pulled where the branch lacks only commits of the remote', async () => {
    await git(sample.folder, 'checkout', '--quiet', '-b', 'behind');
    const commit = await commitFiles(sample.folder, { 'note.txt': 'Later.\n' }, 'Add a note');
    await git(sample.folder, 'push', '--quiet', '--set-upstream', 'origin', 'behind');
    await git(sample.folder, 'reset', '--quiet', '--hard', 'HEAD~1');
    await inNewDeployment(async (page) => {
      expect(said(page)).toContain(
        `origin/behind is at ${commit.slice(0, 7)} "Add a note", 1 commit ahead of the working copy.`,
      );
      await page.press('Pull from origin');
      await pages.inFront();
      expect(await git(sample.folder, 'rev-parse', 'HEAD')).toBe(commit);
      expect(said(page)).toContain(`origin/behind is at ${commit.slice(0, 7)} "Add a note".`);
      expect(buttonsOf(page)).not.toContain('Pull from origin');
    });
    await git(sample.folder, 'checkout', '--quiet', 'main');
  });

  it('is read again when git has changed, when a button asks it, and when another file is saved', () =>
    inNewDeployment(async (page) => {
      const refresh = () => vscode.commands.executeCommand('git.refresh', vscode.Uri.file(sample.folder));
      await git(sample.folder, 'commit', '--quiet', '--allow-empty', '-m', 'later');
      await refresh();
      await expect.poll(() => said(page)).toContain('1 local commit will not be deployed.');
      await git(sample.folder, 'reset', '--quiet', '--soft', 'HEAD~1');
      await refresh();
      await expect.poll(() => said(page)).not.toContain('1 local commit');
      await git(sample.folder, 'commit', '--quiet', '--allow-empty', '-m', 'later');
      await page.press('Fetch from origin');
      await pages.inFront();
      expect(said(page)).toContain('1 local commit will not be deployed.');
      await git(sample.folder, 'reset', '--quiet', '--soft', 'HEAD~1');
      const another = path.join(sample.folder, 'another');
      await mkdir(another);
      await writeFile(path.join(another, 'graph.json'), config);
      const note = vscode.Uri.file(path.join(temporary, 'note.txt'));
      await vscode.workspace.fs.writeFile(note, Buffer.from('one\n'));
      const document = await vscode.workspace.openTextDocument(note);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(note, new vscode.Position(0, 0), 'two\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await expect.poll(() => said(page)).not.toContain('1 local commit');
      const listed = page.press('Config file');
      await quickInput.choose('another/graph.json');
      await listed;
      expect(page.field('config')).toBe('another/graph.json');
      await rm(another, { recursive: true });
    }));

  it('says how old the known state of the remote is', async () => {
    const file = path.join(sample.folder, '.git', 'FETCH_HEAD');
    const log = path.join(sample.folder, '.git/logs/refs/remotes/origin/main');
    const threeHoursAgo = Math.floor(Date.now() / 1000) - 3 * 60 * 60;
    await writeFile(file, `${'a'.repeat(40)}\t\tbranch 'main' of ${sample.bare}\n`);
    await utimes(file, threeHoursAgo, threeHoursAgo);
    const entry = `${'0'.repeat(40)} ${'a'.repeat(40)} A <a@code.example> ${threeHoursAgo - 60} +0000\tupdate by push\n`;
    await writeFile(log, entry);
    await inNewDeployment(async (page) => {
      expect(said(page)).toMatch(/origin\/main was at [0-9a-f]{7} ".+" when last fetched 3 hours ago\./);
      await page.press('Fetch from origin');
      await pages.inFront();
      expect(said(page)).toMatch(/origin\/main is at [0-9a-f]{7} ".+"\./);
    });
  });

  it('is another remote of the repository, which says where no integration has it', async () => {
    await git(sample.folder, 'remote', 'add', 'upstream', 'https://code.example/upstream/sample-agent');
    await inNewDeployment(async (page) => {
      await pick(page, 'Repository', 'upstream');
      expect(page.findings()).toContainEqual(
        expect.stringContaining('error: No integration on "Source A" has access to upstream/sample-agent.'),
      );
      expect(page.field('repository')).toBe('https://code.example/upstream/sample-agent');
      expect(page.field('integration')).not.toContain('has the repository');
      expect(buttonsOf(page)).toContain('Fetch from upstream');
      expect(page.state().deploy).toBeUndefined();
      await pick(page, 'Repository', 'origin');
      expect(page.state().words).toBe('sample-agent to Source A');
      expect(page.field('integration')).toBe('This computer · has the repository');
      const url = await askText(page, 'Repository', 'Enter a URL…', urlPrompt);
      await url.refuses('https://me:canary@code.example/acme/agent', 'Leave out the user name and password.');
      expect(page.field('repository')).toBe(sample.url);
    });
    await git(sample.folder, 'remote', 'remove', 'upstream');
  });

  it('is a repository of a list of the service, with its default branch and integration', () =>
    inNewDeployment(async (page) => {
      await pick(page, 'Repository', /^Listed Repository/, /sample-agent/);
      expect(source(page)).toEqual(['sample-agent', 'main', 'graph.json']);
      expect(page.field('repository')).toBe(sample.url);
      expect(page.field('integration')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(page.state().words).toBe('sample-agent to Source A');
    }));

  it('is the open repository again, whose branch each remote may call differently', async () => {
    await git(sample.folder, 'remote', 'add', 'upstream', 'https://code.example/upstream/sample-agent');
    await git(sample.folder, 'update-ref', 'refs/remotes/upstream/trunk', 'HEAD');
    await git(sample.folder, 'branch', '--quiet', '--set-upstream-to', 'upstream/trunk', 'main');
    await inNewDeployment(async (page) => {
      expect(page.field('ref')).toBe('main');
      await pick(page, 'Repository', 'upstream');
      expect(page.field('ref')).toBe('trunk');
      await pick(page, 'Repository', 'origin');
      expect(page.field('ref')).toBe('main');
      await (await askText(page, 'Repository', 'Enter a URL…', urlPrompt)).takes('https://code.example/other/agent');
      expect(said(page)).toContain('No integration on "Source A" has access to other/agent.');
      expect(buttonsOf(page).join()).not.toContain('Fetch from');
      await pick(page, 'Repository', 'origin');
      expect(page.state().words).toBe('sample-agent to Source A');
      expect(buttonsOf(page)).toContain('Fetch from origin');
      expect(source(page)).toEqual(['sample-agent', 'main', 'graph.json']);
    });
    await git(sample.folder, 'branch', '--quiet', '--set-upstream-to', 'origin/main', 'main');
    await git(sample.folder, 'remote', 'remove', 'upstream');
  });

  it('has no fetch without a repository', () =>
    inNewDeployment(async (page) => {
      expect(buttonsOf(page)).toContain('Fetch from origin');
      await page.type('source', 'internal_template');
      await expect.poll(() => buttonsOf(page).join()).not.toContain('Fetch from');
      await page.type('source', '');
      await expect.poll(() => buttonsOf(page)).toContain('Fetch from origin');
    }));

  describe('on another connection', () => {
    const switchTo = async (page: Page, connection: string, apiKey?: string): Promise<void> => {
      await page.type('connection', connection);
      if (apiKey !== undefined) {
        await expect
          .poll(() => page.findings())
          .toContain(`error: The API key of ${connection} is missing or can't be read.`);
        const set = page.press('Set API Key');
        await quickInput.answer('Set API Key', apiKey);
        await set;
      }
    };

    it('drops the integration, which is of one service', () =>
      inNewDeployment(async (page) => {
        const id = '00000000-0000-4000-8000-000000000001';
        await page.type('integration', id);
        expect(page.document.getText()).toContain(`integration: ${id}\n`);
        await page.type('connection', 'Source B');
        expect(page.document.getText()).toContain('connection: Source B\n');
        expect(page.document.getText()).not.toContain('integration:');
      }));

    it('keeps everything but the values of secrets, which are there when it is back, and is sent again after a rejection', async () => {
      relay.break(/^POST \/v2\/deployments/, json({ detail: 'Quota exceeded.' }, 403, { 'x-request-id': 'request-7' }));
      const page = await openDraft();
      await enterSource(page);
      await page.type('type', 'prod');
      const added = page.press('Add Secret…');
      await quickInput.answer('Add Secret', 'MODEL_KEY');
      await quickInput.answer('Value of MODEL_KEY', 'canary-2c71-secret');
      await added;
      const isFilledIn = (state: string) =>
        expect
          .poll(() => [...source(page), page.field('type'), page.deployment().tables[0]?.rows])
          .toMatchObject([...entered, 'prod', [{ name: 'MODEL_KEY', state }]]);
      await isFilledIn('set');
      await expect.poll(() => page.state().words).toBe('not-taken to Source A');

      await switchTo(page, 'Source B', other.apiKey);
      await expect.poll(() => page.findings()).toContain('error: Enter the value of MODEL_KEY, or remove it.');
      await isFilledIn('missing');
      const set = page.press('Set Values…');
      await quickInput.answer('Value of MODEL_KEY (1/1)', 'canary-9d03-secret');
      await set;
      await expect.poll(() => page.state().words).toBe('not-taken to Source B');
      await isFilledIn('set');
      // The window keeps its own connection until the deployment is created.
      expect(tree('Deployments').heading()).toContain('Source A');

      await switchTo(page, 'Source C', empty.apiKey);
      const isUnknown =
        'error: No integration on "Source C" has access to acme/sample-agent. Grant access on the code host, then try again.';
      await expect.poll(() => page.findings()).toContain(isUnknown);
      expect(page.state().words).toBe('2 problems to correct');
      await isFilledIn('missing');

      await switchTo(page, 'Source A');
      await expect.poll(() => page.state().words).toBe('not-taken to Source A');
      await isFilledIn('set');
      const reason = 'Quota exceeded. Request ID: request-7.';
      expect(await page.press(/^Deploy/)).toMatchObject({ failed: true, message: expect.stringContaining(reason) });
      await expect.poll(() => page.findings()).toContainEqual(expect.stringContaining(reason));
      await isFilledIn('set');
      relay.mend();
      await page.press(/^Deploy/);
      const { resources } = await callService(service, 'GET', '/v2/deployments?name_contains=not');
      expect(resources).toHaveLength(1);
      expect(relay.sent.at(-1)).toMatchObject({ secrets: [{ name: 'MODEL_KEY', value: 'canary-2c71-secret' }] });
      expect(resources[0]).toMatchObject({
        name: 'not-taken',
        source_config: { deployment_type: 'prod' },
        source_revision_config: { repo_ref: 'release', graph_config_path: 'services/graph.json' },
      });
      expect((await callService(other, 'GET', '/v2/deployments')).resources).toEqual([]);
      await page.close();
    });

    it('says once why that does not answer, and goes to another one, or tries again', async () => {
      const left = await openDraft();
      await switchTo(left, 'Source B');
      await expect.poll(() => left.state().words).toBe('sample-agent to Source B');
      await left.close();
      await relay.stop();
      const page = await pages.open(left.document.uri);
      await switchTo(page, 'Source A');
      await expect.poll(() => page.state().words).toBe('1 problem to correct');
      expect(said(page).match(/refused the connection/g)).toHaveLength(1);
      await switchTo(page, 'Source B');
      await expect.poll(() => page.state().words).toBe('sample-agent to Source B');
      await switchTo(page, 'Source A');
      await expect.poll(() => page.state().words).toBe('1 problem to correct');
      await relay.start();
      await page.press('Try Again');
      await expect.poll(() => page.state().words).toBe('sample-agent to Source A');
      await discard(page);
    });

    it('goes with the window to a connection that is added, unless it names its own', async () => {
      await inNewDeployment(async (page) => {
        await addConnection('Source D', other);
        await expect.poll(() => page.state().words).toBe('sample-agent to Source D');
        await switchTo(page, 'Source B');
        await expect.poll(() => page.state().words).toBe('sample-agent to Source B');
        await removeConnection('Source D');
        await switchConnection('Source A');
        await expect.poll(() => tree('Deployments').heading()).toContain('Source A');
        await expect.poll(() => page.state().words).toBe('sample-agent to Source B');
      });
    });
  });
});
