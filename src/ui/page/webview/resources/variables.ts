import * as l10n from '@vscode/l10n';
import { encodeItemText, variablesOf } from '../../../../core/spec/items.ts';
import type { FieldText } from '../../../../core/yaml/placement.ts';
import type { SpecMap, SpecPath } from '../../../../core/yaml/value.ts';
import { button, element, fitRows, setAttribute, textField } from '../dom.ts';
import type { OnItemEdits } from './itemList.ts';

/** The environment variables of a container as rows of name and value. */
export function variableRows(id: string, noun: string, path: SpecPath, onEdits: OnItemEdits) {
  const env = [...path, 'env'];
  const rows: ReturnType<typeof row>[] = [];
  const list = element('ul', { class: 'rows' });
  const add = button(l10n.t('Add Variable'), () => {
    const place = [...env, rows.length];
    onEdits(place, [{ kind: 'set', path: place, value: { style: 'block', text: 'name: ""' } }], 'button');
    rows.at(-1)?.name.focus();
  });

  function row(index: number) {
    const number = index + 1;
    const set = (key: 'name' | 'value', value: FieldText | undefined): void => {
      const place = [...env, index, key];
      onEdits(place, [{ kind: 'set', path: place, value }], 'typed');
    };
    const name = textField({ 'aria-label': l10n.t('{0}, variable {1}, name', noun, number) }, () =>
      set('name', encodeItemText('text', name.value) ?? { style: 'inline', text: '""' }),
    );
    const value = textField({ 'aria-label': l10n.t('{0}, variable {1}, value', noun, number) }, () =>
      set('value', encodeItemText('text', value.value)),
    );
    const removeRow = (): void => {
      const place = rows.length === 1 ? env : [...env, index];
      const focusRemoved = (): void => rows[index]?.name.focus();
      onEdits(place, [{ kind: 'set', path: place }], { focusRemoved });
      (rows[index]?.name ?? add).focus();
    };
    const remove = button(l10n.t('Remove'), removeRow, {
      'aria-label': l10n.t('Remove {0}, variable {1}', noun, number),
    });
    return { node: element('li', { class: 'row' }, name, value, remove), name, value, remove };
  }

  return {
    node: element('div', { id, role: 'group', 'aria-labelledby': `${id}-label` }, list, add),
    inputs: (): readonly HTMLElement[] => [...rows.flatMap(({ name, value }) => [name, value]), add],
    show: (item: SpecMap, isReadOnly: boolean): void => {
      const wanted = variablesOf(item);
      add.disabled = isReadOnly;
      fitRows(list, rows, wanted.length, row);
      for (const [index, { name, value }] of wanted.entries()) {
        const shown = rows[index];
        if (shown === undefined) continue;
        if (shown.name.value !== name) shown.name.value = name;
        if (shown.value.value !== (value ?? '')) shown.value.value = value ?? '';
        setAttribute(
          shown.value,
          'placeholder',
          value === undefined ? l10n.t('from elsewhere, see the YAML') : undefined,
        );
        setAttribute(shown.name, 'readonly', isReadOnly);
        setAttribute(shown.value, 'readonly', isReadOnly || value === undefined);
        shown.remove.disabled = isReadOnly;
      }
    },
  };
}
