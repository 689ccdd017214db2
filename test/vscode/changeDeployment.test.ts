import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { json } from '../support/faults.ts';
import { createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { createFromImage } from '../support/serviceSeed.ts';
import { addConnection, setKey, storeConnections, storedConnections, switchConnection } from './support/connections.ts';
import { addSecret, discard, finish, openDraft } from './support/newDeployment.ts';
import { setKey as setResource } from './support/forms.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService, useSettings, type Relay } from './support/suite.ts';
import { expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { openFolder, suiteFolder } from './support/workspace.ts';

const other = 'Not Changing';
const same = 'Everything that is set here is the same on the service, so there is nothing to change.';

describe('Changing a deployment', () => {
  before(async () => {
    const { folder } = await createRepository(await suiteFolder(), {
      name: 'changing-agent',
      url: 'https://code.example/acme/changing-agent',
      files: {
        ...sampleFiles,
        'other/graph.json': '{ "graphs": { "agent": "./agent.py:graph" } }',
        'other/agent.py': '',
      },
    });
    await git(folder, 'push', '--quiet', 'origin', 'main:release');
    await addConnection(other, await startService({ stepMs: 1 }));
    await openFolder(folder);
    await tree('Deployments').open();
  });

  /** Opens the page of what the deployment has. */
  async function change(): Promise<Page> {
    await run('changeDeployment', await tree('Deployments').shows(/changing-agent.*live: /));
    return pages.inFront();
  }

  it('is refused where the service can not, with what to do instead', async () => {
    const refused = run('changeDeployment');
    (await told.message(`"${other}" can't change a deployment. Create another one instead.`)).press();
    await refused;
  });

  it('begins with what is deployed, and has nothing to send', async () => {
    await useSettings({ 'localService.stepMilliseconds': 20 });
    await run('startLocalService');
    const first = await openDraft();
    await first.press(/^Deploy/);
    await expect.poll(() => first.deployment().progress?.look).toBe('success');
    await first.close();
    const page = await change();
    expect(page.state().title).toBe('Change changing-agent');
    expect(page.deployment().facts).toContain(same);
    expect(page.state().deploy).toBeUndefined();
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    expect(fields.filter(({ isLocked }) => isLocked).map(({ key }) => key)).toEqual(['name', 'connection', 'source']);
    await page.close();
  });

  it('makes a new revision of what was changed, on its own connection', async () => {
    const page = await change();
    await page.type('ref', 'release');
    await page.type('config', 'other/graph.json');
    await page.type('custom_url', 'https://agent.example');
    await switchConnection(other);
    await expect.poll(() => page.deployment().facts).toContain('Branch: main → release');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    expect(await page.press(/^Deploy New Revision/)).toMatchObject({ failed: false, message: '' });
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    await page.close();
    await run('startLocalService');
    const again = await change();
    expect(again.deployment().facts).toContain(same);
    expect(['ref', 'config', 'custom_url'].map((key) => again.field(key))).toEqual([
      'release',
      'other/graph.json',
      'https://agent.example',
    ]);
    await again.close();
  });

  it('says when that takes no new revision, before and after', async () => {
    const page = await change();
    await page.type('build_on_push', 'false');
    const words = 'Changes changing-agent, which exists already, without a new revision:';
    await expect.poll(() => page.deployment().facts).toContain(words);
    expect(page.state().deploy?.label).toMatch(/^Change(?: with |$)/);
    expect(await page.press(/^Change(?: with |$)/)).toMatchObject({ failed: false, message: '' });
    await expect
      .poll(() => page.deployment().progress)
      .toMatchObject({
        words: 'changing-agent was changed. The service made no new revision for that.',
        look: 'success',
        steps: [],
      });
    await page.close();
  });

  it('goes on on the page that created it', async () => {
    const page = await openDraft();
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    await page.type('ref', 'release');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    const facts = ['Makes a new revision of changing-agent-2, which exists already:', 'Branch: main → release'];
    expect(page.deployment().facts).toEqual(expect.arrayContaining(facts));
    expect(await page.press(/^Deploy New Revision/)).toMatchObject({ failed: false, message: '' });
    await expect.poll(() => [page.deployment().progress?.look, page.state().deploy]).toEqual(['success', undefined]);
    await finish(page);
    // The next one begins with what was deployed last, not with what was created.
    const next = await openDraft();
    const ref = next
      .deployment()
      .groups.flatMap(({ fields }) => fields)
      .find(({ key }) => key === 'ref');
    expect(ref).toMatchObject({ value: 'release', from: 'as last time' });
    await next.type('ref', 'main');
    await next.press(/^Deploy/);
    await expect.poll(() => next.deployment().progress?.look).toBe('success');
    await finish(next);
  });

  it('can be made again on the page that created it, once it is deleted', async () => {
    const page = await openDraft();
    const name = page.field('name');
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    const deleted = run('deleteDeployment', await tree('Deployments').shows(name));
    (await told.message(`Delete ${name} on Local service?`)).press('Delete with Tracing Project');
    await deleted;
    await expect.poll(() => tree('Deployments').rows()).not.toContain(`${name} `);
    await expect.poll(() => page.deployment().progress).toBeUndefined();
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy(?: with |$)/);
    await discard(page);
  });

  it('is checked again when the service is there again', async () => {
    const page = await change();
    await run('stopLocalService');
    await page.type('type', 'prod');
    const stopped = 'The local service was stopped. Start it, then try again.';
    await expect.poll(() => page.findings().join()).toContain(stopped);
    await run('startLocalService');
    await expect.poll(() => page.findings().join()).not.toContain(stopped);
    await discard(page);
  });

  it('says why nothing was sent until the service is there again, with what starts it', async () => {
    const page = await openDraft();
    await run('stopLocalService');
    const stopped = 'The local service was stopped. Start it, then try again.';
    await expect.poll(() => page.findings().join()).toContain(stopped);
    expect(await page.press(/^Deploy/)).toMatchObject({ failed: true, message: stopped });
    expect(page.findings()).toContain(`warning: ${stopped}`);
    await page.press('Start Local Service');
    await expect.poll(() => page.findings().join()).not.toContain(stopped);
    await discard(page);
  });

  it('keeps what was entered for the next time', async () => {
    const page = await change();
    await page.type('build_command', 'npm run build');
    await expect.poll(() => page.document.isDirty).toBe(false);
    await page.close();
    const again = await change();
    expect(again.field('build_command')).toBe('npm run build');
    await discard(again);
  });

  it('is not what begins again where the page that created one was left with changes', async () => {
    const page = await openDraft();
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    const name = page.field('name').split(',')[0];
    await page.type('ref', 'release');
    await expect.poll(() => page.state().deploy?.label).toMatch(/^Deploy New Revision/);
    await expect.poll(() => page.document.isDirty).toBe(false);
    await page.close();
    const again = await openDraft();
    expect(again.field('ref')).toBe('release');
    await expect.poll(() => again.state().deploy?.label).toMatch(/^Deploy(?: with|$)/);
    expect(again.field('name')).not.toBe(name);
    await discard(again);
    await switchConnection(other);
  });
});

describe('Changing a deployment with values that may be secret', () => {
  const spec = {
    cpu: 1,
    annotations: { team: 'canary-team' },
    sidecars: [{ name: 'proxy', image: 'proxy:1', env: [{ name: 'LOG_LEVEL', value: 'debug' }] }],
  };
  let relay: Relay;

  before(async () => {
    const service = await startService({ stepMs: 1 });
    relay = await startRelay(service);
    const fields = { source_config: { deployment_type: 'dev', build_command: 'make', resource_spec: spec } };
    await createFromImage(service, 'guarded-agent', { ...fields, secrets: [{ name: 'OLD', value: 'a' }] });
    await addConnection('Before Guarded', service);
    // It has the calls of the local service under the same paths.
    const flavored = { name: 'Guarded', baseUrl: relay.url, flavor: 'langsmith' };
    await storeConnections([...storedConnections(), flavored]);
    await switchConnection('Guarded');
    await setKey(service.apiKey);
    await tree('Deployments').open();
  });

  async function change(): Promise<Page> {
    const asked = run('changeDeployment');
    await quickInput.choose(/^guarded-agent/);
    await asked;
    return pages.inFront();
  }

  it('sends nothing if nothing was changed, and says what stays', async () => {
    const page = await change();
    expect(page.document.getText()).not.toContain('canary');
    expect(page.deployment().facts).toContain(same);
    expect(page.state().deploy).toBeUndefined();
    expect(page.state().buttons.map(({ label }) => label)).not.toContain('Show Request');
    expect(page.deployment().facts.join('\n')).toMatch(/Resource values that may be secret.* stay as they are/);
    expect([...page.findings(), ...page.deployment().facts].join('\n')).not.toContain('Enter');
    await page.close();
  });

  it('says what can not be removed, and is no change then', async () => {
    const page = await change();
    await page.pressInRow('OLD', 'Remove');
    await page.type('build_command', '');
    await expect
      .poll(() => page.findings())
      .toEqual(
        expect.arrayContaining([
          "error: The service can't remove all secrets. Keep at least one of these: OLD.",
          'warning: Build command can be changed, but not removed. It stays make.',
        ]),
      );
    expect(page.deployment().facts.join('\n')).toContain('Nothing else that is set here differs');
    expect(page.state().deploy).toBeUndefined();
    await discard(page);
  });

  it('shows and sends every other value as the service has it', async () => {
    const page = await change();
    expect(await page.edit([setResource('cpu', '2')])).toBe('');
    await addSecret(page, 'KEY', 'canary-value');
    await page.pressInRow('OLD', 'Remove');
    const body = (hide: (value: string) => string) => ({
      source_config: {
        resource_spec: {
          ...spec,
          cpu: 2,
          annotations: { team: hide('canary-team') },
          sidecars: [{ name: 'proxy', image: 'proxy:1', env: [{ name: 'LOG_LEVEL', value: hide('debug') }] }],
        },
      },
      secrets: [{ name: 'KEY', value: hide('canary-value') }],
    });
    relay.break(
      /^PATCH/,
      json({ detail: [{ loc: ['body', 'source_config', 'resource_spec', 'cpu'], msg: 'is too much.' }] }, 422),
    );
    expect(await page.press(/^Deploy New Revision/)).toMatchObject({ failed: true });
    expect(page.findings()).toContain('warning: Resources: is too much.');
    relay.mend();
    const asked = page.press('Show Request');
    await quickInput.asked(/^PATCH .*\/v2\/deployments\//);
    await quickInput.choose('Copy as JSON');
    await asked;
    const copied = await vscode.env.clipboard.readText();
    expect(JSON.parse(copied)).toEqual(body(() => '•••'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    relay.sent.length = 0;
    expect(await page.press(/^Deploy New Revision/)).toMatchObject({ failed: false });
    expect(relay.sent).toEqual([body((value) => value)]);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    await finish(page);
  });
});
