import { expect, it } from 'vitest';
import { helpKeyAt, suggestionsAt } from '../../../../src/core/spec/cursor.ts';
import { cursorPlace } from '../../../../src/core/yaml/cursor.ts';

/** What is suggested at the bar in the text, each value in quotes. */
function suggestions(text: string): string[] {
  const before = text.slice(0, text.indexOf('|'));
  const lines = text.replace('|', '').split('\n');
  const line = before.split('\n').length - 1;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  return suggestionsAt(cursorPlace(lines, line, column)).map(({ kind, text: word, isBlock }) =>
    kind === 'value' ? `"${word}"` : isBlock ? `${word}:` : word,
  );
}

it('suggests missing top-level keys in the order of the form', () => {
  expect(suggestions('min_scale: 1\n|').slice(0, 3)).toEqual(['max_scale', 'cpu', 'cpu_limit']);
  expect(suggestions('c|\nmin_scale: 1\nlabels:\n  cpu: x\n')).toContain('cpu');
  expect(suggestions('|')).toContain('volumes:');
});

it.each<[string, string, string[]]>([
  [
    'a container whose dash stands at the margin',
    'sidecars:\n- name: a\n  resources:\n    |',
    ['limits:', 'requests:'],
  ],
  [
    'the mounts of a container',
    'sidecars:\n  - name: a\n    volumeMounts:\n      - name: x\n        |',
    ['mountPath', 'subPath', 'subPathExpr', 'mountPropagation', 'readOnly'],
  ],
  ['a second item, whatever the first one has', 'image_pull_secrets:\n  - name: a\n  - |', ['name']],
  ['a pull policy', 'sidecars:\n  - name: a\n    imagePullPolicy: |', ['"Always"', '"IfNotPresent"', '"Never"']],
  ['a flag', 'volume_mounts:\n  - name: a\n    readOnly: |', ['"true"', '"false"']],
  ['nothing inside a free-form object', 'volumes:\n  - name: a\n    configMap:\n      |', []],
  ['nothing behind a number', 'cpu: |', []],
  ['nothing below a key that is not known', 'foo:\n  |', []],
])('%s', (_what, text, expected) => {
  expect(suggestions(text)).toEqual(expected);
});

it('gives help only for top-level keys', () => {
  expect(helpKeyAt(cursorPlace(['cpu_limit: 1'], 0, 10))).toBe('cpu_limit');
  expect(helpKeyAt(cursorPlace(['labels:', '  cpu: 1'], 1, 6))).toBeUndefined();
  expect(helpKeyAt(cursorPlace(['foo: 1'], 0, 4))).toBeUndefined();
});
