import { describe, expect, it } from 'vitest';
import {
  encodeItemText,
  hasItems,
  itemFields,
  itemText,
  itemWords,
  newItem,
  variablesOf,
} from '../../../../src/core/spec/items.ts';
import type { SpecMap } from '../../../../src/core/yaml/value.ts';
import { scalarText } from '../../../../src/core/yaml/placement.ts';

const spec: SpecMap = {
  volumes: [{ name: 'cache' }, { name: 'models' }],
  volume_mounts: [{ name: 'cache', mountPath: '/cache' }],
  sidecars: [{ name: 'container-1' }],
};

describe('what an item is', () => {
  it.each([
    ['volumes', { name: 'cache', emptyDir: { sizeLimit: '2Gi' } }, 'cache: emptyDir, 2Gi, mounted at /cache'],
    [
      'volumes',
      { name: 'models', persistentVolumeClaim: { claimName: 'weights', readOnly: true } },
      'models: persistentVolumeClaim, weights, read-only',
    ],
    ['volumes', { name: 'x', projected: { sources: [], defaultMode: 1 } }, 'x: projected and 2 more keys'],
    ['volumes', { name: 'x', configMap: { name: 'c', optional: true } }, 'x: configMap, c and 1 more key'],
    ['volumes', {}, '(no name)'],
    [
      'volume_mounts',
      { name: 'cache', mountPath: '/c', subPath: 's', readOnly: true, mountPropagation: 'None' },
      'cache: mounted at /c, sub-path s, read-only and 1 more key',
    ],
    [
      'sidecars',
      { name: 'proxy', image: 'a/b:1', env: [{ name: 'A', value: '1' }], securityContext: {}, volumeMounts: [] },
      'proxy: a/b:1, 1 variable and 2 more keys',
    ],
    [
      'sidecars',
      { name: 'x', command: ['a'], args: [1], resources: { limits: { cpu: 1, gpu: 1 } } },
      'x and 2 more keys',
    ],
  ] as const)('is said of one of %s: %j', (key, item, words) => {
    expect(itemWords(key, item, spec)).toBe(words);
  });
});

describe('the fields of an item', () => {
  it.each([
    ['configMap', ['configMap.name']],
    ['secret', ['secret.secretName']],
    ['emptyDir', ['emptyDir.sizeLimit', 'emptyDir.medium']],
    ['persistentVolumeClaim', ['persistentVolumeClaim.claimName', 'persistentVolumeClaim.readOnly']],
    ['nfs', ['nfs.server', 'nfs.path', 'nfs.readOnly']],
    ['csi', ['csi.driver', 'csi.readOnly']],
    ['projected', []],
    ['downwardAPI', []],
  ])('are those of its kind: %s', (kind, paths) => {
    const fields = itemFields('volumes', { name: 'a', [kind]: {} }, spec);
    expect(fields.map(({ path }) => path.join('.'))).toEqual(['name', kind, ...paths]);
    expect(fields[1]).toMatchObject({ kind: 'volumeKind', choices: expect.arrayContaining([kind]) });
  });

  it('of a mount offer the volumes that there are', () => {
    expect(itemFields('volume_mounts', {}, spec)[0]).toMatchObject({ kind: 'choice', choices: ['cache', 'models'] });
  });

  it.each([
    ['sidecars', { image: 'a' }, 'image', 'a'],
    ['sidecars', { command: ['a', 'b c'] }, 'command', 'a\nb c'],
    ['sidecars', { command: ['a\nb'] }, 'command', undefined],
    ['sidecars', { args: ['a', 1] }, 'args', undefined],
    ['sidecars', { resources: { requests: { cpu: 0.5 } } }, 'resources.requests.cpu', '0.5'],
    ['sidecars', { resources: 'all' }, 'resources.requests.cpu', ''],
    ['sidecars', { image: { a: 1 } }, 'image', undefined],
    ['volume_mounts', { readOnly: true }, 'readOnly', 'true'],
    ['volume_mounts', { readOnly: 'yes' }, 'readOnly', 'true'],
    ['volume_mounts', { readOnly: 'maybe' }, 'readOnly', undefined],
    ['volumes', { nfs: null, csi: {} }, 'csi', 'csi'],
  ] as const)('of %s show %j in %s as %j', (key, item, path, text) => {
    const field = itemFields(key, item, spec).find((each) => each.path.join('.') === path);
    expect(field && itemText(item, field)).toBe(text);
  });

  it.each([
    ['text', '', undefined],
    ['text', '5', { style: 'inline', text: '"5"' }],
    ['text', 'a b', { style: 'inline', text: '"a b"' }],
    ['quantity', ' 0.5 ', { style: 'inline', text: '0.5' }],
    ['quantity', '500m', { style: 'inline', text: '"500m"' }],
    ['flag', 'true', { style: 'inline', text: 'true' }],
    ['flag', 'false', undefined],
    ['lines', 'run\n\n--port 80', { style: 'block', text: '- run\n- "--port 80"' }],
  ] as const)('take %s %j', (kind, typed, value) => {
    expect(encodeItemText(kind, typed)).toEqual(value);
  });

  it('have the variables with a value, and name those with one from elsewhere', () => {
    expect(variablesOf({ env: [{ name: 'A', value: '1' }, { name: 'B', valueFrom: {} }, 'C'] })).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: undefined },
      { name: '', value: undefined },
    ]);
    expect(variablesOf({})).toEqual([]);
  });
});

it.each([
  ['volumes', 'name: volume-1\nemptyDir: {}'],
  ['volume_mounts', 'name: models'],
  ['sidecars', 'name: container-2'],
] as const)('a new item of %s has a name of its own', (key, text) => {
  expect(newItem(key, spec)).toEqual({ style: 'block', text });
});

it('a mount without a volume is empty', () => {
  expect(newItem('volume_mounts', {})).toEqual({ style: 'block', text: '{}' });
});

it.each([
  [undefined, true],
  [[], true],
  [[{}], true],
  [[{}, 'a'], false],
  ['a', false],
  [{}, false],
])('%j is shown as items: %s', (value, isShown) => {
  expect(hasItems(value)).toBe(isShown);
});

it.each(['/etc/agent', 'registry.example/proxy:1.0', 'a@sha256:0a'])('%s needs no quotes', (text) => {
  expect(scalarText(text)).toBe(text);
});

it.each(['a:', ':a', 'a: b', 'a #b', '- a', '@a', '12:30', 'yes', '~', '*a', 'a: ', '0644', 'true'])(
  '%j needs quotes',
  (text) => {
    expect(scalarText(text)).toBe(JSON.stringify(text));
  },
);
