import { before, describe, it } from 'mocha';
import { json } from '../support/faults.ts';
import { commitFiles, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import {
  afterPush,
  callService,
  createFromImage,
  createFromRepository,
  holdRevision,
  untilEnded,
} from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection, setKey, storeConnections, storedConnections, switchConnection } from './support/connections.ts';
import { pollQuickly, startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { addFolder, closeEditors, suiteFolder } from './support/workspace.ts';

const connection = 'Second Day';
const url = 'https://code.example/acme/changed-agent';

describe('A service that can change deployments', () => {
  const view = () => tree('Deployments');
  let folder: string;
  let service: Service;
  let relay: Relay;
  let agent: SeededDeployment;
  let first: string;
  let second: string;

  before(async () => {
    ({ folder } = await createRepository(await suiteFolder(), { name: 'changed-agent', url, files: sampleFiles }));
    service = await startService({ repositories: [folder], stepMs: 1, devControls: true });
    relay = await startRelay(service);
    await pollQuickly();
    agent = await createFromRepository(service, 'changed-agent', url);
    await untilEnded(service, [agent, await createFromImage(service, 'other')]);
    first = await git(folder, 'rev-parse', 'HEAD');
    second = await commitFiles(folder, { 'notes.md': 'More.\n' }, 'Write notes');
    await untilEnded(service, [{ ...agent, latest_revision_id: await push() }]);
    await addFolder(folder);
    await view().open();
    await addConnection('Without', service);
    await view().shows(/changed-agent.*live: /);
    // It has the calls of the local service under the same paths.
    const flavored = { name: connection, baseUrl: relay.url, flavor: 'langsmith' };
    await storeConnections([...storedConnections(), flavored]);
  });

  /** Pushes what is checked out, and gives the id of the revision that this makes. */
  async function push(): Promise<string> {
    const before = await record();
    await git(folder, 'push', '--quiet', 'origin', 'main');
    return afterPush(service, before);
  }

  async function record(): Promise<SeededDeployment> {
    return (await callService(service, 'GET', `/v2/deployments?deployment_ids=${agent.id}`)).resources[0];
  }

  const short = (commit: string): string => commit.slice(0, 7);
  const changes = (): string[] => relay.requests.filter((request) => /^(POST|DELETE) /.test(request));

  it('is told from one that cannot, which says what to do instead', async () => {
    expect(told.contextKeys.get('deploymentManager.capabilities')).toBe('');
    const refused = run('deployAgain', await view().shows('changed-agent'));
    const message = await told.message(/^"Without" can't deploy a revision again\. Push a commit instead\./);
    message.press();
    await refused;
    await switchConnection(connection);
    await setKey(service.apiKey);
    await expect.poll(() => told.contextKeys.get('deploymentManager.capabilities')).toMatch(/\bredeploy\b.*\bdelete\b/);
    await view().shows(/changed-agent.*live: /);
  });

  it('goes back to an earlier revision after one question, and follows it', async () => {
    await view().expand('changed-agent');
    expect(view().tags(/replaced/)).toMatch(/;rollBack;$/);
    const left = run('rollBack', await view().shows(/replaced/));
    const question = await told.message(`Roll back changed-agent on ${connection} to main @ ${short(first)}?`);
    expect(question.isModal).toBe(true);
    expect(question.detail.split('\n\n').slice(0, 2)).toEqual([
      expect.stringMatching(
        new RegExp(`^Live now: main @ ${short(second)} Write notes\nTo deploy: main @ ${short(first)} .`),
      ),
      expect.stringMatching(new RegExp(`^Undone commits:\n${short(second)} Write notes `)),
    ]);
    question.press();
    await left;
    expect(changes()).toEqual([]);
    const goesBack = run('rollBack', await view().shows(/replaced/));
    (await told.message(/^Roll back /)).press('Roll Back');
    await goesBack;
    await expect.poll(statusBar).toBe(`changed-agent: main @ ${short(first)} is live`);
    expect(changes()).toHaveLength(1);
    await run('showActivity');
    await expect
      .poll(editorText)
      .toMatch(new RegExp(`changed-agent on ${connection}: Deployed, live\n  main @ ${short(first)} · rolled back `));
    await closeEditors();
  });

  it('deploys nothing if another window has deployed meanwhile', async () => {
    const deployed = run('deployAgain', await view().shows('changed-agent'));
    const question = await told.message(`Deploy main @ ${short(first)} again as changed-agent on ${connection}?`);
    const { latest_revision_id: latest } = await record();
    const made = await callService(service, 'POST', `/v2/deployments/${agent.id}/revisions/${latest}/redeploy`);
    question.press('Deploy Again');
    (await told.message('changed-agent changed in the meantime, so nothing was deployed.')).press();
    await deployed;
    expect(changes()).toEqual([]);
    await untilEnded(service, [made]);
  });

  it('stops a build after one question', async () => {
    const third = await commitFiles(folder, { 'more.md': 'Even more.\n' }, 'Write more');
    const building = await push();
    await holdRevision(service, building, 'BUILDING');
    await run('refresh');
    // The revision before it may still be shown as building.
    const row = new RegExp(`${short(third)} Building.*latest`);
    const shown = await view().shows(row);
    expect(view().tags(row)).toMatch(/;stopBuild;$/);
    const stopped = run('stopBuild', shown);
    const question = await told.message(
      new RegExp(`^Stop the build of main @ \\w{7} for changed-agent on ${connection}\\?$`),
    );
    expect(question.detail).toMatch(/ main @ \w{7} stays live\.$/);
    question.press('Stop This Build');
    await stopped;
    await view().shows(/Interrupted.*latest/);
    await expect.poll(statusBar).toBe('changed-agent: Interrupted');
    await run('showActivity');
    // VS Code may show the text that it has of this document before the present one.
    await expect.poll(editorText).toContain(`changed-agent on ${connection}: build stopped\n`);
    await closeEditors();
  });

  it('deploys the latest revision again, which was stopped', async () => {
    const deployed = run('deployAgain', await view().shows('changed-agent'));
    (await told.message(/^Deploy main @ \w{7} again as changed-agent/)).press('Deploy Again');
    await deployed;
    const commit = short(await git(folder, 'rev-parse', 'HEAD'));
    await expect.poll(statusBar).toBe(`changed-agent: main @ ${commit} is live`);
  });

  it('is offered with two keys instead of an empty commit', async () => {
    const offered = run('deployCurrentRepository');
    await quickInput.choose('changed-agent');
    const commit = short(await git(folder, 'rev-parse', 'HEAD'));
    const row = `Deploy changed-agent again: main @ ${commit}`;
    await expect.poll(() => quickInput.rows()).toContain(row);
    expect(quickInput.rows().join('\n')).not.toContain('empty commit');
    await quickInput.choose(row);
    const question = await told.message(`Deploy main @ ${commit} again as changed-agent on ${connection}?`);
    expect(question.detail).toMatch(new RegExp(`^Live now: main @ ${commit} Write more\n\nThe service makes`));
    question.press();
    await offered;
    expect(changes()).toEqual([]);
  });

  it('deletes a deployment after one question, and says so until it is gone', async () => {
    await run('openDetails', await view().shows('other'));
    const deleted = run('deleteDeployment', await view().shows('other'));
    const question = await told.message(`Delete other on ${connection}?`);
    expect([question.isModal, question.buttons]).toEqual([true, ['Delete', 'Delete with Tracing Project']]);
    question.press('Delete');
    await deleted;
    expect(changes()).toEqual([expect.stringMatching(/^DELETE .*\?delete_tracing_project=false$/)]);
    await expect.poll(() => view().rows()).not.toMatch(/^. other/m);
    await expect.poll(editorText).toContain('# It no longer exists.');
    await closeEditors();
  });

  it('says that it deletes a deployment, though the service gives no further answer', async () => {
    const { id } = await createFromImage(service, 'unheard');
    await run('refresh');
    const deleted = run('deleteDeployment', await view().shows('unheard'));
    const question = await told.message(`Delete unheard on ${connection}?`);
    relay.break(/^GET /, json({ detail: 'Not now' }, 500));
    question.press('Delete');
    await deleted;
    expect(changes()).toEqual([expect.stringContaining(`DELETE /v2/deployments/${id}?`)]);
    await view().shows(/^unheard.*Being deleted/);
    relay.mend();
    await expect.poll(() => view().rows()).not.toMatch(/^. unheard/m);
  });

  it('is told if another window has deleted a deployment meanwhile', async () => {
    const { id } = await createFromImage(service, 'twice');
    await run('refresh');
    const deleted = run('deleteDeployment', await view().shows('twice'));
    const question = await told.message(`Delete twice on ${connection}?`);
    const place = `/v2/deployments/${id}?delete_tracing_project=false`;
    await callService(service, 'DELETE', place);
    const found = async () => (await callService(service, 'GET', `/v2/deployments?deployment_ids=${id}`)).resources;
    await expect.poll(found).toEqual([]);
    question.press('Delete');
    (await told.message(/^"twice" no longer exists on /)).press();
    await deleted;
    expect(told.contextKeys.get('deploymentManager.capabilities')).toContain('delete');
    await expect.poll(() => view().rows()).not.toMatch(/^. twice/m);
  });

  it('has the name of a deployment for production typed before it is deleted', async () => {
    await createFromImage(service, 'shop', { source_config: { deployment_type: 'prod' } });
    await run('refresh');
    const deleted = run('deleteDeployment', await view().shows('shop'));
    (await told.message(`Delete shop on ${connection}?`)).press('Delete');
    await quickInput.answer('Delete Deployment', 'other');
    expect(quickInput.message()).toBe("This isn't the deployment's name.");
    expect(changes()).toEqual([]);
    await quickInput.answer('Delete Deployment', 'shop');
    await deleted;
    await expect.poll(() => view().rows()).not.toMatch(/^. shop/m);
  });

  it('says that somebody else deletes a deployment, and offers no change of it', async () => {
    const { id } = await createFromImage(service, 'leaving');
    await callService(service, 'POST', `/_dev/deployments/${id}`, { status: 'AWAITING_DELETE' });
    await run('refresh');
    await view().shows(/^leaving.*Being deleted/);
    expect(view().tags('leaving')).not.toMatch(/;(?:changeable|deployAgain);/);
    const deleted = run('deleteDeployment', await view().shows('leaving'));
    (await told.message('leaving is already being deleted.')).press();
    await deleted;
    expect(changes()).toEqual([]);
  });

  it('turns off what an installation of the service does not have', async () => {
    relay.break(/\/redeploy/, json({ detail: 'Not Found' }, 404));
    const deployed = run('deployAgain', await view().shows('changed-agent'));
    (await told.message(/^Deploy /)).press('Deploy Again');
    (await told.message(new RegExp(`^"${connection}" can't deploy a revision again\\.`))).press();
    await deployed;
    expect(told.contextKeys.get('deploymentManager.capabilities')).not.toContain('redeploy');
    expect(told.contextKeys.get('deploymentManager.capabilities')).toContain('delete');
  });
});
