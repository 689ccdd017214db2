import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const refused = ['javascript:alert(1)', 'file:///etc/passwd', 'vscode://some.extension/do'];

describe('What a person does with a row', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let workbench: Workbench;
  let web: SeededDeployment;
  let listener: { readonly id: string };

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const sample = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [sample.folder], stepMs: 1 });
    web = await createFromImage(service, 'web', { source_config: { custom_url: 'https://web.example/app' } });
    const others = [await createFromImage(service, 'plain'), await createFromRepository(service, 'built')];
    for (const [index, url] of refused.entries()) {
      others.push(await createFromImage(service, `refused-${index}`, { source_config: { custom_url: url } }));
    }
    await untilEnded(service, [web, ...others]);
    listener = await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'cluster' });
    workbench = await openWorkbench({
      folder: sample.folder,
      theme: 'Light Modern',
      settings: {
        'deploymentManager.connections': [
          { name: 'Standard', baseUrl: service.url },
          { name: 'With Pages', baseUrl: service.url, flavor: 'langsmith' },
        ],
      },
    });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.openContainer('Deployments');
    await connect('Standard');
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  async function connect(name: string): Promise<void> {
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose(name);
    await workbench.page.getByRole('button', { name: 'Set API Key' }).first().click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    // VS Code does not tell a command its row while that is drawn anew, as it is when a row gets what it still lacks.
    await workbench.row('Deployments', /web.*live: /).waitFor();
  }

  /** A click that comes just after the menu has opened is ignored, the Enter key is not. */
  async function chooseFromMenu(view: string, row: string, entry: string): Promise<void> {
    await workbench.row(view, row).click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: entry, exact: true }).hover();
    await workbench.page.keyboard.press('Enter');
  }

  const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());
  /** VS Code asks before it opens a page, and shows where it leads. */
  const asked = () => workbench.page.getByRole('dialog').filter({ hasText: 'open the external website' });

  async function expectToOpen(address: string): Promise<void> {
    await asked().getByText(address).waitFor();
    await workbench.page.keyboard.press('Escape');
    await asked().waitFor({ state: 'hidden' });
  }

  async function menuOf(row: string): Promise<string[]> {
    await workbench.row('Deployments', row).click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Copy Id' }).waitFor();
    const entries = await workbench.page.getByRole('menuitem').allInnerTexts();
    await workbench.page.keyboard.press('Escape');
    return entries.map((entry) => entry.trim());
  }

  it('copies the id and the name of a deployment, a revision and a listener', async () => {
    await chooseFromMenu('Deployments', 'web', 'Copy Id');
    await expect.poll(clipboard).toBe(web.id);
    await chooseFromMenu('Deployments', 'web', 'Copy Name');
    await expect.poll(clipboard).toBe('web');
    await workbench.row('Deployments', 'web').click();
    await chooseFromMenu('Deployments', 'active · latest', 'Copy Id');
    await expect.poll(clipboard).toBe(web.latest_revision_id);
    await chooseFromMenu('Deployments', 'active · latest', 'Copy Name');
    await expect.poll(clipboard).toBe('registry.example/acme/web:1.0');
    await workbench.row('Deployments', 'web').click();
    await workbench.page.locator('.pane-header', { hasText: 'Listeners' }).click();
    await chooseFromMenu('Listeners', 'cluster', 'Copy Id');
    await expect.poll(clipboard).toBe(listener.id);
    await chooseFromMenu('Listeners', 'cluster', 'Copy Name');
    await expect.poll(clipboard).toBe('cluster');
    await workbench.page.locator('.pane-header', { hasText: 'Listeners' }).click();
  });

  it('opens the application of a deployment in the browser', async () => {
    await chooseFromMenu('Deployments', 'web', 'Open Application');
    await expectToOpen('https://web.example/app');
  });

  it.each(refused.map((url, index) => [url, `refused-${index}`]))(
    'is told that an application at %s is not opened, and has no menu entry for it',
    async (_url, name) => {
      expect(await menuOf(name)).not.toContain('Open Application');
      await workbench.row('Deployments', name).click();
      await workbench.runCommand('Deployment Manager: Open Application');
      await workbench.notification(
        `The address that the service gives for "${name}" is not opened: only one that begins with http:// or https:// is.`,
      );
      expect(await asked().count()).toBe(0);
      await workbench.runCommand('Notifications: Clear All Notifications');
    },
  );

  it('is told when a deployment has no address, no repository page, and no page of the service', async () => {
    expect(await menuOf('plain')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^Open (Application|Repository|Service Page)$/)]),
    );
    const told: readonly [string, string][] = [
      ['Open Application', 'The service gives no web address for "plain".'],
      ['Open Repository', '"plain" is not built from a repository that has a web page.'],
      ['Open Service Page', 'This service has no web page for "plain".'],
    ];
    for (const [command, words] of told) {
      await workbench.row('Deployments', 'plain').click();
      await workbench.runCommand(`Deployment Manager: ${command}`);
      await workbench.notification(words);
      await workbench.runCommand('Notifications: Clear All Notifications');
    }
  });

  it('opens the repository of a deployment on its code host', async () => {
    await chooseFromMenu('Deployments', 'built', 'Open Repository');
    await expectToOpen('https://code.example/acme/sample-agent');
  });

  it("opens the service's own page where the flavor has one", async () => {
    await connect('With Pages');
    // An address on this machine is opened without asking, and code-server passes it on by its port.
    const opened = workbench.page.context().waitForEvent('page');
    await chooseFromMenu('Deployments', 'web', 'Open Service Page');
    const page = await opened;
    await expect
      .poll(() => page.url())
      .toMatch(new RegExp(`[:/]${new URL(service.url).port}/o/[0-9a-f-]{36}/host/deployments/${web.id}$`));
    await page.close();
  });
});
