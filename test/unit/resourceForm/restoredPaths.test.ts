import { describe, expect, it } from 'vitest';
import type { FormState } from '../../../src/ui/resourceForm/protocol.ts';
import { withKnownPaths } from '../../../src/ui/resourceForm/restoredPaths.ts';

const storage = 'file:///home/ada/.config/storage/deployment-manager';
const folder = 'file:///home/ada/app';
const tab = 'file:///home/ada/notes/any.yaml';
const id = '0b0c37af-1111-4222-8333-444455556666';

function restored(fileUri: string, scratchUri = ''): FormState['context'] {
  const state: FormState = {
    context: {
      title: 'Resources',
      flavor: 'standard',
      readOnly: false,
      fileUri,
      scratchUri,
      documentHash: 'a',
      keptHash: 'b',
    },
    text: 'cpu: 1',
    drafts: '',
    view: 'form',
    openSections: '',
    scroll: '',
  };
  const read = withKnownPaths(state, { storage, folders: ['file:///home/ada/other', folder], tabs: [tab] });
  expect({ ...read, context: { ...read.context, fileUri, scratchUri } }).toEqual(state);
  return read.context;
}

describe('the file of a restored form', () => {
  it.each([`${folder}/deployment.resource-spec.yaml`, `${folder}/a%20b/x.resource-spec.yml`, tab])(
    'is kept where the user opened it: %s',
    (uri) => {
      expect(restored(uri).fileUri).toBe(uri);
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
  ])('is forgotten where nobody opened it: %s', (uri) => {
    expect(restored(uri).fileUri).toBe('');
  });
});

describe('the document of a restored form', () => {
  it('is kept in the storage of the extension', () => {
    const uri = `${storage}/resource-spec/${id}/deployment.resource-spec.yaml`;
    expect(restored('', uri).scratchUri).toBe(uri);
  });

  // Its folder is removed with the form.
  it.each([
    'file:///home/ada/documents/deployment.resource-spec.yaml',
    `${folder}/resource-spec/${id}/deployment.resource-spec.yaml`,
    `${storage}/resource-spec/deployment.resource-spec.yaml`,
    `${storage}/resource-spec/../deployment.resource-spec.yaml`,
    `${storage}/resource-spec/${id}/../../../deployment.resource-spec.yaml`,
    `${storage}/resource-spec/${id}/%2e%2e/deployment.resource-spec.yaml`,
    `${storage}2/resource-spec/${id}/deployment.resource-spec.yaml`,
    `${storage}/resource-spec/${id}/other.yaml`,
    tab,
  ])('is forgotten elsewhere: %s', (uri) => {
    expect(restored('', uri).scratchUri).toBe('');
  });
});
