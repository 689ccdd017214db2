import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { addSecret, discard, finish, leave } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, editorText, expect, pages, quickInput, run, tree } from './support/window.ts';

const connection = 'Create';
const title = 'Create Deployment';
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

  /** Opens the page of a new deployment from a source, or of a draft that was left. */
  async function begin(row: string): Promise<Page> {
    const ended = run('createDeployment');
    await quickInput.asked(title);
    await quickInput.choose(row);
    await ended;
    return pages.inFront();
  }

  /** The rows of the command's list. */
  async function offered(): Promise<readonly string[]> {
    const ended = run('createDeployment');
    await quickInput.asked(title);
    const rows = quickInput.rows();
    await quickInput.cancel();
    await ended;
    return rows;
  }

  /** The value of a field and where it comes from, in words. */
  function shown(page: Page, key: string): string {
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    const { value, from } = fields.find((field) => field.key === key) ?? {};
    return `${value} · ${from}`;
  }

  /** The body that the document shows. */
  function shownBody(): unknown {
    return JSON.parse(editorText().replaceAll(/^\/\/.*$/gm, ''));
  }

  it('explains the five sources', async () => {
    const sources = (await offered()).filter((row) => /services .* Needs .*\.$/.test(row));
    expect(sources.map((row) => row.split(' services', 1)[0])).toEqual([
      'Repository for hosted',
      'External image for self-hosted',
      'Pushed image for hosted',
      'Uploaded source for hosted',
      'Template for hosted',
    ]);
  });

  it('creates an external image with everything that it takes, and shows exactly what is sent', async () => {
    const { id } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps'] },
    });
    const page = await begin('External image');
    await page.type('image', 'https://registry.example/agent');
    await expect.poll(() => page.findings().join()).toContain("can't begin with a scheme");
    expect(page.state().deploy).toBeUndefined();
    await page.type('image', 'registry.example/acme/my-agent:1.0');
    await expect.poll(() => page.findings().join()).toContain('A tag can move to another image.');
    expect(page.findings()).toContain(`warning: ${connection} has listeners and may require one. Choose one.`);
    await expect.poll(() => shown(page, 'image')).toBe('registry.example/acme/my-agent:1.0 · chosen');
    await expect.poll(() => shown(page, 'name')).toBe('my-agent · made for you');
    expect(shown(page, 'source')).toBe('external_docker · chosen');

    await addSecret(page, 'TOKEN', secret);
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    const edited = page.press('Edit References…');
    await quickInput.choose('Add Secret Reference…');
    await quickInput.answer('Secret Reference (1/3)', 'TOKEN');
    await expect.poll(() => quickInput.message()).toContain('A secret with this name already exists.');
    await quickInput.answer('Secret Reference (1/3)', 'DATABASE_PASSWORD');
    await quickInput.answer('Secret Reference (2/3)', 'database');
    await quickInput.answer('Secret Reference (3/3)', 'password');
    await expect.poll(() => quickInput.rows()).toContain('DATABASE_PASSWORD database · password');
    // What was added counts, however the list is closed.
    await quickInput.cancel();
    await edited;
    const chosen = page.press('Listener');
    await quickInput.choose('cluster');
    await chosen;
    await page.type('custom_url', 'http://agent.example');
    await expect.poll(() => page.findings()).toContain('error: Enter a URL that begins with https://.');
    await page.type('custom_url', 'https://agent.example');

    const asked = page.press('Show Request');
    await quickInput.asked(/^POST /);
    await quickInput.choose('Copy as curl');
    await asked;
    const body = shownBody();
    expect(editorText()).toContain(`// POST ${relay.url}/v2/deployments`);
    expect(editorText()).toContain('// X-Api-Key: $API_KEY');
    const copied = await vscode.env.clipboard.readText();
    expect(copied).toContain(`curl --request POST '${relay.url}/v2/deployments'`);
    for (const text of [editorText(), copied, describeWindow(), JSON.stringify(page.state())]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(service.apiKey);
    }
    expect(relay.sent).toEqual([]);

    await page.press('Deploy with 1 Warning');
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
    expect(body).toEqual({ ...(sent as object), secrets: [{ name: 'TOKEN', value: '•••' }] });
    await tree('Deployments').shows('my-agent');
    await finish(page);
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
    const page = await begin('Uploaded source');
    await page.type('name', 'uploaded');
    await page.press('Deploy');
    // The page of what was deployed is still open.
    const next = await begin('Uploaded source');
    // The name of the last time is taken by now.
    await expect.poll(() => shown(next, 'name')).toBe('uploaded-2 · made for you');
    await next.type('upload', 'uploads/my-source.tar.gz');
    await next.type('config', './apps\\graph.json');
    await expect.poll(() => shown(next, 'name')).toBe('my-source · made for you');
    await next.press('Deploy');
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
    await finish(next);
  });

  it('puts what the service says of a repository that nobody lists on its line', async () => {
    const page = await begin('Repository');
    const entered = page.press('Repository');
    await quickInput.choose('Enter a URL…');
    await quickInput.answer('Deploy application', 'https://code.example/acme/unlisted');
    await entered;
    expect(page.field('name')).toBe('unlisted');
    const chosen = page.press('Integration');
    await quickInput.choose('This computer');
    await chosen;
    await page.type('ref', 'refs/tags/v1');
    await page.type('config', 'graph.json');
    await page.press(/^Deploy/);
    await expect
      .poll(() => page.deployment().findings)
      .toContainEqual(expect.objectContaining({ key: 'repository', message: expect.stringMatching(/^Repository: /) }));
    expect(relay.sent).toMatchObject([
      {
        source: 'repohost',
        source_config: { repo_url: 'https://code.example/acme/unlisted', build_on_push: false },
        source_revision_config: { repo_ref: 'refs/tags/v1', graph_config_path: 'graph.json' },
      },
    ]);
    await discard(page);
  });

  it('continues the page that was left at once, with the values of its secrets', async () => {
    const page = await begin('Pushed image');
    await page.type('image', 'pushed/other:1');
    await page.type('name', 'left-behind');
    await addSecret(page, 'TOKEN', secret);
    await page.type('build_command', `KEY_TOKEN=${secret} make`);
    await leave(page);

    const again = await begin('Pushed image');
    await expect.poll(() => shown(again, 'image')).toBe('pushed/other:1 · chosen');
    expect(again.field('build_command')).toBe(`KEY_TOKEN=${secret} make`);
    expect(again.deployment().tables[0]?.rows).toMatchObject([{ name: 'TOKEN', state: 'set' }]);
    await again.press(/^Deploy with/);
    expect(relay.sent).toMatchObject([{ name: 'left-behind', secrets: [{ name: 'TOKEN', value: secret }] }]);
    await finish(again);
  });

  it('keeps what was entered before its source was changed, and discards it', async () => {
    const page = await begin('Pushed image');
    await page.type('image', 'pushed/former:1');
    await page.type('source', 'internal_template');
    await expect.poll(() => page.findings().join()).toContain('"image" isn\'t sent');
    await page.type('source', 'internal_docker');
    expect(page.field('image')).toBe('pushed/former:1');
    await leave(page);
    const again = await begin('Pushed image');
    expect(again.field('image')).toBe('pushed/former:1');
    await discard(again);
  });

  it('masks the signature of an upload', async () => {
    const page = await begin('Uploaded source');
    await page.type('upload', `https://store.example/agent.tar.gz?X-Amz-Signature=${secret}`);
    await page.type('config', 'graph.json');
    const help = () => page.deployment().groups[0]?.fields.find(({ key }) => key === 'config')?.help;
    await expect.poll(help).toBe('The path in the upload, which is sent as it is.');
    await page.type('name', 'signed');
    await expect.poll(() => page.findings().join()).toContain('This may contain a secret');
    const asked = page.press('Show Request');
    await quickInput.asked(/^POST /);
    await quickInput.cancel();
    await asked;
    expect(editorText()).toContain('X-Amz-Signature=•••');
    expect(editorText()).not.toContain(secret);
    await discard(page);
  });

  it('changes the source on the page, and keeps what all sources take', async () => {
    const page = await begin('Template');
    await page.type('name', 'changing');
    await page.type('type', 'prod');
    await page.type('source', 'internal_docker');
    await expect.poll(() => page.findings().join()).toContain('The image is missing.');
    expect(page.deployment().findings).toMatchObject([{ key: 'image', buttons: [] }]);
    expect(page.state()).toMatchObject({ words: '1 problem to correct' });
    expect(page.state().deploy).toBeUndefined();
    await page.type('image', 'pushed/changed:1');
    await expect.poll(() => shown(page, 'name')).toBe('changing · chosen');
    await page.press('Deploy with 1 Warning');
    expect(relay.sent).toMatchObject([
      { name: 'changing', source: 'internal_docker', source_config: { deployment_type: 'prod' } },
    ]);
    await finish(page);
  });
});
