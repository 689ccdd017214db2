import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { callService, createFromImage, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { addConnection, removeConnection, setKey, switchConnection } from './support/connections.ts';
import { startService, useSettings } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { clearWindow, expect, run, told, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

describe('A command of a row', () => {
  const view = () => tree('Deployments');
  let service: Service;
  let web: SeededDeployment;
  let listener: { readonly id: string };

  before(async () => {
    const sample = await openSample();
    service = await startService({ repositories: [sample.folder], stepMs: 1 });
    web = await createFromImage(service, 'web', { source_config: { custom_url: 'https://web.example/app' } });
    const refused = { source_config: { custom_url: 'vscode://some.extension/do' } };
    await untilEnded(service, [
      web,
      await createFromImage(service, 'plain'),
      await createFromRepository(service, 'built'),
      await createFromImage(service, 'refused', refused),
    ]);
    listener = await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'cluster' });
    await view().open();
    await addConnection('Row Actions', service);
    await view().shows(/web.*live: /);
  });

  after(async () => {
    await tree('Listeners').close();
  });

  const clipboard = () => vscode.env.clipboard.readText();

  it('copies the id and the name of a deployment, a revision and a listener', async () => {
    await run('copyId', await view().shows('web'));
    expect(await clipboard()).toBe(web.id);
    await run('copyName', await view().shows('web'));
    expect(await clipboard()).toBe('web');
    await view().expand('web');
    await run('copyId', await view().shows('active · latest'));
    expect(await clipboard()).toBe(web.latest_revision_id);
    await run('copyName', await view().shows('active · latest'));
    expect(await clipboard()).toBe('registry.example/acme/web:1.0');
    await tree('Listeners').open();
    await run('copyId', await tree('Listeners').shows('cluster'));
    expect(await clipboard()).toBe(listener.id);
    await run('copyName', await tree('Listeners').shows('cluster'));
    expect(await clipboard()).toBe('cluster');
  });

  it('copies from the selected row without an argument, and nothing from an unknown row', async () => {
    await view().select('plain');
    await run('copyName');
    expect(await clipboard()).toBe('plain');
    await run('copyName', { kind: 'deployment', ids: [web.id] });
    expect(await clipboard()).toBe('plain');
  });

  it('does nothing and says so if VS Code was redrawing its row', async () => {
    await view().select('plain');
    await vscode.env.clipboard.writeText('before');
    const copies = run('copyName', undefined);
    const message = await told.message('The list was refreshing. Select the row again.');
    message.press();
    await copies;
    expect(await clipboard()).toBe('before');
  });

  it('opens the application of a deployment in the browser', async () => {
    await run('openApplication', await view().shows('web'));
    expect(told.opened).toEqual(['https://web.example/app']);
    expect(view().tags('web')).toContain(';application;');
  });

  it('refuses to open an application at an address of another kind, and has no menu entry for it', async () => {
    expect(view().tags('refused')).not.toContain(';application;');
    await view().select('refused');
    const opens = run('openApplication');
    const message = await told.message(
      'The address that the service gives for "refused" can\'t be opened: it doesn\'t begin with http:// or https://.',
    );
    message.press();
    await opens;
    expect(told.opened).toEqual(['https://web.example/app']);
  });

  it('says that a deployment has no application, repository page or service page', async () => {
    expect(view().tags('plain')).not.toMatch(/;(?:application|repository|page);/);
    const commands: readonly [string, string][] = [
      ['openApplication', 'The service gives no web address for "plain".'],
      ['openRepository', `"plain" isn't built from a repository with a web page.`],
      ['openServicePage', 'This service has no web page for "plain".'],
    ];
    for (const [command, words] of commands) {
      await view().select('plain');
      const opens = run(command);
      (await told.message(words)).press();
      await opens;
    }
  });

  it('opens the repository of a deployment on its code host', async () => {
    expect(view().tags('built')).toContain(';repository;');
    await run('openRepository', await view().shows('built'));
    expect(told.opened.at(-1)).toBe('https://code.example/acme/sample-agent');
  });

  it("opens the service's own page if the flavor has one", async () => {
    await useSettings({
      connections: [
        { name: 'Row Actions', baseUrl: service.url },
        { name: 'With Pages', baseUrl: service.url, flavor: 'langsmith' },
      ],
    });
    await switchConnection('With Pages');
    await setKey(service.apiKey);
    await expect.poll(() => view().heading()).toBe('With Pages · 4');
    await expect.poll(() => view().tags('web')).toContain(';page;');
    await run('openServicePage', await view().shows('web'));
    expect(told.opened.at(-1)).toMatch(new RegExp(`^${service.url}/o/[0-9a-f-]{36}/host/deployments/${web.id}$`));
    await removeConnection('With Pages');
    await clearWindow();
  });
});
