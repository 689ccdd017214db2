import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '../../src/api/schema/enums.ts';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { createSampleRepository, git, sampleFiles, sampleUrl } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService } from '../support/serviceSeed.ts';
import { tarOf } from '../support/tar.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { enterKey } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import { CountingKeyboard, focused, layoutProblems, seriousFindings } from './support/form.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { fields, tables, titleOf, untitled } = words.page;
const upload = 'agent.tar.gz';
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** A person's task: what the page begins with, the texts to type from top to bottom, and what they make of the request. */
interface Task {
  readonly choice: string;
  readonly begun: string;
  readonly width: number;
  readonly theme: string;
  readonly typed: readonly (readonly [label: string, text: string])[];
  /** The name, the secret and the key of a secret reference. */
  readonly reference?: readonly [string, string, string];
  readonly request: {
    readonly source_config?: object;
    readonly source_revision_config: object;
    readonly secret_references?: readonly object[];
  };
}

const tasks = {
  repohost: {
    choice: 'Repository',
    begun: titleOf('application'),
    width: 300,
    theme: 'Dark High Contrast',
    typed: [
      [fields.repository, sampleUrl],
      [fields.branch, 'main'],
      [fields.configFile, 'graph.json'],
    ],
    request: {
      source_config: { repo_url: sampleUrl, build_on_push: true },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
    },
  },
  external_docker: {
    choice: 'External image',
    begun: untitled,
    width: 480,
    theme: 'Light Modern',
    typed: [[fields.image, `registry.example/acme/agent@${digest}`]],
    reference: ['DATABASE_PASSWORD', 'database', 'password'],
    request: {
      source_revision_config: { image_uri: `registry.example/acme/agent@${digest}` },
      secret_references: [{ name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' }],
    },
  },
  internal_docker: {
    choice: words.createFrom.pushedImage,
    begun: untitled,
    width: 800,
    theme: 'Light High Contrast',
    typed: [[fields.image, `pushed/agent@${digest}`]],
    request: { source_revision_config: { image_uri: `pushed/agent@${digest}` } },
  },
  internal_source: {
    choice: 'Uploaded source',
    begun: untitled,
    width: 1600,
    theme: 'Dark Modern',
    typed: [
      [fields.upload, upload],
      [fields.configFile, 'graph.json'],
    ],
    request: {
      source_revision_config: { source_tarball_path: upload, graph_config_path: 'graph.json' },
    },
  },
  internal_template: {
    choice: 'Template',
    begun: untitled,
    width: 300,
    theme: 'Light Modern',
    typed: [],
    request: { source_revision_config: {} },
  },
} as const satisfies Record<Source, Task>;

/** With the keyboard alone, each source in a page of another width and theme. */
describe('A new deployment', () => {
  const resources = opened();
  let relay: FaultRelay;
  let integrationId: string;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    const { folder, bare } = await createSampleRepository(temporary.path);
    // Pushed by somebody else, so the clone doesn't know it before a fetch.
    await git(bare, 'branch', 'release', 'main');
    service = resources.use(await startLocalService({ repositories: [folder], stepMs: 1 }));
    await mkdir(path.join(service.dataFolder, 'uploads'));
    await writeFile(path.join(service.dataFolder, 'uploads', upload), gzipSync(tarOf(sampleFiles)));
    [{ id: integrationId }] = await callService(service, 'GET', '/v1/integrations/forge/repohost/install');
    relay = resources.use(await startFaultRelay(service.url));
    workbench = resources.use(
      await openWorkbench({
        folder,
        settings: {
          'deploymentManager.connections': [{ name: 'Test', baseUrl: relay.url }],
          'deploymentManager.follow.minIntervalSeconds': 1,
        },
      }),
    );
    await enterKey(workbench, service.apiKey);
  });

  stepsOfOneJourney(() => workbench);

  const sources = Object.entries(tasks).map(([source, task]): Task & { readonly source: string } => ({
    source,
    ...task,
  }));

  /** Opens the page of a new deployment, at this width. */
  async function begin({ choice, begun, width }: Pick<Task, 'choice' | 'begun' | 'width'>): Promise<Frame> {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('createDeployment'));
    await quickInput.row(choice).waitFor();
    await quickInput.fill(choice);
    await quickInput.accept();
    const { frame } = await deploymentPage(workbench, begun);
    await makeWide(frame, width);
    // On what is to be corrected first, or on the button to deploy.
    await expect.poll(async () => (await focused(frame)).name).not.toBe('');
    return frame;
  }

  /** Moves the focus to a field that doesn't have it yet. */
  async function goTo(frame: Frame, keyboard: CountingKeyboard, label: string): Promise<void> {
    if ((await focused(frame)).name !== label) await keyboard.moveTo(frame, label);
  }

  /** Gives the page this width, whatever VS Code shows beside it. */
  async function makeWide(frame: Frame, width: number): Promise<void> {
    const { page } = workbench;
    const widen = async () => {
      const now = await frame.evaluate(() => window.innerWidth);
      if (now !== width) {
        await page.setViewportSize({ width: (page.viewportSize()?.width ?? 0) + width - now, height: 800 });
      }
      return now;
    };
    await expect.poll(widen).toBe(width);
  }

  /** Adds a secret reference in VS Code's lists. The button that opens them has the keyboard again after that. */
  async function addReference(frame: Frame, keyboard: CountingKeyboard, texts: readonly string[]): Promise<void> {
    const { quickInput } = workbench;
    const { addReference: add, done, editReferences, referenceTitle } = words.page;
    await keyboard.moveTo(frame, editReferences);
    await keyboard.press('Enter');
    await quickInput.row(add).waitFor();
    await quickInput.fill(add);
    await quickInput.accept();
    for (const [index, text] of texts.entries()) await quickInput.answer(referenceTitle(index + 1), text);
    await quickInput.row(done).waitFor();
    await quickInput.fill(done);
    await quickInput.accept();
    await quickInput.box.waitFor({ state: 'hidden' });
    await expect.poll(async () => (await focused(frame)).name).toBe(editReferences);
  }

  const pageIsGone = () => workbench.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });

  it('has its other buttons behind one where they would hide much of the page', async () => {
    const keyboard = new CountingKeyboard(workbench.page);
    const frame = await begin(tasks.internal_template);
    const discard = frame.getByRole('button', { name: words.page.discard, exact: true });
    expect(await discard.isVisible()).toBe(false);
    await keyboard.moveTo(frame, words.page.more);
    await keyboard.press('Enter');
    await discard.waitFor();
    await workbench.screenshot('new-deployment-unfolded');
    await keyboard.moveTo(frame, words.page.discard);
    await keyboard.press('Enter');
    await pageIsGone();
  });

  it.each(sources)(
    'from $source is typed, checked and deployed in a page of $width pixels in $theme',
    async ({ source, theme, typed, reference, request, ...task }) => {
      const keyboard = new CountingKeyboard(workbench.page);
      const name = `from-${source.replaceAll('_', '-')}`;
      await workbench.useTheme(theme);
      const frame = await begin(task);

      async function expectGoodLooks(step: string): Promise<void> {
        // VS Code shows a new deployment in the side bar, which takes room from the page.
        await makeWide(frame, task.width);
        await expect.poll(() => layoutProblems(frame)).toEqual([]);
        expect(await seriousFindings(frame)).toEqual([]);
        await workbench.screenshot(`${source}-${step}`);
      }

      await expectGoodLooks('begun');
      for (const [label, text] of [[fields.name, name] as const, ...typed]) {
        await goTo(frame, keyboard, label);
        await keyboard.type(text);
      }
      const { button, rows } = await deploymentPage(workbench, titleOf(name));
      if (reference !== undefined) {
        await addReference(frame, keyboard, reference);
        await expect.poll(() => rows(tables.references)).toEqual(['DATABASE_PASSWORD database/password']);
      }
      // Without warnings of a text that was half typed.
      await button(words.page.deploy).waitFor();
      await expectGoodLooks('filled');

      relay.sent.length = 0;
      await keyboard.press('Control+Enter');
      await frame.getByText(/(?:^| is )live/).waitFor();
      const integration = source === 'repohost' ? { integration_id: integrationId } : {};
      expect(relay.sent).toEqual([
        {
          name,
          source,
          ...request,
          source_config: { deployment_type: 'dev', ...integration, ...request.source_config },
          secrets: [],
        },
      ]);
      await expectGoodLooks('deployed');
      await keyboard.press('Control+w');
      await pageIsGone();
    },
  );

  it('has its choices, lists, secrets and resources, a branch that no list has, and what helps with it', async () => {
    const keyboard = new CountingKeyboard(workbench.page);
    const { quickInput } = workbench;
    const { id: listenerId } = await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['apps'] },
    });
    const { branchMeans, chooseBranch, chooseListener, enterBranch, fetch, options } = words.page;
    await workbench.useTheme('Dark Modern');
    // As last time, with a name that is free, which leaves nothing to correct.
    const begun = titleOf('from-internal-template-2');
    const frame = await begin({ ...tasks.internal_template, begun, width: 800 });
    await expect.poll(async () => (await focused(frame)).name).toBe(words.page.deploy);

    async function type(label: string, text: string): Promise<void> {
      // The choice before decides which fields there are.
      await frame.getByLabel(label, { exact: true }).waitFor();
      await goTo(frame, keyboard, label);
      await keyboard.type(text);
    }
    async function choose(label: string, letters: string, wanted: string): Promise<void> {
      await type(label, letters);
      const chosen = frame.getByLabel(label, { exact: true }).locator('option:checked');
      await expect.poll(() => chosen.textContent()).toBe(wanted);
    }

    await type(fields.name, 'by-keys');
    await choose(fields.source, 'Rep', 'Repository');
    await type(fields.repository, sampleUrl);
    const { button } = await deploymentPage(workbench, titleOf('by-keys'));
    // The lists are those of the repository that was typed.
    await frame.getByText(/origin\/main is at [0-9a-f]{7}/).waitFor();
    await keyboard.moveTo(frame, chooseBranch);
    await keyboard.press('Enter');
    await quickInput.row(enterBranch).waitFor();
    await quickInput.fill(enterBranch);
    await quickInput.accept();
    await quickInput.box.getByText(branchMeans).waitFor();
    await quickInput.fill('release');
    await quickInput.accept();
    await expect.poll(() => frame.getByLabel(fields.branch, { exact: true }).inputValue()).toBe('release');
    await expect.poll(async () => (await focused(frame)).name).toBe(chooseBranch);
    await type(fields.configFile, 'graph.json');
    await choose(fields.type, 'p', 'prod');
    await keyboard.moveTo(frame, options);
    await keyboard.press('Enter');
    await choose(fields.buildOnPush, 'of', 'off');
    await keyboard.moveTo(frame, chooseListener);
    await keyboard.press('Enter');
    await quickInput.row(/cluster$/).waitFor();
    await quickInput.fill('cluster');
    await quickInput.accept();
    await expect.poll(async () => (await focused(frame)).name).toBe(chooseListener);
    await type(fields.installCommand, 'npm ci');
    await keyboard.moveTo(frame, words.secrets.add);
    await keyboard.press('Enter');
    await quickInput.answer(words.secrets.nameTitle, 'API_TOKEN');
    await quickInput.answer(words.secrets.valueTitle('API_TOKEN'), 'canary-70c1-token');
    await expect.poll(async () => (await focused(frame)).name).toBe(words.secrets.add);
    await keyboard.moveTo(frame, tables.resources);
    await keyboard.press('Enter');
    await keyboard.moveTo(frame, words.form.inCores(words.form.fields.cpu));
    await keyboard.type('2');
    await frame.getByText('As of the last fetch, origin has no branch release.').first().waitFor();
    await keyboard.moveTo(frame, fetch, 'Shift+Tab');
    await keyboard.press('Enter');
    await frame.getByText(/origin\/release is at [0-9a-f]{7}/).waitFor();
    await button(words.page.deploy).waitFor();
    await workbench.screenshot('new-deployment-by-keys');

    relay.sent.length = 0;
    await keyboard.press('Control+Enter');
    await frame.getByText(/(?:^| is )live/).waitFor();
    expect(relay.sent).toEqual([
      {
        name: 'by-keys',
        source: 'repohost',
        source_config: {
          integration_id: integrationId,
          repo_url: sampleUrl,
          deployment_type: 'prod',
          build_on_push: false,
          listener_id: listenerId,
          listener_config: { k8s_namespace: 'apps' },
          install_command: 'npm ci',
          resource_spec: { cpu: 2 },
        },
        source_revision_config: { repo_ref: 'release', graph_config_path: 'graph.json' },
        secrets: [{ name: 'API_TOKEN', value: 'canary-70c1-token' }],
      },
    ]);
    await keyboard.press('Control+w');
    await pageIsGone();
  });
});
