import { describe, expect, it } from 'vitest';
import { withKnownPaths } from '../../../../src/ui/resourceForm/keptForm.ts';
import type { FormState } from '../../../../src/ui/resourceForm/protocol.ts';

const folder = 'file:///home/ada/app';
const tab = 'file:///home/ada/notes/any.yaml';

function restored(fileUri: string): FormState['context'] {
  const state: FormState = {
    context: {
      title: 'Resources',
      flavor: 'standard',
      readOnly: false,
      fileUri,
      documentHash: 'a',
      keptHash: 'b',
    },
    text: 'cpu: 1',
    drafts: [],
    view: 'form',
    openSections: [],
    scroll: 0,
  };
  const read = withKnownPaths(state, { folders: ['file:///home/ada/other', folder], tabs: [tab] });
  expect({ ...read, context: { ...read.context, fileUri } }).toEqual(state);
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
  ])("is dropped if the user hasn't opened it: %s", (uri) => {
    expect(restored(uri).fileUri).toBe('');
  });
});
