import { describe, expect, it } from 'vitest';
import { specPresets } from '../../../../src/core/spec/presets.ts';
import { readSpecText } from '../../../../src/core/yaml/document.ts';
import { applyEdits } from '../../../../src/core/yaml/edit.ts';
import type { YamlEdit } from '../../../../src/core/yaml/edit.ts';
import type { SpecPath } from '../../../../src/core/yaml/value.ts';
import { FormModel } from '../../../../src/ui/page/webview/resources/formModel.ts';

const model = (text = '') => new FormModel('standard', { version: 1, text: text, applied: 0 });
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const yaml = (value: string) => ({ kind: 'yaml', text: value }) as const;

/** Sends what wasn't sent, and lets the document have it. */
function deliver(form: FormModel, version = 2): void {
  const sent = form.takeUnsent();
  form.receive({ version, text: form.text, applied: sent.at(-1)?.id ?? 0 });
}

describe('labels', () => {
  const typed = (...names: string[]) =>
    ({ kind: 'rows', rows: names.map((name, index) => ({ name, value: index === 0 ? 'b' : 'no' })) }) as const;
  const source = "labels: # e\n  # f\n  app: b # g\n\n  'd': 'no' # h\n";

  it.each(['app', '', '__proto__'])('keep their comments while a key is wrong for a moment: "%s"', (wrong) => {
    const form = model(source);
    form.edit('labels', typed('app', wrong));
    expect(form.text).toBe(source.replace("'d'", wrong === '' ? '""' : wrong));
    expect(form.keysWithErrors).toEqual(['labels']);
    deliver(form);
    form.edit('labels', typed('app', 'app.x'));
    expect(form.text).toBe(source.replace("'d'", 'app.x'));
  });

  it.each(['app', '', '__proto__'])('come back as they were written after a key was wrong: "%s"', (wrong) => {
    const form = model(source);
    form.edit('labels', typed('app', wrong));
    deliver(form);
    form.edit('labels', typed('app', 'd'));
    expect(form.text).toBe(source);
    expect(form.hasErrors).toBe(false);
  });

  it('come back as they were written after a new row had a name that is there already', () => {
    const form = model(source);
    form.edit('labels', typed('app', 'd', 'app'));
    expect(form.hasErrors).toBe(true);
    deliver(form);
    form.edit('labels', typed('app', 'd'));
    expect(form.text).toBe(source);
  });
});

describe('form and YAML', () => {
  it('keep field and text in sync', () => {
    const form = model('# mine\ncpu: 1\n');
    form.edit('cpu', text('2.5'));
    expect(form.text).toBe('# mine\ncpu: 2.5\n');
    form.setText('cpu: 4\n');
    expect(form.contentOf('cpu')).toEqual(text('4'));
  });

  it('put a wrong value into the text and report it at its field', () => {
    const form = model();
    form.edit('memory_mb', text('1.5'));
    expect(form.text).toBe('memory_mb: 1.5\n');
    expect(form.findingsOf('memory_mb')).toMatchObject([
      { severity: 'error', message: expect.stringContaining('whole number') },
    ]);
    expect(form.keysWithErrors).toEqual(['memory_mb']);
    expect(form.hasErrors).toBe(true);
  });

  it('convert the unit that is typed with a number', () => {
    const form = model();
    form.edit('cpu', text('500m'));
    form.edit('memory_mb', text('4 GB'));
    form.edit('queue_memory_mb', text('1.3 GB'));
    expect(form.text).toBe('cpu: 0.5\nmemory_mb: 4096\nqueue_memory_mb: 1331.2\n');
    expect(form.contentOf('memory_mb')).toEqual(text('4096'));
    expect(form.keysWithErrors).toEqual(['queue_memory_mb']);
  });

  it('lock the fields with their last values while the text is unreadable, and keep what is typed there', () => {
    const form = model('cpu: 1\n');
    form.setText('cpu: [\n');
    expect(form.unreadable?.findings[0]).toMatchObject({ line: 2, column: 1 });
    expect(form.hasErrors).toBe(true);
    expect(form.contentOf('cpu')).toEqual(text('1'));
    form.edit('memory_mb', text('512'));
    expect(form.text).toBe('cpu: [\n');
    expect(form.findingsOf('memory_mb')).toEqual([{ severity: 'error', message: 'Correct the YAML first.' }]);
    expect(form.contentOf('memory_mb')).toEqual(text('512'));
    form.setText('cpu: 2\n');
    expect(form.text).toBe('cpu: 2\nmemory_mb: 512\n');
  });

  it('keep Windows line endings when the YAML view returns the text without them', () => {
    const form = model('cpu: 1\r\nmemory_mb: 512\r\n');
    form.setText('cpu: 2\nmemory_mb: 512\n');
    expect(form.text).toBe('cpu: 2\r\nmemory_mb: 512\r\n');
  });

  it('report keys without a field at their place in the text', () => {
    expect(model('cpu: 1\nfoo: 2\n').textFindings).toEqual([
      {
        key: 'foo',
        path: ['foo'],
        severity: 'error',
        message: '"foo" isn\'t a field of a resource spec.',
        start: 7,
        end: 10,
        line: 2,
        column: 1,
      },
    ]);
  });

  it('report what the rules of another service say', () => {
    const form = model('cpu: 0.25\n');
    expect(form.findingsOf('cpu')).toEqual([]);
    form.useFlavor('langsmith');
    expect(form.findingsOf('cpu')).toHaveLength(1);
  });
});

describe('input on its way to the document', () => {
  it('is one change for each input', () => {
    const form = model('# mine\n');
    form.edit('cpu', text('1.5'));
    form.edit('memory_mb', text('512'));
    const sent = form.takeUnsent();
    expect(sent.map(({ id, version, edits }) => [id > 0, version, edits])).toEqual([
      [true, 1, [{ kind: 'set', path: ['cpu'], value: { style: 'inline', text: '1.5' } }]],
      [true, 1, [{ kind: 'set', path: ['memory_mb'], value: { style: 'inline', text: '512' } }]],
    ]);
    expect(form.takeUnsent()).toEqual([]);
    expect(form.isWaiting).toBe(true);
    form.edit('memory_mb', text('1024'));
    const [last] = form.takeUnsent();
    form.receive({ version: 4, text: form.text, applied: last?.id ?? 0 });
    expect(form.isWaiting).toBe(false);
  });

  it('makes of the text what the document becomes', () => {
    const form = model('cpu: 1 # one\n');
    form.edit('volumes', yaml('- name: a\n  emptyDir: {}'));
    form.setText(form.text.replace('name: a', 'name: b'));
    const document = readSpecText('cpu: 1 # one\n');
    const result = applyEdits(
      { document },
      form.takeUnsent().flatMap(({ edits }) => edits),
      [],
    );
    expect(result).toMatchObject({ state: { document: { text: form.text } } });
  });

  it('changes nothing that is shown when the document has it', () => {
    const form = model('cpu: 1\n');
    form.edit('cpu', text('2'));
    const [first] = form.takeUnsent();
    form.edit('cpu', text('23'));
    form.receive({ version: 2, text: 'cpu: 2\n', applied: first?.id ?? 0 });
    expect(form.contentOf('cpu')).toEqual(text('23'));
    expect(form.takeUnsent()).toHaveLength(1);
  });

  it('is applied again to a text that was changed elsewhere meanwhile', () => {
    const form = model('cpu: 1\n');
    form.edit('memory_mb', text('512'));
    form.receive({ version: 2, text: '# new\ncpu: 3\n', applied: 0 });
    expect(form.text).toBe('# new\ncpu: 3\nmemory_mb: 512\n');
    expect(form.takeUnsent()).toMatchObject([{ version: 2 }]);
  });

  it('of the YAML view moves with its lines, and is kept there if another change came first', () => {
    const form = model('cpu: 1\nmemory_mb: 5\n');
    form.setText('cpu: 1\nmemory_mb: 57\n');
    form.receive({ version: 2, text: '# new\ncpu: 1\nmemory_mb: 5\n', applied: 0 });
    expect(form.text).toBe('# new\ncpu: 1\nmemory_mb: 57\n');
    deliver(form, 3);
    form.setText('# new\ncpu: 1\nmemory_mb: 99\n');
    form.receive({ version: 4, text: '# new\ncpu: 1\nmemory_mb: 12\n', applied: 0 });
    expect(form.text).toBe('# new\ncpu: 1\nmemory_mb: 12\n');
    expect(form.yaml).toMatchObject({
      text: '# new\ncpu: 1\nmemory_mb: 99\n',
      message: expect.stringContaining('Another change of the same lines came first'),
    });
  });

  it.each([
    ['cpu: ', 'cpu:', ['cpu: 2', 'cpu: 23'], 'cpu: 23'],
    ['cpu: ', 'cpu:', ['cpu: \n'], 'cpu:\n'],
    ['cpu: 1 2', 'cpu: ', ['cpu: 1 23'], 'cpu: 3'],
  ])(
    'after %j at the end, which a save makes %j, is %j with the blank before a word',
    (typed, saved, inputs, shown) => {
      const form = model();
      form.setText(typed);
      deliver(form);
      for (const input of inputs) form.setText(input);
      form.receive({ version: 9, text: saved, applied: 1 });
      expect(form.text).toBe(shown);
    },
  );

  it('that the editor refuses stays in its field, with the reason', () => {
    const form = model('cpu: 1\n');
    form.edit('cpu', text('2'));
    const [sent] = form.takeUnsent();
    form.refuse(sent?.id ?? 0, 'Read-only.');
    expect(form.text).toBe('cpu: 1\n');
    expect(form.contentOf('cpu')).toEqual(text('2'));
    expect(form.findingsOf('cpu')).toEqual([{ severity: 'error', message: 'Read-only.' }]);
  });

  it('that the editor has for an older text is sent again', () => {
    const form = model('cpu: 1\n');
    form.setText('cpu: 2\n');
    const [sent] = form.takeUnsent();
    form.refuse(sent?.id ?? 0, '');
    expect(form.takeUnsent()).toEqual([sent]);
  });
});

describe("a field's value that can't be read", () => {
  it('is in the text as typed, stays in its field, and is reported at its place there', () => {
    const form = model('cpu: 1\n');
    form.edit('volumes', yaml('- name: a\n  emptyDir: {}'));
    form.edit('volumes', yaml('- name: a\n  emptyDir: {'));
    expect(form.text).toBe('cpu: 1\nvolumes:\n  - name: a\n    emptyDir: {\n');
    expect(form.contentOf('volumes')).toEqual(yaml('- name: a\n  emptyDir: {'));
    expect(form.findingsOf('volumes')).toMatchObject([{ severity: 'error', line: 2 }]);
    expect(form.unreadable).toBeUndefined();
    expect(form.hasErrors).toBe(true);
    deliver(form);
    form.edit('volumes', yaml(''));
    expect(form.text).toBe('cpu: 1\n');
  });

  it('keeps what is typed in other fields until it can be read', () => {
    const form = model();
    form.edit('volumes', yaml('['));
    form.edit('cpu', text('2'));
    expect(form.findingsOf('cpu')).toMatchObject([{ message: 'Correct the YAML first.' }]);
    form.edit('volumes', yaml('[]'));
    expect(form.text).toBe('volumes:\n  []\ncpu: 2\n');
    expect(form.hasErrors).toBe(false);
  });

  it('locks the fields once it comes from elsewhere, such as after a reload', () => {
    const form = model('cpu: 1\nvolumes:\n  [\n');
    expect(form.unreadable).toBeDefined();
  });

  it.each([
    [
      'labels',
      {
        kind: 'rows',
        rows: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      'labels:\n  a: "1"\n  a: "2"\n',
    ],
    ['labels', { kind: 'rows', rows: [{ name: '', value: 'x' }] }, 'labels:\n  "": x\n'],
  ] as const)('is kept in the rows of %s: %j', (key, content, expected) => {
    const form = model();
    form.edit(key, content);
    deliver(form);
    expect(form.text).toBe(expected);
    expect(form.contentOf(key)).toEqual(content);
    expect(form.findingsOf(key)).toHaveLength(1);
  });
});

describe('the items of a list', () => {
  const image = ['sidecars', 0, 'image'];
  const set = (path: SpecPath, text: string): YamlEdit => ({ kind: 'set', path, value: { style: 'inline', text } });

  it('are edited one value at a time, in one change for each', () => {
    const form = model('sidecars:\n  - name: a # mine\n');
    form.editItem(image, [set(image, 'redis')]);
    form.editItem(['sidecars', 0, 'name'], [set(['sidecars', 0, 'name'], 'b')]);
    expect(form.text).toBe('sidecars:\n  - name: b # mine\n    image: redis\n');
    expect(form.takeUnsent()).toHaveLength(2);
  });

  it('take what was typed once the text can be read', () => {
    const form = model('sidecars:\n  - name: a\n');
    form.setText('sidecars:\n  - name: "a\n');
    form.editItem(image, [set(image, 'redis')]);
    expect(form.findingsOf('sidecars')).toMatchObject([{ message: 'Correct the YAML first.', path: ['sidecars', 0] }]);
    form.setText('sidecars:\n  - name: c\n');
    expect(form.text).toBe('sidecars:\n  - name: c\n    image: redis\n');
  });
});

describe('positions in a field', () => {
  it('are counted in the field, not in the whole text', () => {
    const form = model('cpu: 1\nsidecars:\n  - name: a\n    image: b\n    ports: []\n');
    expect(form.findingsOf('sidecars', true)).toMatchObject([{ severity: 'error', line: 3, column: 3 }]);
    expect(form.findingsOf('sidecars')).toMatchObject([{ severity: 'error', path: ['sidecars', 0, 'ports'] }]);
    expect(form.textFindings).toMatchObject([{ line: 5, column: 5 }]);
  });
});

describe('presets', () => {
  const [defaults, small] = specPresets();

  it('set their numbers, clear all others, and change no other line, in one change', () => {
    const form = model('# mine\nqueue_cpu: 3\ncpu: 7 # tuned\nlabels: {a: b} # kept\n');
    expect(form.applyNumbers(small!.numbers)).toBeUndefined();
    expect(form.text).toBe(
      '# mine\nqueue_cpu: 1\ncpu: 1 # tuned\nlabels: {a: b} # kept\n' +
        'min_scale: 1\nmax_scale: 1\nmemory_mb: 2048\nqueue_min_scale: 1\nqueue_max_scale: 1\n' +
        'queue_memory_mb: 2048\nredis_memory_mb: 2048\ndb_cpu: 2\ndb_memory_mb: 8192\n',
    );
    expect(form.takeUnsent()).toHaveLength(1);
    form.applyNumbers(defaults!.numbers);
    expect(form.text).toBe('# mine\nlabels: {a: b} # kept\n');
  });

  it("change nothing if one number can't be changed", () => {
    const form = model('cpu: &x 1\ncpu_limit: *x\n');
    expect(form.applyNumbers(small!.numbers)).toContain('alias "x"');
    expect(form.text).toBe('cpu: &x 1\ncpu_limit: *x\n');
    expect(form.lockOf('cpu')).toContain('alias "x"');
  });
});
