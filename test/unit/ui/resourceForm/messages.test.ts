import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handle } from '../../../../src/ui/page/messages.ts';
import { readPageMessage } from '../../../../src/ui/resourceForm/pageMessages.ts';
import { readEditorMessage, readKeptView } from '../../../../src/ui/resourceForm/protocol.ts';

const context = { title: 'Resources', flavor: 'standard', subject: 'draft', lock: '' };
const setup = { type: 'setup', translations: { Save: 'Sichern' }, context, version: 3, text: 'cpu: 1' };
const value = { style: 'inline', text: '1' };
const set = { kind: 'set', path: ['sidecars', 0, 'env', 1, 'name'], value };
const change = (edits: unknown) => ({ type: 'change', id: 1, version: 2, edits });

describe('a valid message is read unchanged', () => {
  it.each([
    setup,
    { type: 'text', version: 4, text: 'cpu: 1', applied: 7 },
    { type: 'context', context },
    { type: 'refused', id: 2, message: '' },
    { type: 'flush' },
    { type: 'focus' },
    { type: 'said', failed: false, message: '', canUndo: true },
  ])('$type to the page', (message) => {
    expect(readEditorMessage(message)).toEqual(message);
  });

  it.each([
    { type: 'ready' },
    change([set, { kind: 'set', path: ['cpu'] }, { kind: 'swap', path: ['volumes'], index: 0 }]),
    change([{ kind: 'rename', path: ['labels', 'a'], name: 'b' }]),
    change([{ kind: 'splice', start: 0, end: 2, text: 'x' }]),
    { type: 'flushed' },
    { type: 'heard' },
    { type: 'action', action: 'copy' },
  ])('$type to the editor', (message) => {
    expect(readPageMessage(message)).toEqual(message);
  });

  it('as the kept view', () => {
    const view = { view: 'both', openSections: ['scale'], scroll: 12 };
    expect(readKeptView(view)).toEqual(view);
  });
});

describe('anything else is dropped', () => {
  it.each([
    undefined,
    null,
    'setup',
    [],
    { type: 'setup' },
    { ...setup, translations: '{}' },
    { ...setup, context: { ...context, flavor: 'other' } },
    { ...setup, text: 7 },
    { type: 'text', version: 1, text: 'cpu: 1' },
    { type: 'constructor' },
  ])('%j to the page', (message) => {
    expect(readEditorMessage(message)).toBeUndefined();
  });

  it.each([
    undefined,
    { type: 'action', action: 'format' },
    change('cpu'),
    change([{ ...set, path: [] }]),
    change([{ ...set, path: [-1] }]),
    change([{ ...set, path: [1.5] }]),
    change([{ ...set, path: Array.from({ length: 21 }, () => 'a') }]),
    change([{ ...set, value: { style: 'folded', text: '' } }]),
    change([{ ...set, value: { style: 'inline', text: 'x'.repeat(1_000_001) } }]),
    change([{ kind: 'splice', start: -1, end: 0, text: '' }]),
    change(Array.from({ length: 101 }, () => set)),
    setup,
  ])('%# to the editor', (message) => {
    expect(readPageMessage(message)).toBeUndefined();
  });

  it('never throws, for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (anything) => {
        readEditorMessage(anything);
        readPageMessage(anything);
        readKeptView(anything);
      }),
    );
  });

  it.each([
    undefined,
    {},
    { view: 'picture', openSections: [], scroll: 0 },
    { view: 'form', openSections: [1], scroll: 0 },
  ])('%j is the view of a new page', (anything) => {
    expect(readKeptView(anything)).toEqual({ view: 'form', openSections: ['scale', 'main'], scroll: 0 });
  });
});

it('reaches the handler of its type', () => {
  const handled: string[] = [];
  const handlers = {
    open: ({ name }: { name: string }) => void handled.push(name),
    close: () => void handled.push('closed'),
  };
  handle(handlers, { type: 'open', name: 'a' });
  expect(handled).toEqual(['a']);
});
