import * as l10n from '@vscode/l10n';
import type { FieldContent, NameAndValue } from '../../../core/specForm.ts';
import { button, element, setAttribute } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { textField } from './inputs.ts';

interface Row {
  readonly node: HTMLElement;
  readonly name: HTMLInputElement;
  readonly value: HTMLInputElement | undefined;
}

/** Rows of key and value, or of names alone, with a button to add one and one on each to remove it. */
export function rowsEditor(setup: FieldSetup, kind: 'rows' | 'names'): FieldEditor {
  let rows: Row[] = [];
  let isReadOnly = false;
  const list = element('ul', { class: 'rows' });
  const addButton = button(kind === 'rows' ? l10n.t('Add Row') : l10n.t('Add Name'), () => {
    addRow({ name: '', value: '' });
    rows.at(-1)?.name.focus();
  });
  const node = element('div', { id: setup.id, role: 'group', 'aria-labelledby': setup.labelId }, list, addButton);

  const read = (): NameAndValue[] => rows.map((row) => ({ name: row.name.value, value: row.value?.value ?? '' }));
  const report = (): void => setup.onInput(contentOf(kind, read()));

  function addRow(content: NameAndValue): void {
    const row = makeRow(content, report, () => {
      const index = rows.indexOf(row);
      rows = rows.filter((other) => other !== row);
      row.node.remove();
      renumber();
      report();
      (rows[index] ?? rows.at(-1))?.name.focus();
      if (rows.length === 0) addButton.focus();
    });
    rows.push(row);
    list.append(row.node);
    renumber();
  }

  function makeRow({ name, value }: NameAndValue, onInput: () => void, onRemove: () => void): Row {
    const nameInput = textInput(name, onInput);
    const valueInput = kind === 'rows' ? textInput(value, onInput) : undefined;
    const remove = button(l10n.t('Remove'), onRemove);
    const cells = valueInput === undefined ? [nameInput] : [nameInput, valueInput];
    return { node: element('li', { class: 'row' }, ...cells, remove), name: nameInput, value: valueInput };
  }

  /** Screen readers hear which row they are in. */
  function renumber(): void {
    for (const [index, row] of rows.entries()) {
      const number = index + 1;
      const nameLabel =
        kind === 'rows' ? l10n.t('{0}, key {1}', setup.label, number) : l10n.t('{0}, name {1}', setup.label, number);
      setAttribute(row.name, 'aria-label', nameLabel);
      if (row.value !== undefined) setAttribute(row.value, 'aria-label', l10n.t('{0}, value {1}', setup.label, number));
      const remove = row.node.lastElementChild;
      if (remove !== null) setAttribute(remove, 'aria-label', l10n.t('Remove {0}, row {1}', setup.label, number));
    }
    applyReadOnly();
  }

  function applyReadOnly(): void {
    addButton.disabled = isReadOnly;
    for (const row of rows) {
      for (const input of inputsOf(row)) setAttribute(input, 'readonly', isReadOnly);
      for (const remove of row.node.querySelectorAll('button')) remove.disabled = isReadOnly;
    }
  }

  return {
    kind,
    node,
    inputs: () => [...rows.flatMap(inputsOf), addButton],
    show: (content) => {
      const wanted = rowsOf(content);
      if (wanted === undefined || isSame(filled(read()), wanted)) return;
      rows = [];
      list.replaceChildren();
      for (const row of wanted) addRow(row);
    },
    setReadOnly: (wanted) => {
      if (wanted === isReadOnly) return;
      isReadOnly = wanted;
      applyReadOnly();
    },
  };
}

function textInput(value: string, onInput: () => void): HTMLInputElement {
  const input = textField();
  input.value = value;
  input.addEventListener('input', onInput);
  return input;
}

function inputsOf(row: Row): HTMLInputElement[] {
  return row.value === undefined ? [row.name] : [row.name, row.value];
}

function contentOf(kind: 'rows' | 'names', rows: readonly NameAndValue[]): FieldContent {
  return kind === 'rows' ? { kind, rows } : { kind, names: rows.map(({ name }) => name) };
}

function rowsOf(content: FieldContent): NameAndValue[] | undefined {
  if (content.kind === 'rows') return filled(content.rows);
  return content.kind === 'names' ? filled(content.names.map((name) => ({ name, value: '' }))) : undefined;
}

function filled(rows: readonly NameAndValue[]): NameAndValue[] {
  return rows.filter(({ name, value }) => name !== '' || value !== '');
}

function isSame(left: readonly NameAndValue[], right: readonly NameAndValue[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
