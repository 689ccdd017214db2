import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isItemsKey, isWhole, numberFields, specKeys } from '../../../../src/core/spec/fields.ts';
import type { SpecKey } from '../../../../src/core/spec/fields.ts';
import { fieldContent, fieldEdits } from '../../../../src/core/spec/form.ts';
import type { FieldInput } from '../../../../src/core/spec/form.ts';
import type { SpecMap } from '../../../../src/core/yaml/value.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';
import type { ReadableSpec } from '../../../../src/core/yaml/document.ts';
import { specToText, toSpecMap } from '../../../../src/core/spec/specText.ts';
import { applyEdits } from '../../../../src/core/yaml/edit.ts';
import type { YamlEdit } from '../../../../src/core/yaml/edit.ts';
import { positionInPart, specPart } from '../../../../src/core/spec/part.ts';

type Form = Partial<Record<SpecKey, FieldInput>>;

const name = fc.stringMatching(/^[a-z][a-z0-9./-]{0,8}$/);
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !/[\n\r\u0085\u2028\u2029]/.test(value));
const uniqueRows = fc
  .uniqueArray(fc.record({ name, value: text }), { selector: (row) => row.name, minLength: 1, maxLength: 4 })
  .map((rows): FieldInput => ({ kind: 'rows', rows }));
const volume = fc.record({
  name,
  configMap: fc.dictionary(name, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
});
const container = fc.record(
  {
    name,
    image: text,
    command: fc.array(text, { maxLength: 3 }),
    env: fc.array(fc.record({ name, value: text }), { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);
const yamlOf = (items: fc.Arbitrary<object>) =>
  fc.array(items, { minLength: 1, maxLength: 3 }).map((list): FieldInput => {
    const document = readable(specToText({ volumes: list.map((item) => toSpecMap(item)) }));
    return { kind: 'yaml', text: specPart(document, 'volumes').text };
  });
const numbers = Object.fromEntries(
  numberFields.map(({ key, role }) => {
    const value = isWhole(role) ? fc.nat() : fc.nat(10_000).map((tenths) => tenths / 10);
    return [key, value.map((number): FieldInput => ({ kind: 'text', text: String(number) }))];
  }),
);
const form: fc.Arbitrary<Form> = fc.record(
  {
    ...numbers,
    labels: uniqueRows,
    annotations: uniqueRows,
    service_account_name: text
      .filter((value) => value !== '')
      .map((value): FieldInput => ({ kind: 'text', text: value })),
    image_pull_secrets: fc
      .uniqueArray(name, { minLength: 1, maxLength: 3 })
      .map((names): FieldInput => ({ kind: 'names', names })),
    volumes: yamlOf(volume),
    volume_mounts: yamlOf(fc.record({ name, mountPath: text, readOnly: fc.boolean() })),
    init_containers: yamlOf(container),
    sidecars: yamlOf(container),
  },
  { requiredKeys: [] },
);

function readable(source: string): ReadableSpec {
  const document = readSpecText(source);
  if (document.kind === 'unreadable') throw new Error(`${document.findings[0].message}\n${source}`);
  return document;
}

function fill(document: ReadableSpec, contents: Form): ReadableSpec {
  let filled = document;
  for (const key of specKeys) {
    const content = contents[key];
    if (content !== undefined) filled = withField(filled, key, content);
  }
  return filled;
}

function withField(document: ReadableSpec, key: SpecKey, content: FieldInput | undefined): ReadableSpec {
  const edits: readonly YamlEdit[] = content ? fieldEdits(document, key, content) : [{ kind: 'set', path: [key] }];
  const result = applyEdits({ document }, edits, specKeys);
  if (result.kind === 'refused') throw new Error(result.message);
  return readable(result.state.document.text);
}

function contentsOf(document: ReadableSpec): Form {
  return Object.fromEntries(
    specKeys
      .filter((key) => document.spec[key] !== undefined)
      .map((key) => [key, fieldContent(document, key, isItemsKey(key))]),
  );
}

it('keeps all values from form to spec to YAML and back', () => {
  fc.assert(
    fc.property(form, (typed) => {
      const first = fill(readable(''), typed);
      expect(contentsOf(first)).toEqual(typed);
      const second = readable(specToText(first.spec));
      expect(second.spec).toEqual(first.spec);
      expect(contentsOf(second)).toEqual(typed);
    }),
    { numRuns: 50 },
  );
});

it('changes no other line when one field is set', () => {
  const comment = fc.constantFrom('', '# a comment\n', '\n', '  # indented\n');
  fc.assert(
    fc.property(
      form,
      form,
      fc.array(comment, { maxLength: 30 }),
      fc.constantFrom(...specKeys),
      (before, after, comments, key) => {
        const content = after[key];
        fc.pre(content !== undefined);
        const lines = fill(readable(''), before).text.split(/(?<=\n)(?=[a-z_"])/);
        const source = lines.map((line, index) => (comments[index] ?? '') + line).join('');
        const edited = fill(readable(source), { [key]: content }).text;
        const survivors = lines.filter((line) => !line.startsWith(`${key}:`));
        for (const line of survivors) expect(edited).toContain(line);
        for (const line of comments.slice(0, lines.length).filter((words) => words.trim() !== ''))
          expect(edited).toContain(line);
      },
    ),
    { numRuns: 50 },
  );
});

describe("a value that rows or names can't show", () => {
  it.each<[string, SpecKey, FieldInput]>([
    ['labels:\n  # mine\n  version: 1\n', 'labels', { kind: 'yaml', text: '# mine\nversion: 1' }],
    ['labels: {a: {b: c}}\n', 'labels', { kind: 'yaml', text: '{a: {b: c}}' }],
    ['labels: {a: b}\n', 'labels', { kind: 'rows', rows: [{ name: 'a', value: 'b' }] }],
    [
      'image_pull_secrets: [{name: a, extra: 1}]\n',
      'image_pull_secrets',
      { kind: 'yaml', text: '[{name: a, extra: 1}]' },
    ],
    ['cpu: {a: 1}\n', 'cpu', { kind: 'text', text: '{a: 1}' }],
    ['cpu: 1.50\n', 'cpu', { kind: 'text', text: '1.50' }],
    ['service_account_name: "a b"\n', 'service_account_name', { kind: 'text', text: 'a b' }],
  ])('%j', (source, key, content) => {
    expect(fieldContent(readable(source), key)).toEqual(content);
  });

  it('is shown as items where it is a list of them, or as YAML if the user wants that', () => {
    const document = readable('volumes:\n  # mine\n  - name: a\nsidecars: [x]\n');
    expect(fieldContent(document, 'volumes')).toEqual({ kind: 'items', items: [{ name: 'a' }] });
    expect(fieldContent(document, 'volumes', true)).toEqual({ kind: 'yaml', text: '# mine\n- name: a' });
    expect(fieldContent(document, 'sidecars')).toEqual({ kind: 'yaml', text: '[x]' });
    expect(fieldContent(document, 'init_containers')).toEqual({ kind: 'items', items: [] });
  });
});

it('converts a position in the text to a position in the field', () => {
  const document = readable('cpu: 1\nvolumes: # mine\n    - name: a\n      nfs: {}\n');
  expect(positionInPart(specPart(document, 'volumes'), { line: 4, column: 7 })).toEqual({ line: 2, column: 3 });
  const flow = readable('volumes: [{name: a}]\n');
  expect(positionInPart(specPart(flow, 'volumes'), { line: 1, column: 12 })).toEqual({ line: 1, column: 3 });
});

it('writes a spec in the order of the form, without empty fields', () => {
  const spec: SpecMap = {
    sidecars: [{ name: 'a', image: 'i' }],
    cpu: 1,
    min_scale: null,
    labels: { mode: '0644', yes: 'yes' },
  };
  expect(specToText(spec)).toBe(
    'cpu: 1\nlabels:\n  mode: "0644"\n  "yes": "yes"\nsidecars:\n  - name: a\n    image: i\n',
  );
  expect(specToText({})).toBe('');
});

describe('rows of which several differ', () => {
  const source = 'labels: # e\n  # f\n  app: b # g\n  d: no # h\n  e: f # i\n';
  const rowsOf = (map: Record<string, string>): FieldInput => ({
    kind: 'rows',
    rows: Object.entries(map).map(([name, value]) => ({ name, value })),
  });

  it.each<[string, Record<string, string>, string]>([
    ['a removal and a change', { app: 'x', e: 'f' }, 'labels: # e\n  # f\n  app: x # g\n  e: f # i\n'],
    ['a removal and a new name', { d: 'no', g: 'f' }, 'labels: # e\n  # f\n  d: "no" # h\n  g: f # i\n'],
    ['two removals', { e: 'f' }, 'labels: # e\n  # f\n  e: f # i\n'],
    ['two new names', { a: 'b', c: 'no', e: 'f' }, 'labels: # e\n  # f\n  a: b # g\n  c: "no" # h\n  e: f # i\n'],
    [
      'a change and a new row',
      { app: 'x', d: 'no', e: 'f', new: '1' },
      `${source.replace('app: b', 'app: x')}  new: "1"\n`,
    ],
  ])('are written as such: %s', (_what, rows, expected) => {
    const quoted = source.replace('d: no', 'd: "no"');
    const wanted = expected.replace('d: no', 'd: "no"');
    expect(withField(readable(quoted), 'labels', rowsOf(rows)).text).toBe(wanted);
  });

  it('write only the new row if its name is there already', () => {
    const quoted = readable(source.replace('d: no', 'd: "no"'));
    const rows = [
      ['app', 'b'],
      ['d', 'no'],
      ['e', 'f'],
      ['app', 'z'],
    ].map(([name = '', value = '']) => ({ name, value }));
    const edits = fieldEdits(quoted, 'labels', { kind: 'rows', rows });
    expect(applyEdits({ document: quoted }, edits, specKeys)).toMatchObject({
      state: { document: { kind: 'unreadable', text: `${quoted.text}  app: z\n` }, before: { document: quoted } },
    });
  });

  it.each([[['a', 'c']], [['x', 'c']], [['c']], [['b', 'c', 'd']], [['c', 'b', 'a']]])('have the names %j', (names) => {
    const pulls = readable('image_pull_secrets:\n  - name: a # 1\n  - name: b # 2\n  - name: c # 3\n');
    const { spec, text: written } = withField(pulls, 'image_pull_secrets', { kind: 'names', names });
    expect(spec).toEqual({ image_pull_secrets: names.map((each) => ({ name: each })) });
    const isOrdered = names.join('') !== 'cba';
    if (isOrdered) expect(written).toContain('name: c # 3');
  });
});
