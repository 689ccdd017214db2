import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFromPage } from '../../../../../src/ui/deploy/page/pageMessages.ts';
import { readKeptPage, readToPage } from '../../../../../src/ui/deploy/page/protocol.ts';

type Message = { readonly type: string } & Readonly<Record<string, unknown>>;

const value = { style: 'inline', text: '1' };
const set = { kind: 'set', path: ['sidecars', 0, 'env', 1, 'name'], value };
const change = { type: 'change', id: 1, number: 0, key: 'ref', value: 'main' };
const editResources = { type: 'editResources', id: 1, number: 0, edits: [set] };
const typed = { number: 1, key: 'labels', text: '[' };
const keep = { type: 'keep', kept: [typed] };
const typing = { type: 'typing', typed };
const { number: _number, ...sharedChange } = change;
const fromPage: readonly Message[] = [
  { type: 'ready', isSetUp: true },
  change,
  editResources,
  { type: 'heard', ofResources: true, number: 3 },
  keep,
  typing,
  { type: 'flushed' },
  { type: 'press', id: 'bar/deploy' },
  { type: 'undo' },
];

const button = { id: 'bar/deploy', label: 'Deploy' };
const field = {
  key: 'ref',
  label: 'Branch',
  help: 'A branch.',
  value: 'main',
  usual: '',
  from: 'chosen',
  options: [{ value: 'main', label: 'main' }],
  isLocked: false,
  pick: button,
};
const group = { id: 'source', title: 'Source', summary: 'main', isOpen: true, fields: [field] };
const row = { name: 'KEY', from: 'asked for', state: 'missing', isMissing: true, buttons: [button] };
const deployment = {
  number: 0,
  title: 'agent',
  facts: ['Creates agent.'],
  isChecking: false,
  findings: [{ severity: 'warning', message: 'Push first.', key: 'ref', buttons: [button] }],
  groups: [group],
  tables: [{ id: 'secrets', title: 'Secrets', summary: '1 missing', rows: [row], buttons: [button] }],
  resources: {
    summary: '1 CPU',
    text: 'cpu: 1\n',
    flavor: 'standard',
    starts: [{ ...button, description: 'small' }],
    open: button,
  },
  progress: {
    made: 'r1',
    words: 'building',
    look: 'working',
    steps: [{ words: 'queued', at: '9:01' }],
    reason: '',
    buttons: [button],
  },
  deploy: button,
  buttons: [button],
};
const shown = {
  version: 3,
  applied: 2,
  title: 'agent',
  lock: '',
  shared: group,
  sharedResources: deployment.resources,
  deployments: [deployment],
  deploy: button,
  words: '1 warning',
  buttons: [button],
};
const state = { type: 'state', state: shown };
const toPage: readonly Message[] = [
  { type: 'setup', translations: { Deploy: 'Bereitstellen' }, state: shown, kept: [typed] },
  state,
  { type: 'refused', id: 2, message: '', ofResources: true, number: 0 },
  { type: 'flush' },
  { type: 'focus' },
  { type: 'said', failed: false, message: '' },
  { type: 'show', number: 1 },
];

/** Members that a message can lack. */
const optional = new Set([
  'number of change',
  'number of editResources',
  'number of heard',
  'number of refused',
  'typed of typing',
]);

/** Each message once without each of its members, and once with each of them of another type. */
function spoiled(messages: readonly Message[]): [words: string, message: unknown][] {
  return messages.flatMap((message) =>
    Object.entries(message).flatMap(([name, member]): [string, unknown][] => {
      const { [name]: _, ...others } = message;
      const words = `${name} of ${message.type}`;
      const wrong =
        typeof member === 'object' ? [null, 7, 'text'] : [null, {}, typeof member === 'string' ? 7 : 'text'];
      return [
        ...(optional.has(words) ? [] : [[`no ${words}`, others] satisfies [string, unknown]]),
        ...wrong.map((each): [string, unknown] => [
          `${JSON.stringify(each)} as ${words}`,
          { ...message, [name]: each },
        ]),
      ];
    }),
  );
}

const noMessages = [undefined, null, true, 7, 'undo', [], [{ type: 'undo' }], {}, () => 'undo'];

describe('a valid message is read unchanged', () => {
  it.each(toPage)('$type to the page', (message) => {
    expect(readToPage(message)).toEqual(message);
  });

  it('as a state without what it can lack', () => {
    const { resources: _resources, progress: _progress, deploy: _one, ...bare } = deployment;
    const { shared: _shared, sharedResources: _same, deploy: _all, ...locked } = shown;
    const message = { type: 'state', state: { ...locked, deployments: [bare] } };
    expect(readToPage(message)).toEqual(message);
  });

  it.each([
    ...fromPage,
    sharedChange,
    { ...change, key: 'k'.repeat(1000), value: 'x'.repeat(100_000) },
    { ...editResources, edits: Array.from({ length: 100 }, () => set) },
    {
      ...editResources,
      edits: [
        { kind: 'set', path: ['cpu'] },
        { kind: 'rename', path: ['labels', 'a'], name: 'b' },
        { kind: 'swap', path: ['volumes'], index: 0 },
      ],
    },
    { ...keep, kept: [] },
    { ...typing, typed: { number: 0, edits: [set] } },
  ])('$type to the editor', (message) => {
    expect(readFromPage(message)).toEqual(message);
  });

  it('without members that no message has', () => {
    expect(readFromPage({ type: 'undo', twice: true })).toEqual({ type: 'undo' });
  });

  it('as the kept view', () => {
    const view = { open: { '0/source': true }, scroll: 12 };
    expect(readKeptPage(view)).toEqual(view);
  });
});

describe('anything else is dropped', () => {
  it.each(spoiled(fromPage))('%s to the editor', (_, message) => {
    expect(readFromPage(message)).toBeUndefined();
  });

  it.each([
    ...noMessages,
    ...toPage,
    { type: 'constructor' },
    { type: 'Undo' },
    { ...change, id: Number.NaN },
    { ...change, number: -1 },
    { ...change, number: 0.5 },
    { ...change, key: 'k'.repeat(1001) },
    { ...change, value: 'x'.repeat(100_001) },
    { type: 'heard', ofResources: true, number: -1 },
    { type: 'press', id: 'x'.repeat(1001) },
    { ...keep, kept: [{ ...typed, number: -1 }] },
    { ...keep, kept: [{ ...typed, key: 'k'.repeat(1001) }] },
    { ...keep, kept: [{ ...typed, text: 'x'.repeat(1_000_001) }] },
    { ...keep, kept: [{ ...typed, text: undefined }] },
    { ...keep, kept: Array.from({ length: 101 }, () => typed) },
    { ...typing, typed: { ...typed, text: 'x'.repeat(1_000_001) } },
    { ...typing, typed: { edits: [{ ...set, kind: 'splice' }] } },
    { ...editResources, edits: Array.from({ length: 101 }, () => set) },
    ...[
      'cpu',
      { ...set, kind: 'splice', start: 0, end: 0, text: '' },
      { ...set, path: [] },
      { ...set, path: [-1] },
      { ...set, path: [1.5] },
      { ...set, path: Array.from({ length: 21 }, () => 'a') },
      { ...set, path: ['x'.repeat(1_000_001)] },
      { ...set, value: { style: 'folded', text: '' } },
      { ...set, value: { style: 'inline', text: 'x'.repeat(1_000_001) } },
      { kind: 'rename', path: ['a'] },
      { kind: 'rename', path: ['a'], name: 'x'.repeat(1_000_001) },
      { kind: 'swap', path: ['a'], index: -1 },
    ].map((edit) => ({ ...editResources, edits: [edit] })),
  ])('%# to the editor', (message) => {
    expect(readFromPage(message)).toBeUndefined();
  });

  it.each(spoiled(toPage))('%s to the page', (_, message) => {
    expect(readToPage(message)).toBeUndefined();
  });

  it.each([
    ...noMessages,
    ...fromPage,
    { type: 'constructor' },
    ...[
      { ...shown, version: '3' },
      { ...shown, shared: { ...group, fields: [{ ...field, isLocked: 'no' }] } },
      { ...shown, shared: { ...group, fields: [{ ...field, pick: 'list' }] } },
      { ...shown, deploy: { id: 'bar/deploy' } },
      ...[
        { ...deployment, findings: [{ severity: 'fatal', message: '', key: '', buttons: [] }] },
        { ...deployment, groups: [{ ...group, fields: [{ ...field, options: ['main'] }] }] },
        { ...deployment, tables: [{ id: 'secrets', title: '', summary: '', rows: [{ name: 'KEY' }], buttons: [] }] },
        { ...deployment, resources: { ...deployment.resources, flavor: 'other' } },
        { ...deployment, progress: { ...deployment.progress, look: 'done' } },
      ].map((wrong) => ({ ...shown, deployments: [wrong] })),
    ].map((wrong) => ({ ...state, state: wrong })),
  ])('%# to the page', (message) => {
    expect(readToPage(message)).toBeUndefined();
  });

  it('never throws, for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (anything) => {
        readToPage(anything);
        readFromPage(anything);
        readKeptPage(anything);
      }),
    );
  });

  it.each([undefined, {}, { open: { source: 1 }, scroll: 0 }, { open: {}, scroll: '0' }])(
    '%j is the view of a new page',
    (anything) => {
      expect(readKeptPage(anything)).toEqual({ open: {}, scroll: 0 });
    },
  );
});
