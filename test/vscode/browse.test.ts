import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import {
  advanceClock,
  afterPush,
  callService,
  createFromImage,
  createFromRepository,
  holdRevision,
} from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { startRelay, startService, useSettings } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, told, tree } from './support/window.ts';
import { activeTab, openSample } from './support/workspace.ts';

const theList = /^GET \/v2\/deployments\?(?!deployment_ids=[^&]*&limit=100$)/;
/** No revision moves unless its service's clock is advanced. */
const stepMs = 3_600_000;

describe('The deployments view', () => {
  const view = () => tree('Deployments');
  let sample: SampleRepository;
  let service: Service;
  let relay: Relay;
  let deployment: SeededDeployment;
  let moving: string;

  before(async () => {
    sample = await openSample();
    service = await startService({ repositories: [sample.folder], stepMs, devControls: true });
    // Ahead of the editor's clock, which makes every age "now" and all pictures the same.
    await advanceClock(service, stepMs);
    const archive = await createFromImage(service, 'archive-agent');
    await createFromImage(service, 'weather-agent');
    await createFromImage(service, 'broken-agent', { source_revision_config: { image_uri: 'Not an image' } });
    await createFromImage(service, 'router-agent');
    deployment = await createFromRepository(service, 'sample-agent');
    await advanceClock(service, 10 * stepMs);
    await callService(service, 'POST', `/_dev/deployments/${archive.id}`, { status: 'UNUSED' });
    await commitFiles(sample.folder, { 'notes.md': 'Pushed.\n' }, 'Write notes');
    await git(sample.folder, 'push', '--quiet', 'origin', 'main');
    moving = await afterPush(service, deployment);
    await holdRevision(service, moving, 'BUILDING');
    await commitFiles(sample.folder, { 'more.md': 'Not pushed.\n' }, 'Write more');
    relay = await startRelay(service);
    await useSettings({ pageSize: 3 });
    await view().open();
    await addConnection('Browse', relay);
    await view().shows('sample-agent');
  });

  after(async () => {
    await git(sample.folder, 'push', '--quiet', 'origin', 'main');
  });

  /** The rows, with what differs from run to run replaced by words. */
  const rows = () =>
    view()
      .rows()
      .replaceAll(/\b[0-9a-f]{7}\b/g, 'COMMIT')
      .replaceAll(/Building \d+s/g, 'Building TIME');
  const heading = () => view().heading();

  const drift = '2 behind, 1 unpushed';

  it('shows one page with live, moving and failed deployments', async () => {
    await expect
      .poll(rows)
      .toMatch(
        new RegExp(
          [
            '▾ This Workspace',
            `  ▸ sample-agent Building( TIME)? · ${drift} · live: COMMIT · dev`,
            '▸ router-agent live: router-agent:1.0 · now',
            '▸ broken-agent Build failed · nothing live yet · now',
            '- Load more…',
          ].join('\n'),
        ),
      );
    expect(heading()).toBe('Browse · 3 loaded');
    expect(relay.requests.filter((request) => /listeners|integrations|agents/.test(request))).toEqual([]);
  });

  it('describes its icons in words to a screen reader', () => {
    expect(view().spoken('broken-agent')).toBe('broken-agent, Build failed, nothing live yet, now');
  });

  it('shows the whole content of a row in its tooltip', async () => {
    const tooltip = await view().tooltip('broken-agent');
    expect(tooltip).toContain('**Now:** Build failed · nothing live yet · now  \n');
    expect(tooltip).toMatch(/\*\*Last checked:\*\* (?:now|\d+ seconds ago)  \n/);
  });

  it("shows times in tooltips in the user's own format", async () => {
    for (const label of ['broken-agent', 'router-agent']) {
      const tooltip = await view().tooltip(label);
      expect(tooltip).toMatch(/\*\*Created:\*\* .+ \\\(.+\\\)  \n/);
      expect(tooltip).not.toMatch(/\d{4}-\d\d-\d\dT/);
    }
  });

  it("doesn't compare the open branch with a live revision that isn't known yet", async () => {
    const list: { resources: { id: string }[] } = await callService(service, 'GET', '/v2/deployments?limit=3&offset=0');
    const active = '00000000-0000-4000-8000-000000000000';
    const resources = list.resources.map((row) => ({
      ...row,
      ...(row.id === deployment.id && { active_revision_id: active }),
    }));
    relay.break(theList, json({ ...list, resources }));
    relay.break(new RegExp(`/revisions/${active}`), json({ detail: 'Not now.' }, 500));
    await run('refresh');
    await expect.poll(rows).not.toContain(drift);
    expect(rows()).toMatch(/^▾ This Workspace\n {2}▸ sample-agent Building/);
    relay.mend();
    await run('refresh');
    await expect.poll(rows).toContain(drift);
  });

  it('reports a failed page at the end of the list, and retries at a click', async () => {
    const before = rows();
    relay.break(/offset=3/, json({ detail: 'Not now.' }, 500));
    await view().click('Load more…');
    await expect
      .poll(rows)
      .toMatch(/\n- Couldn't load more\. Click to retry http.*\(500\): Not now\. Try again later\.$/);
    expect(rows().split('\n').slice(0, -1).join('\n').replaceAll(' TIME', '')).toBe(
      before.split('\n').slice(0, -1).join('\n').replaceAll(' TIME', ''),
    );
    expect(heading()).toBe('Browse · 3 loaded');
    relay.mend();
  });

  it('loads more on request, and shows a row once if a shifted page repeats it', async () => {
    relay.break(/offset=3/, json(await callService(service, 'GET', '/v2/deployments?limit=3&offset=2')));
    await view().click("Couldn't load more");
    await expect
      .poll(rows)
      .toMatch(
        /\n▸ broken-agent .*\n▸ weather-agent live: .*\n▸ archive-agent live: archive-agent:1.0 · Unused · now\n- Load more…$/,
      );
    expect(relay.requests[0]).toBe('GET /v2/deployments?limit=3&offset=3');
    expect(rows().match(/broken-agent/g)).toHaveLength(1);
    expect(heading()).toBe('Browse · 5 loaded');
    relay.mend();
    await view().click('Load more…');
    await expect.poll(rows).toMatch(/\n▸ weather-agent live: .*\n▸ archive-agent live: .* · Unused .*$/);
    await expect.poll(heading).toBe('Browse · 5');
  });

  it('shows the revisions of a deployment, the newest first, with one request', async () => {
    await view().expand('sample-agent');
    await expect
      .poll(rows)
      .toContain(
        '\n    - main @ COMMIT Building TIME · latest · now\n    - main @ COMMIT Deployed · active · now · took 10h 0m\n▸ router-agent',
      );
    const asked = relay.requests.filter((request) => request.includes('/revisions?'));
    expect(asked).toEqual([`GET /v2/deployments/${deployment.id}/revisions?limit=3&offset=0`]);
  });

  it('refreshes with one request each for the list, opened revisions and a moving revision', async () => {
    await view().select('main @');
    const before = rows();
    relay.requests.length = 0;
    await run('refresh');
    const expected = [
      'GET /v2/deployments?limit=6&offset=0',
      `GET /v2/deployments/${deployment.id}/revisions?limit=3&offset=0`,
      `GET /v2/deployments/${deployment.id}/revisions/${moving}`,
    ];
    await expect.poll(() => [...new Set(relay.requests)].toSorted()).toEqual(expected.toSorted());
    expect(relay.requests.filter((request) => request.includes('limit'))).toHaveLength(2);
    expect(rows().replaceAll(' TIME', '')).toBe(before.replaceAll(' TIME', ''));
    await expect.poll(() => view().selected()).toMatch(/main @/);
  });

  it('redraws only changed rows', async () => {
    view().drawn.length = 0;
    await holdRevision(service, moving, 'DEPLOYING');
    await run('refresh');
    await expect.poll(rows).toContain('▾ sample-agent Deploying');
    expect(view().drawn.filter((label) => !/^(sample-agent|main @ [0-9a-f]{7})$/.test(label))).toEqual([]);
    expect(view().drawn).toContain('sample-agent');
  });

  it('shows the details of a row as YAML that is kept up to date', async () => {
    await run('openDetails', await view().shows(/Deploying( \d+s)? · latest/));
    await expect.poll(editorText).toMatch(/^status: DEPLOYING$/m);
    await holdRevision(service, moving, 'AWAITING_DEPLOY');
    await expect.poll(editorText).toMatch(/^status: AWAITING_DEPLOY$/m);
    expect(editorText()).toMatch(/^# Revision on Browse, read-only/);
    expect(vscode.window.activeTextEditor?.document.languageId).toBe('yaml');
  });

  it('compares two revisions in one editor of several files', async () => {
    const compared = run('compareRevisions', await view().shows(/Waiting for deploy( \d+s)? · latest/));
    await quickInput.choose(/^main @/);
    await compared;
    await activeTab(/sample-agent: main @ [0-9a-f]{7} ↔ main @ [0-9a-f]{7}/);
    const names = vscode.workspace.textDocuments.map(({ uri }) => uri.path);
    expect(names).toEqual(
      expect.arrayContaining([expect.stringMatching(/Commits\.txt$/), expect.stringMatching(/notes\.md$/)]),
    );
  });

  it('shows the changes in the working copy since the live commit', async () => {
    await run('showChangesSinceLive', await view().shows('sample-agent'));
    await activeTab(/sample-agent: live [0-9a-f]{7} ↔ HEAD/);
  });

  async function filterByName(text: string): Promise<void> {
    const filtered = run('filterDeployments');
    await quickInput.choose('Name contains');
    await quickInput.answer('Name contains', text);
    await filtered;
  }

  it('filters on the service, and names the filter', async () => {
    await filterByName('weather');
    await expect.poll(rows).toBe('▸ weather-agent live: weather-agent:1.0 · now');
    expect(relay.requests).toContain('GET /v2/deployments?name_contains=weather&limit=3&offset=0');
    expect(heading()).toBe('Browse · "weather" · 1');
    expect(told.contextKeys.get('deploymentManager.filtered')).toBe('deployments');
  });

  it('offers to clear a filter without matches', async () => {
    const filtered = run('filterDeployments');
    await quickInput.choose('Status');
    await quickInput.choose('Being deleted');
    await filtered;
    await expect.poll(rows).toBe('');
    expect(heading()).toBe('Browse · "weather" · Being deleted · 0');
    void run('followDeployment');
    const refusal = await told.message('No deployments match the filter.');
    expect(refusal.buttons).toEqual(['Clear Filters']);
    refusal.press('Clear Filters');
    await expect.poll(rows).toContain('router-agent');
    expect(relay.requests.at(-1)).not.toContain('status=');
    expect(told.contextKeys.get('deploymentManager.filtered')).toBe(false);
  });

  it('offers the deployment of the open repository first', async () => {
    void run('followDeployment');
    await expect.poll(() => quickInput.rows()[0]).toMatch(/^sample-agent this workspace · .* · live: [0-9a-f]{7}$/);
    expect(quickInput.rows().join('\n')).not.toContain('weather-agent');
    await quickInput.choose('Load more…');
    await expect.poll(() => quickInput.rows().join('\n')).toMatch(/^weather-agent live/m);
    expect(quickInput.rows().at(-1)).not.toBe('Load more…');
    await quickInput.cancel();
  });

  it('stops loading more choices when the user cancels', async () => {
    // Another filter begins the list with its first page.
    await filterByName('agent');
    await run('clearFilters');
    await expect.poll(rows).toContain('Load more…');
    const held: (() => void)[] = [];
    relay.break(/^GET \/v2\/deployments\?.*offset=3/, (...exchange) => {
      held.push(() => passTo(service.url)(...exchange));
    });
    const followed = run('followDeployment');
    await quickInput.choose('Load more…');
    await expect.poll(() => held).toHaveLength(1);
    await told.cancel('Loading more deployments…');
    await followed;
    await quickInput.closed();
    relay.mend();
    for (const answer of held) answer();
    await view().shows('weather-agent');
    expect(quickInput.isOpen()).toBe(false);
  });

  it('sends all of its filters to the service and names them next to the title', async () => {
    const answers = [
      ['Name contains', 'agent', 'name_contains=agent', '"agent"'],
      ['Status', 'Ready', 'status=READY', 'Ready'],
      ['Type', 'dev', 'deployment_type=dev', 'dev'],
      ['Image version', '1.4', 'image_version=1.4', 'image 1.4'],
      ['Tag value IDs, separated by commas', 't u', 'tag_value_ids=t%2Cu', '2 tags'],
      ['Deployment IDs, separated by commas', deployment.id, `deployment_ids=${deployment.id}`, '1 ID'],
      ['Reconciled', 'Not reconciled only', 'remote_reconciled=false', 'not reconciled'],
    ] as const;
    const parameters = new Set<string>();
    for (const [field, answer, parameter] of answers) {
      const filtered = run('filterDeployments');
      await quickInput.choose(field);
      const isListed = ['Status', 'Type', 'Reconciled'].includes(field);
      if (isListed) await quickInput.choose(answer);
      else await quickInput.answer(field, answer);
      await filtered;
      parameters.add(parameter);
      await expect
        .poll(() =>
          relay.requests
            .findLast((request) => theList.test(request))
            ?.split(/[?&]/)
            .slice(1),
        )
        .toEqual(expect.arrayContaining([...parameters]));
    }
    await expect.poll(heading).toContain(`Browse · ${answers.map(([, , , words]) => words).join(' · ')}`);
    await run('clearFilters');
    await expect.poll(rows).toContain('router-agent');
    expect(heading()).toBe('Browse · 3 loaded');
  });

  it('filters by a status that is typed, because services add statuses', async () => {
    const filtered = run('filterDeployments');
    await quickInput.choose('Status');
    await quickInput.choose('Other…');
    await quickInput.answer('Status', 'READY,UNUSED');
    await filtered;
    expect(relay.requests.findLast((request) => theList.test(request))).toContain('status=READY%2CUNUSED');
    await run('clearFilters');
    await expect.poll(heading).toBe('Browse · 3 loaded');
  });

  it('keeps expanded and selected rows when other rows are added', async () => {
    await view().expand('sample-agent');
    await view().select(/Deployed · active/);
    await createFromImage(service, 'late-agent');
    await advanceClock(service, 10 * stepMs);
    await run('refresh');
    await expect
      .poll(rows)
      .toMatch(
        /^▾ This Workspace\n {2}▾ sample-agent .*\n {4}- main .*\n {4}- main .* Deployed · active.*\n▸ late-agent /,
      );
    await expect.poll(() => view().selected()).toMatch(/Deployed · active/);
  });

  async function filterRevisions(...statuses: readonly string[]): Promise<void> {
    const filtered = run('filterRevisions');
    await quickInput.asked('Filter Revisions');
    await quickInput.tick(...statuses);
    await filtered;
  }

  it('filters revisions itself, because the interface has no parameter for it, and names the filter', async () => {
    await filterRevisions('Deployed');
    await expect
      .poll(rows)
      .toMatch(/\n {2}▾ sample-agent .*\n {4}- main .* Deployed · active · now · took 10h 0m\n▸ (?:late|router)/);
    await expect.poll(heading).toMatch(/^Browse · revisions: Deployed · /);
    expect(relay.requests.filter((request) => request.includes('status='))).toEqual([]);
    expect(told.contextKeys.get('deploymentManager.filtered')).toBe('revisions');
  });

  it('compares with revisions that the filter hides', async () => {
    const compared = run('compareRevisions', await view().shows(/Deployed · active/));
    await expect
      .poll(() => quickInput.rows())
      .toEqual([expect.stringMatching(/^main @ .* latest · now(?: · took .*)?$/)]);
    await quickInput.cancel();
    await compared;
  });

  it('says that no revision matches the filter, and offers to change it', async () => {
    await filterRevisions('Skipped');
    await expect
      .poll(rows)
      .toMatch(/▾ sample-agent .*\n {4}- No revision matches the filter click to change it\n▸ (?:late|router)/);
    const filtered = view().click('No revision matches the filter');
    await quickInput.asked('Filter Revisions');
    expect(ticked()).toEqual(['Skipped']);
    await quickInput.tick('Deployed');
    await filtered;
    await expect.poll(rows).toContain('Deployed · active');
  });

  it('says how many loaded revisions are shown if the service has more', async () => {
    let latest = moving;
    for (const name of ['one', 'two']) {
      await commitFiles(sample.folder, { [`${name}.md`]: 'Pushed.\n' }, `Write ${name}`);
      await git(sample.folder, 'push', '--quiet', 'origin', 'main');
      latest = await afterPush(service, { ...deployment, latest_revision_id: latest });
      await holdRevision(service, latest, 'INTERRUPTED');
    }
    await run('refresh');
    await expect
      .poll(rows)
      .toMatch(/\n {4}- No loaded revision matches the filter click to change it\n {4}- Load more… 0 of 3 shown\n/);
    await view().click(/Load more….*0 of 3/);
    await expect
      .poll(rows)
      .toMatch(/▾ sample-agent .*\n {4}- main .* Deployed · active · now · took 10h 0m\n▸ (?:late|router)/);
  });

  it('clears the filter of revisions with the same command', async () => {
    await run('clearFilters');
    await expect.poll(rows).toContain('Interrupted · latest');
    expect(heading()).not.toContain('revisions:');
    expect(told.contextKeys.get('deploymentManager.filtered')).toBe(false);
  });

  function ticked(): readonly string[] {
    const box = quickInput.box();
    return 'selectedItems' in box ? box.selectedItems.map(({ label }) => label) : [];
  }
});
