import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { createSampleRepository } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { addConnection } from './support/connections.ts';
import { inNewDeployment, openDraft } from './support/newDeployment.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay } from './support/suite.ts';
import { expect, pages } from './support/window.ts';
import { openFolder, suiteFolder } from './support/workspace.ts';

describe('The page of a new deployment', () => {
  let sample: SampleRepository;
  let relay: Relay;

  before(async () => {
    sample = await createSampleRepository(await suiteFolder());
    relay = await startRelay(await startService({ repositories: [sample.folder], stepMs: 1 }));
    await addConnection('New', relay);
    await openFolder(sample.folder);
  });

  it('is the page of a file that only its owner can read, and that goes if nothing was entered', async () => {
    const page = await openDraft();
    const file = page.document.uri.fsPath;
    expect(page.document.getText()).toBe(
      [
        'name: sample-agent',
        'repository: https://code.example/acme/sample-agent',
        'ref: main',
        'config: graph.json',
        'type: dev',
        'build_on_push: true',
        '',
      ].join('\n'),
    );
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(page.state().deploy?.label).toBe('Deploy');
    await page.close();
    await expect.poll(() => stat(path.dirname(file)).catch(() => 'gone')).toBe('gone');
  });

  it('has what was entered again, and begins anew if the user wants that', async () => {
    const page = await openDraft();
    await page.type('name', 'mine');
    await expect.poll(() => readFile(page.document.uri.fsPath, 'utf8')).toContain('name: mine\n');
    await page.close();
    const again = await openDraft();
    expect(again.deployment().facts).toContainEqual(expect.stringMatching(/^Your draft of /));
    expect(again.field('name')).toBe('mine');
    await again.press('Start Over');
    await pages.inFront();
    expect(again.field('name')).toBe('sample-agent');
    await again.close();
  });

  it('takes a name that is free, which follows the config file until the user types one', async () => {
    const first = await openDraft();
    await first.press('Deploy');
    await expect.poll(() => first.deployment().progress?.look).toBe('success');
    await first.close();
    await inNewDeployment(async (page) => {
      expect(page.document.getText()).toContain('name: sample-agent-2\n');
      await page.type('config', 'services/one/graph.json');
      expect(page.field('name')).toBe('sample-agent-one');
      await page.type('name', 'mine');
      await page.type('config', 'graph.json');
      expect(page.field('name')).toBe('mine');
    });
    expect(relay.requests.filter((request) => request.startsWith('POST '))).toHaveLength(1);
  });
});
