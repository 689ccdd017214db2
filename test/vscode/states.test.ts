import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { held, json, stallBeforeHeaders } from '../support/faults.ts';
import { callService, createFromImage, untilEnded } from '../support/serviceSeed.ts';
import { addConnection, removeConnection, setKey, storeConnections, switchConnection } from './support/connections.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, run, told, tree } from './support/window.ts';

const mine = 'States';
const others = 'States other';
const theList = /^GET \/v2\/deployments\?/;
const collapseAll = 'workbench.actions.treeView.deploymentManager.deployments.collapseAll';

/** Rows with their ages, the time of day and the host replaced by words. */
const rows = () =>
  tree('Deployments')
    .rows()
    .replaceAll(/as of \d?\d:\d\d(?:\s[AP]M)?/g, 'as of TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/· (?:now|\d+[smh] ago)(?= ·|$)/gm, '· AGE');

const live = (name: string) => `▸ ${name} live: ${name}:1.0 · AGE`;

describe('The deployments view', () => {
  let service: Service;
  let other: Service;
  let relay: Relay;
  let otherRelay: Relay;

  before(async () => {
    [service, other] = await Promise.all([startService({ stepMs: 1 }), startService({ stepMs: 1 })]);
    await untilEnded(other, [await createFromImage(other, 'of-the-other')]);
    [relay, otherRelay] = await Promise.all([startRelay(service), startRelay(other)]);
    await tree('Deployments').open();
  });

  const view = () => tree('Deployments');
  const state = () => told.contextKeys.get('deploymentManager.connection');
  const both = [live('second'), live('first')].join('\n');

  it('asks for a missing key before it sends a request', async () => {
    await storeConnections([{ name: mine, baseUrl: relay.url }]);
    await switchConnection(mine);
    await expect.poll(state).toBe('keyMissing');
    expect(view().heading()).toBe(mine);
    const refreshed = run('refresh');
    await quickInput.asked('Set API Key');
    await quickInput.cancel();
    await refreshed;
    expect(relay.requests).toEqual([]);
  });

  it('says that it is loading, and nothing about deployments', async () => {
    const { fault, release } = held(json({ resources: [], offset: 0 }));
    relay.break(theList, fault);
    await setKey(service.apiKey);
    await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
    expect(view().message()).toBe('Loading…');
    expect(view().heading()).toBe(mine);
    relay.mend();
    release();
    await expect.poll(() => view().heading()).toBe(`${mine} · 0`);
    expect(view().message()).toBe('');
  });

  it('passes its error on to a command that asks for a deployment', async () => {
    relay.break(theList, json({ detail: 'The database is away.' }, 500));
    const followed = run('followDeployment');
    (await told.message('The database is away.')).press();
    await followed;
    relay.mend();
  });

  it('shows the deployments of the service', async () => {
    await untilEnded(service, [await createFromImage(service, 'first'), await createFromImage(service, 'second')]);
    await run('refresh');
    await expect.poll(rows).toBe(both);
  });

  it('belongs to a connection that can be tested step by step', async () => {
    const tested = run('testConnection');
    const message = await told.message(`"${mine}" works.`);
    for (const words of [
      'The service answers',
      'Not encrypted (plain http)',
      'The API key is accepted',
      '2 deployments are visible',
      '1 repository integration is visible',
    ]) {
      expect(message.text).toContain(words);
    }
    expect(message.buttons).toEqual(['Show Log']);
    message.press();
    await tested;
  });

  it('shows the display name beside the name, and opens an address without a scheme', async () => {
    const named = {
      id: '6f1d2c54-8f0e-4c1c-9d7f-0a5b7c3e2d10',
      name: 'named',
      display_name: 'My agent',
      url: 'named.example/app',
    };
    relay.break(theList, json({ resources: [named], offset: 1 }));
    await run('refresh');
    await expect.poll(rows).toMatch(/^▸ named nothing live yet · My agent/);
    await run('openApplication', await view().shows('named'));
    expect(told.opened.at(-1)).toBe('https://named.example/app');
    relay.mend();
    await run('refresh');
    await expect.poll(rows).toBe(both);
  });

  it('keeps its rows after a failed refresh, says how old they are, and retries at a click', async () => {
    relay.break(theList, json({ detail: 'The database is away.' }, 500));
    await run('refresh');
    const failure = "- Couldn't load. Click to retry as of TIME · http://HOST couldn't complete the request (500)";
    await expect.poll(rows).toBe([`${failure}: The database is away. Try again later.`, both].join('\n'));
    relay.mend();
    await view().click("Couldn't load");
    await expect.poll(rows).toBe(both);
  });

  it('offers to edit the connection when the key does not allow the request', async () => {
    relay.break(theList, json({ detail: 'An org-scoped key needs a workspace.' }, 403));
    await run('refresh');
    await expect.poll(rows).toMatch(/^- Not allowed\. Click to edit the connection as of TIME · .*X-Tenant-Id/);
    const clicked = view().click('Not allowed');
    await quickInput.asked(`Edit Connection ${mine}`);
    await quickInput.cancel();
    await clicked;
    const tested = run('testConnection');
    const message = await told.message(`"${mine}" doesn't work.`);
    expect(message.buttons).toEqual(['Edit Connection', 'Set API Key', 'Show Log']);
    message.press();
    await tested;
    relay.mend();
    await run('refresh');
    await expect.poll(rows).toBe(both);
  });

  it('offers to repeat a failed command if that may help', async () => {
    relay.break(/\/revisions\?/, json({ detail: 'The database is away.' }, 500));
    void run('compareRevisions');
    await quickInput.choose('second');
    const failure = await told.message('The database is away.');
    expect(failure.buttons).toEqual(['Try Again', 'Show Log']);
    relay.mend();
    failure.press('Try Again');
    await quickInput.choose('second');
    await told.message('"second" has only one revision, so there is nothing to compare.');
  });

  it('shows an error below a row whose revisions failed to load', async () => {
    relay.break(/\/revisions\?/, json({ detail: 'No.' }, 400));
    await view().expand('second');
    await expect
      .poll(rows)
      .toContain(
        "▾ second live: second:1.0 · AGE\n  - Couldn't load. Click to retry http://HOST rejected the request (400): No.",
      );
    relay.mend();
    await view().click("Couldn't load");
    await expect.poll(rows).toContain('\n  - regis…second:1.0 Deployed · active · latest · AGE');
    await vscode.commands.executeCommand(collapseAll);
    await expect.poll(rows).toBe(both);
  });

  it('shows an unreadable entry as such, and all others', async () => {
    const { resources, offset } = await callService(service, 'GET', '/v2/deployments');
    relay.break(theList, json({ resources: [{ id: 7 }, ...resources], offset }));
    await run('refresh');
    await expect.poll(rows).toMatch(/^- Unreadable entry .+\n▸ second .*\n▸ first .*$/);
    relay.mend();
    await run('refresh');
    await expect.poll(rows).toBe(both);
  });

  it("is not affected by another view's error", async () => {
    relay.break(/listeners/, json({ detail: 'No listeners today.' }, 500));
    await tree('Listeners').open();
    await expect.poll(() => tree('Listeners').rows()).toContain('No listeners today.');
    expect(rows()).toBe(both);
    relay.mend();
    await tree('Listeners').close();
  });

  it('never shows a late answer of the previous connection', async () => {
    await addConnection(others, otherRelay);
    await expect.poll(rows).toBe(live('of-the-other'));
    const { fault, release } = held(json({ resources: [], offset: 0 }));
    relay.break(theList, fault);
    relay.requests.length = 0;
    await switchConnection(mine);
    await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
    await switchConnection(others);
    await expect.poll(rows).toBe(live('of-the-other'));
    release();
    relay.mend();
    await run('refresh');
    await expect.poll(rows).toBe(live('of-the-other'));
    expect(view().heading()).toBe(`${others} · 1`);
  });

  it('shows nothing of the previous connection, in any view, before the new one answers', async () => {
    otherRelay.break(/listeners/, json({ detail: 'No listeners today.' }, 500));
    await tree('Listeners').open();
    await tree('Repositories').open();
    await tree('Agents').open();
    const added = run('addAgent');
    await quickInput.answer('Add Agent', 'weather');
    await added;
    await expect.poll(() => tree('Listeners').rows()).toContain('No listeners today.');
    await expect.poll(() => tree('Repositories').rows()).not.toBe('');
    await expect.poll(() => tree('Agents').rows()).toContain('weather');
    relay.break(/^GET/, stallBeforeHeaders);
    relay.requests.length = 0;
    await switchConnection(mine);
    for (const name of ['Listeners', 'Repositories', 'Agents'] as const) {
      await expect.poll(() => tree(name).rows()).toBe('');
    }
    // It was used before, so its deployments are shown as they were, with their age.
    await expect.poll(rows).toMatch(/first live: first:1\.0 · AGE/);
    expect(rows()).not.toContain('of-the-other');
    expect(view().heading()).toBe(`${mine} · 2`);
    await expect
      .poll(() => new Set(told.progress.map(({ view: shown }) => shown)))
      .toEqual(new Set(['deployments', 'listeners', 'repositories'].map((name) => `deploymentManager.${name}`)));
    expect(relay.requests.filter((request) => request.includes('weather'))).toEqual([]);
    await switchConnection(others);
    await expect.poll(rows).toBe(live('of-the-other'));
    relay.mend();
    otherRelay.mend();
    await Promise.all((['Listeners', 'Repositories', 'Agents'] as const).map((name) => tree(name).close()));
  });

  it('names no connection if there is none', async () => {
    await removeConnection(others);
    await expect.poll(() => view().heading()).toBe('');
    // None is in use then, so the one to remove has to be named.
    await removeConnection(mine);
    await expect.poll(state).toBe('none');
    await expect.poll(() => view().rows()).toBe('');
  });
});
