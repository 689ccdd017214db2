import * as l10n from '@vscode/l10n';
import type { FieldContent, NameAndValue } from '../../../core/specForm.ts';
import { button, element, setAttribute } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { textField } from './inputs.ts';

interface Row {
  readonly node: HTMLElement;
  readonly name: HTMLInputElement;
  /** The name, and the value where there is one. */
  readonly inputs: readonly HTMLInputElement[];
  readonly remove: HTMLButtonElement;
}

/** Rows of key and value, or of names alone, with a button to add one and one on each to remove it. */
export function rowsEditor({ id, label, labelId, onInput }: FieldSetup, kind: 'rows' | 'names'): FieldEditor {
  let rows: Row[] = [];
  let isReadOnly = false;
  const list = element('ul', { class: 'rows' });
  const addButton = button(kind === 'rows' ? l10n.t('Add Row') : l10n.t('Add Name'), () => {
    addRow();
    rows.at(-1)?.name.focus();
  });

  const read = (): NameAndValue[] =>
    rows.map(({ name, inputs: [, value] }) => ({ name: name.value, value: value?.value ?? '' }));

  function report(isRemoval: boolean): void {
    const content = read();
    onInput(kind === 'rows' ? { kind, rows: content } : { kind, names: content.map(({ name }) => name) }, isRemoval);
  }

  function addRow(nameText = '', valueText = ''): void {
    const input = (text: string): HTMLInputElement => {
      const made = textField({}, () => report(false));
      made.value = text;
      return made;
    };
    const name = input(nameText);
    const inputs = kind === 'rows' ? [name, input(valueText)] : [name];
    const remove = button(l10n.t('Remove'), () => {
      const index = rows.indexOf(row);
      rows = rows.filter((other) => other !== row);
      row.node.remove();
      update();
      report(true);
      (rows[index] ?? rows.at(-1))?.name.focus();
      if (rows.length === 0) addButton.focus();
    });
    const row: Row = { node: element('li', { class: 'row' }, ...inputs, remove), name, inputs, remove };
    rows.push(row);
    list.append(row.node);
    update();
  }

  /** Screen readers hear which row they are in. */
  function update(): void {
    addButton.disabled = isReadOnly;
    for (const [index, { inputs, remove }] of rows.entries()) {
      const number = index + 1;
      const labels =
        kind === 'rows'
          ? [l10n.t('{0}, key {1}', label, number), l10n.t('{0}, value {1}', label, number)]
          : [l10n.t('{0}, name {1}', label, number)];
      for (const [column, input] of inputs.entries()) {
        setAttribute(input, 'aria-label', labels[column]);
        setAttribute(input, 'readonly', isReadOnly);
      }
      setAttribute(remove, 'aria-label', l10n.t('Remove {0}, row {1}', label, number));
      remove.disabled = isReadOnly;
    }
  }

  return {
    kind,
    node: element('div', { id, role: 'group', 'aria-labelledby': labelId }, list, addButton),
    inputs: () => [...rows.flatMap((row) => row.inputs), addButton],
    show: (content) => {
      const wanted = rowsOf(content);
      if (JSON.stringify(filled(read())) === JSON.stringify(wanted)) return;
      rows = [];
      list.replaceChildren();
      for (const { name, value } of wanted) addRow(name, value);
    },
    setReadOnly: (wanted) => {
      if (wanted === isReadOnly) return;
      isReadOnly = wanted;
      update();
    },
  };
}

function rowsOf(content: FieldContent): NameAndValue[] {
  if (content.kind === 'rows') return filled(content.rows);
  return content.kind === 'names' ? filled(content.names.map((name) => ({ name, value: '' }))) : [];
}

function filled(rows: readonly NameAndValue[]): NameAndValue[] {
  return rows.filter(({ name, value }) => name !== '' || value !== '');
}
