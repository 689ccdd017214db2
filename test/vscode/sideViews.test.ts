import { after, before, describe, it } from 'mocha';
import { held, json, stallBeforeHeaders } from '../support/faults.ts';
import { createRepository, sampleFiles } from '../support/gitRepositories.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { deployAndClose, openDraft } from './support/newDeployment.ts';
import type { ViewName } from './support/trees.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, statusBar, told, tree } from './support/window.ts';
import { activeTab, openSample, suiteFolder } from './support/workspace.ts';

const connection = 'Side views';
const day = 24 * 60 * 60 * 1000;
const canary = 'canary-client-secret-7391';
const agent = 'weather-agent';
const hasAgents = () => told.contextKeys.get('deploymentManager.hasAgents');
const sideViews = ['Listeners', 'Repositories', 'Agents'] as const;

/** How each view begins when it has loaded: where it has not, a row that says so stands between. */
const loaded: Readonly<Record<ViewName, RegExp>> = {
  Deployments: /^▸ billing-agent /,
  Listeners: /^- other-cluster /,
  Repositories: /^▾ This computer\n {2}- acme\//,
  Agents: /^▾ weather-agent .*\n {2}- octo@acme\.example /,
};

describe('A view below the deployments', () => {
  let temporary: string;
  let service: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    const sample = await openSample();
    const url = 'https://code.example/acme/billing-agent';
    const billing = await createRepository(temporary, { name: 'billing-agent', url, files: sampleFiles });
    service = await startService({
      repositories: [sample.folder, billing.folder],
      stepMs: 1,
      devControls: true,
    });
    await seedAgents();
    relay = await startRelay(service);
    await tree('Deployments').open();
    for (const name of sideViews) {
      // Open or closed before: now it is closed in any case.
      await tree(name).open();
      await tree(name).close();
    }
  });

  after(async () => {
    for (const name of sideViews) await tree(name).close();
  });

  async function seedAgents(): Promise<void> {
    const at = (days: number): string => new Date(Date.now() + days * day).toISOString();
    await callService(service, 'PUT', `/_dev/agents/${agent}/connections`, {
      data: [
        {
          provider_id: 'github',
          provider_account_label: 'octo@acme.example',
          scopes: ['repo', 'gist', 'workflow', 'read:user'],
          expires_at: at(-3.1),
          created_by: 'alice',
        },
        { provider_id: 'slack', provider_account_label: 'acme-bot', scopes: ['chat:write'], expires_at: at(2.1) },
      ],
    });
    await callService(service, 'PUT', '/_dev/providers/github', { name: 'GitHub' });
  }

  it('loads its own rows when it is opened, and nothing else', async () => {
    await addConnection(connection, relay);
    await expect.poll(() => tree('Deployments').heading()).toBe(`${connection} · 0`);
    // The connection is tested before the window uses it, and the view loads its rows.
    expect(relay.requests.toSorted()).toEqual(['GET /v2/deployments?limit=1', 'GET /v2/deployments?limit=20&offset=0']);

    relay.requests.length = 0;
    await tree('Listeners').open();
    await expect.poll(() => tree('Listeners').heading()).toBe(`${connection} · 0`);
    expect(relay.requests).toEqual(['GET /v2/listeners?limit=20&offset=0']);

    relay.requests.length = 0;
    // What the agents ask for would come before the others' answer.
    await tree('Agents').open();
    await tree('Repositories').open();
    await expect
      .poll(() => tree('Repositories').rows())
      .toMatch(/^▾ This computer\n {2}- acme\/\S+ main.*\n {2}- acme\/\S+ main/);
    await expect.poll(() => tree('Repositories').rows()).toMatch(/acme\/sample-agent main · this workspace/);
    expect(relay.requests.every((request) => request.startsWith('GET /v1/integrations/'))).toBe(true);
    expect(relay.requests).toHaveLength(3);
    expect(tree('Agents').rows()).toBe('');
  });

  it('shows a newly registered cluster without reloading the list', async () => {
    const title = 'Create Listener';
    const created = run('createListener');
    await quickInput.choose('Kubernetes');
    await quickInput.answer(`${title} (2/4)`, 'production-cluster');
    await quickInput.choose('Add Namespace…');
    await quickInput.answer(title, 'Agents');
    await expect
      .poll(() => quickInput.message())
      .toContain('A namespace can\'t contain capital letters. Use "agents".');
    await quickInput.answer(title, 'agents');
    await quickInput.asked(`${title} (3/4)`);
    expect(quickInput.rows().join('\n')).toContain('agents');

    await quickInput.goBack();
    await quickInput.asked(`${title} (2/4)`);
    await quickInput.accept();
    await quickInput.asked(`${title} (3/4)`);
    expect(quickInput.rows().join('\n')).toContain('agents');
    await quickInput.choose('Continue');
    await quickInput.answer(`${title} (4/4)`, '1.4.2');
    await created;
    await expect
      .poll(() => tree('Listeners').rows())
      .toMatch(/^- production-cluster k8s · namespace agents · version 1\.4\.2 · (now|\d+s ago)$/);
    expect(relay.requests).toEqual(['POST /v2/listeners']);
    await expect.poll(() => tree('Listeners').selected()).toMatch(/^production-cluster /);
    expect(tree('Listeners').heading()).toBe(`${connection} · 1`);
  });

  it('shows any row as a read-only document', async () => {
    const row = await tree('Listeners').shows('production-cluster');
    expect(tree('Listeners').tags('production-cluster')).toBe('listener;');
    await run('openDetails', row);
    await expect.poll(editorText).toContain('compute_id: production-cluster');
  });

  it('rejects a cluster that is already registered, and keeps the other answers', async () => {
    await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'taken-cluster' });
    const created = run('createListener');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'production-cluster');
    // What is in the list needs no request.
    await expect.poll(() => quickInput.message()).toContain('The cluster "production-cluster" is already registered.');
    expect(relay.requests).toEqual([]);
    await quickInput.answer('Create Listener (2/4)', 'taken-cluster');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '2.0.0');
    await quickInput.asked('Create Listener (2/4)');
    expect(quickInput.message()).toContain('The cluster "taken-cluster" is already registered.');
    await quickInput.answer('Create Listener (2/4)', 'other-cluster');
    await quickInput.choose('Continue');
    await quickInput.asked('Create Listener (4/4)');
    await quickInput.accept();
    await created;
    await expect.poll(() => tree('Listeners').rows()).toMatch(/^- other-cluster k8s · version 2\.0\.0/);
  });

  it('filters the repositories while the user types', async () => {
    const filtered = run('filterRepositories');
    await quickInput.asked('Filter Repositories');
    await quickInput.fill('bill acme');
    await expect.poll(() => tree('Repositories').rows()).toBe('▾ This computer\n  - acme/billing-agent main');
    await quickInput.fill('nothing like it');
    await expect.poll(() => tree('Repositories').message()).toBe('No repository has "nothing like it" in its name.');
    await quickInput.fill('bill');
    await quickInput.accept();
    await filtered;
    await expect.poll(() => tree('Repositories').heading()).toBe(`${connection} · 1 with "bill"`);
    expect(relay.requests).toEqual([]);
  });

  it('deploys a repository that is not open, from its row', async () => {
    const row = await tree('Repositories').shows('billing-agent');
    expect(tree('Repositories').tags('billing-agent')).toBe('repository;page;');
    const page = await openDraft('deployRepository', row);
    expect(page.state().words).toBe(`billing-agent to ${connection}`);
    expect(page.field('repository')).toBe('https://code.example/acme/billing-agent');
    expect(page.field('ref')).toBe('main');
    expect(page.field('config')).toBe('graph.json');
    expect(page.deployment().facts).toContain(
      'Without a working copy here, only the build can check that main has graph.json.',
    );
    await deployAndClose(page);
    await expect.poll(() => tree('Deployments').rows()).toMatch(/billing-agent .*live: [0-9a-f]{7}/);
    await run('stopFollowing', await tree('Deployments').shows('billing-agent'));
    expect(statusBar()).toBe('');
  });

  it('shows the accounts of an agent, who added them, and which have expired', async () => {
    // VS Code may have activated the extension, which says it then, before these tests listened.
    expect(hasAgents() ?? false).toBe(false);
    const added = run('addAgent');
    await quickInput.answer('Add Agent', agent);
    await added;
    expect(hasAgents()).toBe(true);
    await expect
      .poll(() => tree('Agents').rows())
      .toBe(
        [
          `▾ ${agent} 2 connections, 1 expired`,
          '  - octo@acme.example expired 3 days ago · github · repo, gist, workflow and 1 more · by alice',
          '  - acme-bot expires in 2 days · slack · chat:write',
        ].join('\n'),
      );
    expect(tree('Agents').spoken('octo@acme.example')).toContain('expired 3 days ago');
    expect(tree('Agents').icon('octo@acme.example')).toBe('warning');
  });

  it('fails alone, keeps its rows, and retries from the error row', async () => {
    relay.break(/connections$/, json({ detail: 'The maintenance is not over.' }, 400));
    await run('refresh');
    await expect
      .poll(() => tree('Agents').rows())
      .toMatch(
        /Couldn't load\. Click to retry as of \d?\d:\d\d(?:\s[AP]M)? · .*The maintenance is not over\..*\n.*octo@acme\.example/,
      );
    await expect
      .poll(() => tree('Listeners').rows())
      .toMatch(/^- other-cluster .*\n- taken-cluster .*\n- production-cluster .*$/);
    relay.mend();
    relay.requests.length = 0;
    await tree('Agents').click("Couldn't load");
    await expect.poll(() => tree('Agents').rows()).toMatch(loaded.Agents);
    expect(relay.requests).toEqual([`GET /v2/auth/agents/${agent}/connections`]);
  });

  const ofViews: readonly [ViewName, RegExp][] = [
    ['Deployments', /^GET \/v2\/(deployments|revisions)/],
    ['Listeners', /^GET \/v2\/listeners\?/],
    ['Repositories', /^GET \/v1\/integrations\//],
    ['Agents', /^GET \/v2\/auth\/agents\//],
  ];
  for (const [name, ofView] of ofViews) {
    it(`is reloaded by its own button, here ${name}, with progress in that view only`, async () => {
      const { fault, release } = held(json({ detail: 'The maintenance is not over.' }, 400));
      relay.break(/^GET/, fault);
      const refreshed = run(`refresh${name}`);
      await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
      expect(told.progress.map(({ view }) => view)).toEqual([`deploymentManager.${name.toLowerCase()}`]);
      expect(relay.requests.filter((request) => !ofView.test(request))).toEqual([]);
      release();
      relay.mend();
      await refreshed;
      await expect.poll(() => tree(name).rows()).toContain("Couldn't load");
      await run(`refresh${name}`);
      await expect.poll(() => tree(name).rows()).toMatch(loaded[name]);
    });
  }

  it('is reloaded with the others if it is open', async () => {
    await tree('Repositories').close();
    relay.requests.length = 0;
    await run('refresh');
    expect(relay.requests.map((request) => request.replace(/\?.*/, ''))).toEqual(
      expect.arrayContaining(['GET /v2/deployments', 'GET /v2/listeners', `GET /v2/auth/agents/${agent}/connections`]),
    );
    expect(relay.requests.filter((request) => request.includes('integrations'))).toEqual([]);
    await tree('Repositories').open();
  });

  it('says that the service went away, and recovers', async () => {
    await relay.stop();
    await run('refresh');
    for (const name of sideViews) {
      await expect
        .poll(() => tree(name).rows())
        .toMatch(/Couldn't load\. Click to retry as of \d?\d:\d\d(?:\s[AP]M)? · http:\S+ refused the connection/);
    }
    expect(tree('Listeners').rows()).toContain('production-cluster');
    await relay.start();
    for (const name of sideViews) {
      await tree(name).click("Couldn't load");
      await expect.poll(() => tree(name).rows()).toMatch(loaded[name]);
    }
  });

  it('offers to set another key if the key is rejected', async () => {
    relay.break(/listeners|integrations|agents/, json({ detail: 'This key was revoked.' }, 401));
    await run('refresh');
    const refused = 'API key rejected';
    for (const name of sideViews) {
      await expect.poll(() => tree(name).rows()).toMatch(/API key rejected\. Click to set a new one .*revoked/);
      const left = tree(name).click(refused);
      await quickInput.asked('Set API Key');
      await quickInput.cancel();
      await left;
    }
    relay.mend();
    const clicked = tree('Listeners').click(refused);
    await quickInput.answer('Set API Key', `${service.apiKey} `);
    await clicked;
    for (const name of sideViews) await expect.poll(() => tree(name).rows()).toMatch(loaded[name]);
  });

  it('sends only the changed fields of an OAuth provider, and never shows its secret', async () => {
    const row = await tree('Agents').shows('octo@acme.example');
    expect(tree('Agents').tags('octo@acme.example')).toBe('agentConnection;');
    const updated = run('updateOAuthProvider', row);
    await quickInput.asked('Update OAuth Provider');
    expect(quickInput.box().value).toBe('github');
    await quickInput.accept();
    await quickInput.choose('Client secret');
    await quickInput.choose('Enter a Value…');
    await quickInput.asked('New Value of Client secret');
    const box = quickInput.box();
    expect(box).toHaveProperty('password', true);
    await quickInput.answer('New Value of Client secret', canary);
    await expect.poll(() => quickInput.rows()).toContain(`Send 1 Change to ${connection}`);
    expect(box.value).toBe('');
    await quickInput.choose('Code challenge method');
    await quickInput.choose('Clear It');
    await expect
      .poll(() => quickInput.rows())
      .toEqual([
        `Send 2 Changes to ${connection}`,
        'Name left unchanged',
        'Client ID left unchanged',
        'Client secret ••••••••',
        'Authorization URL left unchanged',
        'Token URL left unchanged',
        'Uses PKCE left unchanged',
        'Code challenge method will be cleared',
      ]);
    await quickInput.choose('Token URL');
    await quickInput.choose('Enter a Value…');
    await quickInput.answer('New Value of Token URL', 'http://accounts.example/token');
    await expect.poll(() => quickInput.message()).toContain('Token URL needs https');
    await quickInput.cancel();

    relay.break(/^PATCH/, json({ detail: [{ loc: ['body', 'client_secret'], msg: 'is too short.' }] }, 422));
    await quickInput.choose(`Send 2 Changes to ${connection}`);
    await expect.poll(() => quickInput.rows()[0]).toBe('Client secret: is too short');
    relay.mend();
    relay.break(/^PATCH/, json({ detail: 'The provider is locked.' }, 403));
    await quickInput.choose(`Send 2 Changes to ${connection}`);
    await expect.poll(() => quickInput.rows().join(' ')).toContain('The provider is locked.');
    relay.mend();
    relay.break(/^PATCH/, stallBeforeHeaders);
    const patches = () => relay.requests.filter((request) => request.startsWith('PATCH'));
    await quickInput.choose(`Send 2 Changes to ${connection}`);
    await expect.poll(() => patches().length).toBe(3);
    await told.cancel('Sending the changes to');
    await expect
      .poll(() => quickInput.rows()[0])
      .toBe('The request was cancelled, but the service may have applied the changes.');
    relay.mend();
    await quickInput.choose(`Send 2 Changes to ${connection}`);
    await updated;
    expect(relay.sent).toEqual([{ client_secret: canary, code_challenge_method: null }]);
    expect(patches()).toEqual(Array.from({ length: 4 }, () => 'PATCH /v2/auth/providers/github'));
    await activeTab('OAuth provider GitHub.yaml');
    for (const line of [
      `# OAuth provider on ${connection}, read-only. Values that may be secret are hidden.`,
      '# Name: left unchanged',
      "# Client secret: sent; the answer doesn't contain it",
      '# Code challenge method: cleared',
      'name: GitHub',
      'token_url: https://github.example/token',
      'token_endpoint_auth_method: client_secret_post',
    ]) {
      expect(editorText().split('\n')).toContain(line);
    }
    expect(editorText()).not.toContain(canary);
    expect(told.messages).toEqual([]);
  });

  it('removes an agent on request', async () => {
    const row = await tree('Agents').shows(agent);
    expect(tree('Agents').tags(agent)).toBe('agent;');
    await run('removeAgent', row);
    await expect.poll(() => tree('Agents').rows()).toBe('');
    expect(hasAgents()).toBe(false);
    expect(tree('Agents').heading()).toBe(connection);
    expect(relay.requests).toEqual([]);
  });
});
