import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { words } from '../support/words.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { addSecret, answer, checked, deployAnyway, edit, rows } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, editorText, expect, quickInput, run, tree } from './support/window.ts';

const connection = 'Create';
const title = 'Create Deployment';
const review = `${title}: Review`;
const secret = 'canary-91f3-secret';

describe('Creating a deployment from any source', () => {
  let service: Service;
  let relay: Relay;

  before(async () => {
    service = await startService({ stepMs: 1 });
    relay = await startRelay(service);
    await tree('Deployments').open();
    await addConnection(connection, relay);
  });

  const editField = (field: string | RegExp): Promise<void> => edit(field, review);

  async function send(name: string): Promise<void> {
    await checked(review);
    await quickInput.choose(`Deploy ${name} to ${connection}`);
  }

  /** Sends a draft about which the review warns, here because a tag can move. */
  async function sendAnyway(name: string): Promise<void> {
    await send(name);
    await deployAnyway(`Deploy ${name} to ${connection}?`);
  }

  /** The body that the document shows. */
  function shownBody(): unknown {
    return JSON.parse(editorText().replaceAll(/^\/\/.*$/gm, ''));
  }

  it('explains the five sources', async () => {
    const { ended } = await start();
    const sources = quickInput.rows().filter((row) => /services .* Needs .*\.$/.test(row));
    expect(sources.map((row) => row.split(' services', 1)[0])).toEqual([
      'Repository for hosted',
      'External image for self-hosted',
      'Pushed image for hosted',
      'Uploaded source for hosted',
      'Template for hosted',
    ]);
    await quickInput.cancel();
    await ended;
  });

  it('creates an external image with everything that it takes, and shows exactly what is sent', async () => {
    const { id } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps'] },
    });
    const { ended } = await start();
    await quickInput.choose('External image');
    await quickInput.answer(`${title} (1/2)`, 'https://registry.example/agent');
    await expect.poll(() => quickInput.message()).toContain("can't begin with a scheme");
    await quickInput.answer(`${title} (1/2)`, 'registry.example/acme/my-agent:1.0');
    await quickInput.asked(`${title} (2/2)`);
    await quickInput.accept();
    await checked(review);
    expect(rows()).toContain('Image registry.example/acme/my-agent:1.0 · you');
    expect(rows()).toContain('Name my-agent · suggested');
    expect(quickInput.rows().join(' ')).toContain('A tag can move to another image.');
    expect(quickInput.rows().join(' ')).toContain(`${connection} has listeners and may require one.`);

    await editField('Secrets');
    await addSecret('TOKEN', secret);
    await quickInput.choose('Done');
    await editField('Secret references');
    await quickInput.choose('Add Secret Reference…');
    await quickInput.answer('Secret Reference (1/3)', 'TOKEN');
    await expect.poll(() => quickInput.message()).toContain('A secret with this name already exists.');
    await quickInput.answer('Secret Reference (1/3)', 'DATABASE_PASSWORD');
    await quickInput.answer('Secret Reference (2/3)', 'database');
    await quickInput.answer('Secret Reference (3/3)', 'password');
    await expect.poll(() => quickInput.rows()).toContain('DATABASE_PASSWORD database · password');
    await quickInput.choose('Done');
    await editField('More options…');
    await quickInput.choose('Listener');
    await quickInput.choose('cluster');
    await editField('More options…');
    await quickInput.choose('Custom URL');
    await answer("The application's own address", 'http://agent.example');
    await answer('Enter a URL that begins with https://.', 'https://agent.example');

    await editField('Show Request');
    await quickInput.asked(/^POST /);
    await quickInput.choose('Copy as curl');
    await checked(review);
    const shown = shownBody();
    expect(editorText()).toContain(`// POST ${relay.url}/v2/deployments`);
    expect(editorText()).toContain('// X-Api-Key: $API_KEY');
    const copied = await vscode.env.clipboard.readText();
    expect(copied).toContain(`curl --request POST '${relay.url}/v2/deployments'`);
    for (const text of [editorText(), copied, describeWindow()]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(service.apiKey);
    }
    expect(relay.sent).toEqual([]);

    await sendAnyway('my-agent');
    await ended;
    const [sent] = relay.sent;
    expect(sent).toEqual({
      name: 'my-agent',
      source: 'external_docker',
      source_config: {
        deployment_type: 'dev',
        custom_url: 'https://agent.example',
        listener_id: id,
        listener_config: { k8s_namespace: 'apps' },
      },
      source_revision_config: { image_uri: 'registry.example/acme/my-agent:1.0' },
      secrets: [{ name: 'TOKEN', value: secret }],
      secret_references: [{ name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' }],
    });
    expect(shown).toEqual({ ...(sent as object), secrets: [{ name: 'TOKEN', value: '•••' }] });
    await tree('Deployments').shows('my-agent');
  });

  it('says of a request that was shown before the window reloaded how to see it again', async () => {
    const uri = vscode.Uri.from({ scheme: 'deployment-manager', path: '/Create/Create gone.jsonc' });
    const document = await vscode.workspace.openTextDocument(uri);
    expect(document.lineCount).toBe(3);
    expect(document.getText()).toContain('// The request "Create/Create gone" was shown before the window reloaded.');
    expect(document.getText()).toContain('"Create Deployment…"');
    expect(document.getText()).toContain('"Show Request"');
  });

  it('creates uploaded source without any path, and with both', async () => {
    const without = await startAndAnswer('Uploaded source', ['', '', 'uploaded']);
    await send('uploaded');
    await without();
    const both = await startAndAnswer('Uploaded source', [
      'uploads/my-source.tar.gz',
      './apps\\graph.json',
      'my-source',
    ]);
    await send('my-source');
    await both();
    const common = { source: 'internal_source', source_config: { deployment_type: 'dev' }, secrets: [] };
    expect(relay.sent).toEqual([
      { ...common, name: 'uploaded', source_revision_config: {} },
      {
        ...common,
        name: 'my-source',
        source_revision_config: {
          source_tarball_path: 'uploads/my-source.tar.gz',
          graph_config_path: 'apps/graph.json',
        },
      },
    ]);
  });

  it('puts what the service says of a repository that nobody lists on its line', async () => {
    const { ended } = await start();
    await quickInput.choose('Repository');
    await quickInput.choose('Other Repository…');
    await quickInput.answer(`${title} (1/4)`, 'https://code.example/acme/unlisted');
    await quickInput.asked(`${title} (2/4)`);
    await quickInput.choose('This computer');
    await quickInput.answer(`${title} (3/4)`, 'refs/tags/v1');
    await quickInput.answer(`${title} (4/4)`, 'graph.json');
    await send('unlisted');
    await expect.poll(() => quickInput.rows().join(' ')).toContain('Repository: ');
    await checked(review);
    expect(relay.sent).toMatchObject([
      {
        source: 'repohost',
        source_config: { repo_url: 'https://code.example/acme/unlisted', build_on_push: false },
        source_revision_config: { repo_ref: 'refs/tags/v1', graph_config_path: 'graph.json' },
      },
    ]);
    await quickInput.cancel();
    await ended;
  });

  it('continues the review that was left at once, with the values of its secrets', async () => {
    const ended = await startAndAnswer('Pushed image', ['pushed/other:1', 'left-behind']);
    await editField('Secrets');
    await addSecret('TOKEN', secret);
    await quickInput.choose('Done');
    await editField('More options…');
    await quickInput.choose('Build command');
    await answer('Builds the application.', `KEY_TOKEN=${secret} make`);
    await checked(review);
    expect(rows()).toContain('Build command KEY_TOKEN=••• make · you');
    await quickInput.cancel();
    await ended();

    const again = run('createDeployment');
    await checked(review);
    expect(rows()).toContain('Image pushed/other:1 · you');
    expect(rows()).toContain('Build command KEY_TOKEN=••• make · you');
    expect(rows()).toContain('Secrets 1 secret');
    expect(rows()).not.toContain('Continue with Your Draft');
    await sendAnyway('left-behind');
    await again;
    expect(relay.sent).toMatchObject([{ name: 'left-behind', secrets: [{ name: 'TOKEN', value: secret }] }]);
    const last = run('createDeployment');
    await quickInput.asked(title);
    expect(rows()).not.toContain('Continue left-behind');
    await quickInput.cancel();
    await last;
  });

  it('offers what was left before its source was changed, and discards it', async () => {
    const ended = await startAndAnswer('Pushed image', ['pushed/former:1', 'former']);
    await editField('Source');
    await quickInput.choose('Template');
    await editField(/^Continue with Your Draft of /);
    await expect.poll(rows).toContain('Image pushed/former:1 · you');
    await editField('Source');
    await quickInput.choose('Template');
    await editField('Discard Draft');
    await expect.poll(rows).not.toContain('Continue with Your Draft');
    await checked(review);
    await quickInput.cancel();
    await ended();
    await expectKept('former', false);
  });

  it('masks the signature of an upload', async () => {
    const upload = `https://store.example/agent.tar.gz?X-Amz-Signature=${secret}`;
    const ended = await startAndAnswer('Uploaded source', [upload, 'graph.json', 'signed']);
    await checked(review);
    expect(rows()).toContain('X-Amz-Signature=•••');
    expect(rows()).not.toContain(secret);
    await quickInput.cancel();
    await ended();
  });

  it('changes the source in the review, and keeps what all sources take', async () => {
    const ended = await startAndAnswer('Template', ['changing']);
    await editField('Source');
    await quickInput.choose('Pushed image');
    await checked(review);
    expect(rows()).toContain("Can't be deployed yet");
    expect(rows()).toContain('Name changing · you');
    await editField('Image');
    await answer('The reference of the image.', 'pushed/changed:1');
    await sendAnyway('changing');
    await ended();
    expect(relay.sent).toMatchObject([{ name: 'changing', source: 'internal_docker' }]);
  });

  /** Looks whether the first question offers to continue a draft. */
  async function expectKept(name: string, isKept: boolean): Promise<void> {
    const { ended } = await start();
    await expect.poll(rows).toContain('Template');
    expect(rows().includes(`Continue ${name}`)).toBe(isKept);
    await quickInput.cancel();
    await ended;
  }

  /** Starts the command without what was left in its review before. */
  async function start(): Promise<{ readonly ended: Promise<void> }> {
    const ended = run('createDeployment');
    await expect.poll(() => quickInput.title()).toMatch(/^Create Deployment/);
    if (quickInput.title() === review) await quickInput.choose(words.review.startOver);
    await quickInput.asked(title);
    return { ended };
  }

  async function startAndAnswer(source: string, answers: readonly string[]): Promise<() => Promise<void>> {
    const { ended } = await start();
    await quickInput.choose(source);
    for (const [index, text] of answers.entries()) {
      await quickInput.answer(`${title} (${index + 1}/${answers.length})`, text);
    }
    return () => ended;
  }
});
