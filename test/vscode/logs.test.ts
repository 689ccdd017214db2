import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { json } from '../support/faults.ts';
import { callService, createFromRepository } from '../support/serviceSeed.ts';
import { startSmallService } from '../support/smallService.ts';
import type { PrintedLine, SmallService } from '../support/smallService.ts';
import { setKey, storeConnections, switchConnection } from './support/connections.ts';
import { atEnd, startedService, useSettings } from './support/suite.ts';
import { editorText, expect, quickInput, run, told, tree } from './support/window.ts';
import { closeEditors, openSample } from './support/workspace.ts';

const began = Date.UTC(2026, 2, 2);
const buildLog = '/v1/projects/d1/revisions/r2/build_logs';
const failedLog = '/v1/projects/d1/revisions/r3/build_logs';
const applicationLog = '/v1/projects/d1/deploy_logs';

const editor = () => vscode.window.activeTextEditor;
const lines = () => editorText().split('\n');
const firstVisible = () => editor()?.visibleRanges[0]?.start.line ?? -1;
const lastVisible = () => editor()?.visibleRanges.at(-1)?.end.line ?? -1;
const isAtEnd = () => lastVisible() >= (editor()?.document.lineCount ?? Infinity) - 2;

async function lenses(): Promise<readonly vscode.CodeLens[]> {
  return vscode.commands.executeCommand('vscode.executeCodeLensProvider', editor()?.document.uri);
}

async function showFrom(line: number): Promise<void> {
  editor()?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
  // Some lines above it are shown as well.
  await expect.poll(() => Math.abs(firstVisible() - line) < 10).toBe(true);
}

describe('A log', () => {
  let service: SmallService;
  const revision = { id: 'r2', status: 'BUILDING', source_revision_config: { repo_ref: 'main' } };
  const failed = { ...revision, id: 'r3', status: 'BUILD_FAILED' };
  const live = { ...revision, id: 'r1', status: 'DEPLOYED' };

  /** Prints lines, a second apart. */
  function print(log: string, count: number, given: Partial<PrintedLine> = {}): void {
    const printed = service.logs.get(log) ?? [];
    service.logs.set(log, printed);
    for (let index = 0; index < count; index += 1) {
      const line = printed.length;
      printed.push({
        id: `${line}`,
        timestamp: began + line * 1_000,
        level: 'INFO',
        message: `line ${line}`,
        ...given,
      });
    }
  }

  const asked = (log: string) => service.seen.filter(({ path }) => path === log).length;

  before(async () => {
    service = await startSmallService();
    atEnd(async () => service[Symbol.asyncDispose]());
    service.deployments = [
      {
        id: 'd1',
        // No other connection of these tests has one of this name, whose row could still be there.
        name: 'printer',
        source: 'github',
        status: 'READY',
        active_revision_id: 'r1',
        latest_revision_id: 'r2',
      },
    ];
    service.revisions.set('d1', [revision, live]);
    await tree('Deployments').open();
    await storeConnections([{ name: 'Logs', baseUrl: service.url, flavor: 'langsmith' }]);
    await switchConnection('Logs');
    await setKey('canary-of-the-key');
  });

  it('of a build opens with its newest lines, at its end, and follows', async () => {
    print(buildLog, 1_500);
    await run('showBuildLog', await tree('Deployments').shows('printer'));
    expect(lines()[0]).toBe('Build log of printer main on Logs');
    expect(lines().slice(1, 4)).toEqual([
      'New lines appear at the end.',
      'There are older lines. Read-only, with secrets hidden.',
      '',
    ]);
    expect(lines().slice(4)).toHaveLength(1_001);
    expect(lines().at(-2)).toMatch(/\d\d:24:59 (?:[AP]M )?INFO {4}line 1499$/);
    expect(editor()?.document.languageId).toBe('log');
    await expect.poll(isAtEnd).toBe(true);
    print(buildLog, 100);
    await expect.poll(() => lines().at(-2)).toMatch(/line 1599$/);
    await expect.poll(isAtEnd).toBe(true);
    expect(editor()?.document.isDirty).toBe(false);
  });

  it('stays where its reader is', async () => {
    await showFrom(500);
    const [first, shown] = [firstVisible(), lines()[firstVisible()]];
    print(buildLog, 50);
    await expect.poll(() => lines().at(-2)).toMatch(/line 1649$/);
    expect([firstVisible(), lines()[firstVisible()]]).toEqual([first, shown]);
  });

  it('loads older lines above those that are read', async () => {
    await showFrom(100);
    const shown = lines()[firstVisible()];
    const [lens] = await lenses();
    expect(lens?.command?.title).toBe('Load Older Lines');
    await vscode.commands.executeCommand(lens?.command?.command ?? '', ...(lens?.command?.arguments ?? []));
    await expect.poll(() => lines()[4]).toMatch(/line 0$/);
    await expect.poll(() => lines()[firstVisible()]).toBe(shown);
    expect(lines()[2]).toBe('The log begins here. Read-only, with secrets hidden.');
    expect(await lenses()).toEqual([]);
  });

  it('is not asked for while nobody sees it', async () => {
    await closeEditors();
    const before = asked(buildLog);
    print(applicationLog, 10);
    await run('showApplicationLog', await tree('Deployments').shows('printer'));
    await expect.poll(() => asked(applicationLog)).toBeGreaterThan(2);
    expect(asked(buildLog)).toBe(before);
  });

  it('hides the secrets of this machine, also in what comes later', async () => {
    print(applicationLog, 1, { message: 'The key is canary-of-the-key.\u001B[31m\nAgain: canary-of-\u001B[0mthe-key' });
    await expect.poll(editorText).toContain('The key is •••.');
    expect(lines().at(-2)).toBe('    Again: •••');
    expect(editorText()).not.toContain('canary');
  });

  it('is filtered by the service, in a document of its own', async () => {
    print(applicationLog, 1, { level: 'ERROR', message: 'It failed.' });
    const filtered = run('filterLog', editor()?.document.uri);
    await quickInput.choose('Level');
    await quickInput.choose('ERROR');
    await filtered;
    expect(lines()[0]).toBe('Application log of printer on Logs · ERROR');
    expect(editor()?.document.fileName).toMatch(/printer \(ERROR\)\.log$/);
    expect(lines().slice(4)).toEqual([expect.stringMatching(/ERROR {3}It failed\.$/), '']);
  });

  it('says what went wrong and how old it is, and goes on afterwards', async () => {
    service.fault = json({ detail: 'Out of order.' }, 500);
    await expect
      .poll(() => lines()[1])
      .toMatch(/^As of \d?\d:\d\d.* Since then, the log couldn't be read: .*Out of order/);
    expect(lines()[4]).toMatch(/It failed\.$/);
    service.fault = undefined;
    await expect.poll(() => lines()[1]).toBe('New lines appear at the end.');
  });

  it('of a failed build opens at its first error, and leads to the file that it names', async () => {
    await closeEditors();
    const [file] = await vscode.workspace.findFiles('graph.json', undefined, 1);
    const name = vscode.workspace.asRelativePath(file ?? '', false);
    print(failedLog, 200);
    print(failedLog, 1, { level: 'ERROR', message: `${name}:2: no graph; see nowhere/agent.py:3` });
    print(failedLog, 200);
    service.revisions.set('d1', [failed, revision, live]);
    service.deployments = service.deployments.map((each) => ({ ...each, latest_revision_id: 'r3' }));
    await run('refresh');
    await tree('Deployments').shows(/printer Build failed/);
    await run('showBuildLog', await tree('Deployments').shows('printer'));
    const at = lines().findIndex((line) => line.includes('no graph'));
    expect(editor()?.selection.active.line).toBe(at);
    await expect.poll(() => firstVisible() <= at && at <= lastVisible()).toBe(true);
    const links: readonly vscode.DocumentLink[] = await vscode.commands.executeCommand(
      'vscode.executeLinkProvider',
      editor()?.document.uri,
    );
    expect(links.map(({ target }) => target?.toString())).toEqual([file?.with({ fragment: 'L2' }).toString()]);
  });

  it('is not asked for once its build has ended', async () => {
    await expect.poll(() => lines()[1]).toBe('No new lines are expected. Status of the revision: Build failed');
    const before = asked(failedLog);
    print(applicationLog, 1);
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await run('showApplicationLog', await tree('Deployments').shows('printer'));
    await expect.poll(() => lines().at(-2)).toMatch(/line 12$/);
    expect(asked(failedLog)).toBe(before);
  });

  it('of a deployment that another window deletes keeps its lines, and other logs stay offered', async () => {
    const { deployments } = service;
    service.deployments = [];
    service.hasLogs = false;
    await expect.poll(() => lines()[1]).toMatch(/^As of .* Since then, the log couldn't be read: .*(?:not found|404)/i);
    expect(lines().at(-2)).toMatch(/line 12$/);
    expect(told.contextKeys.get('deploymentManager.capabilities')).toMatch(/\blogs\b/);
    service.deployments = deployments;
    service.hasLogs = true;
    await run('refresh');
  });

  it('that a service does not have is said so, and no longer offered', async () => {
    await closeEditors();
    service.hasLogs = false;
    const row = await tree('Deployments').shows('printer');
    print(failedLog, 1);
    await run('showApplicationLog', row);
    await expect.poll(() => lines()[1]).toContain('"Logs" has no logs.');
    const refused = run('showBuildLog', row);
    await told.message('"Logs" has no logs.');
    told.clear();
    await refused;
  });
});

describe('A log of the local service', () => {
  before(async () => {
    await useSettings({ 'localService.stepMilliseconds': 300 });
    await tree('Deployments').open();
    await run('startLocalService');
  });

  after(async () => {
    await run('stopFollowing', await tree('Deployments').shows('logged-agent'));
    await run('stopLocalService');
  });

  it('is opened by the notification of a failure, and tells what the build did', async () => {
    const service = await startedService();
    const { id } = await createFromRepository(service, 'logged-agent', (await openSample()).url);
    await callService(service, 'PATCH', `/v2/deployments/${id}`, {
      source_revision_config: { repo_ref: 'main', graph_config_path: 'missing.json' },
    });
    await run('refresh');
    await run('followDeployment', await tree('Deployments').shows('logged-agent'));
    const message = await told.message('missing.json');
    expect(message.buttons).toContain('Show Build Log');
    message.press('Show Build Log');
    await expect.poll(() => lines()[0]).toMatch(/^Build log of logged-agent main @ \w{7} on Local service$/);
    await expect.poll(() => lines()[editor()?.selection.active.line ?? 0]).toMatch(/ERROR {3}missing\.json /);
    expect(editorText()).toMatch(/INFO {4}The build starts\.\n/);
  });
});
