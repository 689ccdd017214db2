import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { specKeys } from '../../../../src/core/spec/fields.ts';
import type { SpecKey } from '../../../../src/core/spec/fields.ts';
import { fieldEdits } from '../../../../src/core/spec/form.ts';
import type { FieldInput } from '../../../../src/core/spec/form.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';
import { applyEdits, movedAfter, smallestChange } from '../../../../src/core/yaml/edit.ts';
import type { YamlEdit } from '../../../../src/core/yaml/edit.ts';
import type { FieldText, Replacement } from '../../../../src/core/yaml/placement.ts';
import type { SpecPath } from '../../../../src/core/yaml/value.ts';

const replaced = (text: string, { start, end, text: inserted }: Replacement): string =>
  text.slice(0, start) + inserted + text.slice(end);

/** What the text becomes by an edit, the words of the refusal, or how the text can't be read any more. */
function apply(text: string, ...edits: YamlEdit[]): string {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new Error(document.findings[0].message);
  const result = applyEdits({ document }, edits, specKeys);
  if (result.kind === 'refused') return `refused: ${result.message}`;
  const { document: edited } = result.state;
  return edited.kind === 'readable' ? edited.text : `${edited.text}unreadable: ${edited.findings[0].message}`;
}

/** What the text becomes when the form sets a field. */
function edit(text: string, key: SpecKey, content: FieldInput): string {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new Error(document.findings[0].message);
  return apply(text, ...fieldEdits(document, key, content));
}
const number = (text: string): FieldInput => ({ kind: 'text', text });
const yaml = (text: string): FieldInput => ({ kind: 'yaml', text });

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
    [
      'is written as typed while it cannot be read',
      'cpu: 1\n',
      '- name: "a',
      'cpu: 1\nvolumes:\n  - name: "a\nunreadable: A closing quote is missing.',
    ],
    [
      'may not use names from other fields',
      'cpu: &x 1\n',
      '- *x',
      'cpu: &x 1\nvolumes:\n  - *x\nunreadable: This alias (*) has no anchor (&) before it.',
    ],
  ])('%s', (_what, before, typed, after) => {
    expect(edit(before, 'volumes', yaml(typed))).toBe(after);
  });
});

describe('rows and names', () => {
  const rows = (...pairs: [string, string][]): FieldInput => ({
    kind: 'rows',
    rows: pairs.map(([name, value]) => ({ name, value })),
  });
  it("are quoted if YAML wouldn't read them as text", () => {
    const after = edit('', 'labels', rows(['app', 'yes'], ['on', '1.5'], ['a/b', ''], ['x y', '<b>'], ['', '']));
    expect(after).toBe('labels:\n  app: "yes"\n  "on": "1.5"\n  a/b: ""\n  "x y": "<b>"\n');
  });

  it.each<[string, FieldInput, string]>([
    [
      'a value without a key',
      rows(['', 'x']),
      'cpu: 1\nlabels:\n  "": x\nunreadable: The key before the colon is missing.',
    ],
    [
      'a key twice',
      rows(['a', '1'], ['a', '2']),
      'cpu: 1\nlabels:\n  a: "1"\n  a: "2"\nunreadable: The key "a" is used twice. Remove one.',
    ],
    [
      'a prototype key',
      rows(['__proto__', '1']),
      'cpu: 1\nlabels:\n  __proto__: "1"\nunreadable: The key "__proto__" isn\'t allowed.',
    ],
    ['no rows', rows(), 'cpu: 1\n'],
  ])('with %s', (_what, content, after) => {
    expect(edit('cpu: 1\nlabels:\n  a: b\n', 'labels', content)).toBe(after);
  });

  it.each([
    ['another value', rows(['a', '2'], ['b', '2']), "labels:\n  # why\n  a: \"2\" # one\n\n  'b': '2'\n"],
    ['another key', rows(['c', '1'], ['b', '2']), "labels:\n  # why\n  c: '1' # one\n\n  'b': '2'\n"],
    ['another quoted key', rows(['a', '1'], ['x y', '2']), "labels:\n  # why\n  a: '1' # one\n\n  \"x y\": '2'\n"],
    ['one more', rows(['a', '1'], ['b', '2'], ['c', 'x']), "labels:\n  # why\n  a: '1' # one\n\n  'b': '2'\n  c: x\n"],
    ['one less', rows(['a', '1']), "labels:\n  # why\n  a: '1' # one\n\n"],
    ['the same', rows(['a', '1'], ['b', '2']), "labels:\n  # why\n  a: '1' # one\n\n  'b': '2'\n"],
  ])('leave all else as it is written: %s', (_what, content, after) => {
    expect(edit("labels:\n  # why\n  a: '1' # one\n\n  'b': '2'\n", 'labels', content)).toBe(after);
  });

  it.each([
    ['another', ['a', 'c'], 'image_pull_secrets:\n- name: a # one\n- name: c\n'],
    ['one more', ['a', 'b', 'c'], 'image_pull_secrets:\n- name: a # one\n- name: b\n- name: c\n'],
    ['one less', ['b'], 'image_pull_secrets:\n- name: b\n'],
  ])('leave all other names as they are written: %s', (_what, names, after) => {
    const text = 'image_pull_secrets:\n- name: a # one\n- name: b\n';
    expect(edit(text, 'image_pull_secrets', { kind: 'names', names })).toBe(after);
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

const inline = (text: string): FieldText => ({ style: 'inline', text });
const set = (path: SpecPath, value?: FieldText): YamlEdit => ({ kind: 'set', path, value });

describe('a value inside of another one', () => {
  const two =
    'volumes:\n  # first\n  - name: a # one\n    emptyDir: {}\n  # second\n  - emptyDir: {}\n    name: b\ncpu: 1\n';

  it.each<[string, string, YamlEdit, string]>([
    ['is changed', two, set(['volumes', 0, 'name'], inline('z')), two.replace('name: a #', 'name: z #')],
    [
      'is added to a list item',
      two,
      set(['volumes', 1, 'nfs', 'path'], inline('/x')),
      two.replace('name: b\n', 'name: b\n    nfs:\n      path: /x\n'),
    ],
    [
      'fills empty braces',
      two,
      set(['volumes', 0, 'emptyDir', 'medium'], inline('Memory')),
      two.replace('    emptyDir: {}\n  # s', '    emptyDir:\n      medium: Memory\n  # s'),
    ],
    [
      'is removed from a list item',
      two,
      set(['volumes', 0, 'emptyDir']),
      two.replace('    emptyDir: {}\n  # s', '  # s'),
    ],
    [
      'is removed after its dash',
      two,
      set(['volumes', 1, 'emptyDir']),
      two.replace('- emptyDir: {}\n    name', '- name'),
    ],
    [
      'is removed with a whole item',
      two,
      set(['volumes', 0]),
      two.replace('  - name: a # one\n    emptyDir: {}\n', ''),
    ],
    ['leaves an empty list', 'args: 1\nvolumes:\n  - a: 1\n', set(['volumes', 0]), 'args: 1\nvolumes: []\n'],
    [
      'leaves empty braces',
      'volumes:\n  - nfs:\n      path: /x\n',
      set(['volumes', 0, 'nfs', 'path']),
      'volumes:\n  - nfs: {}\n',
    ],
    ['leaves an item with empty braces', 'volumes:\n  - name: a\n', set(['volumes', 0, 'name']), 'volumes:\n  - {}\n'],
    [
      'is appended as an item',
      two,
      set(['volumes', 2, 'name'], inline('c')),
      two.replace('name: b\n', 'name: b\n  - name: c\n'),
    ],
    [
      'begins a list',
      'cpu: 1\n',
      set(['sidecars', 0, 'env', 0, 'name'], inline('A')),
      'cpu: 1\nsidecars:\n  - env:\n      - name: A\n',
    ],
    ['begins a list in an empty text', '', set(['sidecars', 0, 'name'], inline('a')), 'sidecars:\n  - name: a\n'],
    [
      'fills an empty list',
      'volumes: [] # none\n',
      set(['volumes', 0, 'name'], inline('a')),
      'volumes: # none\n  - name: a\n',
    ],
    [
      "keeps a list at its key's column",
      'volumes:\n- name: a\ncpu: 1\n',
      set(['volumes', 1, 'name'], inline('b')),
      'volumes:\n- name: a\n- name: b\ncpu: 1\n',
    ],
    [
      'keeps Windows line ends',
      'volumes:\r\n- name: a\r\n',
      set(['volumes', 0, 'nfs', 'path'], inline('/x')),
      'volumes:\r\n- name: a\r\n  nfs:\r\n    path: /x\r\n',
    ],
    [
      'stays JSON',
      '{"volumes": [{"name": "a"}]}',
      set(['volumes', 0, 'nfs', 'path'], inline('/x')),
      '{"volumes": [{"name": "a", "nfs": {"path":"/x"}}]}',
    ],
    [
      'is appended to JSON',
      '{"volumes": [{"name": "a"}]}',
      set(['volumes', 1, 'name'], inline('b')),
      '{"volumes": [{"name": "a"}, {"name":"b"}]}',
    ],
  ])('%s', (_what, before, change, after) => {
    expect(apply(before, change)).toBe(after);
  });

  it.each([
    ['where a text is', 'volumes: x\n', set(['volumes', 0, 'name'], inline('a'))],
    ['far behind the end of a list', 'volumes:\n  - name: a\n', set(['volumes', 3, 'name'], inline('a'))],
    [
      'through an alias',
      'volumes:\n  - nfs: &n {path: a}\n  - nfs: *n\n',
      set(['volumes', 1, 'nfs', 'path'], inline('b')),
    ],
    [
      'that an alias repeats',
      'volumes:\n  - nfs: &n {path: a}\n  - nfs: *n\n',
      set(['volumes', 0, 'nfs', 'path'], inline('b')),
    ],
  ])('is refused %s', (_where, before, change) => {
    expect(apply(before, change)).toMatch(/^refused: The form can't change "volumes"/);
  });
});

describe('two neighboring items', () => {
  it.each<[string, string, string]>([
    [
      'change places with their comments',
      'volumes:\n  - name: a # one\n    nfs: {}\n  # about b\n  - name: b\n',
      'volumes:\n  - name: b\n  # about b\n  - name: a # one\n    nfs: {}\n',
    ],
    ['change places at the end of a text', 'volumes:\n  - name: a\n  - name: b', 'volumes:\n  - name: b\n  - name: a'],
    ['change places in brackets', 'volumes: [{name: a}, {name: b}]\n', 'volumes: [{name: b}, {name: a}]\n'],
  ])('%s', (_what, before, after) => {
    expect(apply(before, { kind: 'swap', path: ['volumes'], index: 0 })).toBe(after);
  });

  it('must be there', () => {
    expect(apply('volumes:\n  - name: a\n', { kind: 'swap', path: ['volumes'], index: 0 })).toMatch(/^refused/);
  });
});

describe('a value that cannot be read', () => {
  const typed = (text: string): YamlEdit => ({ kind: 'set', path: ['sidecars'], value: { style: 'block', text } });

  it('is replaced by the next one for the same place, and by no other', () => {
    const document = readSpecText('cpu: 1\nmemory_mb: 5\n');
    const broken = applyEdits({ document }, [typed('- name: "a')], specKeys);
    if (broken.kind === 'refused') throw new Error(broken.message);
    const refusal = applyEdits(broken.state, [set(['cpu'], inline('2'))], specKeys);
    expect(refusal).toEqual({ kind: 'refused', message: 'Correct the YAML first.' });
    const mended = applyEdits(broken.state, [typed('- name: "a"')], specKeys);
    expect(mended).toMatchObject({
      kind: 'edited',
      state: { document: { kind: 'readable', text: 'cpu: 1\nmemory_mb: 5\nsidecars:\n  - name: "a"\n' } },
    });
  });

  it('is known even if the rest of the text makes it readable', () => {
    expect(apply("labels:\n  a: 'b'\n", set(['cpu'], inline("'x")))).toContain('unreadable: ');
  });
});

describe('the smallest change', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', 'é'), maxLength: 12 });

  it('leads from one text to the other', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const change = smallestChange(before, after);
        expect(replaced(before, change)).toBe(after);
        expect(before.slice(0, change.start)).not.toMatch(/[\r\uD800-\uDBFF]$/);
        expect(before.slice(change.end)).not.toMatch(/^[\uDC00-\uDFFF]/);
      }),
    );
  });

  it('can be made after another one elsewhere', () => {
    const before = 'cpu: 1\nmemory_mb: 5\n';
    const mine = smallestChange(before, 'cpu: 1\nmemory_mb: 7\n');
    const other = smallestChange(before, '# more\ncpu: 2\nmemory_mb: 5\n');
    const moved = movedAfter(mine, other);
    expect(moved && replaced(replaced(before, other), moved)).toBe('# more\ncpu: 2\nmemory_mb: 7\n');
    expect(movedAfter(smallestChange(before, 'cpu: 3\nmemory_mb: 5\n'), other)).toBeUndefined();
  });
});
