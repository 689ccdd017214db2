import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptForm, removeOldForms, withKnownPaths } from '../../../../src/ui/resourceForm/keptForm.ts';
import type { FormState } from '../../../../src/ui/resourceForm/protocol.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

const day = 24 * 60 * 60_000;

let temporary: TemporaryFolder;
let storage: string;

beforeEach(async () => {
  temporary = await temporaryFolder();
  storage = path.join(temporary.path, 'storage');
});

afterEach(async () => temporary.remove());

const keptForm = (remembered?: unknown) => new KeptForm(storage, remembered);
const folderOf = ({ id }: KeptForm) => path.join(storage, 'resource-spec', id);
const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

function stateWith(text: string, fileUri = ''): FormState {
  const context = {
    title: 'Resources',
    flavor: 'standard',
    readOnly: false,
    fileUri,
    documentHash: 'a',
    keptHash: 'b',
  } as const;
  return { context, text, drafts: [], view: 'form', openSections: [], scroll: 0 };
}

describe('the kept state of a form', () => {
  it('is found again only by the id that the window remembers', async () => {
    const form = keptForm();
    await form.keep(stateWith('cpu: 1'));
    expect(await keptForm({ id: form.id }).read()).toEqual(stateWith('cpu: 1'));
    expect(await keptForm().read()).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is readable only by its owner', async () => {
    const form = keptForm();
    await form.keep(stateWith('cpu: 1'));
    await form.writeDocument('cpu: 1');
    expect(await modeOf(path.join(folderOf(form), 'form.json'))).toBe(0o600);
    expect(await modeOf(form.document)).toBe(0o600);
    expect(await modeOf(folderOf(form))).toBe(0o700);
  });

  it('is the newest of several states in a row', async () => {
    const form = keptForm();
    await Promise.all(['a', 'b', 'c'].map((text) => form.keep(stateWith(text))));
    expect(await form.read()).toEqual(stateWith('c'));
    expect(await readdir(folderOf(form))).toEqual(['form.json']);
  });

  it('is removed with the form, even while it is being written', async () => {
    const form = keptForm();
    await form.keep(stateWith('a'));
    const writing = form.keep(stateWith('b'));
    await form.remove();
    await writing;
    expect(await isThere(folderOf(form))).toBe(false);
  });

  it('stays when the document is removed, even a missing one', async () => {
    const form = keptForm();
    await form.keep(stateWith('a'));
    await form.writeDocument('a');
    await form.removeDocument();
    await form.removeDocument();
    expect(await readdir(folderOf(form))).toEqual(['form.json']);
  });

  it('is written again after a failed write, which is reported', async () => {
    const form = keptForm();
    await mkdir(storage, { recursive: true });
    await writeFile(path.join(storage, 'resource-spec'), 'in the way');
    await expect(form.keep(stateWith('a'))).rejects.toThrow(/EEXIST|ENOTDIR/);
    await rm(path.join(storage, 'resource-spec'));
    await form.keep(stateWith('b'));
    expect(await form.read()).toEqual(stateWith('b'));
  });

  it.skipIf(process.platform === 'win32')('is ignored, and not waited for, where it is a pipe', async () => {
    const form = keptForm();
    await form.keep(stateWith('a'));
    const file = path.join(folderOf(form), 'form.json');
    await rm(file);
    execFileSync('mkfifo', [file]);
    expect(await form.read()).toBeUndefined();
  });

  it.each(['', '{', 'x'.repeat(11_000_000)])('is ignored if another program wrote %.9s', async (content) => {
    const form = keptForm();
    await form.keep(stateWith('a'));
    await writeFile(path.join(folderOf(form), 'form.json'), content);
    expect(await form.read()).toBeUndefined();
  });
});

describe('an id that a window remembers', () => {
  it.each([
    undefined,
    null,
    'text',
    {},
    { id: 7 },
    { id: '' },
    { id: '..' },
    { id: '../../documents' },
    { id: '0b0c37af-1111-4222-8333-444455556666/../..' },
    { id: '0B0C37AF-1111-4222-8333-444455556666' },
  ])('leads only to the folder of a form: %j', (remembered) => {
    const form = keptForm(remembered);
    expect(path.dirname(folderOf(form))).toBe(path.join(storage, 'resource-spec'));
    expect(form.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(form.id).not.toBe((remembered as { id?: unknown } | null | undefined)?.id);
  });
});

describe('an unused form', () => {
  it('is removed after 30 days, and no other form is', async () => {
    const old = keptForm();
    await old.keep(stateWith('old'));
    await old.writeDocument('old');
    const changed = keptForm();
    await changed.keep(stateWith('a'));
    const now = Date.now();
    for (const form of [old, changed]) await utimes(folderOf(form), now / 1000, (now - 29 * day) / 1000);
    await removeOldForms(storage, now);
    expect(await isThere(folderOf(old))).toBe(true);
    await changed.keep(stateWith('b'));
    await removeOldForms(storage, now + 2 * day);
    expect(await readdir(path.join(storage, 'resource-spec'))).toEqual([changed.id]);
  });

  it('takes no foreign files with it', async () => {
    const documents = path.join(temporary.path, 'documents');
    await mkdir(documents);
    await writeFile(path.join(documents, 'letter'), 'a');
    const form = keptForm();
    await form.keep(stateWith('a'));
    await mkdir(path.join(storage, 'resource-spec', 'other'));
    await symlink(documents, path.join(storage, 'resource-spec', '0b0c37af-1111-4222-8333-444455556666'), 'junction');
    await removeOldForms(storage, Date.now() + 365 * day);
    expect(await readdir(path.join(storage, 'resource-spec'))).toEqual(['other']);
    expect(await readFile(path.join(documents, 'letter'), 'utf8')).toBe('a');
  });

  it('is no error if there was never a form', async () => {
    await removeOldForms(storage, Date.now());
    expect(await isThere(storage)).toBe(false);
  });
});

const folder = 'file:///home/ada/app';
const tab = 'file:///home/ada/notes/any.yaml';

function restored(fileUri: string): string {
  const state = stateWith('cpu: 1', fileUri);
  const read = withKnownPaths(state, { folders: ['file:///home/ada/other', folder], tabs: [tab] });
  expect({ ...read, context: { ...read.context, fileUri } }).toEqual(state);
  return read.context.fileUri;
}

describe('the file of a restored form', () => {
  it.each([`${folder}/deployment.resource-spec.yaml`, `${folder}/a%20b/x.resource-spec.yml`, tab])(
    'is kept where the user opened it: %s',
    (uri) => {
      expect(restored(uri)).toBe(uri);
    },
  );

  it.each([
    'file:///home/ada/.bashrc',
    'file:///etc/any.resource-spec.yaml',
    `${folder}/.env`,
    `${folder}2/x.resource-spec.yaml`,
    `${folder}/../.ssh/x.resource-spec.yaml`,
    `${folder}/%2e%2E/x.resource-spec.yaml`,
    `${folder}/a%2f..%2f../x.resource-spec.yaml`,
    String.raw`file:///home/ada/app/..\x.resource-spec.yaml`,
    `${folder}/.env?x.resource-spec.yaml`,
    `${folder}/.env#x.resource-spec.yaml`,
    'untitled:x.resource-spec.yaml',
    'x.resource-spec.yaml',
    '',
  ])("is dropped if the user hasn't opened it: %s", (uri) => {
    expect(restored(uri)).toBe('');
  });
});
