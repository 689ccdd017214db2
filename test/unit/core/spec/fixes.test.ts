import { describe, expect, it } from 'vitest';
import { fixesOf } from '../../../../src/core/spec/fixes.ts';
import { findingsIn } from '../../../../src/core/spec/rules.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';

/** What each fix of a text's findings is called, and makes of the text. */
function fixed(text: string): readonly (readonly [title: string, text: string])[] {
  const document = readSpecText(text);
  return findingsIn(document, 'standard').flatMap((finding) =>
    fixesOf(document, finding).map(({ title, change }) => {
      return [title, text.slice(0, change.start) + change.text + text.slice(change.end)] as const;
    }),
  );
}

describe('an unknown key', () => {
  it.each([
    ['cpus: 2 # two\n', 'cpu', 'cpu: 2 # two\n'],
    ['memoryMb: 5\n', 'memory_mb', 'memory_mb: 5\n'],
    ['min-scale: 1\n', 'min_scale', 'min_scale: 1\n'],
    ['"cpus": 2\n', 'cpu', 'cpu: 2\n'],
    ['{"cpus": 2}', 'cpu', '{cpu: 2}'],
    ['sidecars:\n  - name: a\n    img: b\n    image: c\n', undefined, ''],
    ['sidecars:\n  - name: a\n    imag: b\n', 'image', 'sidecars:\n  - name: a\n    image: b\n'],
    ['volumes:\n  - name: a\n    configmap: {}\n', 'configMap', 'volumes:\n  - name: a\n    configMap: {}\n'],
    ['cpu: 1\ncpus: 2\n', undefined, ''],
    ['replicasets: 2\n', undefined, ''],
    ['x: 2\n', undefined, ''],
    ['<<: { cpus: 2 }\n', undefined, ''],
    ['annotations: &a { name: a, imag: b }\nsidecars: [*a]\n', undefined, ''],
  ])('of %j becomes %s', (text, name, after) => {
    expect(fixed(text).filter(([title]) => title.includes('"'))).toEqual(
      name === undefined ? [] : [[`Change to "${name}"`, after]],
    );
  });
});

describe('an amount', () => {
  it.each([
    ['memory_mb: 4Gi\n', '4096', 'memory_mb: 4096\n'],
    ['cpu: "2500m" # much\n', '2.5', 'cpu: 2.5 # much\n'],
    ["db_storage_gi: '1Ti'\n", '1024', 'db_storage_gi: 1024\n'],
    ['cpu: "1,5"\n', '1.5', 'cpu: 1.5\n'],
    ['<<: { cpu: 2500m }\n', undefined, ''],
    ['cpu: much\n', undefined, ''],
    ['cpu: -1\n', undefined, ''],
    ['memory_mb: 4m\n', undefined, ''],
  ])('in %j becomes %s', (text, number, after) => {
    expect(fixed(text)).toEqual(number === undefined ? [] : [[`Change to ${number}`, after]]);
  });
});

describe('a key that is there twice', () => {
  it.each([
    ['cpu: 1 # one\nmin_scale: 1\ncpu: 2 # two\n', 'Remove this "cpu"', 'cpu: 1 # one\nmin_scale: 1\n'],
    ['sidecars:\n  - name: a\n    name: b\n', 'Remove this "name"', 'sidecars:\n  - name: a\n'],
    ['{"cpu": 1, "cpu": 2}', 'Remove this "cpu"', '{"cpu": 1}'],
  ])('in %j is removed', (text, title, after) => {
    expect(fixed(text)).toEqual([[title, after]]);
  });

  it('is left alone where something else is wrong', () => {
    expect(fixed('cpu: [\n')).toEqual([]);
  });
});
