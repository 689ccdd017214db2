import { beforeEach, describe, expect, it } from 'vitest';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { draftLines } from '../../../../src/core/draft/draftLines.ts';
import {
  readStoredSecrets,
  remember,
  stopRemembering,
  useStoredSecrets,
} from '../../../../src/state/deploying/draftSecrets.ts';
import {
  readStoredSecret,
  secretPlace,
  storeSecret,
  type StoredSecret,
} from '../../../../src/state/deploying/storedSecrets.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { InMemorySecrets } from '../../../support/editorStorage.ts';
import { home, work } from '../../../support/testConnections.ts';

const locked = new Error('The keyring is locked.');

let secrets: InMemorySecrets;

beforeEach(() => {
  secrets = new InMemorySecrets();
});

function stored(name: string, connection = work, draft: DeploymentDraft = completeDraft()): StoredSecret {
  const place = secretPlace(connection, draft);
  if (place === undefined) throw new Error('The draft has a place.');
  return { place, name };
}

describe('a draft', () => {
  it('gets the values that are stored for its place, also for names without a value', async () => {
    await storeSecret(secrets, stored('NEW'), 'new');
    await storeSecret(secrets, stored('NAMED'), 'named');
    await storeSecret(secrets, stored('TYPED'), 'stored');
    await storeSecret(secrets, stored('ELSEWHERE', home), 'elsewhere');
    const draft = completeDraft({
      secrets: [
        { name: 'TYPED', value: 'typed' },
        { name: 'NAMED', value: undefined },
        { name: 'UNKNOWN', value: undefined },
      ],
    });
    expect(await useStoredSecrets(secrets, work, draft)).toEqual([]);
    expect(draft.secrets).toEqual([
      { name: 'TYPED', value: 'typed' },
      { name: 'UNKNOWN', value: undefined },
      { name: 'NAMED', value: 'named', isStored: true },
      { name: 'NEW', value: 'new', isStored: true },
    ]);
    expect(draftLines(draft).find(({ field }) => field === 'secrets')).toMatchObject({
      value: '4 secrets, stored: NAMED, NEW, without a value: UNKNOWN',
      from: 'this machine',
    });
    expect(createRequest(draft).secrets).toContainEqual({ name: 'NEW', value: 'new' });
  });

  it('are read by name for a deployment file, which may get no others', async () => {
    await storeSecret(secrets, stored('ASKED'), 'value');
    await storeSecret(secrets, stored('UNNAMED'), 'value');
    expect(await readStoredSecrets(secrets, work, completeDraft({}), ['ASKED', 'KEPT'])).toEqual([
      { name: 'ASKED', value: 'value', isStored: true },
    ]);
  });

  it.each([
    ['is locked', () => Promise.reject(locked)],
    ['has lost it', async () => undefined],
  ])('asks for a stored value again if the keyring %s', async (_how, read) => {
    await storeSecret(secrets, stored('TOKEN'), 'value');
    secrets.read = read;
    const draft = completeDraft({ secrets: [{ name: 'TYPED', value: 'typed' }] });
    expect(await useStoredSecrets(secrets, work, draft)).toEqual([
      {
        severity: 'warning',
        field: 'secrets',
        message: "The stored value of TOKEN can't be read. Enter it again.",
      },
    ]);
    expect(draft.secrets).toEqual([
      { name: 'TYPED', value: 'typed' },
      { name: 'TOKEN', value: undefined },
    ]);
  });

  it("says that the storage can't be read, and keeps what was entered", async () => {
    secrets.keys = () => Promise.reject(locked);
    const draft = completeDraft({ secrets: [{ name: 'TYPED', value: 'typed' }] });
    expect(await useStoredSecrets(secrets, work, draft)).toMatchObject([
      { message: "The secrets stored on this machine can't be read: The keyring is locked." },
    ]);
    expect(draft.secrets).toEqual([{ name: 'TYPED', value: 'typed' }]);
  });
});

describe('a secret that an earlier version stored', () => {
  const formerSlot = (application: string, configPath: string) =>
    ['deploymentSecret:Work', work.baseUrl, application, configPath, 'TOKEN'].join(' ');
  const again = 'An earlier version stored TOKEN without its application. Enter it again.';

  it('moves to its repository, once', async () => {
    const draft = completeDraft();
    await secrets.store(formerSlot('code.example/acme/agent', draft.configPath), 'value');
    expect(await useStoredSecrets(secrets, work, draft)).toEqual([]);
    expect(draft.secrets).toContainEqual({ name: 'TOKEN', value: 'value', isStored: true });
    expect([...secrets.stored.values()]).toEqual(['value']);
    expect(await readStoredSecret(secrets, stored('TOKEN'))).toBe('value');
  });

  it('never replaces a newer value', async () => {
    const draft = completeDraft();
    await storeSecret(secrets, stored('TOKEN'), 'newer');
    await secrets.store(formerSlot('code.example/acme/agent', draft.configPath), 'older');
    expect(await useStoredSecrets(secrets, work, draft)).toEqual([]);
    expect(draft.secrets).toContainEqual({ name: 'TOKEN', value: 'newer', isStored: true });
  });

  const { internal_template: template, external_docker: image } = fullDrafts();
  it.for([
    ['an image', { ...image, imageUri: 'agent:2' }, formerSlot('agent', '')],
    ['a template', { ...template, name: 'agent' }, formerSlot('agent', '')],
    [
      'a repository at another port',
      completeDraft({ repositoryUrl: 'http://code.example:8443/acme/agent' }),
      formerSlot('code.example/acme/agent', completeDraft().configPath),
    ],
  ] as const)('is asked for if %s may not be where it belongs, until it is stored there', async ([, source, slot]) => {
    await secrets.store(slot, 'canary');
    const draft: DeploymentDraft = { ...source, secrets: [] };
    expect(await useStoredSecrets(secrets, work, draft)).toMatchObject([{ message: again }]);
    expect(draft.secrets).toEqual([{ name: 'TOKEN', value: undefined }]);
    expect([...secrets.stored]).toEqual([[slot, 'canary']]);
    await storeSecret(secrets, stored('TOKEN', work, draft), 'own');
    const next: DeploymentDraft = { ...source, secrets: [] };
    expect(await useStoredSecrets(secrets, work, next)).toEqual([]);
    expect(next.secrets).toEqual([{ name: 'TOKEN', value: 'own', isStored: true }]);
  });
});

describe('a secret of a draft', () => {
  it('is stored and deleted when the user says so', async () => {
    expect(await remember(secrets, stored('TOKEN'), 'value')).toEqual([]);
    expect(await readStoredSecret(secrets, stored('TOKEN'))).toBe('value');
    expect(await stopRemembering(secrets, stored('TOKEN'))).toEqual([]);
    expect(secrets.stored.size).toBe(0);
  });

  it('says that its value is used once if the keyring is locked', async () => {
    secrets.store = () => Promise.reject(locked);
    expect(await remember(secrets, stored('TOKEN'), 'value')).toEqual([
      "TOKEN couldn't be stored, so its value is used for this deployment only: The keyring is locked.",
    ]);
  });

  it("says that it can't be deleted", async () => {
    await remember(secrets, stored('TOKEN'), 'value');
    secrets.delete = () => Promise.reject(locked);
    expect(await stopRemembering(secrets, stored('TOKEN'))).toEqual([
      "The stored value of TOKEN couldn't be deleted: The keyring is locked.",
    ]);
  });
});
