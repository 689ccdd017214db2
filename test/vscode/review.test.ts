import * as vscode from 'vscode';
import { readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { passTo } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { callService, createFromImage, createFromRepository } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection, removeConnection, switchConnection } from './support/connections.ts';
import {
  addSecret,
  answer,
  checked,
  deployAnyway,
  edit,
  enterConfigPath,
  inReview,
  namePrompt,
  openReview,
  reviewSays,
  rows,
  valueOf,
} from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, expect, quickInput, run, told, tree } from './support/window.ts';
import { activeTab, openFolder, showFile, suiteFolder } from './support/workspace.ts';

const refPrompt = 'A branch, refs/tags/… for a tag, or a whole commit ID.';
/** What `enterSource` makes of the rows. */
const source = ['Name not taken · you', 'Branch release · you', 'Config file services/graph.json · you'];

describe('The review of a deployment', () => {
  let temporary: string;
  let sample: SampleRepository;
  let service: Service;
  let other: Service;
  let empty: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    sample = await createSampleRepository(temporary);
    [service, other, empty] = await Promise.all([
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ stepMs: 1 }),
    ]);
    await createFromImage(service, 'taken');
    relay = await startRelay(service);
    await pushedBySomebodyElse();
    await git(sample.folder, 'checkout', '--quiet', '-b', 'broken');
    await commitFiles(sample.folder, { 'graph.json': '{ "graphs": ' }, 'Break the config file');
    await git(sample.folder, 'push', '--quiet', '--set-upstream', 'origin', 'broken');
    await git(sample.folder, 'checkout', '--quiet', 'main');
    await addKeylessConnection('Review B', other.url);
    await addKeylessConnection('Review C', empty.url);
    await addConnection('Review A', relay);
    await openFolder(sample.folder);
  });

  /** Pushes a branch with a second config file; the clone that is open has not heard of it. */
  async function pushedBySomebodyElse(): Promise<void> {
    const elsewhere = path.join(temporary, 'elsewhere');
    await git(temporary, 'clone', '--quiet', sample.bare, elsewhere);
    await git(elsewhere, 'config', 'user.name', 'Other Author');
    await git(elsewhere, 'config', 'user.email', 'other@code.example');
    await git(elsewhere, 'checkout', '--quiet', '-b', 'release');
    await commitFiles(elsewhere, { 'services/graph.json': '{ "graphs": { "agent": "./a.py:graph" } }\n' }, 'Split');
    await git(elsewhere, 'push', '--quiet', 'origin', 'release');
  }

  const posts = (): string[] => relay.requests.filter((request) => request.startsWith('POST '));

  async function enterName(name: string): Promise<void> {
    await edit('Name');
    await answer(namePrompt, name);
  }

  async function enterRef(field: string, ref: string): Promise<void> {
    await edit(field);
    await quickInput.choose('Enter a branch, tag or commit…');
    await answer(refPrompt, ref);
  }

  /** Names the deployment, a branch that was pushed by somebody else, and a config file that only this branch has. */
  async function enterSource(): Promise<void> {
    await enterName('not taken');
    await enterRef('Branch', 'release');
    await enterConfigPath('./services/graph.json');
  }

  /** Waits until the checked review has these rows. */
  async function expectRows(...wanted: readonly string[]): Promise<void> {
    await checked();
    await expect.poll(() => quickInput.rows()).toEqual(expect.arrayContaining([...wanted]));
  }

  async function switchTo(connection: string, apiKey?: string): Promise<void> {
    await edit('Connection');
    await quickInput.choose(connection);
    if (apiKey !== undefined) await quickInput.answer('Set API Key', apiKey);
  }

  it('refuses impossible values, and keeps the previous ones', () =>
    inReview(async () => {
      expect(rows()).toContain('Deploy sample-agent to Review A');
      await enterName('  ');
      await answer('Enter a name.', 'taken');
      await reviewSays("Can't be deployed yet");
      expect(rows()).toContain('"taken" is taken on Review A; choose another name.');
      await quickInput.choose("Can't be deployed yet");
      await answer(namePrompt, 'not taken');
      await enterConfigPath(' ');
      await expect.poll(() => quickInput.message()).toContain('Enter the path of the config file.');
      await quickInput.goBack();
      expect(await valueOf('Config file')).toBe('Config file graph.json');
      await enterRef('Branch', '');
      await expect.poll(() => quickInput.message()).toContain('Enter a branch, a tag or a commit.');
      await quickInput.goBack();
      expect(await valueOf('Branch')).toBe('Branch main');
      expect(await valueOf('Name')).toBe('Name not taken');
    }));

  it('keeps a tag as a tag if it is accepted again', () =>
    inReview(async () => {
      await enterRef('Branch', 'refs/tags/v1');
      expect(await valueOf('Tag')).toBe('Tag v1');
      await edit('Tag');
      await quickInput.choose('Enter a branch, tag or commit…');
      await expect.poll(() => quickInput.message()).toContain(refPrompt);
      await quickInput.accept();
      expect(await valueOf('Tag')).toBe('Tag v1');
    }));

  it('sends nothing if no row matches the typed text, or if it is canceled', async () => {
    await inReview(async () => {
      await quickInput.fill('gibberish');
      await expect.poll(() => quickInput.box()).toMatchObject({ activeItems: [] });
      await quickInput.accept();
      await quickInput.fill('');
      await checked();
      expect(rows()).toContain('Deploy sample-agent to Review A');
    });
    expect(posts()).toEqual([]);
  });

  it('labels a branch, a tag and a commit as such', () =>
    inReview(async () => {
      const commit = await git(sample.folder, 'rev-parse', 'HEAD');
      for (const [field, typed, label, name] of [
        ['Branch', commit, 'Commit', commit],
        ['Commit', 'refs/tags/v1', 'Tag', 'v1'],
        ['Tag', 'main', 'Branch', 'main'],
      ] as const) {
        await enterRef(field, typed);
        expect(await valueOf(label)).toBe(`${label} ${name}`);
      }
    }));

  it('reads the config file of the deployed branch, not of the open one', () =>
    inReview(async () => {
      await edit('Branch');
      await quickInput.choose('broken');
      await reviewSays("graph.json can't be used:");
      await edit('Branch');
      await quickInput.choose('main');
      await checked();
      expect(rows()).not.toContain("can't be used");
    }));

  it('keeps everything if git fails during a change', () =>
    inReview(async () => {
      await enterName('not taken');
      await checked();
      const packedRefs = path.join(sample.folder, '.git', 'packed-refs');
      const present = await readFile(packedRefs, 'utf8').catch(() => undefined);
      await writeFile(packedRefs, 'no refs\n');
      await edit('Branch');
      await expect.poll(rows).toContain('The change failed:');
      await (present === undefined ? rm(packedRefs) : writeFile(packedRefs, present));
      expect(await valueOf('Name')).toBe('Name not taken');
    }));

  it('doubts a branch that the clone does not know until it fetches, and loses nothing if a fetch fails or is canceled', () =>
    inReview(async () => {
      await enterSource();
      await reviewSays('origin has no branch release');
      await quickInput.choose('Fetch from origin');
      await expect.poll(rows).toMatch(/origin\/release is at [0-9a-f]{7}/);
      expect(rows()).not.toContain('has no branch');
      await expectRows(...source);

      await git(sample.folder, 'config', `url.${sample.bare}-gone.insteadOf`, sample.url);
      await git(sample.folder, 'config', '--unset', `url.${sample.bare}.insteadOf`);
      await quickInput.choose('Fetch from origin');
      await reviewSays('The fetch failed.');
      await git(sample.folder, 'config', '--unset', `url.${sample.bare}-gone.insteadOf`);
      await git(sample.folder, 'config', `url.${sample.bare}.insteadOf`, sample.url);
      await quickInput.choose('Fetch from origin');
      await checked();
      expect(rows()).not.toContain('The fetch failed.');

      const gate = path.join(temporary, 'gate');
      await writeFile(gate, '');
      const slowly = `while test -e '${gate}'; do sleep 0.1; done; git-upload-pack`;
      await git(sample.folder, 'config', 'remote.origin.uploadpack', slowly);
      await quickInput.choose('Fetch from origin');
      (await told.waitsFor('Fetching from origin…')).cancel();
      (await told.message('Stopped waiting. Git may still finish.')).press();
      // Git may still ask for a password.
      await quickInput.closed();
      await rm(gate);
      await git(sample.folder, 'config', '--unset', 'remote.origin.uploadpack');
      void run('deployCurrentRepository');
      await checked();
      await expectRows(...source);
    }));

  it('moves everything to another connection and back, and sends it again after a rejection', async () => {
    relay.break(/^POST \/v2\/deployments/, json({ detail: 'Quota exceeded.' }, 403, { 'x-request-id': 'request-7' }));
    const filledIn = [...source, 'Type prod · you', 'Secrets 1 secret · you'];
    const ended = run('deployCurrentRepository');
    await enterSource();
    await edit('Type');
    await quickInput.choose('prod');
    await edit('Secrets');
    await addSecret('MODEL_KEY', 'canary-2c71-secret');
    await quickInput.choose('Done');

    await edit('Connection');
    await quickInput.asked('Switch Connection');
    await quickInput.goBack();
    await expectRows('Deploy not taken to Review A', 'Fetch from origin', ...filledIn);

    await switchTo('Review B', other.apiKey);
    await expectRows('Deploy not taken to Review B', ...filledIn);
    // The window keeps its own connection until the deployment is created.
    expect(tree('Deployments').heading()).toContain('Review A');

    await switchTo('Review C', empty.apiKey);
    await expectRows("Can't be deployed yet 1 problem", ...filledIn);
    expect(quickInput.rows().join(' ')).toContain(
      'No integration on "Review C" has access to acme/sample-agent. Grant access on the code host',
    );
    expect(rows().match(/No integration/g)).toHaveLength(1);

    await switchTo('Review A');
    await expectRows('Deploy not taken to Review A', ...filledIn);
    await quickInput.choose('Deploy not taken to Review A');
    await deployAnyway('Deploy not taken to Review A?');
    await reviewSays('Quota exceeded. Request ID: request-7.');
    await expectRows('Deploy not taken to Review A', ...filledIn);
    relay.mend();
    await quickInput.choose('Deploy not taken to Review A');
    await ended;
    const { resources } = await callService(service, 'GET', '/v2/deployments?name_contains=not');
    expect(resources).toHaveLength(1);
    expect(resources[0]).toMatchObject({
      name: 'not taken',
      source_config: { deployment_type: 'prod' },
      source_revision_config: { repo_ref: 'release', graph_config_path: 'services/graph.json' },
    });
    expect((await callService(other, 'GET', '/v2/deployments')).resources).toEqual([]);
  });

  it('takes another remote of the repository, and says where no integration has it', async () => {
    await git(sample.folder, 'remote', 'add', 'upstream', 'https://code.example/upstream/sample-agent');
    await inReview(async () => {
      await edit('Repository');
      await quickInput.choose(/^upstream$/);
      await reviewSays('No integration on "Review A" has access to upstream/sample-agent.');
      expect(rows()).toContain('Repository https://code.example/upstream/sample-agent · remote upstream');
      expect(rows()).toContain('Integration not set');
      expect(rows()).toContain('Fetch from upstream');
      await edit('Repository');
      await quickInput.choose(/^origin$/);
      await reviewSays('Deploy sample-agent to Review A');
      expect(rows()).toContain('Integration This computer · has the repository');
      await edit('Repository');
      await quickInput.choose('Enter a URL…');
      await answer('The URL of the repository on the code host.', 'https://me:canary@code.example/acme/agent');
      await expect.poll(() => quickInput.message()).toContain('Leave out the user name and password.');
      await quickInput.goBack();
      await checked();
    });
    await git(sample.folder, 'remote', 'remove', 'upstream');
  });

  it('returns to the open repository, whose branch each remote may call differently', async () => {
    await git(sample.folder, 'remote', 'add', 'upstream', 'https://code.example/upstream/sample-agent');
    await git(sample.folder, 'update-ref', 'refs/remotes/upstream/trunk', 'HEAD');
    await git(sample.folder, 'branch', '--quiet', '--set-upstream-to', 'upstream/trunk', 'main');
    await inReview(async () => {
      expect(await valueOf('Branch')).toBe('Branch main');
      await edit('Repository');
      await quickInput.choose(/^upstream$/);
      expect(await valueOf('Branch')).toBe('Branch trunk');
      await edit('Repository');
      await quickInput.choose('Enter a URL…');
      await answer('The URL of the repository on the code host.', 'https://code.example/other/agent');
      await reviewSays('No integration on "Review A" has access to other/agent.');
      expect(rows()).not.toContain('Fetch from');
      await edit('Repository');
      await quickInput.choose(/^origin$/);
      await reviewSays('Deploy sample-agent to Review A');
      expect(rows()).toContain('Fetch from origin');
      expect(await valueOf('Branch')).toBe('Branch main');
    });
    await git(sample.folder, 'branch', '--quiet', '--set-upstream-to', 'origin/main', 'main');
    await git(sample.folder, 'remote', 'remove', 'upstream');
  });

  it('adds a connection for itself, and the window keeps its own', async () => {
    await inReview(async () => {
      await edit('Connection');
      await quickInput.choose('Add Connection…');
      await quickInput.choose('Deployment service');
      await quickInput.answer('Add Connection (2/4)', other.url);
      await quickInput.answer('Add Connection (3/4)', 'Review D');
      await quickInput.answer('Add Connection (4/4)', other.apiKey);
      await reviewSays('Deploy sample-agent to Review D');
      expect(tree('Deployments').heading()).toContain('Review A');
    });
    await removeConnection('Review D');
    await switchConnection('Review A');
  });

  it('says once why its connection does not answer, and leads to another one', () =>
    inReview(async () => {
      await switchTo('Review B');
      await reviewSays('Deploy sample-agent to Review B');
      await relay.stop();
      await switchTo('Review A');
      await reviewSays("Can't be deployed yet");
      expect(
        quickInput
          .rows()
          .join(' ')
          .match(/refused the connection/g),
      ).toHaveLength(1);
      await quickInput.choose('Switch Connection');
      await quickInput.asked('Switch Connection');
      await quickInput.choose('Review B');
      await reviewSays('Deploy sample-agent to Review B');
      expect(rows()).not.toContain('Switch Connection');
      await relay.start();
    }));

  it('says how old the known state of the remote is', async () => {
    const file = path.join(sample.folder, '.git', 'FETCH_HEAD');
    const log = path.join(sample.folder, '.git/logs/refs/remotes/origin/main');
    const threeHoursAgo = Math.floor(Date.now() / 1000) - 3 * 60 * 60;
    await writeFile(file, `${'a'.repeat(40)}\t\tbranch 'main' of ${sample.bare}\n`);
    await utimes(file, threeHoursAgo, threeHoursAgo);
    const entry = `${'0'.repeat(40)} ${'a'.repeat(40)} A <a@code.example> ${threeHoursAgo - 60} +0000\tupdate by push\n`;
    await writeFile(log, entry);
    await inReview(async () => {
      await expect.poll(rows).toMatch(/origin\/main was at [0-9a-f]{7} when last fetched 3 hours ago\./);
      await quickInput.choose('Fetch from origin');
      await checked();
      await expect.poll(rows).toMatch(/origin\/main is at [0-9a-f]{7}\./);
    });
  });

  it('suggests the name of the application until the user enters one', () =>
    inReview(async () => {
      const enterPath = async (configPath: string): Promise<void> => {
        await enterConfigPath(configPath);
      };
      await enterPath('apps/chat/graph.json');
      expect(await valueOf('Name')).toBe('Name sample-agent-chat');
      await enterName('my-own');
      await enterPath('apps/billing/graph.json');
      expect(await valueOf('Name')).toBe('Name my-own');
    }));

  it('asks about warnings before it sends, and goes back to the review', async () => {
    await inReview(async () => {
      await enterName('not usual');
      await checked();
      await quickInput.choose('Deploy not usual to Review A');
      await quickInput.asked('Deploy not usual to Review A?');
      expect(quickInput.message()).toBe('The review has 1 warning');
      await quickInput.choose('Back to Review');
      await checked();
    });
    expect(posts()).toEqual([]);
  });

  it('says that a name is taken while it is typed', () =>
    inReview(async () => {
      await enterName('taken');
      await reviewSays("Can't be deployed yet");
      await edit('Name');
      await expect.poll(() => quickInput.message()).toContain(namePrompt);
      await quickInput.fill('taken');
      await expect.poll(() => quickInput.message()).toBe('"taken" is taken on Review A.');
      await quickInput.fill('taken-2');
      await expect.poll(() => quickInput.message()).toContain(namePrompt);
      await quickInput.accept();
      expect(await valueOf('Name')).toBe('Name taken-2');
    }));

  it('is continued at once after another quick input closed it, with the values of secrets', async () => {
    await inReview(async () => {
      await enterName('left-behind');
      await edit('Secrets');
      await addSecret('MODEL_KEY', 'canary-77aa-secret');
      await quickInput.choose('Done');
      await checked();
    });
    const ended = run('deployCurrentRepository');
    await checked();
    expect(rows()).toContain('Deploy left-behind to Review A');
    expect(rows()).toMatch(/^Start Over discards your draft of /m);
    expect(await valueOf('Secrets')).toBe('Secrets 1 secret');
    expect(rows()).not.toContain('Enter the value');
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await ended;
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    expect(describeWindow()).not.toContain('canary-77aa');
  });

  it('stays closed after another quick input took the place of its prompt, and keeps what was half typed', async () => {
    const left = run('deployCurrentRepository');
    await edit('Name');
    await expect.poll(() => quickInput.message()).toContain(namePrompt);
    await quickInput.fill('left-beh');
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await left;
    await quickInput.closed();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    const ended = run('deployCurrentRepository');
    expect(await valueOf('Name')).toBe('Name left-behind');
    await edit('Name');
    await expect.poll(() => quickInput.message()).toContain(namePrompt);
    expect(quickInput.box().value).toBe('left-beh');
    await quickInput.goBack();
    await checked();
    await edit('Name');
    await expect.poll(() => quickInput.message()).toContain(namePrompt);
    expect(quickInput.box().value).toBe('left-behind');
    await quickInput.goBack();
    await checked();
    await quickInput.cancel();
    await ended;
  });

  it('reads the open clone of a draft that is continued from the list', async () => {
    const ended = run('createDeployment');
    await quickInput.choose('Continue left-behind');
    await quickInput.asked('Create Deployment: Review');
    await expect.poll(rows).toContain('Fetch from origin');
    expect(quickInput.rows().join(' ')).not.toContain('Without a working copy here');
    await expect.poll(() => quickInput.rows().join(' ')).toContain('Enter the value of MODEL_KEY, or remove it.');
    await quickInput.cancel();
    await ended;
  });

  it('starts over, and then nothing is left of it', async () => {
    await inReview(() => expect(rows()).toContain('Deploy sample-agent to Review A'));
    const ended = run('createDeployment');
    await quickInput.choose('Start Over');
    await expect.poll(rows).toContain('Open Repository');
    expect(rows()).not.toContain('Continue left-behind');
    await quickInput.cancel();
    await ended;
  });

  it('is continued by the command that led to it', async () => {
    const ended = run('createDeployment');
    await quickInput.choose('Open Repository');
    await enterName('by-create');
    await checked();
    await quickInput.cancel();
    await ended;
    const again = run('createDeployment');
    await checked();
    expect(rows()).toContain('Deploy by-create to Review A');
    await quickInput.choose('Start Over');
    await expect.poll(rows).toContain('Open Repository');
    expect(rows()).not.toContain('Continue by-create');
    await quickInput.cancel();
    await again;
  });

  it('imports what the dotenv file of the config names', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(file, 'MODEL_KEY=canary-6d20-secret\nMODE=fast\nPATH=/bin\n');
    await inReview(async () => {
      expect(rows()).toContain('Add MODEL_KEY, MODE as secrets');
      expect(rows()).toContain(".env, line 3: PATH is set by the platform and can't be a secret.");
      await quickInput.choose('Import 2 Names from .env');
      await quickInput.asked('Import Secrets');
      await expect.poll(() => quickInput.rows()).toEqual(['MODEL_KEY line 1', 'MODE line 2']);
      await quickInput.accept();
      expect(await valueOf('Secrets')).toBe('Secrets 2 secrets');
      expect(rows()).not.toContain('Import');
      await edit('Secrets');
      await expect
        .poll(() => quickInput.rows())
        .toEqual(expect.arrayContaining(['MODEL_KEY ••••••••', 'MODE ••••••••']));
      await quickInput.choose('Done');
      await checked();
      expect(describeWindow()).not.toContain('canary-6d20');
    });
    await rm(file);
  });

  it('imports nothing from a dotenv file that leads out of the repository', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(path.join(temporary, 'elsewhere.env'), 'FOREIGN_KEY=canary-0b7e-secret\n');
    await symlink(path.join(temporary, 'elsewhere.env'), file);
    await inReview(() => {
      expect(rows()).not.toContain('Import');
      expect(rows()).not.toContain('FOREIGN_KEY');
    });
    await rm(file);
  });

  it('imports secrets from a file, and names the lines that could not be read', () =>
    inReview(async () => {
      const file = path.join(temporary, 'secrets.env');
      await writeFile(file, 'MODEL_KEY=canary-5e11-secret\nno assignment\nPATH=/bin\nMODE="two words"\n');
      told.dialogGives(file);
      await edit('Secrets');
      await quickInput.choose('Import from .env File…');
      await quickInput.asked('Import Secrets');
      expect(told.dialogs).toEqual(['Import Secrets']);
      expect(quickInput.rows()).toEqual(['MODEL_KEY line 1', 'MODE line 4']);
      await quickInput.accept();
      await expect.poll(rows).toContain('Done');
      expect(rows()).toContain("secrets.env, line 2: This line isn't in the form NAME=value and was skipped.");
      expect(rows()).toContain("secrets.env, line 3: PATH is set by the platform and can't be a secret.");
      await quickInput.choose('Done');
      expect(await valueOf('Secrets')).toBe('Secrets 2 secrets');
      expect(describeWindow()).not.toContain('canary-5e11');
    }));

  describe('of a repository that is already deployed', () => {
    before(async () => {
      await createFromRepository(service, 'sample-agent');
      await tree('Deployments').open();
      await run('refresh');
      await tree('Deployments').shows('sample-agent');
    });

    it('says so at once, and suggests an available name', async () => {
      await inReview(() => undefined);
      relay.requests.length = 0;
      await inReview(() => {
        expect(rows()).toContain('Deploy sample-agent-2 to Review A');
        expect(rows()).toContain('Already deployed from main: "sample-agent"; a push builds it.');
        expect(rows()).not.toContain('is taken');
        // One finds the deployments of the branch, one tells which names are taken.
        expect(relay.requests.filter((request) => request.includes('name_contains'))).toHaveLength(2);
      });
    });

    it('goes on suggesting a name after a look at it', () =>
      inReview(async () => {
        await edit('Name');
        await expect.poll(() => quickInput.message()).toContain(namePrompt);
        await quickInput.goBack();
        await switchTo('Review B');
        await reviewSays('Deploy sample-agent to Review B');
      }));

    it('shows the details of its deployment', async () => {
      await inReview(async () => {
        await quickInput.choose('Show Deployment');
        await activeTab('sample-agent.yaml');
        await checked();
      });
      await showFile(path.join(sample.folder, 'graph.json'));
    });

    it('offers to deploy even if the service rejects the check of names', async () => {
      relay.break(/name_contains/, json({ detail: 'Not for this key.' }, 403));
      await inReview(() => {
        expect(rows()).toContain('Deploy sample-agent-2 to Review A');
        expect(rows()).toContain("Couldn't check whether the name is available:");
        expect(rows()).toContain('Already deployed from main: "sample-agent"; a push builds it.');
      });
    });
  });

  describe('whose answer is lost', () => {
    it('shows and follows the deployment that was created anyway', async () => {
      relay.break(/^POST \/v2\/deployments/, passTo(service.url, json({ detail: 'Gateway time-out.' }, 504)));
      const { ended } = await openReview();
      await enterName('answered late');
      await checked();
      await quickInput.choose('Deploy answered late to Review A');
      await deployAnyway('Deploy answered late to Review A?');
      await ended;
      expect(posts()).toHaveLength(1);
      await tree('Deployments').open();
      await expect.poll(() => tree('Deployments').selected()).toContain('answered late');
      const followed = run('showFollowed');
      await expect.poll(() => quickInput.rows().join('\n')).toContain('answered late');
      await quickInput.cancel();
      await followed;
    });
  });
});
