import { describe, expect, it } from 'vitest';
import type { SpecKey } from '../../../../src/core/spec/fields.ts';
import { encodeField } from '../../../../src/core/spec/form.ts';
import type { FieldContent } from '../../../../src/core/spec/form.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';
import { setSpecKey } from '../../../../src/core/spec/edit.ts';

/** What the text becomes when the form sets a field, or the words of the refusal. */
function edit(text: string, key: SpecKey, content: FieldContent): string {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new Error(document.findings[0].message);
  const encoded = encodeField(key, content);
  if (encoded.kind === 'invalid') return `invalid: ${encoded.findings[0]?.message}`;
  const result = setSpecKey(document, key, encoded.text);
  return result.kind === 'edited' ? result.document.text : `refused: ${result.message}`;
}
const number = (text: string): FieldContent => ({ kind: 'text', text });
const yaml = (text: string): FieldContent => ({ kind: 'yaml', text });

describe('a number', () => {
  it.each<[string, string, string, string]>([
    ['goes into an empty text', '', '2', 'cpu: 2\n'],
    ['goes below a comment', '# mine\n', '2', '# mine\ncpu: 2\n'],
    [
      'goes to its place in the order of the form',
      'min_scale: 1 # one\nmemory_mb: 5\n',
      '2',
      'min_scale: 1 # one\ncpu: 2\nmemory_mb: 5\n',
    ],
    ['replaces its value and keeps the comment', 'cpu:   1.50   # half\nx: 1\n', '2', 'cpu:   2   # half\nx: 1\n'],
    ['is written behind a bare colon', 'cpu:\nmemory_mb: 5\n', '2', 'cpu: 2\nmemory_mb: 5\n'],
    [
      'is written before the comment behind a bare colon',
      'cpu:   # note\nmemory_mb: 5\n',
      '2',
      'cpu:   2 # note\nmemory_mb: 5\n',
    ],
    [
      'removes its line when it is emptied',
      'min_scale: 1\ncpu: 2 # gone\n\nmemory_mb: 5\n',
      '',
      'min_scale: 1\n\nmemory_mb: 5\n',
    ],
    ['keeps Windows line ends', 'min_scale: 1\r\n', '2', 'min_scale: 1\r\ncpu: 2\r\n'],
    ['ends a last line that had no end', 'min_scale: 1', '2', 'min_scale: 1\ncpu: 2\n'],
    ['keeps the indentation of the whole', '  min_scale: 1\n', '2', '  min_scale: 1\n  cpu: 2\n'],
    ['replaces a block', 'cpu:\n  a: 1\nx: 1\n', '2', 'cpu: 2\nx: 1\n'],
    ["replaces a quoted key's value", '"cpu": 1\n', '2', '"cpu": 2\n'],
    ['stays before the end mark of the document', 'min_scale: 1\n...\n', '2', 'min_scale: 1\ncpu: 2\n...\n'],
    ['keeps the start mark of the document', '---\nmin_scale: 1\n', '2', '---\nmin_scale: 1\ncpu: 2\n'],
    ['goes into JSON', '{"min_scale": 1}', '2', '{"min_scale": 1, "cpu": 2}'],
    ['goes into empty JSON', '{}', '2', '{"cpu": 2}'],
    ['changes in JSON', '{"cpu": 1, "x": 2}', '2', '{"cpu": 2, "x": 2}'],
    ['leaves JSON from the front', '{"cpu": 1, "x": 2}', '', '{"x": 2}'],
    ['leaves JSON from the end', '{"x": 2, "cpu": 1}', '', '{"x": 2}'],
    ['is kept as text when it is none', '', 'abc', 'cpu: "abc"\n'],
    ['is kept as text with leading zeros', '', '010', 'cpu: "010"\n'],
    ['may be far too large', '', '1e400', 'cpu: 1e400\n'],
  ])('%s', (_what, before, typed, after) => {
    expect(edit(before, 'cpu', number(typed))).toBe(after);
  });
});

describe('a YAML field', () => {
  const list = '- name: a\n  # why\n  emptyDir: {}';
  it.each<[string, string, string, string]>([
    ['is indented below its key', 'cpu: 1\n', list, 'cpu: 1\nvolumes:\n  - name: a\n    # why\n    emptyDir: {}\n'],
    [
      'replaces its lines only',
      'volumes: # mine\n- name: old\n  nfs: {}\n# end\ncpu: 1\n',
      list,
      'volumes: # mine\n  - name: a\n    # why\n    emptyDir: {}\n# end\ncpu: 1\n',
    ],
    [
      'replaces a value in brackets and keeps its comment',
      'volumes: [] # none\ncpu: 1\n',
      list,
      'volumes: # none\n  - name: a\n    # why\n    emptyDir: {}\ncpu: 1\n',
    ],
    ['is removed when it is emptied', 'volumes:\n  - name: a\n    emptyDir: {}\ncpu: 1\n', '  \n', 'cpu: 1\n'],
    ['becomes JSON inside JSON', '{"cpu": 1}', list, '{"cpu": 1, "volumes": [{"name":"a","emptyDir":{}}]}'],
    [
      'keeps blocks of text',
      'cpu: 1\n',
      '- name: a\n  configMap:\n    name: |\n      x\n\n      y',
      'cpu: 1\nvolumes:\n  - name: a\n    configMap:\n      name: |\n        x\n\n        y\n',
    ],
    ['is not taken over while it cannot be read', 'cpu: 1\n', '- name: "a', 'invalid: A closing quote is missing.'],
    [
      'does not want the key above the list',
      'cpu: 1\n',
      `volumes:\n${list}`,
      'invalid: Remove the line "volumes:". Only the list below it belongs here.',
    ],
    [
      'may not use names from other fields',
      'cpu: &x 1\n',
      '- *x',
      'invalid: This alias (*) has no anchor (&) before it.',
    ],
  ])('%s', (_what, before, typed, after) => {
    expect(edit(before, 'volumes', yaml(typed))).toBe(after);
  });
});

describe('rows and names', () => {
  const rows = (...pairs: [string, string][]): FieldContent => ({
    kind: 'rows',
    rows: pairs.map(([name, value]) => ({ name, value })),
  });
  it("are quoted if YAML wouldn't read them as text", () => {
    const after = edit('', 'labels', rows(['app', 'yes'], ['on', '1.5'], ['a/b', ''], ['x y', '<b>'], ['', '']));
    expect(after).toBe('labels:\n  app: "yes"\n  "on": "1.5"\n  a/b: ""\n  "x y": "<b>"\n');
  });

  it.each<[string, FieldContent, string]>([
    ['a value without a key', rows(['', 'x']), 'invalid: A value has no key. Fill in the key or remove the row.'],
    ['a key twice', rows(['a', '1'], ['a', '2']), 'invalid: The key "a" is used twice. Remove one.'],
    ['a prototype key', rows(['__proto__', '1']), 'invalid: The key "__proto__" isn\'t allowed.'],
    ['no rows', rows(), 'cpu: 1\n'],
  ])('with %s', (_what, content, after) => {
    expect(edit('cpu: 1\nlabels:\n  a: b\n', 'labels', content)).toBe(after);
  });

  it('become objects if they are names', () => {
    expect(edit('', 'image_pull_secrets', { kind: 'names', names: ['registry', '', '0644'] })).toBe(
      'image_pull_secrets:\n  - name: registry\n  - name: "0644"\n',
    );
  });
});

describe('an edit that would change something else is refused', () => {
  const shared = 'This value is shared through the alias "x". Edit it in the YAML.';
  const unusual = 'The form can\'t change "cpu" without changing other parts of the YAML. Edit it in the YAML.';

  it.each<[string, string]>([
    ['cpu: &x 1\ncpu_limit: *x\n', shared],
    ['cpu_limit: &x 1\ncpu: *x\n', shared],
    ['? cpu\n: 1\n', unusual],
    ['&k cpu: 1\n', unusual],
    ['null\n', unusual],
  ])('%j', (before, words) => {
    expect(edit(before, 'cpu', number('2'))).toBe(`refused: ${words}`);
  });

  it('still edits other keys of the same text', () => {
    expect(edit('cpu: &x 1\ncpu_limit: *x\n', 'memory_mb', number('5'))).toBe(
      'cpu: &x 1\ncpu_limit: *x\nmemory_mb: 5\n',
    );
  });

  it('still edits a field with an alias inside', () => {
    const before = 'volumes:\n  - name: a\n    nfs: &n {server: s}\n  - name: b\n    nfs: *n\n';
    expect(edit(before, 'volumes', yaml('- name: c\n  nfs: {}'))).toBe('volumes:\n  - name: c\n    nfs: {}\n');
  });
});
