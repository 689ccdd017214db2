import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { addConnection } from './support/connections.ts';
import { closeForms, formInFront, openForm } from './support/forms.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, quickInput, run, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

const connection = 'Resource Forms';

describe('Resources of a deployment', () => {
  let folder: string;
  let service: Service;

  before(async () => {
    ({ folder } = await openSample());
    service = await startService({ repositories: [folder], stepMs: 50 });
    await tree('Deployments').open();
    await addConnection(connection, service);
  });

  after(async () => {
    await closeForms();
  });

  it('go from the form to the review, can be edited there, and are deployed', async () => {
    const form = await openForm();
    await form.change({ text: 'min_scale: 1\nmax_scale: 1\ncpu: 1\nmemory_mb: 2048\n' });
    const used = form.ask('use');
    await quickInput.choose(/^Open Repository/);
    await expect.poll(() => quickInput.rows()).toContain('Resources 1 replica, 1 core, 2048 MB · resource form');
    await quickInput.choose('Resources');
    const review = await formInFront('Resources of sample-agent');
    expect(review.state().text).toContain('memory_mb: 2048\n');
    await review.change({ text: 'min_scale: 1\nmax_scale: 3\nmemory_mb: 4096\n' });
    await review.ask('use');
    await expect.poll(() => quickInput.rows()).toContain('Resources 1 to 3 replicas, 4096 MB · you');
    await quickInput.choose(`Deploy sample-agent to ${connection}`);
    expect(await used).toMatchObject({ failed: false, message: '' });
    await tree('Deployments').shows('sample-agent');
  });

  it('of an existing deployment are shown as read-only, for a row and for the selection', async () => {
    const shown = {
      context: expect.objectContaining({ readOnly: true, fileUri: '' }),
      text: expect.stringContaining('memory_mb: 4096\n'),
    };
    await run('showResourceSpec', await tree('Deployments').shows('sample-agent'));
    const form = await formInFront('Resources (read-only): sample-agent');
    expect(form.state()).toMatchObject(shown);
    await form.close();
    await tree('Deployments').select('sample-agent');
    await run('showResourceSpec');
    expect((await formInFront('Resources (read-only): sample-agent')).state()).toMatchObject(shown);
  });

  it('can be loaded into another form, from a deployment or a file', async () => {
    const form = await openForm();
    const fromDeployment = form.ask('loadDeployment');
    await quickInput.choose('sample-agent');
    expect(await fromDeployment).toMatchObject({ failed: false });
    await expect.poll(() => form.state().text).toContain('max_scale: 3\n');

    const file = path.join(folder, 'other.resource-spec.yaml');
    await writeFile(file, 'cpu: 4\n');
    const fromFile = form.ask('loadFile');
    await quickInput.choose('other.resource-spec.yaml');
    expect(await fromFile).toMatchObject({ failed: false });
    await expect.poll(() => form.state().text).toBe('cpu: 4\n');
    await rm(file);
  });
});
