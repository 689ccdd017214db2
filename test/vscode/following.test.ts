import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commitFiles, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { advanceClock, createFromImage, createFromRepository, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connections.ts';
import { deployAndClose, openDraft } from './support/newDeployment.ts';
import { pollQuickly, startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';
import { closeEditors, openSample } from './support/workspace.ts';

const view = () => tree('Deployments');

describe('Following a deployment', () => {
  const stepMs = 600_000;
  let sample: SampleRepository;
  let service: Service;

  before(async () => {
    sample = await openSample();
    // Steps this long are only ever taken by advancing the clock: nothing depends on how fast this machine is.
    service = await startService({ repositories: [sample.folder], stepMs, devControls: true });
    await pollQuickly();
    await view().open();
    await addConnection('Follow', service);
  });

  it('starts when a deployment is created', async () => {
    await deployAndClose(await openDraft());
    await expect.poll(statusBar).toBe('sample-agent: Creating');
  });

  it('is listed, and can be stopped and started again', async () => {
    const shown = run('showFollowed');
    await expect.poll(() => quickInput.rows()[0]).toMatch(/^sample-agent .*\(Follow\): Creating/);
    await quickInput.pressInRow('sample-agent', 'Stop Following');
    await expect.poll(statusBar).toBe('');
    await quickInput.cancel();
    await shown;
    await run('followDeployment', await view().shows('sample-agent'));
    await expect.poll(statusBar).toBe('sample-agent: Creating');
  });

  it('shows each status until the deployment is live', async () => {
    await advanceClock(service, 3 * stepMs);
    await expect.poll(statusBar).toBe('sample-agent: Building');
    await advanceClock(service, 10 * stepMs);
    await expect.poll(statusBar).toBe(`sample-agent: main @ ${await remoteCommit()} is live`);
  });

  it('is described by a table with links in the tooltip of the status bar', async () => {
    const commit = await remoteCommit();
    // The oldest supported VS Code also escapes a dash.
    const lines = statusBarEntry().tooltip().replaceAll('\\-', '-').split('\n');
    expect(lines.filter((line) => line.startsWith('|'))).toEqual([
      '| sample-agent | Follow |',
      '| :-- | :-- |',
      `| Status | main @ ${commit} is live |`,
      `| Active revision | main @ ${commit} |`,
      `| Latest revision | main @ ${commit} |`,
      '| Branch or ref | main |',
      `| Commit | ${commit} |`,
      expect.stringMatching(/^\| Since \| .*\d:\d\d/),
      expect.stringMatching(/^\| Last checked \| .*\d:\d\d/),
    ]);
    expect([...links().keys()]).toEqual(['Open Details', 'Changes Since Live', 'Dismiss']);
    await run('showFollowed', ...(links().get('Open Details') ?? []));
    await expect.poll(editorText).toContain('name: sample-agent');
    await closeEditors();
  });

  it('shows why a build failed, and which revision stays live', async () => {
    const live = await remoteCommit();
    await git(sample.folder, 'rm', '--quiet', 'graph.json');
    await push('Take the config file away');
    await seesNewRevision();
    await advanceClock(service, 10 * stepMs);
    await expect.poll(statusBar).toBe('sample-agent: Build failed');
    const reason = `graph.json doesn't exist in main (commit ${await remoteCommit()}).`;
    const message = await told.message(reason);
    expect(message.text).toContain(`main @ ${live} stays live`);
    await expect.poll(() => view().rows()).toMatch(new RegExp(`sample-agent Build failed .*live: ${live}`));
    await vscode.commands.executeCommand('workbench.view.explorer');
    expect(message.kind).toBe('error');
    message.press('Open Details');
    await expect.poll(editorText).toContain('name: sample-agent');
  });

  it('marks the file that a failed build names, until the next revision', async () => {
    const file = configFile();
    await writeFile(file.fsPath, '{');
    await push('Write a config file that cannot be read');
    await seesNewRevision();
    await advanceClock(service, 10 * stepMs);
    const message = await told.message('graph.json');
    await expect.poll(() => problems().length).toBe(1);
    expect(message.text).toContain(problems()[0]?.message.replace(/\.$/, ''));
    expect(message.buttons).toEqual(['Open graph.json', 'Push Again', 'Open Details']);
    message.press('Push Again');
    await expect.poll(() => quickInput.rows()).toContain(words.deployed.rebuild('sample-agent'));
    await quickInput.cancel();
    await quickInput.closed();
    const entry = '    "agent": {\n      "path": "./missing.ts:graph"\n    }';
    await writeFile(file.fsPath, `{\n  "graphs": {\n${entry}\n  },\n  "node_version": "22"\n}`);
    await push('Name a missing file');
    await seesNewRevision();
    await advanceClock(service, 10 * stepMs);
    const failed = await told.message('graph.json');
    await expect.poll(() => problems().map(({ message }) => message)).toEqual([expect.stringContaining('missing.ts')]);
    // The open file has the same error below, which is said once, and goes with it once another line corrects it.
    failed.press('Open graph.json');
    const graph = "The file missing.ts doesn't exist; create it, or correct its path.";
    await expect.poll(() => problems().map(({ message }) => message)).toEqual([graph]);
    await replaceLines(file, 3, 4, '      "path": "./notes.md:graph"\n');
    await expect.poll(problems).toEqual([]);
    await replaceLines(file, 0, 9, '[');
    await vscode.workspace.saveAll();
    await closeEditors();
    await push('Write another one that cannot be read');
    await seesNewRevision();
    expect(problems()).toEqual([]);
    await advanceClock(service, 10 * stepMs);
    (await told.message('graph.json')).press('Open graph.json');
    await expect.poll(editorText).toBe('[');
    // The editor itself says that this is no JSON.
    await expect.poll(problems).toEqual([]);
    await closeEditors();
    await expect.poll(problems).toHaveLength(1);
  });

  it('marks a file once, although it breaks several deployments', async () => {
    await createFromRepository(service, 'second-agent', sample.url);
    await view().open();
    await run('refresh');
    await run('followDeployment', await view().shows('second-agent'));
    await advanceClock(service, 10 * stepMs);
    await told.message('second-agent');
    expect(problems()).toHaveLength(1);
    const followed = run('showFollowed');
    await quickInput.pressInRow('second-agent', 'Dismiss');
    await expect.poll(() => quickInput.rows().join()).not.toContain('second-agent');
    expect(problems()).toHaveLength(1);
    await quickInput.cancel();
    await followed;
  });

  it('continues with a newer push that replaces the followed one', async () => {
    await git(sample.folder, 'checkout', '--quiet', 'HEAD~4', '--', 'graph.json');
    await push('Bring the config file back');
    await seesNewRevision();
    const skipped = await remoteCommit();
    await push('Push once more');
    await advanceClock(service, 10 * stepMs);
    const commit = await remoteCommit();
    await expect.poll(statusBar).toBe(`sample-agent: main @ ${commit} is live`);
    const message = await told.message(
      `sample-agent (Follow): main @ ${commit} is live · main @ ${skipped} was skipped`,
    );
    expect(message.kind).toBe('information');
    expect(message.buttons).toEqual(['Open Details', 'Do Not Show Again']);
    await view().expand('sample-agent');
    await expect
      .poll(() => view().rows())
      .toMatch(/ ▾ sample-agent .*live: .*\n.* Deployed · active · latest.*\n.* Skipped/);
  });

  /** The arguments of the links in the tooltip, by their titles. */
  function links(): ReadonlyMap<string, unknown[]> {
    const found = statusBarEntry()
      .tooltip()
      .matchAll(/\[([^\]]+)\]\(command:deploymentManager\.showFollowed\?([^)]+)\)/g);
    return new Map([...found].map(([, title = '', query = '']) => [title, JSON.parse(decodeURIComponent(query))]));
  }

  /** Commits what has changed, with a note, pushes it, and lets the service see the push. */
  async function push(message: string): Promise<void> {
    await commitFiles(sample.folder, { 'notes.md': `${message}\n` }, message);
    await git(sample.folder, 'push', '--quiet');
    await advanceClock(service, 0);
  }

  /** What ended is followed on when the list learns of a newer revision. */
  async function seesNewRevision(): Promise<void> {
    await run('refresh');
    await expect.poll(statusBar).toBe('sample-agent: Creating');
  }

  function configFile(): vscode.Uri {
    return vscode.Uri.file(path.join(sample.folder, 'graph.json'));
  }

  async function replaceLines(file: vscode.Uri, begin: number, end: number, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(begin, 0, end, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  /** The problems of the config file that the product found. */
  function problems(): vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(configFile()).filter(({ source }) => source === 'Deployment Manager');
  }

  async function remoteCommit(): Promise<string> {
    return (await git(sample.folder, 'rev-parse', 'origin/main')).slice(0, 7);
  }
});

describe('The list of followed deployments', () => {
  /** With what VS Code makes an icon of where nobody prevents it. */
  const firstName = 'First $(bug)';
  const firstShown = 'First $ (bug)';
  let first: Service;
  let second: Service;
  let deployment: SeededDeployment;

  before(async () => {
    const options = { devControls: true, stepMs: 600_000 };
    [first, second] = await Promise.all([startService(options), startService(options)]);
    deployment = await createFromImage(first, 'followed-agent');
    await holdRevision(first, deployment.latest_revision_id, 'BUILDING');
    await view().open();
    await addConnection(firstName, first);
  });

  it('says that nothing is followed, and can start following', async () => {
    await view().shows('followed-agent');
    const shown = run('showFollowed');
    await expect.poll(() => quickInput.rows()).toEqual(['Follow Deployment']);
    expect(quickInput.message()).toBe(
      'Nothing is being followed. Deployments you start here are followed automatically.',
    );
    await quickInput.choose('Follow Deployment');
    await quickInput.choose('followed-agent');
    await shown;
    await expect.poll(statusBar).toMatch(/^followed-agent: Building/);
  });

  it('opens the details of the first row with Enter, also if it is on another connection', async () => {
    await addConnection('Second', second);
    await expect.poll(() => view().heading()).toMatch(/^Second/);
    const shown = run('showFollowed');
    await quickInput.choose('followed-agent');
    await shown;
    await expect.poll(editorText).toContain(`# Deployment on ${firstName}, read-only.`);
    expect(editorText()).toContain('name: followed-agent');
    expect(view().heading()).toMatch(/^Second/);
  });

  it('does what a link of the tooltip says, and ignores one that says nothing', async () => {
    await closeEditors();
    await run('showFollowed', { connection: firstName, deploymentId: deployment.id, action: 'delete' });
    await expect.poll(editorText).toContain('name: followed-agent');
    const ignored = run('showFollowed', { connection: firstName, deploymentId: 'another', action: 'stop' });
    await expect.poll(() => quickInput.rows().length).toBe(1);
    await quickInput.cancel();
    await ignored;
    void run('switchConnection');
    await quickInput.choose(firstShown);
    await expect.poll(() => view().heading()).toMatch(/^First/);
  });

  it("isn't needed to stop the only follow from the palette, whatever row is selected", async () => {
    await createFromImage(first, 'other-agent');
    await run('clearFilters');
    await view().select('other-agent');
    await expect.poll(statusBar).toMatch(/^followed-agent: Building/);
    void run('switchConnection');
    await expect.poll(() => quickInput.rows().join('\n')).toContain(firstShown);
    await quickInput.cancel();
    await run('stopFollowing');
    await expect.poll(statusBar).toBe('');
    const stopped = run('stopFollowing');
    await expect.poll(() => quickInput.message()).toContain('Nothing is being followed.');
    await quickInput.cancel();
    await stopped;
  });
});
