import { before, describe, it } from 'mocha';
import { commitFiles, git, type SampleRepository } from '../support/gitRepositories.ts';
import { advanceClock, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { startService, useSettings } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, run, statusBar, statusBarEntry, told, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

const view = () => tree('Deployments');

describe('The deployment of the open repository', () => {
  const stepMs = 600_000;
  let sample: SampleRepository;
  let service: Service;

  before(async () => {
    sample = await openSample();
    service = await startService({ repositories: [sample.folder], stepMs, devControls: true });
    const deployment = await createFromRepository(service, 'own-agent', sample.url);
    await advanceClock(service, 13 * stepMs);
    await untilEnded(service, [deployment]);
    await useSettings({ 'follow.minIntervalSeconds': 0.1, 'follow.maxIntervalSeconds': 2, 'follow.workspace': true });
    await view().open();
    await addConnection('Own', service);
  });

  const commit = () => git(sample.folder, 'rev-parse', '--short=7', 'origin/main');

  it('stands in a group on top, and in the status bar without a message', async () => {
    await expect.poll(() => view().rows()).toMatch(/^▾ This Workspace\n {2}▸ own-agent .*live: /);
    await expect.poll(statusBar).toBe(`own-agent: main @ ${await commit()} is live`);
    expect(statusBarEntry().icon()).toBe('rocket');
    expect(told.messages).toEqual([]);
  });

  it('is followed without a command as soon as a push rebuilds it', async () => {
    await commitFiles(sample.folder, { 'notes.md': 'Pushed from a terminal.\n' }, 'Write notes');
    await git(sample.folder, 'push', '--quiet');
    await advanceClock(service, 0);
    await run('refresh');
    await expect.poll(statusBar).toBe('own-agent: Creating');
    await advanceClock(service, 13 * stepMs);
    await expect.poll(statusBar).toBe(`own-agent: main @ ${await commit()} is live`);
    expect((await told.message('own-agent (Own): ')).kind).toBe('information');
  });

  it('is counted with another one, until one of them is chosen', async () => {
    const second = await createFromRepository(service, 'own-second', sample.url);
    await advanceClock(service, 13 * stepMs);
    await untilEnded(service, [second]);
    await run('refresh');
    await expect.poll(statusBar).toBe('2 live');
    await run('chooseWorkspaceDeployment', await view().shows('own-second'));
    await expect.poll(statusBar).toBe(`own-second: main @ ${await commit()} is live`);
  });
});
