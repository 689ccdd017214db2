import { beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import type { DeploymentPage } from './support/deploymentPage.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { filesBelow, filesWith } from './support/files.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const theList = /^GET \/v2\/deployments\?/;

/** Values that nobody but the service and the request that needs them may ever hold. */
const canaries = {
  apiKey: 'canary-key-8c1f0b7e52',
  secret: 'canary-secret-3d9a6f41c8',
  environment: 'canary-environment-b07e94d2a5',
  argument: 'canary-argument-5e2a90c7d1',
  annotation: 'canary-annotation-94b1f06c3e',
  attribute: 'canary-attribute-c83d57a10f',
  header: 'canary-header-17e6b2d94a',
  password: 'canary-password-61f8c3e90d',
  stored: 'canary-stored-0d4b8a2f61',
  replaced: 'canary-replaced-7e19c5d3b8',
  refusedInput: 'canary-input-f2a7d85b16',
  signature: 'canary-signature-d40b6c29e8',
};

/** Which of the canaries a text holds, in any of the ways in which software writes a text down. */
function canariesIn(content: Buffer): string[] {
  return Object.entries(canaries).flatMap(([name, value]) => {
    const written = [value, Buffer.from(value, 'utf16le'), Buffer.from(value).toString('base64').replace(/=+$/, '')];
    return written.some((form) => content.includes(form)) ? [name] : [];
  });
}

/** Every file below a folder that holds one of the canaries, with its name. */
async function canariesBelow(folder: string): Promise<string[]> {
  const files = await filesBelow(folder);
  return files.flatMap(({ name, content }) => canariesIn(content).map((canary) => `${name}: ${canary}`));
}

describe('Planted secret values', () => {
  const resources = opened();
  let folder: string;
  let url: string;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder, url } = await createSampleRepository(temporary.path));
    service = resources.use(
      await startLocalService({
        repositories: [folder],
        stepMs: 1,
        env: { ...process.env, DEPLOYMENT_MANAGER_API_KEY: canaries.apiKey },
      }),
    );
    await untilEnded(service, [await createFromImage(service, 'canary-agent')]);
    relay = resources.use(await startFaultRelay(service.url));
    relay.break(theList, json(await listWithSecrets()));
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Dark Modern',
        settings: {
          'deploymentManager.connections': [
            { name: 'Test', baseUrl: relay.url },
            { name: 'With Logs', baseUrl: relay.url, flavor: 'langsmith' },
          ],
          'deploymentManager.follow.notify': 'never',
        },
      }),
    );
    await workbench.openContainer(words.container);
    await workbench.runCommand(words.command('switchConnection'));
    await workbench.quickInput.choose('Test');
  });

  failuresShowTheWindow(() => workbench);

  /** What a careless service answers: the list with every value in it. */
  async function listWithSecrets() {
    const { resources, offset } = await callService(service, 'GET', '/v2/deployments');
    const env = [{ name: 'MODE', value: canaries.environment }];
    const livenessProbe = { httpGet: { httpHeaders: [{ name: 'Authorization', value: canaries.header }] } };
    const planted = {
      secrets: [{ name: 'TOKEN', value: canaries.secret }],
      source_config: {
        repo_url: `https://me:${canaries.password}@code.example/acme/agent`,
        resource_spec: {
          annotations: { note: canaries.annotation },
          volumes: [{ name: 'a', csi: { driver: 'b', volumeAttributes: { share: canaries.attribute } } }],
          sidecars: [{ name: 'proxy', env, args: [`--api-key=${canaries.argument}`], livenessProbe }],
          init_containers: [{ name: 'setup', env }],
        },
      },
    };
    return { resources: resources.map((row: object) => ({ ...row, ...planted })), offset };
  }

  /** Everything that the page shows or holds in its fields and its stores. */
  async function page(): Promise<string> {
    const onPage = await workbench.page.evaluate(() => [
      document.documentElement.outerHTML,
      JSON.stringify([localStorage, sessionStorage]),
      ...Array.from(document.querySelectorAll('input, textarea'), (field) => String(Reflect.get(field, 'value'))),
    ]);
    return [...onPage, await storedState(workbench.page)].join('\n');
  }

  async function expectNoneOnThePage(): Promise<void> {
    expect(canariesIn(Buffer.from(await page()))).toEqual([]);
  }

  /** The page of a deployment is a document of its own. */
  async function expectNoneInPage({ frame }: DeploymentPage, but: readonly string[] = []): Promise<void> {
    const shown = await frame.evaluate(() => [
      document.documentElement.outerHTML,
      ...Array.from(document.querySelectorAll('input, select'), (field) => String(Reflect.get(field, 'value'))),
    ]);
    const text = but.reduce((rest, typed) => rest.replaceAll(typed, ''), shown.join('\n'));
    expect(canariesIn(Buffer.from(text))).toEqual([]);
  }

  it('are on no page while the key is typed, nor in rows and tooltips', async () => {
    await workbench.page.getByRole('button', { name: words.setApiKey }).click();
    await workbench.quickInput.answer(words.setApiKey, canaries.apiKey);
    await workbench.row(view, 'canary-agent').waitFor();
    await expectNoneOnThePage();
    await workbench.runCommand('Developer: Set Log Level...');
    await workbench.quickInput.choose(words.product);
    await workbench.quickInput.choose('Trace');
    await workbench.hover(workbench.row(view, 'canary-agent'), 'https://code.example/acme/agent');
    await expectNoneOnThePage();
    await workbench.screenshot('canary-tooltip');
  });

  it('are in no document, although the names are', async () => {
    await workbench.row(view, 'canary-agent').click();
    await workbench.runCommand(words.command('openDetails'));
    const text = () => workbench.page.locator('.editor-instance .view-lines').first().innerText();
    await expect.poll(text).toMatch(/MODE/);
    expect(await text()).toContain(words.hidden);
    await expectNoneOnThePage();
    await workbench.screenshot('canary-details');
  });

  /** Adds a secret in the page of a draft. */
  async function addSecret({ button, rows }: DeploymentPage, value: string): Promise<void> {
    const { quickInput } = workbench;
    const { secrets } = words;
    await button(secrets.add).click();
    await quickInput.answer(secrets.nameTitle, 'TOKEN');
    await quickInput.box.locator('.quick-input-title', { hasText: secrets.valueTitle('TOKEN') }).waitFor();
    expect(await quickInput.box.locator('input.input').getAttribute('type')).toBe('password');
    await quickInput.answer(secrets.valueTitle('TOKEN'), value);
    await expect.poll(() => rows(words.page.tables.secrets)).toEqual([secrets.typed('TOKEN')]);
  }

  const { fields, titleOf, untitled } = words.page;

  it.each([
    {
      source: 'Uploaded source',
      name: 'uploaded',
      values: [
        [fields.upload, `https://store.example/agent.tar.gz?sig=${canaries.signature}`],
        [fields.configFile, 'graph.json'],
      ],
    },
    {
      source: 'Repository',
      name: 'sample-agent',
      values: [
        [fields.repository, () => url],
        [fields.branch, 'main'],
        [fields.configFile, 'graph.json'],
      ],
    },
  ] as const)(
    'are on no page after a deployment from the source $source, nor in the request that is shown',
    async ({ source, name, values }) => {
      const { quickInput } = workbench;
      await workbench.runCommand(words.command('createDeployment'));
      await quickInput.choose(source);
      // A repository gives a name to begin with.
      const begun = await deploymentPage(workbench, source === 'Repository' ? titleOf('application') : untitled);
      for (const [label, value] of [[fields.name, name] as const, ...values]) {
        await begun.field(label).fill(typeof value === 'string' ? value : value());
      }
      const page = await deploymentPage(workbench, titleOf(name));
      await addSecret(page, canaries.secret);
      await expectNoneInPage(page, [canaries.signature]);
      await page.button(words.page.showRequest).click();
      const text = () => workbench.page.locator('.editor-instance .view-lines').first().innerText();
      await expect.poll(text).toMatch(new RegExp(`"name":\\s"${name}"`));
      await expectNoneOnThePage();
      // The request's menu comes after its document.
      await quickInput.row(words.copyAsCurl).waitFor();
      await workbench.screenshot(`canary-request-${name}`);
      await quickInput.cancel();
      await quickInput.box.waitFor({ state: 'hidden' });
      await workbench.runCommand('View: Close Editor');
      const again = await deploymentPage(workbench, titleOf(name));
      await again.deploy.click();
      await workbench.row(view, name).waitFor();
      await expectNoneOnThePage();
      await workbench.runCommand('View: Close Editor');
    },
  );

  it('are on no page while they are stored, listed and replaced', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('createDeployment'));
    await quickInput.choose(words.createFrom.pushedImage);
    const begun = await deploymentPage(workbench, untitled);
    await begun.field(fields.name).fill('stored');
    await begun.field(fields.image).fill('registry.example/stored:1');
    const page = await deploymentPage(workbench, titleOf('stored'));
    await addSecret(page, canaries.stored);
    await page.button(words.secrets.whereFrom('TOKEN')).click();
    await quickInput.choose(words.secrets.storedHere);
    await expect.poll(() => page.rows(words.page.tables.secrets)).toEqual([words.secrets.stored('TOKEN')]);
    await expectNoneOnThePage();
    await expectNoneInPage(page);
    await workbench.runCommand(words.command('manageSecrets'));
    await quickInput.choose('TOKEN');
    await quickInput.choose(words.secrets.replace);
    await quickInput.answer(words.secrets.replaceTitle('TOKEN'), canaries.replaced);
    await quickInput.row('TOKEN').waitFor();
    await expectNoneOnThePage();
    await workbench.screenshot('canary-manage-secrets');
    await quickInput.cancel();
    await quickInput.box.waitFor({ state: 'hidden' });
    await expectNoneOnThePage();
  });

  it('are on no page while a log is shown that holds them', async () => {
    const { quickInput } = workbench;
    const { apiKey, replaced, password, header } = canaries;
    const message = `key ${apiKey}, stored ${replaced}, at https://me:${password}@code.example, Bearer ${header}`;
    relay.break(/_logs$/, json({ logs: [{ id: '1', timestamp: 1_790_000_000_000, level: 'INFO', message }] }));
    await workbench.runCommand(words.command('switchConnection'));
    await quickInput.choose('With Logs');
    await workbench.page.getByRole('button', { name: words.setApiKey }).click();
    await quickInput.answer(words.setApiKey, apiKey);
    await workbench.row(view, 'canary-agent').waitFor();
    await workbench.runCommand(words.command('showApplicationLog'));
    await quickInput.choose('canary-agent');
    const text = () => workbench.page.locator('.editor-instance .view-lines').first().innerText();
    await expect.poll(async () => (await text()).replaceAll('\u00a0', ' ')).toMatch(/key •••, stored •••, at /);
    await expectNoneOnThePage();
    await workbench.screenshot('canary-application-log');
    await workbench.runCommand(words.command('switchConnection'));
    await quickInput.choose('Test');
    await workbench.row(view, 'canary-agent').waitFor();
  });

  it('are in no error that echoes them', async () => {
    const refusal = { loc: ['body', 'secrets'], msg: 'Not valid.', type: 'value_error', input: canaries.refusedInput };
    for (const [status, body] of [
      [422, { detail: [refusal] }],
      [401, { detail: `The key ${canaries.apiKey} was revoked.` }],
      [500, { detail: `Authorization: Bearer ${canaries.apiKey}` }],
    ] as const) {
      relay.mend();
      relay.break(theList, json(body, status));
      await workbench.runCommand(words.command('refresh'));
      await expect.poll(() => workbench.tree(view)).toContain(`(${status})`);
      await expectNoneOnThePage();
    }
    await workbench.runCommand(words.command('testConnection'));
    await workbench.quickInput.choose('Test');
    await workbench.notification(words.connectionFails('Test'));
    await expectNoneOnThePage();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  // The VS Code of this test has no native logger and so writes no log; what a log line may hold is tested in
  // test/unit/api/redaction/redact.test.ts.
  it('are on no page while the log is shown', async () => {
    await workbench.runCommand(words.command('showLog'));
    await workbench.page.locator('.part.panel .output-view-content, .part.panel .monaco-editor').first().waitFor();
    await workbench.screenshot('canary-log');
    await expectNoneOnThePage();
  });

  it('are in no file of the editor, the browser or the workspace', async () => {
    await workbench.page.close();
    // The address is there, so looking through the files means something.
    expect(await filesWith(workbench.janitor.folder, relay.url)).not.toEqual([]);
    expect(await canariesBelow(workbench.janitor.folder)).toEqual([]);
    expect(await canariesBelow(folder)).toEqual([]);
  });

  it('are found by the same search where they really are', async () => {
    expect(await canariesBelow(service.dataFolder)).toContainEqual(expect.stringMatching(/^service\.json: apiKey$/));
    expect(canariesIn(Buffer.from(`x${Buffer.from(canaries.secret).toString('base64')}y`))).toEqual(['secret']);
  });
});
