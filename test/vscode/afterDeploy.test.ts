import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { advanceClock } from '../support/serviceSeed.ts';
import { addConnection, removeConnection } from './support/connections.ts';
import { finish, leave, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { pollQuickly, startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, pages, run, statusBar, told } from './support/window.ts';
import { activeTab, openFolder, showFile, suiteFolder } from './support/workspace.ts';

const connection = 'Progress';
const stepMs = 600_000;

describe('The page of what was deployed', () => {
  let sample: SampleRepository;
  let service: Service;
  let page: Page;

  before(async () => {
    sample = await createSampleRepository(await suiteFolder());
    // Steps this long are only ever taken by advancing the clock.
    service = await startService({ repositories: [sample.folder], stepMs, devControls: true });
    await pollQuickly();
    await addConnection(connection, service);
    await openFolder(sample.folder);
    await showFile(path.join(sample.folder, 'graph.json'));
  });

  const progress = (shown: Page) => shown.deployment().progress;

  const steps = (shown: Page) => progress(shown)?.steps.map(({ words }) => words);

  const buttons = (shown: Page) => progress(shown)?.buttons.map(({ label }) => label);

  /** Shows the page of a draft that is hidden or closed. */
  async function show({ document }: Page): Promise<Page> {
    await vscode.commands.executeCommand('vscode.openWith', document.uri, 'deploymentManager.deployment');
    return pages.inFront();
  }

  it('has all phases with their times, also those passed while it was hidden, and opens what is live', async () => {
    page = await openDraft();
    await page.type('custom_url', 'https://agent.example');
    await page.press(/^Deploy/);
    await expect.poll(() => steps(page)).toEqual(['Creating']);
    expect(progress(page)?.look).toBe('working');
    expect(buttons(page)).toEqual(['Open Details']);
    await showFile(path.join(sample.folder, 'graph.json'));
    await advanceClock(service, 3 * stepMs);
    await expect.poll(statusBar).toBe('sample-agent: Building');
    await advanceClock(service, 10 * stepMs);
    await expect.poll(statusBar).toMatch(/ is live$/);
    expect(steps(page)).toEqual(['Creating']);
    page = await show(page);
    await expect.poll(() => steps(page)).toEqual(expect.arrayContaining(['Creating', 'Building', 'Deployed']));
    expect(progress(page)?.steps.map(({ at }) => at)).not.toContainEqual(expect.not.stringMatching(/\d:\d\d:\d\d/));
    await expect.poll(() => buttons(page)).toEqual(['Open Application', 'Open Details']);
    expect(progress(page)?.look).toBe('success');
    await page.press('Open Application');
    expect(told.opened.at(-1)).toBe('https://agent.example/');
  });

  it('knows it and its phases again once it was closed and the window has forgotten it', async () => {
    const phases = progress(page)?.steps;
    await page.type('custom_url', 'https://other.example');
    await leave(page);
    await removeConnection(connection);
    await addConnection(connection, service);
    const again = await show(page);
    await expect.poll(() => progress(again)?.look).toBe('success');
    expect(progress(again)?.steps).toEqual(phases);
    await again.type('custom_url', 'https://agent.example');
    await expect.poll(() => again.state().deployments.map(({ isChecking }) => isChecking)).toEqual([false]);
    expect(again.findings()).toEqual([]);
    expect(again.state().deploy).toBeUndefined();
    await leave(again);
  });

  it('changes nothing of what is built when it is closed', async () => {
    const closed = await openDraft();
    await closed.press(/^Deploy/);
    await expect.poll(() => steps(closed)).toEqual(['Creating']);
    await closed.close();
    await advanceClock(service, 3 * stepMs);
    await expect.poll(statusBar).toBe('sample-agent-2: Building');
    await advanceClock(service, 10 * stepMs);
    await expect.poll(statusBar).toMatch(/ is live$/);
  });

  it('says in full why it failed, and opens the file at the line to correct', async () => {
    const failing = await openDraft();
    await failing.press(/^Deploy/);
    await expect.poll(() => steps(failing)).toEqual(['Creating']);
    const graph = '{\n  "graphs": {\n    "agent": {\n      "path": "./missing.ts:graph"\n    }\n  }\n}\n';
    await commitFiles(sample.folder, { 'graph.json': graph }, 'Name a missing file');
    await git(sample.folder, 'push', '--quiet');
    await advanceClock(service, 0);
    await run('refresh');
    await advanceClock(service, 20 * stepMs);
    await expect.poll(() => progress(failing)?.look).toBe('failed');
    expect(progress(failing)?.reason).toMatch(/missing\.ts.* graph\.json\.$/);
    expect(steps(failing)?.at(-1)).toBe('Build failed');
    await expect.poll(() => buttons(failing)).toEqual(['Open graph.json', 'Open Details']);
    // An editor that had the file already reads it again in its own time, or never.
    const document = await vscode.workspace.openTextDocument(path.join(sample.folder, 'graph.json'));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await expect.poll(() => document.getText()).toBe(graph);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await failing.press('Open graph.json');
    await activeTab('graph.json');
    const { selection } = vscode.window.activeTextEditor ?? {};
    expect(document.lineAt(selection?.active.line ?? 0).text).toContain('"agent"');
    expect(await readFile(path.join(sample.folder, 'graph.json'), 'utf8')).toBe(graph);
    await finish(await show(failing));
  });
});
