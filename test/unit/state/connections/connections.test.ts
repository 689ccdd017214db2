import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NetworkSettings } from '../../../../src/state/connections/clients.ts';
import {
  localConnection,
  RemovedConnectionError,
  type ServiceConnection,
} from '../../../../src/state/connections/connection.ts';
import { Connections } from '../../../../src/state/connections/connections.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { InMemoryMemory, InMemorySecrets, InMemorySettings } from '../../../support/editorStorage.ts';
import { held, json } from '../../../support/faults.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { startSmallService } from '../../../support/smallService.ts';
import { home, work } from '../../../support/testConnections.ts';

const stored = ({ kind: _kind, ...item }: ServiceConnection) => item;
const slotOf = ({ name, baseUrl }: ServiceConnection) => `apiKey:${name}:${baseUrl}`;
const newListener = { compute_type: 'k8s', compute_id: 'a' };

let settings: InMemorySettings;
let secrets: InMemorySecrets;
let workspaceMemory: InMemoryMemory;
let connections: Connections;
let network: NetworkSettings;
let sessions: Session[];
let warnings: string[];
let errors: string[];

beforeEach(() => {
  settings = new InMemorySettings();
  secrets = new InMemorySecrets();
  workspaceMemory = new InMemoryMemory();
  network = { mode: 'undici', timeoutMs: 5000, strictTls: true };
  connections = new Connections({
    settings,
    secrets,
    workspaceMemory,
    network: () => network,
    fetch: () => Promise.reject(new Error('The editor is not asked here.')),
    userAgent: 'deployment-manager/1.2.3 vscode/1.139.1',
    log: {
      ...silentLog,
      warn: (message) => void warnings.push(message),
      error: (message) => void errors.push(message),
    },
    localService: { address: async () => ({ url: 'http://127.0.0.1:9', apiKey: 'local-key' }) },
  });
  sessions = [];
  warnings = [];
  errors = [];
  connections.onDidChange((session) => sessions.push(session));
});

afterEach(async () => connections.dispose());

describe('the session', () => {
  it('is none without a connection, and is reported once', async () => {
    expect(await connections.reload()).toEqual({ kind: 'none' });
    await connections.reload();
    expect(sessions).toEqual([{ kind: 'none' }]);
  });

  it('uses the only connection, but not one of two', async () => {
    settings.value = [stored(work)];
    expect(await connections.reload()).toEqual({ kind: 'keyMissing', connection: work });
    settings.value = [stored(work), stored(home)];
    expect(await connections.reload()).toEqual({ kind: 'none' });
  });

  it('stays on the only connection when another one is added', async () => {
    await connections.save(work, { apiKey: 'key' });
    const session = connections.session;
    await connections.save(home, { apiKey: 'key' });
    expect(connections.session).toBe(session);
    expect(session).toMatchObject({ kind: 'ready', connection: work });
  });

  it('uses the selection of this workspace, stored as a name only', async () => {
    settings.value = [stored(work), stored(home)];
    secrets.stored.set(slotOf(home), 'key');
    expect(await connections.select('Home')).toMatchObject({ kind: 'ready', connection: home });
    expect([...workspaceMemory.stored]).toEqual([['connection', '"Home"']]);
  });

  // Falling back would show another service's deployments to somebody who did not ask for them.
  it('is none if the selected connection was removed, even if only one other is left', async () => {
    settings.value = [stored(work), stored(home)];
    await connections.select('Home');
    await connections.remove(home);
    expect(connections.session).toEqual({ kind: 'none' });
  });

  it("is ready for the local service without a key, and doesn't start it", async () => {
    expect(await connections.select('Local service')).toMatchObject({ kind: 'ready', connection: { kind: 'local' } });
  });

  it('is a new object if another window changes the key, and the same if nothing changed', async () => {
    settings.value = [stored(work)];
    await secrets.store(slotOf(work), 'one');
    const first = await connections.reload();
    await secrets.store('apiKey:Other:https://other.example', 'x');
    expect(await connections.reload()).toBe(first);
    await secrets.store(slotOf(work), 'two');
    expect(await connections.current()).not.toBe(first);
    expect(sessions.map(({ kind }) => kind)).toEqual(['ready', 'ready']);
    await connections.forgetKey(work);
    expect(connections.session.kind).toBe('keyMissing');
  });

  it('is reported as read even if it is the same', async () => {
    settings.value = [stored(work), stored(home)];
    await connections.select('Work');
    let readings = 0;
    connections.onDidRead(() => (readings += 1));
    await secrets.store(slotOf(home), 'set in another window');
    await connections.current();
    expect(readings).toBe(1);
    await connections.save({ ...home, authPrefix: 'Bearer' }, {}, home);
    expect(readings).toBe(2);
    await connections.reload();
    expect(readings).toBe(3);
    expect(sessions).toHaveLength(1);
  });

  it('uses the newest reading of the key, even if an older one is slower', async () => {
    settings.value = [stored(work)];
    let release: (key: string | undefined) => void = ignore;
    secrets.read = () => new Promise((resolve) => (release = resolve));
    const old = connections.reload();
    secrets.read = () => Promise.resolve('key');
    const young = connections.reload();
    expect((await young).kind).toBe('ready');
    release(undefined);
    expect((await old).kind).toBe('ready');
    expect(sessions.map(({ kind }) => kind)).toEqual(['ready']);
  });

  it("reports once that the keyring isn't responding, and finds the key later", async () => {
    settings.value = [stored(work)];
    await secrets.store(slotOf(work), 'key');
    const { read } = secrets;
    secrets.read = () => Promise.reject(new Error('locked'));
    const locked = await connections.reload();
    const message = expect.stringContaining('The API key of "Work" can\'t be read: the keyring of this machine');
    expect(locked).toMatchObject({ kind: 'keyMissing', connection: work, error: { message } });
    expect(await connections.reload()).toBe(locked);
    expect(errors).toEqual([message]);
    secrets.read = () => Promise.resolve(undefined);
    expect(await connections.reload()).toEqual({ kind: 'keyMissing', connection: work });
    secrets.read = read;
    expect((await connections.reload()).kind).toBe('ready');
  });
});

describe('that a connection was replaced', () => {
  let replaced: string[];

  beforeEach(() => {
    replaced = [];
    connections.onDidReplace((name) => replaced.push(name));
    settings.value = [stored(work)];
  });

  it('is told before its session, once for each other key, address or removal', async () => {
    await secrets.store(slotOf(work), 'key');
    await connections.reload();
    expect(replaced).toEqual([]);
    const told: unknown[] = [];
    connections.onDidChange(() => told.push([...replaced]));
    await secrets.store(slotOf(work), 'other key');
    await connections.reload();
    await connections.reload();
    expect(told).toEqual([['Work']]);
    settings.value = [stored({ ...work, baseUrl: 'https://other.example' })];
    await connections.reload();
    settings.value = [];
    await connections.reload();
    expect(replaced).toEqual(['Work', 'Work', 'Work']);
  });

  it.each([
    { what: 'another header', changed: { authHeader: 'X-Other' }, given: {} },
    { what: 'another key', changed: {}, given: { apiKey: 'other key' } },
  ])('is told of one that is renamed and has $what', async ({ changed, given }) => {
    await secrets.store(slotOf(work), 'key');
    await connections.reload();
    await connections.save({ ...work, name: 'Office', ...changed }, given, work);
    expect(replaced).toContain('Office');
  });

  it('is told of one that is renamed in another window with other settings, and not of one with the same', async () => {
    await connections.reload();
    settings.value = [stored({ ...work, name: 'Office', authHeader: 'X-Other' })];
    await connections.reload();
    expect(replaced).toContain('Office');
    settings.value = [stored({ ...work, name: 'Again', authHeader: 'X-Other' })];
    await connections.reload();
    expect(replaced).not.toContain('Again');
  });

  describe('that is not selected', () => {
    beforeEach(async () => {
      settings.value = [stored(work), stored(home)];
      await secrets.store(slotOf(home), 'key');
      await connections.select('Work');
      await setImmediate();
    });

    it('is told once of another key, and not of the same', async () => {
      await secrets.store(slotOf(home), 'key');
      await setImmediate();
      expect(replaced).toEqual([]);
      await secrets.store(slotOf(home), 'other key');
      await setImmediate();
      await connections.select('Home');
      await setImmediate();
      expect(replaced).toEqual(['Home']);
    });

    it('is told of one that is renamed and has another key, and not where it is only saved again', async () => {
      await connections.save(home, {}, home);
      await setImmediate();
      expect(replaced).toEqual([]);
      await connections.save({ ...home, name: 'Office' }, { apiKey: 'other key' }, home);
      await setImmediate();
      expect(replaced).toContain('Office');
    });

    it('is not told of one that another window renames, also if its key is heard of last', async () => {
      secrets.stored.set(slotOf({ ...home, name: 'Office' }), 'key');
      settings.value = [stored(work), stored({ ...home, name: 'Office' })];
      await connections.reload();
      await setImmediate();
      await secrets.store(slotOf({ ...home, name: 'Office' }), 'key');
      await setImmediate();
      expect(replaced).not.toContain('Office');
    });
  });

  it("isn't told of a key that can't be read for a while", async () => {
    await secrets.store(slotOf(work), 'key');
    const { read } = secrets;
    secrets.read = () => Promise.reject(new Error('locked'));
    await connections.reload();
    secrets.read = read;
    await connections.reload();
    secrets.read = () => Promise.reject(new Error('locked'));
    await connections.reload();
    secrets.read = read;
    expect((await connections.reload()).kind).toBe('ready');
    expect(replaced).toEqual([]);
  });
});

describe('the list of connections', () => {
  it('has the usable connections, then the local service, and the problems separately', () => {
    settings.value = [stored(work), { name: 'Bad', baseUrl: 'ftp://x' }, 7, null];
    expect(connections.list().map(({ name }) => name)).toEqual(['Work', 'Local service']);
    const nameless = { kind: 'problem', name: '', message: 'A connection needs a name.' };
    expect(connections.problems()).toMatchObject([{ kind: 'problem', name: 'Bad' }, nameless, nameless]);
    expect(connections.find('Bad')).toBeUndefined();
  });

  it('keeps unusable items that the user wrote by hand', async () => {
    settings.value = [7, stored(work)];
    await connections.save({ ...work, baseUrl: 'https://moved.example.com' }, {}, work);
    expect(settings.value).toEqual([7, { ...stored(work), baseUrl: 'https://moved.example.com' }]);
  });

  it('logs an unusable item once, not at each reading', async () => {
    settings.value = [{ name: 'Bad', baseUrl: 'ftp://x' }];
    await connections.reload();
    await connections.reload();
    expect(warnings).toEqual([expect.stringContaining(`The connection "Bad" in the settings can't be used.`)]);
  });

  it.each([undefined, null, 'text', { name: 'Work' }])('has only the local service if the setting is %o', (value) => {
    settings.value = value;
    expect(connections.list()).toHaveLength(1);
  });
});

describe('saving a connection', () => {
  it('writes the key to the secret store and everything else to the settings', async () => {
    await connections.save({ ...work, headers: { 'X-Tenant-Id': 'acme' } }, { apiKey: 'canary-key' });
    expect(settings.value).toEqual([{ ...stored(work), headers: { 'X-Tenant-Id': 'acme' } }]);
    expect([...secrets.stored]).toEqual([[slotOf(work), 'canary-key']]);
  });

  it("doesn't overwrite an unusable item of the same name", async () => {
    const bad = { name: ' Work ', baseUrl: 'ftp://x' };
    settings.value = [bad];
    expect(connections.isNameTaken('Work')).toBe(true);
    expect(connections.isNameTaken('Home')).toBe(false);
    await connections.save(work);
    expect(settings.value).toEqual([bad, stored(work)]);
    await connections.remove(work);
    expect(settings.value).toEqual([bad]);
  });

  it('replaces and removes an item whose stored name has spaces around it', async () => {
    settings.value = [{ ...stored(work), name: ' Work ' }];
    const [padded] = connections.list();
    expect(padded).toEqual(work);
    const moved = { ...work, baseUrl: 'https://moved.example' };
    await connections.save(moved, {}, work);
    expect(settings.value).toEqual([stored(moved)]);
    settings.value = [{ ...stored(work), name: ' Work ' }];
    await connections.remove(work);
    expect(settings.value).toEqual([]);
  });

  it('moves the key when a connection is renamed', async () => {
    await connections.save(work, { apiKey: 'key' });
    const renamed = { ...work, name: 'Office' };
    await connections.save(renamed, {}, work);
    expect(settings.value).toEqual([stored(renamed)]);
    expect([...secrets.stored]).toEqual([[slotOf(renamed), 'key']]);
  });

  it("keeps a connection's place, and moves its proxy password when it is renamed", async () => {
    const proxied = { ...work, proxy: 'http://proxy.example' };
    await connections.save(proxied);
    await connections.save({ ...work, name: 'Other' });
    await secrets.store('proxyPassword:Work:http://proxy.example', 'me:word');
    const renamed = { ...proxied, name: 'Office' };
    await connections.save(renamed, {}, proxied);
    expect(settings.value).toEqual([stored(renamed), stored({ ...work, name: 'Other' })]);
    expect([...secrets.stored]).toEqual([['proxyPassword:Office:http://proxy.example', 'me:word']]);
    await connections.save({ ...work, name: 'Office' }, {}, renamed);
    expect(secrets.stored.size).toBe(0);
  });

  it('keeps the selection and remembered values under a new name, without an interim session', async () => {
    settings.value = [stored(work), stored(home)];
    await connections.setKey(work, 'key');
    await connections.select('Work');
    await workspaceMemory.update('filter:Work', { status: 'READY' });
    await workspaceMemory.update('revisionFilter:Work', ['DEPLOYED']);
    await workspaceMemory.update('agents:Work', ['a1']);
    await workspaceMemory.update('workspaceDeployment:Work', 'd1');
    sessions = [];
    const renames: unknown[] = [];
    connections.onDidRename((rename) => renames.push(rename));
    const renamed = { ...work, name: 'Office' };
    await connections.save(renamed, {}, work);
    expect(sessions).toMatchObject([{ kind: 'ready', connection: renamed }]);
    expect(renames).toEqual([{ from: 'Work', to: 'Office' }]);
    expect(Object.fromEntries(workspaceMemory.stored)).toEqual({
      connection: '"Office"',
      'filter:Office': '{"status":"READY"}',
      'revisionFilter:Office': '["DEPLOYED"]',
      'agents:Office': '["a1"]',
      'workspaceDeployment:Office': '"d1"',
    });
  });

  it('prefers a new proxy password, even with a new name, and removes it if it is empty', async () => {
    const proxied = { ...work, proxy: 'http://proxy.example' };
    await connections.save(proxied, { proxyPassword: 'me:old' });
    const renamed = { ...proxied, name: 'Office' };
    await connections.save(renamed, { proxyPassword: 'me:new' }, proxied);
    expect([...secrets.stored]).toEqual([['proxyPassword:Office:http://proxy.example', 'me:new']]);
    await connections.save(renamed, { proxyPassword: '' }, renamed);
    expect(secrets.stored.size).toBe(0);
  });

  it("loses no secret if the settings can't be written", async () => {
    await connections.save(work, { apiKey: 'key' });
    settings.write = () => Promise.reject(new Error('The file is read-only.'));
    await expect(connections.save({ ...work, name: 'Office' }, {}, work)).rejects.toThrow('read-only');
    await expect(connections.remove(work)).rejects.toThrow('read-only');
    expect(secrets.stored.get(slotOf(work))).toBe('key');
  });

  it.each([
    { what: 'a connection that is added', present: undefined },
    { what: 'a connection that is changed', present: work },
  ])("leaves no new secret of $what behind if the settings can't be written", async ({ present }) => {
    if (present !== undefined) await connections.save(present, { apiKey: 'old' });
    const before = new Map(secrets.stored);
    settings.write = () => Promise.reject(new Error('The file is read-only.'));
    const changed = { ...work, proxy: 'http://proxy.example' };
    const given = { apiKey: 'new', proxyPassword: 'me:new' };
    await expect(connections.save(changed, given, present)).rejects.toThrow('read-only');
    expect(secrets.stored).toEqual(before);
  });

  it('writes no settings if the keyring rejects the key, and says why', async () => {
    secrets.store = () => Promise.reject(new Error('The keyring is locked.'));
    await expect(connections.save(work, { apiKey: 'key' })).rejects.toThrow('The keyring is locked.');
    expect(settings.value).toBeUndefined();
  });

  it('never moves a key to another address', async () => {
    await connections.save(work, { apiKey: 'key' });
    const moved = { ...work, baseUrl: 'https://elsewhere.example' };
    await connections.save(moved, {}, work);
    expect(secrets.stored.size).toBe(0);
    expect((await connections.reload()).kind).toBe('keyMissing');
  });

  it.each([
    ['a', 'https://good.example/x:https://evil.example', 'a:https://good.example/x', 'https://evil.example'],
    ['a', 'https://good.example/x:https://evil.example', 'a%3Ahttps://good.example/x', 'https://evil.example'],
    ['a:b', 'https://good.example', 'a%3Ab', 'https://good.example'],
  ])('shares no secret of %s at %s with %s at %s', async (name, baseUrl, otherName, otherBaseUrl) => {
    const good = { ...work, name, baseUrl, proxy: baseUrl };
    const evil = { ...work, name: otherName, baseUrl: otherBaseUrl, proxy: otherBaseUrl };
    await connections.save(good, { apiKey: 'good key', proxyPassword: 'me:good' });
    await connections.save(evil);
    expect(await connections.select(otherName)).toMatchObject({ kind: 'keyMissing' });
    await connections.remove(evil);
    expect([...secrets.stored.values()]).toEqual(['good key', 'me:good']);
  });

  it('is undone by removing the connection, without leaving a secret behind', async () => {
    const proxied = { ...work, proxy: 'http://proxy.example' };
    await connections.save(proxied, { apiKey: 'key' });
    await secrets.store('proxyPassword:Work:http://proxy.example', 'me:word');
    await connections.remove(proxied);
    expect(settings.value).toEqual([]);
    expect(secrets.stored.size).toBe(0);
  });
});

describe('saving twice at the same time', () => {
  const lab: ServiceConnection = { ...home, name: 'Lab', baseUrl: 'https://lab.example' };

  it('in one window loses neither, even if keyring and settings are slow', async () => {
    settings.value = [stored(lab)];
    const write = settings.write.bind(settings);
    settings.write = async (items) => {
      await setImmediate();
      return write(items);
    };
    const { read } = secrets;
    let release: () => void = ignore;
    const unlocked = new Promise<void>((resolve) => (release = resolve));
    secrets.read = async (key) => {
      if (key === slotOf(work)) await unlocked;
      return read(key);
    };
    const saves = [connections.save(work, { apiKey: 'one' }), connections.save(home, { apiKey: 'two' })];
    const removal = connections.remove(lab);
    await setImmediate();
    release();
    await Promise.all([...saves, removal]);
    expect(settings.value).toEqual([stored(work), stored(home)]);
    expect([...secrets.stored.keys()]).toEqual([slotOf(work), slotOf(home)]);
  });

  it('in one window completes the second even if the first fails', async () => {
    const write = settings.write.bind(settings);
    settings.write = () => Promise.reject(new Error('The file is read-only.'));
    const first = connections.save(work);
    await expect(first).rejects.toThrow('read-only');
    settings.write = write;
    await connections.save(home);
    expect(settings.value).toEqual([stored(home)]);
  });

  it('in two windows keeps the later save, and the other window uses what is stored', async () => {
    await connections.save(work, { apiKey: 'key' });
    expect(connections.session).toMatchObject({ kind: 'ready', connection: work });
    await connections.select('Work');
    // The other window did not know of it.
    await settings.write([stored(home)]);
    expect(await connections.current()).toEqual({ kind: 'none' });
    expect(connections.list().map(({ name }) => name)).toEqual(['Home', 'Local service']);
  });

  it('in two windows sends the key of a new address to no other one', async () => {
    settings.value = [stored(work), stored(home)];
    await connections.setKey(work, 'old');
    await connections.select('Work');
    await connections.save({ ...work, baseUrl: 'https://moved.example' }, { apiKey: 'new' }, work);
    await settings.write([stored(work), stored(home), stored(lab)]);
    expect(await connections.current()).toEqual({ kind: 'keyMissing', connection: work });
  });

  it('in two windows brings a removed connection back without its key', async () => {
    settings.value = [stored(home)];
    await connections.setKey(home, 'key');
    await connections.remove(home);
    await settings.write([stored(home), stored(lab)]);
    expect(await connections.select('Home')).toEqual({ kind: 'keyMissing', connection: home });
  });
});

describe('a connection renamed by another window', () => {
  const office = { ...work, name: 'Office' };
  let renames: unknown[];

  /** What the other window does, step by step. */
  async function renameElsewhere(...connected: readonly ServiceConnection[]): Promise<void> {
    await secrets.store(slotOf(office), 'key');
    await settings.write(connected.map(stored));
    await secrets.delete(slotOf(work));
    await connections.current();
  }

  beforeEach(async () => {
    settings.value = [stored(work), stored(home)];
    await connections.setKey(work, 'key');
    await connections.select('Work');
    await workspaceMemory.update('agents:Work', ['a1']);
    sessions = [];
    renames = [];
    connections.onDidRename((rename) => renames.push(rename));
  });

  it('stays selected in this workspace with its remembered values, without an interim session', async () => {
    await renameElsewhere(office, home);
    expect(sessions).toMatchObject([{ kind: 'ready', connection: office }]);
    expect(renames).toEqual([{ from: 'Work', to: 'Office' }]);
    expect(workspaceMemory.get('agents:Office')).toEqual(['a1']);
    expect(workspaceMemory.get('agents:Work')).toBeUndefined();
  });

  it.each([
    { what: 'is removed', connected: [home] },
    { what: 'is replaced by one with another address', connected: [home, { ...office, baseUrl: 'https://o.example' }] },
    { what: 'is replaced by two with its address', connected: [home, office, { ...work, name: 'Other' }] },
  ])("isn't mistaken for one that $what", async ({ connected }) => {
    await renameElsewhere(...connected);
    expect(connections.session).toEqual({ kind: 'none' });
    expect(renames).toEqual([]);
  });

  it("isn't mistaken for one of two with its address", async () => {
    settings.value = [stored(work), stored({ ...work, name: 'Twin' })];
    await connections.reload();
    await renameElsewhere(office);
    expect(renames).toEqual([]);
  });
});

describe('the client of a connection', () => {
  it('sends the current key with each request, even after it changed', async () => {
    await using service = await startSmallService();
    const local = { ...work, baseUrl: service.url };
    await connections.save(local, { apiKey: 'one' });
    const session = await connections.reload();
    if (session.kind !== 'ready') throw new Error('The session is not ready.');
    const client = await session.client();
    await client.deployments.list();
    await connections.setKey(local, 'two');
    await client.deployments.list();
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['one', 'two']);
  });

  it('stays the same until its connection changes', async () => {
    const first = await connections.clientOf(work);
    expect(await connections.clientOf(work)).toBe(first);
    expect(await connections.clientOf({ ...work, authHeader: 'X-Other' })).not.toBe(first);
  });

  it.each([
    { what: 'time-out', change: { timeoutMs: 60_000 } },
    { what: 'transport', change: { mode: 'editor' } },
    { what: 'proxy', change: { editorProxy: 'http://proxy.example' } },
  ] as const)('is replaced if the $what of the network changes', async ({ change }) => {
    for (const connection of [work, localConnection]) {
      const first = await connections.clientOf(connection);
      expect(await connections.clientOf(connection)).toBe(first);
      network = { mode: 'undici', timeoutMs: 5000, strictTls: true, ...change };
      expect(await connections.clientOf(connection)).not.toBe(first);
      network = { mode: 'undici', timeoutMs: 5000, strictTls: true };
    }
  });

  it('still gets pending answers after it was replaced', async () => {
    await using service = await startSmallService();
    const connection = { ...work, baseUrl: service.url };
    const first = await connections.clientOf(connection);
    const { fault, release } = held(json({ resources: [], offset: 0 }));
    service.fault = (response, request) => (request.method === 'GET' ? fault(response, request) : undefined);
    const answer = first.deployments.list();
    const cutOff = connections.clientOf(connection).then((client) => client.listeners.create(newListener));
    const failure = expect(cutOff).rejects.toMatchObject({ kind: 'cancelled' });
    await service.arrived(2);
    network = { ...network, timeoutMs: 60_000 };
    await connections.clientOf(connection);
    release();
    expect(await answer).toEqual({ resources: [], offset: 0 });
    await connections.dispose();
    await failure;
  });

  it.each([
    { what: 'this workspace selected', choice: 'Work' },
    { what: "this workspace didn't select", choice: 'Home' },
  ])('is replaced if its proxy password changes, for a connection that $what', async ({ choice }) => {
    const proxied = { ...work, proxy: 'http://proxy.example' };
    settings.value = [stored(home)];
    await connections.save(proxied, { apiKey: 'key' });
    await connections.select(choice);
    const first = await connections.clientOf(proxied);
    await secrets.store('proxyPassword:Work:http://proxy.example', 'me:word');
    expect(await connections.clientOf(proxied)).not.toBe(first);
  });

  it('names an unreadable certificate file, and tries again at the next use', async () => {
    const certified = { ...work, caFile: '/does/not/exist.pem' };
    const message = "The file /does/not/exist.pem can't be read";
    await expect(connections.clientOf(certified)).rejects.toThrow(message);
    await expect(connections.clientOf(certified)).rejects.toThrow(message);
  });

  it("doesn't exist for a removed connection", async () => {
    await expect(connections.clientNamed('Gone')).rejects.toBeInstanceOf(RemovedConnectionError);
  });

  it("doesn't exist for an unusable connection, which isn't called removed", async () => {
    settings.value = [{ name: 'Work', baseUrl: '' }];
    const asking = connections.clientNamed('Work');
    await expect(asking).rejects.toThrow(`The connection "Work" in the settings can't be used. Enter the base URL`);
    await expect(asking).rejects.not.toBeInstanceOf(RemovedConnectionError);
  });

  it('exists under an old name until the new one was reported', async () => {
    settings.value = [stored(work)];
    await connections.reload();
    const heard: unknown[] = [];
    connections.onDidRename(({ to }) => heard.push(to));
    const ask = async (name: string) => {
      await expect(connections.clientNamed(name)).rejects.toBeInstanceOf(RemovedConnectionError);
      heard.push(`no ${name}`);
    };
    const update = workspaceMemory.update.bind(workspaceMemory);
    workspaceMemory.update = async (key, value) => {
      await setImmediate();
      await update(key, value);
    };
    await workspaceMemory.update('filter:Work', {});
    let asking = Promise.resolve();
    settings.onDidChange(() => void (asking = ask('Work')));
    await connections.save({ ...work, name: 'Office' }, {}, work);
    await asking;
    settings.onDidChange(() => void (asking = ask('Office')));
    await settings.write([stored({ ...work, name: 'Home' })]);
    await asking;
    expect(heard).toEqual(['Office', 'no Work', 'Home', 'no Work', 'no Office']);
  });
});

function ignore(): void {}
