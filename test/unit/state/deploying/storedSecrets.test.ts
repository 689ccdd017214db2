import { beforeEach, describe, expect, it } from 'vitest';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { localConnection, type Connection } from '../../../../src/state/connections/connection.ts';
import { apiKeySlot } from '../../../../src/state/connections/storedKeys.ts';
import {
  deleteStoredSecret,
  isConfigured,
  isSamePlace,
  listStoredSecrets,
  readStoredSecret,
  renameStoredSecrets,
  secretPlace,
  storedSecretsAt,
  storeSecret,
  type SecretPlace,
} from '../../../../src/state/deploying/storedSecrets.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { InMemorySecrets } from '../../../support/editorStorage.ts';
import { work } from '../../../support/testConnections.ts';

function placeOf(changes: Parameters<typeof completeDraft>[0] = {}, connection: Connection = work): SecretPlace {
  return placeFor(completeDraft(changes), connection);
}

function placeFor(draft: DeploymentDraft, connection: Connection = work): SecretPlace {
  const place = secretPlace(connection, draft);
  if (place === undefined) throw new Error('The draft has a place.');
  return place;
}

let secrets: InMemorySecrets;

beforeEach(() => {
  secrets = new InMemorySecrets();
});

describe('the place of a secret', () => {
  it.each([
    ['git@code.example:Acme/Agent.git', true],
    ['https://me:password@code.example/acme/agent', true],
    ['https://code.example/acme/other', false],
  ])('is the repository, however its address is written: %s', (repositoryUrl, isSame) => {
    expect(isSamePlace(placeOf({ repositoryUrl }), placeOf())).toBe(isSame);
    expect(JSON.stringify(placeOf({ repositoryUrl }))).not.toContain('password');
  });

  it('has the connection, its address and the config file', () => {
    const others = [
      placeOf({}, { ...work, name: 'Home' }),
      placeOf({}, { ...work, baseUrl: 'https://elsewhere.example' }),
      placeOf({}, localConnection),
      placeOf({ configPath: 'apps/b/graph.json' }),
    ];
    expect(others.filter((other) => isSamePlace(other, placeOf()))).toEqual([]);
  });

  it('is the image without its tag and digest', () => {
    const { external_docker: image } = fullDrafts();
    const application = (imageUri: string): unknown => secretPlace(work, { ...image, imageUri })?.application;
    expect(application('registry.example:5000/acme/agent:1.0')).toBe('registry.example:5000/acme/agent');
    expect(application('registry.example:5000/acme/agent')).toBe('registry.example:5000/acme/agent');
    expect(application(`acme/agent:2@sha256:${'a'.repeat(64)}`)).toBe('acme/agent');
    expect(application('https://registry.example/agent?token=canary')).toBeUndefined();
  });

  it.each([
    ['http://code.example/acme/agent', 'http://code.example/acme/agent'],
    ['http://code.example:8443/acme/agent', 'http://code.example:8443/acme/agent'],
    ['https://code.example:8443/acme/agent', 'https://code.example:8443/acme/agent'],
    ['ssh://git@code.example:2222/acme/agent', 'ssh://code.example:2222/acme/agent'],
    ['https://code.example:443/acme/agent', 'code.example/acme/agent'],
    ['ssh://git@ssh.github.com:443/acme/agent', 'github.com/acme/agent'],
  ])('tells what answers at %s from other servers of that host', (repositoryUrl, application) => {
    expect(placeOf({ repositoryUrl }).application).toBe(application);
    expect(isSamePlace(placeOf({ repositoryUrl }), placeOf())).toBe(application === 'code.example/acme/agent');
  });

  it.each([
    ['alice@code.example:agent.git', 'bob@code.example:agent.git'],
    ['alice@code.example:agent.git', 'git@code.example:agent.git'],
    ['alice@code.example:agent.git', 'code.example:agent.git'],
    ['alice@code.example:agent.git', 'https://code.example/agent.git'],
    ['[alice@code.example:2222]:agent.git', '[bob@code.example:2222]:agent.git'],
    ['ssh://alice@code.example/~/agent.git', 'ssh://bob@code.example/~/agent.git'],
    ['alice@code.example:srv/agent.git', 'alice@code.example:/srv/agent.git'],
    ['alice@code.example:/srv/agent', 'alice@code.example:/srv/Agent'],
    ['https://code.example/one/scm/acme/agent', 'https://code.example/two/scm/acme/agent'],
    ['https://code.example/scm/acme/agent', 'https://code.example/acme/agent'],
    ['https://github.com:8443/acme/agent', 'https://github.com/acme/agent'],
    ['ssh://git@github.com:2222/acme/agent', 'https://github.com/acme/agent'],
    ['git://github.com/acme/agent', 'https://github.com/acme/agent'],
  ])('is not shared by %s and %s', (one, other) => {
    expect(isSamePlace(placeOf({ repositoryUrl: one }), placeOf({ repositoryUrl: other }))).toBe(false);
  });

  it.each([
    ['alice@code.example:/srv/agent.git', 'ssh://bob@code.example/srv/agent.git'],
    ['alice@code.example:agent.git', 'alice@Code.example:agent.git'],
    ['git@code.example:acme/agent.git', 'https://code.example/acme/agent'],
    ['git@github.com:acme/agent.git', 'ssh://git@ssh.github.com:443/Acme/Agent'],
    ['org-1@github.com:acme/agent.git', 'https://github.com:443/acme/agent'],
    ['https://me@dev.azure.com/org/app/_git/agent', 'git@ssh.dev.azure.com:v3/org/app/agent'],
  ])('is shared by %s and %s', (one, other) => {
    expect(isSamePlace(placeOf({ repositoryUrl: one }), placeOf({ repositoryUrl: other }))).toBe(true);
  });

  it.each([
    'https://•••@code.example/acme/agent',
    '•••',
    'a:b@c@code.example:agent',
    'al!ce@code.example:agent',
    'x::y@z',
    '..',
  ])("is missing for an address that can't be read: %s", (repositoryUrl) => {
    expect(secretPlace(work, completeDraft({ repositoryUrl }))).toBeUndefined();
  });

  it('is never shared by two kinds of sources with the same name', () => {
    const { external_docker: own, internal_docker: pushed, internal_template: template } = fullDrafts();
    const places = [
      { ...own, imageUri: 'agent' },
      { ...pushed, imageUri: 'agent' },
      { ...template, name: 'agent' },
    ].map((draft) => placeFor(draft as DeploymentDraft));
    expect(places.map(({ application }) => application)).toEqual(['agent', 'agent', 'agent']);
    expect(places.filter((place) => places.some((other) => other !== place && isSamePlace(place, other)))).toEqual([]);
  });

  it('is the name where a deployment is made from nothing else, and missing without one', () => {
    const { internal_template: template, internal_source: upload } = fullDrafts();
    expect(placeFor(template)).toMatchObject({ application: 'agent', configPath: '' });
    expect(placeFor(upload)).toMatchObject({ application: 'agent', configPath: 'apps/a/graph.json' });
    expect(secretPlace(work, { ...template, name: ' ' })).toBeUndefined();
    expect(secretPlace(work, completeDraft({ repositoryUrl: '' }))).toBeUndefined();
  });
});

describe('a stored secret', () => {
  const at = (configPath: string, name = 'TOKEN') => ({ place: placeOf({ configPath }), name });

  it('is read, replaced and deleted by its place and name alone', async () => {
    await storeSecret(secrets, at('a.json'), 'one');
    await storeSecret(secrets, at('b.json'), 'two');
    await storeSecret(secrets, at('a.json'), 'three');
    expect(await readStoredSecret(secrets, at('a.json'))).toBe('three');
    expect(await readStoredSecret(secrets, at('b.json'))).toBe('two');
    await deleteStoredSecret(secrets, at('a.json'));
    expect(await readStoredSecret(secrets, at('a.json'))).toBeUndefined();
    expect(await listStoredSecrets(secrets)).toEqual([at('b.json')]);
  });

  it.each([
    ['a b', 'c'],
    ['a%20b', 'c'],
    ['%', '% %25 %20'],
    ['ä/ö', 'NAME'],
  ])('has the place %j and the name %j again', async (configPath, name) => {
    await storeSecret(secrets, at(configPath, name), 'value');
    expect(await listStoredSecrets(secrets)).toEqual([at(configPath, name)]);
  });

  it('has its value in no key', async () => {
    await storeSecret(secrets, at('a.json'), 'canary');
    expect([...secrets.stored.keys()].join()).not.toContain('canary');
  });

  it('stays when another window stores or deletes another one at the same time', async () => {
    await storeSecret(secrets, at('a.json', 'OLD'), 'old');
    await Promise.all([
      storeSecret(secrets, at('a.json', 'ONE'), '1'),
      storeSecret(secrets, at('a.json', 'TWO'), '2'),
      deleteStoredSecret(secrets, at('a.json', 'OLD')),
    ]);
    expect((await storedSecretsAt(secrets, placeOf({ configPath: 'a.json' }))).map(({ name }) => name)).toEqual([
      'ONE',
      'TWO',
    ]);
  });

  it('is listed for its place only, beside keys and damaged entries', async () => {
    await secrets.store(apiKeySlot(work), 'key');
    await secrets.store('deploymentSecret:', 'damaged');
    await secrets.store('deploymentSecret:Work {"broken":', 'damaged');
    await secrets.store('deploymentSecret:a b c d e f', 'damaged');
    await storeSecret(secrets, at('b.json'), 'b');
    await storeSecret(secrets, at('a.json'), 'a');
    expect(await listStoredSecrets(secrets)).toEqual([at('a.json'), at('b.json')]);
    expect(await storedSecretsAt(secrets, placeOf({ configPath: 'a.json' }))).toEqual([at('a.json')]);
  });

  it('is known to have lost its connection, or that connection its address', () => {
    expect(isConfigured(placeOf(), [work, localConnection])).toBe(true);
    expect(isConfigured(placeOf({}, localConnection), [work, localConnection])).toBe(true);
    expect(isConfigured(placeOf(), [localConnection])).toBe(false);
    expect(isConfigured(placeOf(), [{ ...work, baseUrl: 'https://elsewhere.example' }])).toBe(false);
  });
});

describe('a renamed connection', () => {
  const renamed = placeOf({}, { ...work, name: 'Office' });

  it('keeps its stored secrets, even if two windows move them at the same time', async () => {
    const other = { place: placeOf({}, { ...work, name: 'Home' }), name: 'TOKEN' };
    await storeSecret(secrets, { place: placeOf(), name: 'TOKEN' }, 'value');
    await storeSecret(secrets, other, 'home');
    const rename = { from: 'Work', to: 'Office' };
    await Promise.all([renameStoredSecrets(secrets, rename), renameStoredSecrets(secrets, rename)]);
    expect(await listStoredSecrets(secrets)).toEqual([other, { place: renamed, name: 'TOKEN' }]);
    expect(await readStoredSecret(secrets, { place: renamed, name: 'TOKEN' })).toBe('value');
  });

  it("leaves a secret listed whose value can't be read", async () => {
    await storeSecret(secrets, { place: placeOf(), name: 'TOKEN' }, 'value');
    secrets.read = async () => undefined;
    await renameStoredSecrets(secrets, { from: 'Work', to: 'Office' });
    expect(await listStoredSecrets(secrets)).toEqual([{ place: placeOf(), name: 'TOKEN' }]);
  });
});
