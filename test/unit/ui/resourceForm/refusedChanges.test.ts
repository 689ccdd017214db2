import { expect, describe, it } from 'vitest';
import { FormModel } from '../../../../src/ui/page/webview/resources/formModel.ts';

const text = (value: string) => ({ kind: 'text', text: value }) as const;

describe('a change that the editor refuses', () => {
  it('takes along what was input after it, which stays in its field and is never tried on another text', () => {
    const list = 'volumes:\n  - name: a\n    emptyDir: {}\n  - name: b\n    emptyDir: {}\n';
    const form = new FormModel('standard', { version: 1, text: list, applied: 0 });
    form.editItem(['volumes', 0], [{ kind: 'set', path: ['volumes', 0] }]);
    // "b" is in the first row only without "a".
    const name = ['volumes', 0, 'name'];
    form.editItem(name, [{ kind: 'set', path: name, value: { style: 'inline', text: 'c' } }]);
    form.edit('cpu', text('2'));
    form.setText(form.text.replace('cpu: 2', 'cpu: 23'));
    const [removal] = form.takeUnsent();
    form.refuse(removal?.id ?? 0, 'Read-only.');
    expect(form.text).toBe(list);
    expect(form.contentOf('volumes')).toEqual({ kind: 'yaml', text: '- name: c\n  emptyDir: {}' });
    expect(form.contentOf('cpu')).toEqual(text('23'));
    expect(form.yaml).toEqual({
      text: 'volumes:\n  - name: c\n    emptyDir: {}\ncpu: 23\n',
      message: 'Read-only.',
    });
    for (const key of ['volumes', 'cpu'] as const)
      expect(form.findingsOf(key)).toMatchObject([{ message: 'Read-only.' }]);
    form.receive({ version: 2, text: `# new\n${list}`, applied: 0 });
    expect(form.text).toBe(`# new\n${list}`);
    expect(form.takeUnsent()).toEqual([]);
    form.edit('cpu', text('4'));
    expect(form.findingsOf('cpu')).toEqual([]);
    expect(form.text).toBe(`# new\n${list}cpu: 4\n`);
  });

  it('is sent again for the newer text with those after it, in their order', () => {
    const form = new FormModel('standard', { version: 1, text: 'cpu: 1\nmemory_mb: 5\n', applied: 0 });
    form.setText('cpu: 1\nmemory_mb: 75\n');
    form.edit('cpu', text('12'));
    const [first, second] = form.takeUnsent();
    form.receive({ version: 2, text: '# new\ncpu: 1\nmemory_mb: 5\n', applied: 0 });
    form.refuse(first?.id ?? 0, '');
    expect(form.takeUnsent()).toEqual([
      { id: first?.id, version: 2, edits: [{ kind: 'splice', start: 24, end: 24, text: '7' }] },
      { ...second, version: 2 },
    ]);
    expect(form.text).toBe('# new\ncpu: 12\nmemory_mb: 75\n');
  });

  it('of the YAML view is found again behind a change of a field and beside a change from elsewhere', () => {
    const form = new FormModel('standard', { version: 1, text: 'cpu: 1\n# ab\nmemory_mb: 5\n', applied: 0 });
    form.edit('cpu', text('1000000'));
    form.setText(form.text.replace('# ab', '#X ab'));
    form.receive({ version: 2, text: 'cpu: 1\n# ab\nmax_scale: 1\nmemory_mb: 5\n', applied: 0 });
    expect(form.text).toBe('cpu: 1000000\n#X ab\nmax_scale: 1\nmemory_mb: 5\n');
  });

  it('is sent again no more once another change has overtaken it, but what was input since is', () => {
    const form = new FormModel('standard', { version: 1, text: 'cpu: 1\nmemory_mb: 5\n', applied: 0 });
    form.setText('cpu: 1\nmemory_mb: 57\n');
    const [overtaken] = form.takeUnsent();
    form.setText('cpu: 1\nmemory_mb: 57\nqueue_cpu: 3\n');
    form.edit('cpu', text('12'));
    form.receive({ version: 2, text: 'cpu: 1\nmemory_mb: 6\n', applied: 0 });
    expect(form.text).toBe('cpu: 1\nmemory_mb: 6\n');
    expect(form.yaml.text).toBe('cpu: 12\nmemory_mb: 57\nqueue_cpu: 3\n');
    expect(form.contentOf('cpu')).toEqual(text('12'));
    form.edit('queue_cpu', text('4'));
    const [since] = form.takeUnsent();
    form.refuse(overtaken?.id ?? 0, 'Read-only.');
    expect(form.takeUnsent()).toEqual([since]);
  });
});

describe('a form that takes nothing unreadable', () => {
  const part = (value: string) => {
    let id = 6;
    const nextId = () => (id += 1);
    return new FormModel('standard', { version: 1, text: value, applied: 0 }, { nextId, takesUnreadable: false });
  };
  const broken = { kind: 'yaml', text: '- name: a\n  image: [' } as const;
  const whole = { kind: 'yaml', text: '- name: a\n  image: b' } as const;

  it("keeps such input in its field, and sends it once it can be read, with the page's own numbers", () => {
    const form = part('cpu: 1\n');
    form.edit('sidecars', broken);
    expect(form.takeUnsent()).toEqual([]);
    expect(form.contentOf('sidecars', true)).toEqual(broken);
    expect(form.findingsOf('sidecars')).toMatchObject([
      { message: expect.stringMatching(/bracket.* isn't in the file/) },
    ]);
    expect([form.keptCount, form.keptYaml]).toEqual([1, [{ key: 'sidecars', text: broken.text }]]);
    form.edit('cpu', text('2'));
    expect(form.takeUnsent()).toMatchObject([{ id: 7, edits: [{ path: ['cpu'] }] }]);
    form.receive({ version: 2, text: 'cpu: 2\n', applied: 7 });
    expect(form.takeUnsent()).toEqual([]);
    form.edit('sidecars', whole);
    expect(form.keptCount).toBe(0);
    expect(form.takeUnsent()).toMatchObject([{ id: 8, version: 2 }]);
    expect(form.text).toBe('cpu: 2\nsidecars:\n  - name: a\n    image: b\n');
  });

  it('never sends by itself again what was refused, also for a newer text', () => {
    const form = part('cpu: 1\n');
    form.edit('cpu', text('16'));
    const [sent] = form.takeUnsent();
    form.refuse(sent?.id ?? 0, 'Another change came first. Try again.');
    form.receive({ version: 2, text: 'cpu: 8\n', applied: 0 });
    expect(form.takeUnsent()).toEqual([]);
    expect(form.text).toBe('cpu: 8\n');
    expect(form.contentOf('cpu')).toEqual(text('16'));
    form.edit('cpu', text('4'));
    expect(form.takeUnsent()).toMatchObject([{ version: 2, edits: [{ path: ['cpu'], value: { text: '4' } }] }]);
  });
});
