import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commitFiles, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connections.ts';
import { config } from './support/layouts.ts';
import { discard, leave, openDraft } from './support/newDeployment.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { addFolder, closeEditors, openFolder, openSample, showFile, suiteFolder } from './support/workspace.ts';

const billingUrl = 'https://code.example/acme/billing-agent';

describe('A workspace of two repositories', () => {
  const view = () => tree('Deployments');
  let temporary: string;
  let sample: SampleRepository;
  let billing: SampleRepository;
  let service: Service;

  before(async () => {
    temporary = await suiteFolder();
    sample = await openSample();
    billing = await createRepository(temporary, { name: 'billing-agent', url: billingUrl, files: sampleFiles });
    service = await startService({ repositories: [sample.folder, billing.folder], stepMs: 1 });
    await untilEnded(service, [
      await createFromRepository(service, 'sample-live', sample.url),
      // The same repository, as somebody who reaches it another way calls it.
      await createFromRepository(service, 'billing-blue', 'git@code.example:acme/billing-agent.git'),
      await createFromRepository(service, 'billing-green', billingUrl),
    ]);
    await commitFiles(sample.folder, { 'more.md': `Not pushed, ${service.url}.\n` }, 'Write more');
    await openFolder(billing.folder);
    await closeEditors();
    await view().open();
    await addConnection('Workspaces', service);
  });

  after(async () => {
    await tree('Repositories').close();
    await git(sample.folder, 'push', '--quiet', 'origin', 'main');
  });

  /** The rows without what differs from run to run. */
  const rows = () =>
    view()
      .rows()
      .split('\n')
      .map((row) => row.replace(/live: \w{7} /, 'live: COMMIT ').replace(/ · (?:now|\d+[smh] ago) · dev$/, ' · dev'));

  it('shows how the deployments of both relate to the open branches', async () => {
    await expect
      .poll(rows)
      .toEqual([
        '▾ This Workspace',
        '  ▸ billing-green up to date · live: COMMIT · dev',
        '  ▸ billing-blue up to date · live: COMMIT · dev',
        '  ▸ sample-live 1 behind, 1 unpushed · live: COMMIT · dev',
      ]);
  });

  it('groups them, with a tooltip that names their connection', async () => {
    expect(await view().tooltip('This Workspace')).toContain('Workspaces');
    expect(view().spoken('This Workspace')).toBe('This Workspace');
    expect(view().heading()).toBe('Workspaces · 3');
  });

  it('marks both in the list of repositories', async () => {
    const repositories = tree('Repositories');
    await repositories.open();
    await expect
      .poll(() => repositories.rows().split('\n').slice(1).toSorted())
      .toEqual(['  - acme/billing-agent main · this workspace', '  - acme/sample-agent main · this workspace']);
  });

  it('asks which repository to deploy, and takes the chosen one', async () => {
    const deployed = run('deployCurrentRepository');
    await expect
      .poll(() => quickInput.rows())
      .toEqual([`sample-agent ${sample.folder}`, `billing-agent ${billing.folder}`]);
    await quickInput.choose('billing-agent');
    await quickInput.choose(words.deployed.deployNew);
    await deployed;
    const page = await pages.inFront();
    expect(page.state().words).toBe('billing-agent to Workspaces');
    expect(page.field('repository')).toBe(billingUrl);
    await page.close();
  });

  it('takes the repository of the open file without a question', async () => {
    await showFile(path.join(billing.folder, 'graph.json'));
    const page = await openDraft();
    expect(page.state().words).toBe('billing-agent to Workspaces');
    await closeEditors();
  });

  it('deploys what the repository of a deployment file has, whatever is in front and open beside it', async () => {
    await showFile(path.join(sample.folder, 'graph.json'));
    const file = path.join(billing.folder, 'blue.deployment-spec.yaml');
    await writeFile(file, 'name: billing-filed\n');
    const page = await pages.open(vscode.Uri.file(file));
    expect(page.field('repository')).toMatch(billingUrl);
    expect(page.field('config')).toMatch(/^graph\.json/);
    expect(page.findings()).toContainEqual(expect.stringContaining('origin/main is at'));
    await page.close();
    await rm(file);
    await closeEditors();
  });

  it('is asked about for a comparison, which chooses nothing for the workspace', async () => {
    const before = rows();
    const shown = run('showChangesSinceLive');
    await quickInput.choose('billing-blue');
    (await told.message('"billing-blue" is up to date')).press();
    await shown;
    expect(rows()).toEqual(before);
  });

  it('is asked about once if one repository has several deployments', async () => {
    const chosen = run('chooseWorkspaceDeployment');
    await expect
      .poll(() => quickInput.rows())
      .toEqual([
        expect.stringMatching(/^billing-green live: \w{7}$/),
        expect.stringMatching(/^billing-blue live: \w{7}$/),
      ]);
    await quickInput.choose('billing-blue');
    await chosen;
    await expect
      .poll(rows)
      .toEqual([
        '▾ This Workspace',
        '  ▸ billing-blue up to date · live: COMMIT · dev',
        expect.stringMatching(/^ {2}▸ sample-live .* · live: COMMIT · dev$/),
        '▸ billing-green up to date · live: COMMIT · dev',
      ]);
  });

  it('lets the user change the choice from a row', async () => {
    await run('chooseWorkspaceDeployment', await view().shows('billing-green'));
    await expect
      .poll(rows)
      .toEqual([
        '▾ This Workspace',
        '  ▸ billing-green up to date · live: COMMIT · dev',
        expect.stringMatching(/^ {2}▸ sample-live .* · live: COMMIT · dev$/),
        '▸ billing-blue up to date · live: COMMIT · dev',
      ]);
    const shown = run('showChangesSinceLive', await view().shows('billing-green'));
    (await told.message('"billing-green" is up to date: the live commit')).press();
    await shown;
  });

  it('tells of the clone that a draft was begun in, though another one was opened before', async () => {
    const clone = path.join(temporary, 'second-clone');
    await cp(billing.folder, clone, { recursive: true });
    await commitFiles(clone, { 'other/graph.json': config }, 'Add an application in the second clone');
    await addFolder(clone);
    await showFile(path.join(clone, 'graph.json'));
    const page = await openDraft();
    const ofClone = (index = 0) =>
      expect.poll(() => page.findings(index).join()).toContain('1 local commit will not be deployed.');
    await ofClone();
    // Also where everything is read again.
    await page.press('Fetch from origin');
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    await ofClone();
    const added = page.press('Deploy Several…');
    await quickInput.tick('other/graph.json');
    await added;
    await ofClone(1);
    await leave(page);
    // A draft that is begun again elsewhere is of the repository there.
    await showFile(path.join(billing.folder, 'graph.json'));
    const again = await openDraft();
    expect(again.state().deployments).toHaveLength(2);
    expect([...again.findings(0), ...again.findings(1)].join()).not.toContain('1 local commit');
    await discard(again);
    await closeEditors();
  });
});

describe('A repository that git has not opened yet', () => {
  let temporary: string;
  let folder: string;
  let service: Service;

  before(async () => {
    temporary = await suiteFolder();
    const url = 'https://code.example/acme/late-agent';
    ({ folder } = await createRepository(temporary, { name: 'late-agent', url, files: sampleFiles }));
    service = await startService({ repositories: [folder], stepMs: 1 });
    await untilEnded(service, [
      await createFromRepository(service, 'late-blue', url),
      await createFromRepository(service, 'late-green', url),
    ]);
    await tree('Deployments').open();
    await addConnection('Late', service);
    await tree('Deployments').shows('late-blue');
  });

  it('is awaited before its deployments are marked', async () => {
    await addFolder(folder);
    const chosen = run('chooseWorkspaceDeployment');
    await expect
      .poll(() => quickInput.rows())
      // The commits may not be known yet.
      .toEqual([expect.stringMatching(/^late-green live\b/), expect.stringMatching(/^late-blue live\b/)]);
    await quickInput.cancel();
    await chosen;
  });
});
