import { describe, expect, it } from 'vitest';
import { specPresets } from '../../../../src/core/spec/presets.ts';
import { FormModel } from '../../../../src/ui/resourceForm/webview/formModel.ts';

const model = (text = '') => new FormModel(text, 'standard');
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const yaml = (value: string) => ({ kind: 'yaml', text: value }) as const;

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

  it('lock the fields with their last values while the text is unreadable', () => {
    const form = model('cpu: 1\n');
    form.setText('cpu: [\n');
    expect(form.unreadable?.findings[0]).toMatchObject({ line: 2, column: 1 });
    expect(form.hasErrors).toBe(true);
    expect(form.contentOf('cpu')).toEqual(text('1'));
    form.edit('memory_mb', text('512'));
    expect(form.text).toBe('cpu: [\n');
    expect(form.findingsOf('memory_mb')).toEqual([{ severity: 'error', message: 'Correct the YAML first.' }]);
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
        severity: 'error',
        message: '"foo" isn\'t a field of a resource spec.',
        start: 7,
        end: 10,
        line: 2,
        column: 1,
      },
    ]);
  });
});

describe("input that can't be put into the text yet", () => {
  it('is kept as a draft with line and column, while the text keeps its last value', () => {
    const form = model();
    form.edit('volumes', yaml('- name: a\n  emptyDir: {}'));
    const before = form.text;
    form.edit('volumes', yaml('- name: a\n  emptyDir: {'));
    expect(form.text).toBe(before);
    expect(form.draftedKeys).toEqual(['volumes']);
    expect(form.contentOf('volumes')).toEqual(yaml('- name: a\n  emptyDir: {'));
    expect(form.findingsOf('volumes')).toMatchObject([{ severity: 'error', line: 2 }]);
    form.edit('volumes', yaml(''));
    expect(form.draftedKeys).toEqual([]);
    expect(form.text).toBe('');
  });

  it('survives being saved and restored', () => {
    const form = model('cpu: 1\n');
    form.edit('sidecars', yaml('- name: "open\n'));
    form.edit('labels', {
      kind: 'rows',
      rows: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    });
    form.edit('image_pull_secrets', { kind: 'names', names: ['', 'x'] });
    const restored = new FormModel(form.text, 'standard', form.drafts);
    expect(restored.text).toBe(form.text);
    expect(restored.drafts).toEqual(form.drafts);
    expect(restored.findingsOf('labels')).toEqual(form.findingsOf('labels'));
  });

  it('is dropped if its field no longer exists', () => {
    const unknown = { key: 'foo', content: text('1') };
    expect(new FormModel('', 'standard', [unknown, { key: 'cpu', content: text('1') }]).text).toBe('cpu: 1\n');
  });

  it('is dropped when the text is replaced', () => {
    const form = model();
    form.edit('volumes', yaml('['));
    form.replaceText('cpu: 1\n');
    expect(form.draftedKeys).toEqual([]);
    expect(form.text).toBe('cpu: 1\n');
  });

  it('comes back with the former text', () => {
    const form = model('cpu: 2\n');
    form.edit('volumes', yaml('['));
    const { text: before, drafts } = form;
    form.replaceText('cpu: 1\n');
    form.replaceText(before, drafts);
    expect(form.text).toBe('cpu: 2\n');
    expect(form.contentOf('volumes')).toEqual(yaml('['));
  });
});

describe('positions in a field', () => {
  it('are counted in the field, not in the whole text', () => {
    const form = model('cpu: 1\nsidecars:\n  - name: a\n    image: b\n    ports: []\n');
    expect(form.findingsOf('sidecars')).toMatchObject([{ severity: 'error', line: 3, column: 3 }]);
    expect(form.textFindings).toMatchObject([{ line: 5, column: 5 }]);
  });
});

describe('presets', () => {
  const [defaults, small] = specPresets();

  it('set their numbers, clear all others, and change no other line', () => {
    const form = model('# mine\nqueue_cpu: 3\ncpu: 7 # tuned\nlabels: {a: b} # kept\n');
    expect(form.applyNumbers(small!.numbers)).toBeUndefined();
    expect(form.text).toBe(
      '# mine\nqueue_cpu: 1\ncpu: 1 # tuned\nlabels: {a: b} # kept\n' +
        'min_scale: 1\nmax_scale: 1\nmemory_mb: 2048\nqueue_min_scale: 1\nqueue_max_scale: 1\n' +
        'queue_memory_mb: 2048\nredis_memory_mb: 2048\ndb_cpu: 2\ndb_memory_mb: 8192\n',
    );
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
