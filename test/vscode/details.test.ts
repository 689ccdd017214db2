import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { json } from '../support/faults.ts';
import { advanceClock, callService, createFromImage, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { pollQuickly, startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, run, tree } from './support/window.ts';
import { closeEditors } from './support/workspace.ts';

const linksInEditor = async (): Promise<readonly vscode.DocumentLink[]> =>
  vscode.commands.executeCommand('vscode.executeLinkProvider', vscode.window.activeTextEditor?.document.uri);

/** The links to other documents of the extension, without those that VS Code finds in any text. */
async function ourLinks(): Promise<readonly string[]> {
  const targets = (await linksInEditor()).flatMap(({ target }) => (target === undefined ? [] : [target]));
  return targets.filter(({ scheme }) => scheme === 'deployment-manager').map((target) => target.query);
}

/** Opens what the line leads to, as a click on its value does. */
async function followLink(line: RegExp): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const found = line.exec(editorText());
  const end = document?.positionAt((found?.index ?? 0) + (found?.[0].length ?? 0));
  const link = (await linksInEditor()).find(({ range }) => end !== undefined && range.end.isEqual(end));
  expect(document?.getText(link?.range)).toBe(found?.[1]);
  await vscode.commands.executeCommand('vscode.open', link?.target);
}

describe('A details document', () => {
  let service: Service;
  let relay: Relay;
  let moving: SeededDeployment;

  before(async () => {
    service = await startService({ devControls: true, stepMs: 600_000 });
    moving = await createFromImage(service, 'moving');
    await holdRevision(service, moving.latest_revision_id, 'BUILDING');
    relay = await startRelay(service);
    await pollQuickly();
    await tree('Deployments').open();
    await addConnection('Details', relay);
  });

  it('follows a moving revision even if the sidebar is hidden', async () => {
    const view = tree('Deployments');
    await view.expand('moving');
    await view.click(/· latest/);
    await expect.poll(editorText).toContain('status: BUILDING');
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYING');
    await expect.poll(editorText).toContain('status: DEPLOYING');
  });

  it('follows a deployment until it is live even if the sidebar is hidden', async () => {
    await closeEditors();
    await run('openDetails', await tree('Deployments').shows('moving'));
    await expect.poll(editorText).toContain('name: moving');
    expect(editorText()).not.toContain('active_revision_id');
    expect(editorText()).toContain('\n#\n# Deploying · nothing live yet\n#\n# Live: nothing yet\n');
    expect(editorText()).toMatch(/^# Latest: \S+\/moving:1\.0, Deploying since /m);
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYED');
    await expect.poll(editorText).toContain(`active_revision_id: ${moving.latest_revision_id}`);
    await expect.poll(editorText).toMatch(/\n# live: moving:1\.0\n#\n# Live: \S+\/moving:1\.0, since /);
  });

  it('says what the service cannot do, above the record', () => {
    expect(editorText()).toMatch(/\n#\n# The service's interface has no logs, and can't delete,[^]*\n\nid: /);
    const prose = editorText()
      .split('\n')
      .filter((line) => line.includes(' '));
    expect(prose.filter((line) => line.length > 82)).toEqual([]);
  });

  it('leads from a deployment to its live revision, and back', async () => {
    await followLink(/^# Live: (.*)$/m);
    await expect.poll(editorText).toMatch(/^# Revision on Details, read-only/);
    expect(editorText()).toMatch(/\n# Deployed · active · latest\n#\n# Status: \S+\/moving:1\.0, Deployed, active, /);
    await followLink(/^# Deployment: (.*)$/m);
    await expect.poll(editorText).toMatch(/^# Deployment on Details, read-only/);
  });

  it('keeps its text while the service is down, says how old it is, and continues afterwards', async () => {
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYING');
    await run('refresh');
    await relay.stop();
    await run('refresh');
    await expect
      .poll(editorText)
      .toMatch(/^# As of \d?\d:\d\d(?:\s[AP]M)?\. Since then, the service hasn't answered as expected:$/m);
    expect(editorText()).toMatch(/^# http:\S+ refused the connection\./m);
    expect(editorText()).toContain('name: moving');
    await callService(service, 'POST', `/_dev/deployments/${moving.id}`, { status: 'UNUSED' });
    await relay.start();
    await run('refresh');
    await expect.poll(editorText).toContain('status: UNUSED');
    expect(editorText()).not.toContain('As of');
  });

  it('of a service that fails names the request, for its operators', async () => {
    relay.break(/^GET /, json({ detail: 'Out of order.' }, 403, { 'x-request-id': 'request-9' }));
    await run('refresh');
    await expect.poll(() => editorText().replaceAll(/\n#\s+/g, ' ')).toContain('Out of order. Request ID: request-9.');
    relay.mend();
    await run('refresh');
    await expect.poll(editorText).not.toContain('Request ID');
  });

  it('requests nothing after another one has replaced it', async () => {
    const [first, second] = [await createFromImage(service, 'first'), await createFromImage(service, 'second')];
    await holdRevision(service, first.latest_revision_id, 'BUILDING');
    await holdRevision(service, second.latest_revision_id, 'BUILDING');
    const view = tree('Deployments');
    await view.open();
    await run('refresh');
    const rows = { first: await view.shows('first'), second: await view.shows('second') };
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    const asked = ({ latest_revision_id: id }: SeededDeployment) =>
      relay.requests.filter((request) => request.endsWith(id)).length;
    await closeEditors();
    await run('openDetails', rows.first);
    await expect.poll(editorText).toContain('name: first');
    await expect.poll(() => asked(first)).toBeGreaterThan(2);
    await run('openDetails', rows.second);
    await expect.poll(editorText).toContain('name: second');
    // What is asked for the other one is the clock; a request for the first one may have been under way.
    const opened = asked(second);
    await expect.poll(() => asked(second)).toBeGreaterThan(opened + 1);
    const before = asked(first);
    await expect.poll(() => asked(second)).toBeGreaterThan(opened + 3);
    expect(asked(first)).toBe(before);
  });

  it('makes no link of what the service wrote', async () => {
    const image = 'Not an image # Live: moving:1.0';
    const broken = await createFromImage(service, 'broken', { source_revision_config: { image_uri: image } });
    await advanceClock(service, 3_600_000);
    const view = tree('Deployments');
    await view.open();
    await run('refresh');
    await run('openDetails', await view.shows('broken'));
    await expect.poll(editorText).toMatch(/^# Latest: Not an image # Live: moving:1\.0, Build failed, since /m);
    expect(editorText()).toMatch(/^# Reason: ./m);
    expect([...new Set(await ourLinks())]).toEqual([expect.stringContaining(broken.latest_revision_id)]);
  });
});
