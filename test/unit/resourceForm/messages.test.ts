import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormMessage, readSavedContext } from '../../../src/ui/resourceForm/formMessage.ts';
import { readHostMessage } from '../../../src/ui/resourceForm/protocol.ts';
import { readSavedState } from '../../../src/ui/resourceForm/webview/savedState.ts';

const context = {
  title: 'Resources',
  flavor: 'standard',
  readOnly: false,
  fileUri: '',
  scratchUri: '',
  documentHash: '',
};
const state = { context, text: 'cpu: 1', drafts: '', view: 'both', openSections: 'scale main', scroll: '12' };

describe('messages that belong to the protocol are read as they are', () => {
  it.each([
    { type: 'setup', translations: '{}', context, text: '' },
    { type: 'replace', text: 'cpu: 1', from: 'a file' },
    { type: 'context', context },
    { type: 'reply', id: '1', failed: false, message: '' },
  ])('$type to the form', (message) => {
    expect(readHostMessage(message)).toEqual(message);
  });

  it.each([{ type: 'ready' }, { type: 'painted' }, { type: 'request', id: '1', action: 'copy', text: '' }])(
    '$type to the panel',
    (message) => {
      expect(readFormMessage(message)).toEqual(message);
    },
  );

  it('the saved state is read by the form, and the part that the panel needs by the panel', () => {
    expect(readSavedState(state)).toEqual(state);
    expect(readSavedContext(state)).toEqual(context);
  });
});

describe('anything else is no message at all', () => {
  it.each([
    undefined,
    null,
    'setup',
    [],
    { type: 'setup' },
    { type: 'setup', translations: {}, context, text: '' },
    { type: 'setup', translations: '{}', context: { ...context, flavor: 'other' }, text: '' },
    { type: 'replace', text: 7, from: '' },
    { type: 'reply', id: 1, failed: false, message: '' },
    { type: 'constructor' },
  ])('%j to the form', (message) => {
    expect(readHostMessage(message)).toBeUndefined();
  });

  it.each([
    undefined,
    { type: 'request', id: '1', action: 'format', text: '' },
    { type: 'request', id: '1', action: 'use' },
    { type: 'request', id: '1', action: 'use', text: 'x'.repeat(1_000_001) },
    { type: 'setup', translations: '{}', context, text: '' },
  ])('%# to the panel', (message) => {
    expect(readFormMessage(message)).toBeUndefined();
  });

  it('no value at all makes the readers throw', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        readHostMessage(value);
        readFormMessage(value);
        readSavedState(value);
        readSavedContext(value);
      }),
    );
  });

  it.each([undefined, {}, { ...state, view: 'picture' }, { ...state, text: 1 }])('%j is no saved state', (value) => {
    expect(readSavedState(value)).toBeUndefined();
  });
});
