import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import {
  afterPush,
  callService,
  createFromImage,
  createFromRepository,
  holdRevision,
  untilEnded,
} from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { passTo } from '../support/faultRelay.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = 'Deployments';
const theList = /^GET \/v2\/deployments\?/;
const anHour = 3_600_000;

describe('The deployments view', () => {
  let temporary: TemporaryFolder;
  let sample: SampleRepository;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;
  let deployment: SeededDeployment;
  let moving: string;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    sample = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [sample.folder], stepMs: 150, devControls: true });
    // Ahead of the editor's clock, so that every age is "now" and the pictures are the same each time.
    await callService(service, 'POST', '/_dev/clock', { advanceMs: anHour });
    const archive = await createFromImage(service, 'archive-agent');
    const created = [
      archive,
      await createFromImage(service, 'weather-agent'),
      await createFromImage(service, 'broken-agent', { source_revision_config: { image_uri: 'Not an image' } }),
      await createFromImage(service, 'router-agent'),
    ];
    deployment = await createFromRepository(service, 'sample-agent');
    await untilEnded(service, [...created, deployment]);
    await callService(service, 'POST', `/_dev/deployments/${archive.id}`, { status: 'UNUSED' });
    await commitFiles(sample.folder, { 'notes.md': 'Pushed.\n' }, 'Write notes');
    await git(sample.folder, 'push', '--quiet', 'origin', 'main');
    moving = await afterPush(service, deployment);
    await holdRevision(service, moving, 'BUILDING');
    await commitFiles(sample.folder, { 'more.md': 'Not pushed.\n' }, 'Write more');
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({
      folder: sample.folder,
      theme: 'Dark Modern',
      settings: {
        'deploymentManager.pageSize': 3,
        'deploymentManager.connections': [{ name: 'Test', baseUrl: relay.url }],
      },
    });
    await workbench.openContainer('Deployments');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await workbench.row(view, 'sample-agent').waitFor();
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.[Symbol.asyncDispose]();
    await service?.stop();
    await temporary?.remove();
  });

  beforeEach(() => {
    relay.requests.length = 0;
  });

  /** The rows, with what differs from run to run replaced by words. */
  async function rows(): Promise<string> {
    const picture = await workbench.tree(view);
    return picture.replaceAll(/\b[0-9a-f]{7}\b/g, 'COMMIT').replaceAll(/Building \d+ s/g, 'Building TIME');
  }

  const heading = () => workbench.page.locator('.pane-header', { hasText: view }).first().innerText();

  /** The button in the title, which VS Code shows while the mouse is over the view. */
  const clearFilters = async () => {
    const header = workbench.page.locator('.pane-header', { hasText: view }).first();
    await header.hover();
    return header.getByRole('button', { name: 'Clear Filters' });
  };

  const ours = 'dev · this workspace · live is 2 commits behind HEAD, 1 commit unpushed';

  it('shows one page: what is live, what moves and what failed', async () => {
    await expect
      .poll(rows)
      .toMatch(
        new RegExp(
          [
            `▸ sample-agent Building( TIME)? · live: COMMIT · now · ${ours}`,
            '▸ router-agent Deployed now · live: router-agent:1.0',
            '▸ broken-agent Build failed now · nothing live yet',
            '- Load more…',
          ].join('\n'),
        ),
      );
    expect(await heading()).toContain('Test · 3 loaded');
  });

  it('says at the end of the list that no more could be loaded, and tries again at a click', async () => {
    const before = await rows();
    relay.break(/offset=3/, json({ detail: 'Not now.' }, 500));
    await workbench.row(view, 'Load more…').click();
    await expect.poll(rows).toMatch(/\n- Could not load more, retry http.*\(500\): Not now\. Try again later\.$/);
    expect((await rows()).split('\n').slice(0, -1).join('\n').replaceAll(' TIME', '')).toBe(
      before.split('\n').slice(0, -1).join('\n').replaceAll(' TIME', ''),
    );
    expect(await heading()).toContain('Test · 3 loaded');
    await workbench.screenshot('browse-no-more');
    relay.mend();
  });

  it('loads more when asked to, and shows a row once that a shifted page repeats', async () => {
    relay.break(/offset=3/, json(await callService(service, 'GET', '/v2/deployments?limit=3&offset=2')));
    await workbench.row(view, 'Could not load more').click();
    await expect
      .poll(rows)
      .toMatch(
        /\n▸ broken-agent .*\n▸ weather-agent Deployed .*\n▸ archive-agent Unused · live: archive-agent:1.0 · now\n- Load more…$/,
      );
    expect(relay.requests[0]).toBe('GET /v2/deployments?limit=3&offset=3');
    expect((await rows()).match(/broken-agent/g)).toHaveLength(1);
    expect(await heading()).toContain('Test · 5 loaded');
    relay.mend();
    await workbench.row(view, 'Load more…').click();
    await expect.poll(rows).not.toContain('Load more');
    expect(await rows()).toMatch(/\n▸ weather-agent Deployed .*\n▸ archive-agent Unused .*$/);
    await expect.poll(heading).toMatch(/Test · 5(?! loaded)/);
  });

  it('has not asked for the data of any other view', () => {
    expect(relay.requests.filter((request) => /listeners|integrations|agents/.test(request))).toEqual([]);
  });

  it('shows the revisions below, newest first, with one request', async () => {
    await workbench.row(view, 'sample-agent').click();
    await expect
      .poll(rows)
      .toContain(
        '\n  - main @ COMMIT Building · latest · now\n  - main @ COMMIT Deployed · active · now\n▸ router-agent',
      );
    const asked = relay.requests.filter((request) => request.includes('/revisions?'));
    expect(asked).toEqual([`GET /v2/deployments/${deployment.id}/revisions?limit=3&offset=0`]);
  });

  it('says in words to a screen reader what it shows with icons', async () => {
    const row = workbench.row(view, 'broken-agent');
    expect(await row.getAttribute('aria-label')).toBe('broken-agent, Build failed now, nothing live yet');
  });

  it('tells the whole of a row, which a narrow view cuts off, where the mouse rests', async () => {
    await workbench.row(view, 'broken-agent').hover();
    const hover = workbench.page.locator('.workbench-hover');
    // Between the words of a service stand blanks that do not break.
    const text = async () => (await hover.innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain('Now: Build failed now · nothing live yet\n');
    await workbench.screenshot('browse-hover');
    await workbench.page.mouse.move(0, 0);
  });

  it('refreshes with one request for the list, one for open revisions and one for what moves', async () => {
    await workbench.row(view, 'main @').first().click();
    const before = await rows();
    await workbench.runCommand('Deployment Manager: Refresh');
    const expected = [
      'GET /v2/deployments?limit=6&offset=0',
      `GET /v2/deployments/${deployment.id}/revisions?limit=3&offset=0`,
      `GET /v2/deployments/${deployment.id}/revisions/${moving}`,
    ];
    await expect.poll(() => [...new Set(relay.requests)].toSorted()).toEqual(expected.toSorted());
    expect(relay.requests.filter((request) => request.includes('limit'))).toHaveLength(2);
    expect((await rows()).replaceAll(' TIME', '')).toBe(before.replaceAll(' TIME', ''));
    expect(await workbench.row(view, 'main @').first().getAttribute('aria-selected')).toBe('true');
  });

  it('draws again only what changed', async () => {
    await workbench.page.evaluate(() => {
      const drawn = new Set<string>();
      Object.assign(globalThis, { drawn });
      const list = document.querySelector('[role=tree][aria-label="Deployments"]');
      if (list === null) throw new Error('There is no tree.');
      const observer = new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          // What changes inside of the label is drawn; the row around it moves for other reasons.
          if (!element?.closest('.monaco-icon-label')) continue;
          drawn.add(element.closest('[role=treeitem]')?.getAttribute('aria-label')?.split(',')[0] ?? '');
        }
      });
      observer.observe(list, { subtree: true, childList: true, characterData: true });
    });
    await holdRevision(service, moving, 'DEPLOYING');
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect.poll(rows).toContain('▾ sample-agent Deploying');
    const drawn = await workbench.page.evaluate(() => [...Reflect.get(globalThis, 'drawn')]);
    expect(drawn.filter((name) => !/^(sample-agent|main @ [0-9a-f]{7})$/.test(name))).toEqual([]);
    expect(drawn).toContain('sample-agent');
  });

  it.for(['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern'])(
    'can be read in %s',
    async (theme) => {
      await workbench.useTheme(theme);
      await workbench.screenshot(`browse-${theme.toLowerCase().replaceAll(' ', '-')}`);
    },
  );

  it('shows the details of a row as YAML, which follows what moves', async () => {
    await workbench.row(view, /Deploying · latest/).click();
    await workbench.runCommand('Deployment Manager: Open Details');
    const text = () => workbench.page.locator('.editor-instance .view-lines').first().innerText();
    await expect.poll(text).toMatch(/status:\s+DEPLOYING/);
    await holdRevision(service, moving, 'AWAITING_DEPLOY');
    await expect.poll(text).toMatch(/status:\s+AWAITING_DEPLOY/);
    expect(await text()).toMatch(/^#\s+Revision\s+on\s+Test,\s+read-only/);
    await workbench.screenshot('browse-details');
  });

  it('compares two revisions in the difference editor', async () => {
    await workbench.row(view, /Waiting for deploy · latest/).click();
    await workbench.runCommand('Deployment Manager: Compare Revisions…');
    await workbench.quickInput.choose(/^\s*main @/);
    const title = /sample-agent: main @ [0-9a-f]{7} ↔ main @ [0-9a-f]{7}/;
    await workbench.page.getByRole('tab', { name: title }).waitFor();
    await workbench.page.locator('.monaco-diff-editor').waitFor();
    await workbench.screenshot('browse-compare');
  });

  it('shows what the working copy has that is not live', async () => {
    await workbench.row(view, 'sample-agent').click();
    await workbench.runCommand('Deployment Manager: Show Changes Since Live');
    await workbench.page.getByRole('tab', { name: /sample-agent: live [0-9a-f]{7} ↔ HEAD/ }).waitFor();
    const files = workbench.page.locator('.multiDiffEditor .header .title');
    await expect.poll(async () => (await files.allInnerTexts()).join('\n')).toMatch(/more\.md[^]*notes\.md/);
    await workbench.screenshot('browse-changes-since-live');
  });

  it('filters on the service, says so, and remembers it over a reload', async () => {
    await workbench.runCommand('Deployment Manager: Filter Deployments…');
    await workbench.quickInput.choose('Name contains');
    await workbench.quickInput.answer('Name contains', 'weather');
    await expect.poll(rows).toBe('▸ weather-agent Deployed now · live: weather-agent:1.0');
    expect(relay.requests).toContain('GET /v2/deployments?name_contains=weather&limit=3&offset=0');
    expect(await heading()).toContain('Test · "weather" · 1');
    await expect.poll(() => storedState(workbench.page)).toMatch(/filter:Test[^]*weather/);
    await workbench.reload();
    await workbench.openContainer('Deployments');
    await expect.poll(rows).toBe('▸ weather-agent Deployed now · live: weather-agent:1.0');
  });

  it('offers to clear a filter that nothing fits', async () => {
    await workbench.runCommand('Deployment Manager: Filter Deployments…');
    await workbench.quickInput.choose('Status');
    await workbench.quickInput.choose('Waiting for deletion');
    await workbench.page.getByText('No deployment fits the filter').waitFor();
    await workbench.screenshot('browse-nothing-fits');
    await workbench.runCommand('Deployment Manager: Follow Deployment');
    const refusal = await workbench.notification('No deployment fits the filter.');
    await refusal.getByRole('button', { name: 'Clear Filters' }).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    expect(await heading()).toContain('"weather" · Waiting for deletion · 0');
    await workbench.page.getByRole('button', { name: 'Clear Filters' }).last().click();
    await expect.poll(rows).toContain('router-agent');
    expect(relay.requests.at(-1)).not.toContain('status=');
  });

  it('puts the deployment of the open repository first where one is asked for', async () => {
    await workbench.runCommand('Deployment Manager: Follow Deployment');
    await expect.poll(async () => (await workbench.quickInput.rows())[0]).toBe('sample-agent this workspace · Ready');
    expect(await workbench.quickInput.rows()).not.toContain('weather-agent Ready');
    await workbench.quickInput.choose('Load more…');
    await workbench.quickInput.row('weather-agent').waitFor();
    expect((await workbench.quickInput.rows()).at(-1)).not.toBe('Load more…');
    await workbench.quickInput.cancel();
  });

  it('waits for more to choose from only as long as the person does', async () => {
    await workbench.reload();
    await workbench.openContainer('Deployments');
    await workbench.row(view, 'Load more…').waitFor();
    const held: (() => void)[] = [];
    relay.break(/^GET \/v2\/deployments\?.*offset=3/, (...exchange) => {
      held.push(() => passTo(service.url)(...exchange));
    });
    await workbench.runCommand('Deployment Manager: Follow Deployment');
    await workbench.quickInput.choose('Load more…');
    await workbench.quickInput.row('Loading more deployments…').waitFor();
    await expect.poll(() => held).toHaveLength(1);
    await workbench.quickInput.choose('Cancel');
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
    relay.mend();
    for (const answer of held) answer();
    await workbench.row(view, 'weather-agent').waitFor();
    expect(await workbench.quickInput.box.isVisible()).toBe(false);
  });

  it('sends each of its filters to the service and names them all beside the title', async () => {
    const answers = [
      ['Name contains', 'agent', 'name_contains=agent', '"agent"'],
      ['Status', 'Ready', 'status=READY', 'Ready'],
      ['Type', /^\s*dev\s*$/, 'deployment_type=dev', 'dev'],
      ['Image version', '1.4', 'image_version=1.4', 'image 1.4'],
      ['Tag value ids, separated by commas', 't u', 'tag_value_ids=t%2Cu', '2 tags'],
      ['Deployment ids, separated by commas', deployment.id, `deployment_ids=${deployment.id}`, '1 id'],
      ['Reconciled', 'Not reconciled only', 'remote_reconciled=false', 'not reconciled'],
    ] as const;
    const parameters = new Set<string>();
    for (const [field, answer, parameter] of answers) {
      await workbench.runCommand('Deployment Manager: Filter Deployments…');
      await workbench.quickInput.choose(field);
      const isListed = ['Status', 'Type', 'Reconciled'].includes(field);
      if (isListed) await workbench.quickInput.choose(answer);
      else await workbench.quickInput.answer(field, String(answer));
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
    await expect.poll(heading).toContain(`Test · ${answers.map(([, , , words]) => words).join(' · ')}`);
    await (await clearFilters()).click();
    await expect.poll(rows).toContain('router-agent');
    expect(await heading()).toContain('Test · 3 loaded');
  });

  it('keeps what is open and what is selected when other rows come', async () => {
    await workbench.row(view, 'sample-agent').click();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.row(view, /Deployed · active/).click();
    await untilEnded(service, [await createFromImage(service, 'late-agent')]);
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect
      .poll(rows)
      .toMatch(/^▸ late-agent .*\n▾ sample-agent .*\n {2}- main .*\n {2}- main .* Deployed · active/);
    expect(await workbench.row(view, /Deployed · active/).getAttribute('aria-selected')).toBe('true');
  });

  async function filterRevisions(...statuses: readonly string[]): Promise<void> {
    await workbench.quickInput.box.locator('.quick-input-title', { hasText: 'Filter Revisions' }).waitFor();
    for (const status of statuses) {
      await workbench.quickInput.box.locator('.monaco-list-row', { hasText: status }).click();
    }
    await workbench.quickInput.accept();
  }

  it('filters revisions itself, as the document names no parameter for it, and says so', async () => {
    await workbench.runCommand('Deployment Manager: Filter Revisions…');
    await filterRevisions('DEPLOYED');
    await expect.poll(rows).not.toContain('latest · now');
    expect(await rows()).toContain('Deployed · active');
    await expect.poll(heading).toContain('Test · revisions: Deployed · ');
    expect(relay.requests.filter((request) => request.includes('status='))).toEqual([]);
  });

  it('compares also with revisions that the filter hides', async () => {
    await workbench.row(view, /Deployed · active/).click();
    await workbench.runCommand('Deployment Manager: Compare Revisions…');
    await expect.poll(() => workbench.quickInput.rows()).toEqual([expect.stringMatching(/^main @ .* latest · now$/)]);
    await workbench.quickInput.cancel();
  });

  it('remembers the filter of revisions over a reload', async () => {
    await expect.poll(() => storedState(workbench.page)).toMatch(/revisionFilter:Test[^]*DEPLOYED/);
    await workbench.reload();
    await workbench.openContainer('Deployments');
    await workbench.row(view, 'sample-agent').waitFor();
    await expect.poll(heading).toContain('Test · revisions: Deployed · ');
    await workbench.row(view, 'sample-agent').click();
    await workbench.page.keyboard.press('ArrowRight');
    await expect.poll(rows).toMatch(/▾ sample-agent .*\n {2}- main .* Deployed · active · now\n/);
  });

  it('says that no revision fits the filter, and offers to choose another', async () => {
    await workbench.runCommand('Deployment Manager: Filter Revisions…');
    await filterRevisions('DEPLOYED', 'SKIPPED');
    await expect
      .poll(rows)
      .toMatch(/▾ sample-agent .*\n {2}- No revision fits the filter click to change it\n▸ router/);
    await workbench.screenshot('browse-no-revision-fits');
    await workbench.row(view, 'No revision fits the filter').click();
    await filterRevisions('SKIPPED', 'DEPLOYED');
    await expect.poll(rows).toContain('Deployed · active');
  });

  it('says how many of the loaded revisions are shown where the service has more', async () => {
    let latest = moving;
    for (const name of ['one', 'two']) {
      await commitFiles(sample.folder, { [`${name}.md`]: 'Pushed.\n' }, `Write ${name}`);
      await git(sample.folder, 'push', '--quiet', 'origin', 'main');
      latest = await afterPush(service, { ...deployment, latest_revision_id: latest });
      await holdRevision(service, latest, 'INTERRUPTED');
    }
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect
      .poll(rows)
      .toMatch(/\n {2}- None loaded fits the filter click to change it\n {2}- Load more… 0 of 3 shown\n/);
    await workbench.screenshot('browse-revisions-filtered');
    await workbench.row(view, /Load more….*0 of 3/).click();
    await expect.poll(rows).toMatch(/▾ sample-agent .*\n {2}- main .* Deployed · active · now\n▸ router/);
  });

  it('clears the filter of revisions with the same click', async () => {
    await (await clearFilters()).click();
    await expect.poll(rows).toContain('Interrupted · latest');
    expect(await heading()).not.toContain('revisions:');
    await (await clearFilters()).waitFor({ state: 'detached' });
  });
});
