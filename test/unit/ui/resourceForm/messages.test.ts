import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormMessage, readFormState, readHostMessage } from '../../../../src/ui/resourceForm/protocol.ts';

const context = {
  title: 'Resources',
  flavor: 'standard',
  readOnly: false,
  fileUri: '',
  documentHash: '',
  keptHash: '',
};
const drafts = [
  { key: 'cpu', content: { kind: 'text', text: 'x' } },
  { key: 'volumes', content: { kind: 'yaml', text: '[' } },
  { key: 'labels', content: { kind: 'rows', rows: [{ name: '', value: '1' }] } },
  { key: 'image_pull_secrets', content: { kind: 'names', names: ['', 'x'] } },
];
const state = { context, text: 'cpu: 1', drafts, view: 'both', openSections: ['scale', 'main'], scroll: 12 };

describe('a valid message is read unchanged', () => {
  it.each([
    { type: 'setup', id: '1', translations: { Save: 'Sichern' }, state },
    { type: 'replace', text: 'cpu: 1', from: 'a file' },
    { type: 'context', context },
    { type: 'save' },
    { type: 'reply', id: 1, failed: false, message: '' },
  ])('$type to the form', (message) => {
    expect(readHostMessage(message)).toEqual(message);
  });

  it.each([{ type: 'ready' }, { type: 'state', state }, { type: 'request', id: 1, action: 'copy', text: '' }])(
    '$type to the panel',
    (message) => {
      expect(readFormMessage(message)).toEqual(message);
    },
  );

  it('as the kept state', () => {
    expect(readFormState(state)).toEqual(state);
  });
});

describe('anything else is dropped', () => {
  it.each([
    undefined,
    null,
    'setup',
    [],
    { type: 'setup' },
    { type: 'setup', id: '1', translations: '{}', state },
    { type: 'setup', id: '1', translations: {}, state: { ...state, context: { ...context, flavor: 'other' } } },
    { type: 'replace', text: 7, from: '' },
    { type: 'reply', id: '1', failed: false, message: '' },
    { type: 'constructor' },
  ])('%j to the form', (message) => {
    expect(readHostMessage(message)).toBeUndefined();
  });

  it.each([
    undefined,
    { type: 'request', id: 1, action: 'format', text: '' },
    { type: 'request', id: 1, action: 'use' },
    { type: 'request', id: 1, action: 'use', text: 'x'.repeat(1_000_001) },
    { type: 'state', state: { ...state, text: 7 } },
    { type: 'state', state: { ...state, drafts: [{ key: 'cpu', content: { kind: 'picture', text: '' } }] } },
    {
      type: 'state',
      state: { ...state, drafts: [{ key: 'cpu', content: { kind: 'text', text: 'x'.repeat(1_000_000) } }] },
    },
    { type: 'state', state: { ...state, openSections: Array.from({ length: 101 }, () => 'main') } },
    { type: 'state', state: { ...state, openSections: ['x'.repeat(101)] } },
    { type: 'setup', id: '1', translations: {}, state },
  ])('%# to the panel', (message) => {
    expect(readFormMessage(message)).toBeUndefined();
  });

  it('never throws, for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        readHostMessage(value);
        readFormMessage(value);
        readFormState(value);
      }),
    );
  });

  it.each([undefined, {}, { ...state, view: 'picture' }, { ...state, text: 1 }])('%j as the kept state', (value) => {
    expect(readFormState(value)).toBeUndefined();
  });
});
