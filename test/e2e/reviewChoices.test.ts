import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, createFromRepository } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { reviewOf } from './support/review.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = 'Deployment Manager: Deploy Current Repository…';
const view = 'Deployments';
const namePrompt = 'The name of the deployment.';
const refPrompt = 'A branch, refs/tags/… for a tag, or a whole commit id.';
const pathPrompt = 'Relative to the root of the repository';

describe('The review of a deployment', () => {
  let temporary: TemporaryFolder;
  let sample: SampleRepository;
  let service: RunningLocalService;
  let other: RunningLocalService;
  let empty: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    sample = await createSampleRepository(temporary.path);
    [service, other, empty] = await Promise.all([
      startLocalService({ repositories: [sample.folder], stepMs: 1 }),
      startLocalService({ repositories: [sample.folder], stepMs: 1 }),
      startLocalService({ stepMs: 1 }),
    ]);
    await createFromImage(service, 'taken');
    relay = await startFaultRelay(service.url);
    await pushedBySomebodyElse();
    await git(sample.folder, 'checkout', '--quiet', '-b', 'broken');
    await commitFiles(sample.folder, { 'graph.json': '{ "graphs": ' }, 'Break the config file');
    await git(sample.folder, 'push', '--quiet', '--set-upstream', 'origin', 'broken');
    await git(sample.folder, 'checkout', '--quiet', 'main');
    workbench = await openWorkbench({
      folder: sample.folder,
      theme: 'Dark Modern',
      settings: {
        'git.autofetch': false,
        'deploymentManager.connections': [
          { name: 'First', baseUrl: relay.url },
          { name: 'Second', baseUrl: other.url },
          { name: 'Empty', baseUrl: empty.url },
        ],
      },
    });
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose('First');
    await workbench.runCommand('Deployment Manager: Set API Key…');
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.[Symbol.asyncDispose]();
    await Promise.all([service?.stop(), other?.stop(), empty?.stop()]);
    await temporary?.remove();
  });

  /** Pushes a branch with a second config file, of which the clone that is open has heard nothing yet. */
  async function pushedBySomebodyElse(): Promise<void> {
    const elsewhere = path.join(temporary.path, 'elsewhere');
    await git(temporary.path, 'clone', '--quiet', sample.bare, elsewhere);
    await git(elsewhere, 'config', 'user.name', 'Other Author');
    await git(elsewhere, 'config', 'user.email', 'other@code.example');
    await git(elsewhere, 'checkout', '--quiet', '-b', 'release');
    await commitFiles(elsewhere, { 'services/graph.json': '{ "graphs": { "agent": "./a.py:graph" } }\n' }, 'Split');
    await git(elsewhere, 'push', '--quiet', 'origin', 'release');
  }

  const { rows, shown: inReview, edit, value, answer } = reviewOf(() => workbench);

  it('refuses values that cannot be, and loses nothing of what was there', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(deploy);
    await quickInput.row('Deploy sample-agent to First').waitFor();
    await edit('Name');
    await answer(namePrompt, '  ');
    await expect.poll(() => quickInput.message()).toContain('Enter a name.');
    await answer('Enter a name.', 'taken');
    await quickInput.row('Cannot be deployed yet').waitFor();
    expect(await rows()).toContain('taken');
    await workbench.screenshot('review-name-taken');
    await quickInput.choose('Cannot be deployed yet');
    await answer(namePrompt, 'not taken');
    await inReview();
    await edit('Config file');
    await quickInput.choose('Enter a path…');
    await answer(pathPrompt, ' ');
    await expect.poll(() => quickInput.message()).toContain('Enter the path of the config file.');
    await quickInput.cancel();
    expect(await value('Config file')).toBe('Config file graph.json');
    await edit('Branch');
    await quickInput.choose('Enter a branch, tag or commit…');
    await answer(refPrompt, '');
    await expect.poll(() => quickInput.message()).toContain('Enter a branch, a tag or a commit.');
    await quickInput.cancel();
    expect(await value('Branch')).toBe('Branch main');
    expect(await value('Name')).toBe('Name not taken');
  });

  it('sends nothing when what is typed fits nothing', async () => {
    const { quickInput } = workbench;
    await inReview();
    await quickInput.fill('gibberish');
    await expect.poll(rows).not.toContain('Deploy');
    relay.requests.length = 0;
    await quickInput.accept();
    await quickInput.fill('');
    await quickInput.row('Deploy not taken to First').waitFor();
    expect(relay.requests.filter((request) => request.startsWith('POST '))).toEqual([]);
  });

  it('calls a branch, a tag and a commit by their names', async () => {
    const { quickInput } = workbench;
    const commit = await git(sample.folder, 'rev-parse', 'HEAD');
    for (const [before, typed, label, name] of [
      ['Branch', commit, 'Commit', commit],
      ['Commit', 'refs/tags/v1', 'Tag', 'v1'],
      ['Tag', 'main', 'Branch', 'main'],
    ] as const) {
      await edit(before);
      await quickInput.choose('Enter a branch, tag or commit…');
      await answer(refPrompt, typed);
      await inReview();
      expect(await value(label)).toBe(`${label} ${name}`);
    }
  });

  it('reads the config file of the branch that is deployed, not the one that is open', async () => {
    const { quickInput } = workbench;
    await edit('Branch');
    await quickInput.choose('broken');
    await inReview();
    await quickInput.fill('');
    await expect.poll(rows).toContain('graph.json cannot be used:');
    await edit('Branch');
    await quickInput.choose('main');
    await inReview();
    await quickInput.fill('');
    expect(await rows()).not.toContain('cannot be used');
  });

  it('keeps everything when git fails while something is changed', async () => {
    const packedRefs = path.join(sample.folder, '.git', 'packed-refs');
    const before = await readFile(packedRefs, 'utf8').catch(() => undefined);
    await writeFile(packedRefs, 'no refs\n');
    await edit('Branch');
    await expect.poll(rows).toContain('This could not be changed:');
    await workbench.screenshot('review-change-failed');
    await (before === undefined ? rm(packedRefs) : writeFile(packedRefs, before));
    expect(await value('Name')).toBe('Name not taken');
  });

  it('doubts a branch and a config file that the clone has not heard of, until it has fetched', async () => {
    const { quickInput } = workbench;
    await edit('Branch');
    await quickInput.choose('Enter a branch, tag or commit…');
    await answer(refPrompt, 'release');
    await inReview();
    await edit('Config file');
    await quickInput.choose('Enter a path…');
    await answer(pathPrompt, './services/graph.json');
    await inReview();
    await quickInput.fill('');
    await expect.poll(rows).toContain('origin does not have the branch release');
    await workbench.screenshot('review-before-fetch');
    await quickInput.choose('Fetch from origin');
    await expect.poll(rows).toMatch(/origin\/release is at [0-9a-f]{7}/);
    expect(await rows()).not.toContain('does not have');
    await workbench.screenshot('review-after-fetch');
    expect(await value('Branch')).toBe('Branch release');
    expect(await value('Config file')).toBe('Config file services/graph.json');
    expect(await value('Name')).toBe('Name not taken');
  });

  it('says so when the fetch fails, and lets it be tried again', async () => {
    const { quickInput } = workbench;
    await git(sample.folder, 'config', `url.${sample.bare}-gone.insteadOf`, sample.url);
    await git(sample.folder, 'config', '--unset', `url.${sample.bare}.insteadOf`);
    await quickInput.choose('Fetch from origin');
    await expect.poll(rows).toContain('The fetch failed:');
    await workbench.screenshot('review-fetch-failed');
    await git(sample.folder, 'config', '--unset', `url.${sample.bare}-gone.insteadOf`);
    await git(sample.folder, 'config', `url.${sample.bare}.insteadOf`, sample.url);
    await quickInput.choose('Fetch from origin');
    await expect.poll(rows).not.toContain('The fetch failed:');
  });

  it('waits for git only as long as the person does', async () => {
    const { quickInput } = workbench;
    const gate = path.join(temporary.path, 'gate');
    await writeFile(gate, '');
    const slowly = `while test -e '${gate}'; do sleep 0.1; done; git-upload-pack`;
    await git(sample.folder, 'config', 'remote.origin.uploadpack', slowly);
    await quickInput.choose('Fetch from origin');
    await quickInput.row('Fetching from origin…').waitFor();
    await workbench.screenshot('review-fetching');
    await quickInput.choose('Cancel');
    await expect.poll(rows).toContain('Git was not waited for, and may still come to its end.');
    await rm(gate);
    await git(sample.folder, 'config', '--unset', 'remote.origin.uploadpack');
    expect(await value('Branch')).toBe('Branch release');
  });

  it('moves to another connection with everything that was filled in', async () => {
    const { quickInput } = workbench;
    await edit('Type');
    await quickInput.choose('prod');
    await edit('Secrets');
    await quickInput.choose('Add Secret…');
    await quickInput.answer('Add Secret (1/2)', 'MODEL_KEY');
    await quickInput.answer('Value of MODEL_KEY (2/2)', 'canary-2c71-secret');
    await quickInput.choose('Done');
    await edit('Connection');
    await quickInput.choose('Second');
    await quickInput.answer('Set API Key', other.apiKey);
    await quickInput.row('Deploy not taken to Second').waitFor();
    await inReview();
    expect(await value('Type')).toBe('Type prod');
    expect(await value('Secrets')).toBe('Secrets 1 secret');
    expect(await value('Branch')).toBe('Branch release');
    expect(await value('Config file')).toBe('Config file services/graph.json');
  });

  it('says why a connection does not do, and goes back to one that does', async () => {
    const { quickInput } = workbench;
    await edit('Connection');
    await quickInput.choose('Empty');
    await quickInput.answer('Set API Key', empty.apiKey);
    await expect.poll(rows).toContain('Cannot be deployed yet 1 problem');
    expect((await quickInput.rows()).join(' ')).toContain(
      'No integration of "Empty" has the repository acme/sample-agent. Give the service access to it',
    );
    expect((await rows()).match(/No integration/g)).toHaveLength(1);
    await workbench.screenshot('review-connection-without-repository');
    await edit('Connection');
    await quickInput.choose('First');
    await quickInput.row('Deploy not taken to First').waitFor();
    expect(await value('Secrets')).toBe('Secrets 1 secret');
  });

  it('keeps everything when the service refuses it, and can be sent again', async () => {
    const { quickInput } = workbench;
    relay.break(/^POST \/v2\/deployments/, json({ detail: 'Quota exceeded.' }, 403));
    await inReview();
    await quickInput.choose('Deploy not taken to First');
    await expect.poll(rows).toContain('Quota exceeded.');
    await workbench.screenshot('review-refused');
    relay.mend();
    expect(await value('Secrets')).toBe('Secrets 1 secret');
    await inReview();
    await quickInput.choose('Deploy not taken to First');
    await quickInput.box.waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await callService(service, 'GET', '/v2/deployments?name_contains=not')).resources)
      .toHaveLength(1);
    const [created] = (await callService(service, 'GET', '/v2/deployments?name_contains=not')).resources;
    expect(created).toMatchObject({
      name: 'not taken',
      source_config: { deployment_type: 'prod' },
      source_revision_config: { repo_ref: 'release', graph_config_path: 'services/graph.json' },
    });
    expect((await callService(other, 'GET', '/v2/deployments')).resources).toEqual([]);
  });

  it('says at once what is deployed from here already, and suggests a name that is free', async () => {
    const { quickInput } = workbench;
    await createFromRepository(service, 'sample-agent');
    await workbench.runCommand('Deployment Manager: Refresh');
    await workbench.row(view, 'sample-agent').waitFor();
    relay.requests.length = 0;
    await workbench.runCommand(deploy);
    await quickInput.row('Deploy sample-agent-2 to First').waitFor();
    expect(await rows()).toContain('Already deployed from main: "sample-agent"; a push builds it.');
    expect(await rows()).not.toContain('is taken');
    await workbench.screenshot('review-deployed-already');
    expect(relay.requests.filter((request) => request.includes('name_contains'))).toHaveLength(1);
  });

  it('shows what is deployed already beside the review', async () => {
    const { quickInput } = workbench;
    await quickInput.choose('Show Deployment');
    await expect.poll(() => workbench.row(view, 'sample-agent').getAttribute('aria-selected')).toBe('true');
    await inReview();
    await workbench.screenshot('review-beside-deployment');
  });

  it('keeps the name that the person gives, also one that is taken', async () => {
    const { quickInput } = workbench;
    await edit('Name');
    await answer(namePrompt, 'sample-agent');
    await quickInput.row('Cannot be deployed yet').waitFor();
    await edit('Name');
    await answer(namePrompt, 'sample-agent-3');
    await quickInput.row('Deploy sample-agent-3 to First').waitFor();
    await quickInput.cancel();
  });

  it('waits for no answer about names where the service gives none', async () => {
    const { quickInput } = workbench;
    relay.break(/name_contains/, json({ detail: 'Not for this key.' }, 403));
    await workbench.runCommand(deploy);
    await quickInput.row('Deploy sample-agent-2 to First').waitFor();
    expect(await rows()).toContain('Whether the name is free could not be asked:');
    expect(await rows()).toContain('Already deployed from main: "sample-agent"; a push builds it.');
    await workbench.screenshot('review-name-unknown');
    relay.mend();
    await quickInput.cancel();
  });

  it('imports secrets from a file, and says which of its lines could not be read', async () => {
    const { quickInput } = workbench;
    const file = path.join(temporary.path, 'secrets.env');
    await writeFile(file, 'MODEL_KEY=canary-5e11-secret\nno assignment\nPATH=/bin\nMODE="two words"\n');
    await workbench.runCommand(deploy);
    await edit('Secrets');
    await quickInput.choose('Import from .env File…');
    await quickInput.openFile('Import Secrets', file);
    await expect.poll(() => quickInput.box.innerText()).toMatch(/MODEL_KEY\s*line.1[^]*PATH\s*line.3[^]*MODE\s*line.4/);
    await workbench.screenshot('review-dotenv-names');
    await quickInput.accept();
    await quickInput.row('Done').waitFor();
    expect(await rows()).toContain('secrets.env, line 2: This line is not of the form NAME=value; it was left out.');
    await workbench.screenshot('review-dotenv-problem');
    await quickInput.choose('Done');
    expect(await value('Secrets')).toBe('Secrets 2 secrets');
    expect(await workbench.page.content()).not.toContain('canary-5e11');
    await quickInput.cancel();
  });
});
