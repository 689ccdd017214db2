import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { addConnection, addKeylessConnection, removeConnection, switchConnection } from './support/connections.ts';
import {
  addSecret,
  checked,
  edit,
  enterConfigPath,
  inReview,
  namePrompt,
  openReview,
  reviewSays,
  rows,
  valueOf,
} from './support/review.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { describeWindow, expect, quickInput, run, told } from './support/window.ts';
import { openFolder, suiteFolder } from './support/workspace.ts';

const first = 'canary-1f0e-secret';
const second = 'canary-2b7c-secret';
const remembering = 'Remember on This Machine';

describe('Secrets', () => {
  let sample: SampleRepository;
  let service: Service;
  let other: Service;
  let wire: FaultServer;

  before(async () => {
    sample = await createSampleRepository(await suiteFolder());
    [service, other] = await Promise.all([
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ repositories: [sample.folder], stepMs: 1 }),
    ]);
    wire = await startFaultServer();
    wire.answer((response, request) => {
      const isCreate = request.method === 'POST';
      (isCreate ? json({ id: `d${wire.seen.length}`, name: 'sample-agent' }, 201) : passTo(service.url))(
        response,
        request,
      );
    });
    await addKeylessConnection('Secrets B', other.url);
    await addConnection('Secrets A', { url: wire.url, apiKey: service.apiKey });
    await openFolder(sample.folder);
  });

  beforeEach(() => {
    wire.seen.length = 0;
  });

  after(async () => {
    await wire[Symbol.asyncDispose]();
  });

  const posted = (): unknown[] =>
    wire.seen
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as { secrets: unknown }).secrets);

  /** Opens the review, works in it and deploys. */
  async function deploy(work: () => Promise<void>): Promise<void> {
    const { ended } = await openReview();
    await work();
    await checked();
    await quickInput.choose(/^Deploy sample-agent\S* to Secrets A$/);
    await ended;
  }

  async function add(name: string, value: string): Promise<void> {
    await addSecret(name, value);
    await quickInput.asked('Secrets');
  }

  /** Goes back to the review. */
  async function done(): Promise<void> {
    await quickInput.choose('Done');
    await checked();
  }

  async function secretRows(...wanted: readonly string[]): Promise<void> {
    await quickInput.asked('Secrets');
    await expect.poll(() => quickInput.rows()).toEqual(expect.arrayContaining([...wanted]));
  }

  /** Removes the secrets of the last deployment that have no value now. */
  async function removeMissing(): Promise<void> {
    await edit('Secrets');
    await quickInput.asked('Secrets');
    const missing = (): string | undefined => quickInput.rows().find((row) => row.endsWith(' value missing'));
    for (let row = missing(); row !== undefined; row = missing()) {
      await quickInput.choose(row);
      await quickInput.choose('Remove');
      await quickInput.asked('Secrets');
    }
    await done();
  }

  it('are stored when the person says so, and used silently the next time', async () => {
    await deploy(async () => {
      await edit('Secrets');
      await add('TOKEN', first);
      await add('ONCE', 'once');
      await secretRows('TOKEN ••••••••', 'ONCE ••••••••');
      await quickInput.pressInRow('TOKEN', remembering);
      await secretRows('TOKEN stored', 'ONCE ••••••••');
      await done();
      expect(await valueOf('Secrets')).toBe('Secrets 2 secrets, stored: TOKEN');
    });
    await deploy(async () => {
      expect(rows()).toContain('Secrets 2 secrets, stored: TOKEN, without a value: ONCE · as last time');
      await removeMissing();
      expect(await valueOf('Secrets')).toBe('Secrets 1 secret, stored: TOKEN');
    });
    const stored = { name: 'TOKEN', value: first };
    expect(posted()).toEqual([[stored, { name: 'ONCE', value: 'once' }], [stored]]);
    expect(describeWindow()).not.toContain(first);
  });

  it('are not used for another config file or connection, where their names are asked for', () =>
    inReview(async () => {
      await enterConfigPath('other/graph.json');
      await edit('Secrets');
      await secretRows('TOKEN value missing');
      await done();
      await edit('Connection');
      await quickInput.choose('Secrets B');
      await quickInput.answer('Set API Key', other.apiKey);
      await reviewSays('Enter the value of TOKEN, or remove it.');
      await edit('Connection');
      await quickInput.choose('Secrets A');
      await enterConfigPath('graph.json');
      expect(await valueOf('Secrets')).toBe('Secrets 1 secret, stored: TOKEN');
    }));

  it('are changed and no longer stored by the keyboard alone', async () => {
    await deploy(async () => {
      await edit('Secrets');
      await add('EXTRA', 'extra');
      await quickInput.choose('EXTRA');
      await quickInput.choose(remembering);
      await secretRows('EXTRA stored');
      await quickInput.choose('TOKEN');
      await quickInput.choose('Change Value…');
      await quickInput.answer('Value of TOKEN', second);
      await secretRows('TOKEN stored');
      await quickInput.choose('EXTRA');
      await quickInput.choose('Stop Remembering');
      await secretRows('EXTRA ••••••••');
      await done();
    });
    await deploy(removeMissing);
    const changed = { name: 'TOKEN', value: second };
    expect(posted()).toEqual([[changed, { name: 'EXTRA', value: 'extra' }], [changed]]);
  });

  it('are replaced and deleted in their list, which shows names only', async () => {
    await inReview(async () => {
      await edit('Secrets');
      await add('MODEL_KEY', 'model');
      await quickInput.pressInRow('MODEL_KEY', remembering);
      await secretRows('MODEL_KEY stored');
      await done();
    });
    const managed = run('manageSecrets');
    await quickInput.asked('Manage Secrets');
    const place = 'code.example/acme/sample-agent · graph.json · Secrets A · open here';
    expect(quickInput.rows()).toEqual([`MODEL_KEY ${place}`, `TOKEN ${place}`]);
    await quickInput.choose('TOKEN');
    await quickInput.choose('Replace Value…');
    await expect.poll(() => quickInput.box()).toMatchObject({ password: true });
    await quickInput.answer('Value of TOKEN', '');
    await expect.poll(() => quickInput.message()).toContain('Enter a value.');
    await quickInput.answer('Value of TOKEN', first);
    await quickInput.asked('Manage Secrets');
    await quickInput.choose('MODEL_KEY');
    await quickInput.choose('Delete');
    (await told.message('Delete the stored value of MODEL_KEY?')).press('Delete');
    await expect.poll(() => quickInput.rows()).toEqual([`TOKEN ${place}`]);
    await quickInput.cancel();
    await managed;
    await deploy(async () => undefined);
    expect(posted()).toEqual([[{ name: 'TOKEN', value: first }]]);
    expect(describeWindow()).not.toContain('canary');
  });

  it('are listed for a connection that was removed, and all of a place are deleted at once', async () => {
    await inReview(async () => {
      await edit('Connection');
      await quickInput.choose('Secrets B');
      await edit('Secrets');
      await secretRows('TOKEN value missing');
      for (const name of ['ONE', 'TWO']) {
        await add(name, name);
        await quickInput.pressInRow(name, remembering);
        await secretRows(`${name} stored`);
      }
      await done();
    });
    await removeConnection('Secrets B');
    await switchConnection('Secrets A');
    const managed = run('manageSecrets');
    await quickInput.asked('Manage Secrets');
    expect(quickInput.rows().filter((row) => row.includes('Secrets B (no longer configured)'))).toHaveLength(2);
    await quickInput.choose('TWO');
    await quickInput.choose('Delete All 2 of code.example/acme/sample-agent');
    await told.message('Delete all 2 stored secrets of code.example/acme/sample-agent on Secrets B?');
    told.clear();
    await quickInput.asked('Manage Secrets');
    expect(quickInput.rows()).toHaveLength(3);
    await quickInput.choose('ONE');
    await quickInput.choose('Delete All 2 of code.example/acme/sample-agent');
    (await told.message('Delete all 2 stored secrets')).press('Delete');
    await expect.poll(() => quickInput.rows()).toHaveLength(1);
    await quickInput.choose('TOKEN');
    await quickInput.choose('Delete');
    (await told.message('Delete the stored value of TOKEN?')).press('Delete');
    await managed;
    const empty = run('manageSecrets');
    (await told.message('No secrets are stored on this machine.')).press();
    await empty;
  });

  it('come from the file that the config names first, and its problems stay until they are dismissed', async () => {
    const file = path.join(sample.folder, '.env');
    expect(await readFile(path.join(sample.folder, 'graph.json'), 'utf8')).toContain('.env');
    await writeFile(file, `TOKEN=${first}\nEMPTY=\nno assignment\n`);
    await inReview(async () => {
      await edit('Secrets');
      await quickInput.choose('Import from .env File…');
      await quickInput.asked('Import Secrets');
      expect(quickInput.rows()).toEqual(['.env named by graph.json', 'Other File…']);
      await quickInput.choose('.env');
      await expect.poll(() => quickInput.rows()).toEqual(['TOKEN line 1']);
      await quickInput.accept();
      const problems = [
        ".env, line 2: EMPTY has no value, so it can't be imported.",
        ".env, line 3: This line isn't in the form NAME=value and was skipped.",
      ];
      await secretRows(...problems, 'TOKEN ••••••••');
      await add('MORE', 'more');
      await secretRows(...problems, 'MORE ••••••••');
      await done();
      for (const problem of problems) await reviewSays(problem);
      await edit('Name');
      await expect.poll(() => quickInput.message()).toContain(namePrompt);
      await quickInput.goBack();
      await reviewSays(problems[0] ?? '');
      await edit('Secrets');
      await quickInput.choose('Dismiss Problems');
      await done();
      await checked();
      expect(rows()).not.toContain('has no value');
    });
    await rm(file);
  });

  it('do not come from a file that the repository links to elsewhere', async () => {
    const file = path.join(sample.folder, '.env');
    const foreign = path.join(path.dirname(sample.folder), 'foreign.env');
    await writeFile(foreign, 'FOREIGN_KEY=canary-0b7e-secret\n');
    await symlink(foreign, file);
    await inReview(async () => {
      await edit('Secrets');
      await quickInput.choose('Import from .env File…');
      await quickInput.asked('Import Secrets');
      await quickInput.choose('.env');
      await expect.poll(rows).toContain("Couldn't read .env:");
      expect(rows()).toContain('The file links outside its folder.');
      expect(rows()).not.toContain('FOREIGN_KEY');
      await done();
    });
    await rm(file);
    await rm(foreign);
  });

  it('get a missing value from the file that the config names', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(file, `TOKEN=${first}\nno assignment\n`);
    await deploy(async () => {
      await reviewSays('Enter the value of TOKEN, or remove it.');
      await quickInput.choose('Import TOKEN from .env');
      await quickInput.asked('Import Secrets');
      expect(quickInput.message()).toBe('Names in .env; the list of secrets shows 1 problem');
      await expect.poll(() => quickInput.rows()).toEqual(['TOKEN line 1']);
      await quickInput.accept();
      await reviewSays('.env, line 2: This line');
      await edit('Secrets');
      await quickInput.choose('Dismiss Problem');
      await done();
    });
    expect(posted()).toEqual([[{ name: 'TOKEN', value: first }]]);
    await rm(file);
  });

  it('do not come from a clipboard without any, which is said', () =>
    inReview(async () => {
      const before = await valueOf('Secrets');
      for (const [text, why] of [
        ['', 'Nothing to import from Clipboard.'],
        ['c2VjcmV0MTIzNDU=', "Clipboard, line 1: This line isn't in the form NAME=value and was skipped."],
      ] as const) {
        await vscode.env.clipboard.writeText(text);
        await edit('Secrets');
        await quickInput.choose('Import from Clipboard');
        await expect.poll(rows).toContain(why);
        expect(rows()).not.toContain('c2VjcmV0');
        await done();
        expect(await valueOf('Secrets')).toBe(before);
      }
    }));

  it('come from the clipboard, 30 lines at once, and only their names are shown', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `CLIP_${index + 1}`);
    const lines = names.map((name, index) => `${name}=canary-${index + 1}`);
    await vscode.env.clipboard.writeText(['# copied', ...lines, 'EMPTY=', 'just words'].join('\r\n'));
    await deploy(async () => {
      await removeMissing();
      await edit('Secrets');
      await quickInput.choose('Import from Clipboard');
      await quickInput.asked('Import Secrets');
      expect(quickInput.message()).toBe('Names in Clipboard; the list of secrets shows 2 problems');
      expect(quickInput.rows()).toEqual(names.map((name, index) => `${name} line ${index + 2}`));
      expect(describeWindow()).not.toContain('canary');
      await quickInput.accept();
      await quickInput.asked('Secrets');
      await expect.poll(rows).toContain("Clipboard, line 32: EMPTY has no value, so it can't be imported.");
      expect(rows()).toContain("Clipboard, line 33: This line isn't in the form NAME=value and was skipped.");
      await quickInput.choose('Dismiss Problems');
      await expect.poll(rows).not.toContain('Clipboard, line');
      await done();
      expect(await valueOf('Secrets')).toBe('Secrets 30 secrets');
    });
    expect(posted()).toEqual([names.map((name, index) => ({ name, value: `canary-${index + 1}` }))]);
  });
});
