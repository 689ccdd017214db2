import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claimDraft,
  createDraft,
  findDraft,
  listDrafts,
  releaseDraft,
  removeDraft,
  tidyDrafts,
} from '../../../../src/ui/window/drafts.ts';
import { draftsFolder, draftStorage, isDraft, specName } from '../../../../src/ui/window/specNames.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

const day = 24 * 60 * 60_000;
const kind = 'resource-spec';
const uri = (fsPath: string) => ({ scheme: 'file', fsPath });

/** What VS Code's URIs of folders can. */
interface Folder {
  readonly path: string;
  with(change: { path: string }): Folder;
}

const folderAt = (at: string): Folder => ({ path: at, with: (change) => folderAt(change.path) });
const id = '0b0c37af-1111-4222-8333-444455556666';

let temporary: TemporaryFolder;
let storage: string;

beforeEach(async () => {
  temporary = await temporaryFolder();
  storage = path.join(temporary.path, 'storage');
});

afterEach(async () => temporary.remove());

const names = async () =>
  (await listDrafts(storage, kind)).map(({ file, text }) => [specName(kind, path.basename(file)), text]);

describe('a draft', () => {
  it.each([
    ['sample-agent', 'sample-agent'],
    ['../../etc/passwd', 'etc-passwd'],
    [String.raw`..\..\x`, 'x'],
    ['', 'deployment'],
    ['..', 'deployment'],
    ['ä ö', 'deployment'],
    ['x'.repeat(300), 'x'.repeat(60)],
  ])('for %j is a file of its own in the storage', async (name, expected) => {
    const file = await createDraft(storage, { kind, name, text: 'cpu: 1\n' });
    expect(path.basename(file)).toBe(`${expected}.resource-spec.yaml`);
    expect(path.dirname(path.dirname(file))).toBe(draftsFolder(storage, kind));
    expect(isDraft(uri(storage), kind, uri(file))).toBe(true);
    expect(await names()).toEqual([[expected, 'cpu: 1\n']]);
  });

  it.skipIf(process.platform === 'win32')('is readable only by its owner', async () => {
    const file = await createDraft(storage, { kind, name: 'a', text: 'cpu: 1\n' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });

  it('is listed with the newest first, unless it is empty', async () => {
    const old = await createDraft(storage, { kind, name: 'old', text: 'cpu: 1\n' });
    await createDraft(storage, { kind, name: 'new', text: 'cpu: 2\n' });
    await createDraft(storage, { kind, name: 'empty', text: ' \n' });
    await utimes(old, new Date(), new Date(Date.now() - day));
    expect(await names()).toEqual([
      ['new', 'cpu: 2\n'],
      ['old', 'cpu: 1\n'],
    ]);
  });

  it('is of one kind', async () => {
    const file = await createDraft(storage, { kind: 'deployment-spec', name: 'agent', text: 'name: agent\n' });
    await createDraft(storage, { kind, name: 'agent', text: 'cpu: 1\n' });
    expect(path.basename(file)).toBe('agent.deployment-spec.yaml');
    expect(await names()).toEqual([['agent', 'cpu: 1\n']]);
    expect(await listDrafts(storage, 'deployment-spec')).toMatchObject([{ file, text: 'name: agent\n' }]);
    expect([isDraft(uri(storage), 'deployment-spec', uri(file)), isDraft(uri(storage), kind, uri(file))]).toEqual([
      true,
      false,
    ]);
  });

  it('is found by its ID, without what lies beside it', async () => {
    const file = await createDraft(storage, { kind, name: 'agent', text: 'cpu: 1\n', id });
    await writeFile(path.join(path.dirname(file), 'begun.json'), '{}');
    expect(path.basename(path.dirname(file))).toBe(id);
    const past = new Date(Date.now() - day);
    await utimes(file, past, past);
    const found = { file, text: 'cpu: 1\n', changedAt: past.getTime() };
    expect(await findDraft(storage, kind, id)).toEqual(found);
    expect(await listDrafts(storage, kind)).toEqual([found]);
    expect(await findDraft(storage, 'deployment-spec', id)).toBeUndefined();
    expect(await findDraft(storage, kind, 'ffffffff-1111-4222-8333-444455556666')).toBeUndefined();
  });

  it('is not found once it is empty or removed', async () => {
    const file = await createDraft(storage, { kind, name: 'agent', text: ' \n', id });
    expect(await findDraft(storage, kind, id)).toBeUndefined();
    await writeFile(file, 'cpu: 1\n');
    expect(await findDraft(storage, kind, id)).toMatchObject({ file });
    await removeDraft(file);
    expect(await findDraft(storage, kind, id)).toBeUndefined();
    expect(await readdir(draftsFolder(storage, kind))).toEqual([]);
  });

  it.each([
    ['/user/workspaceStorage/468cc2f1/us.ours', '/user/workspaceStorage/468cc2f1/us.ours'],
    // VS Code's number for a second process of the workspace.
    ['/user/workspaceStorage/468cc2f1-1/us.ours', '/user/workspaceStorage/468cc2f1/us.ours'],
    ['/user/workspaceStorage/-468cc2f1-9/us.ours', '/user/workspaceStorage/-468cc2f1/us.ours'],
    ['/user/workspaceStorage/-4/us.ours', '/user/workspaceStorage/-4/us.ours'],
    ['/user-1/workspaceStorage/468cc2f1/us.ours-1', '/user-1/workspaceStorage/468cc2f1/us.ours-1'],
    [undefined, '/user/globalStorage/us.ours'],
  ])('of the workspace with the storage %j is kept in %j', (own, expected) => {
    const storageUri = own === undefined ? undefined : folderAt(own);
    expect(draftStorage({ storageUri, globalStorageUri: folderAt('/user/globalStorage/us.ours') }).path).toBe(expected);
  });

  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', async () => {
    const folder = path.join(draftsFolder(storage, kind), id);
    await mkdir(folder, { recursive: true });
    execFileSync('mkfifo', [path.join(folder, 'agent.resource-spec.yaml')]);
    expect(await names()).toEqual([]);
  });

  it('is no file elsewhere', () => {
    expect(
      isDraft(uri(storage), kind, uri(path.join(path.dirname(storage), '../../..', 'a', 'resource-spec', 'a'))),
    ).toBe(false);
    expect(isDraft(uri(storage), kind, uri(path.join(storage, 'a.resource-spec.yaml')))).toBe(false);
    expect(isDraft(uri(storage), kind, uri(`${draftsFolder(storage, kind)}2/a.resource-spec.yaml`))).toBe(false);
  });

  it('belongs to one running process', async () => {
    const file = await createDraft(storage, { kind, name: 'a', text: 'cpu: 1\n' });
    expect(await claimDraft(file)).toBe(true);
    expect(await claimDraft(file)).toBe(true);
    await writeFile(path.join(path.dirname(file), 'window'), String(process.ppid));
    expect(await claimDraft(file)).toBe(false);
    await releaseDraft(file);
    expect(await claimDraft(file)).toBe(true);
    await writeFile(path.join(path.dirname(file), 'window'), 'nonsense');
    expect(await claimDraft(file)).toBe(true);
  });
});

describe('an unused draft', () => {
  it.each([kind, 'deployment-spec'] as const)('is removed after 30 days, and no other draft is: %s', async (of) => {
    const old = await createDraft(storage, { kind: of, name: 'old', text: 'cpu: 1\n' });
    await createDraft(storage, { kind: of, name: 'other', text: 'cpu: 2\n' });
    const past = (Date.now() - 31 * day) / 1000;
    for (const file of [old, path.dirname(old)]) await utimes(file, past, past);
    await tidyDrafts(storage, Date.now());
    expect(await listDrafts(storage, of)).toMatchObject([{ text: 'cpu: 2\n' }]);
  });

  it('takes no foreign files with it', async () => {
    const documents = path.join(temporary.path, 'documents');
    await mkdir(documents);
    await writeFile(path.join(documents, 'letter'), 'a');
    await createDraft(storage, { kind, name: 'a', text: 'cpu: 1\n' });
    await mkdir(path.join(draftsFolder(storage, kind), 'other'));
    await symlink(documents, path.join(draftsFolder(storage, kind), id), 'junction');
    await tidyDrafts(storage, Date.now() + 365 * day);
    expect((await readdir(draftsFolder(storage, kind))).toSorted()).toEqual([id, 'other']);
    expect(await readFile(path.join(documents, 'letter'), 'utf8')).toBe('a');
  });

  it('is no error if there was never one', async () => {
    await tidyDrafts(storage, Date.now());
    expect(await names()).toEqual([]);
  });
});
