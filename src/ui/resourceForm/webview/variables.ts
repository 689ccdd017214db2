import * as l10n from '@vscode/l10n';
import { encodeItemText, variablesOf } from '../../../core/spec/items.ts';
import type { YamlEdit } from '../../../core/yaml/edit.ts';
import type { SpecMap, SpecPath } from '../../../core/yaml/value.ts';
import { button, element, setAttribute, textField } from '../../page/webview/dom.ts';
import type { OnItemEdits } from './itemList.ts';

/** The environment variables of a container as rows of name and value. */
export function variableRows(id: string, noun: string, path: SpecPath, onEdits: OnItemEdits) {
  interface Variable {
    readonly node: HTMLElement;
    readonly name: HTMLInputElement;
    readonly value: HTMLInputElement;
    readonly remove: HTMLButtonElement;
  }
  const env = [...path, 'env'];
  let rows: Variable[] = [];
  const list = element('ul', { class: 'rows' });
  const add = button(l10n.t('Add Variable'), () => {
    const { length } = rows;
    onEdits(
      [...env, 'add'],
      [{ kind: 'set', path: [...env, length], value: { style: 'block', text: 'name: ""' } }],
      true,
    );
    rows[length]?.name.focus();
  });

  function row(index: number): Variable {
    const set = (key: 'name' | 'value', text: string): void => {
      const value =
        text === '' && key === 'name' ? ({ style: 'inline', text: '""' } as const) : encodeItemText('text', text);
      onEdits([...env, index, key], [{ kind: 'set', path: [...env, index, key], value }], false);
    };
    const name = textField({ 'aria-label': l10n.t('{0}, variable {1}, name', noun, index + 1) }, () =>
      set('name', name.value),
    );
    const value = textField({ 'aria-label': l10n.t('{0}, variable {1}, value', noun, index + 1) }, () =>
      set('value', value.value),
    );
    const remove = button(l10n.t('Remove'), () => {
      const edits: YamlEdit[] = [{ kind: 'set', path: rows.length === 1 ? env : [...env, index] }];
      onEdits([...env, 'remove'], edits, true);
      (rows[index]?.name ?? add).focus();
    });
    setAttribute(remove, 'aria-label', l10n.t('Remove {0}, variable {1}', noun, index + 1));
    return { node: element('li', { class: 'row' }, name, value, remove), name, value, remove };
  }

  return {
    node: element('div', { id, role: 'group', 'aria-labelledby': `${id}-label` }, list, add),
    inputs: (): readonly HTMLElement[] => [...rows.flatMap(({ name, value }) => [name, value]), add],
    show: (item: SpecMap, isReadOnly: boolean): void => {
      const wanted = variablesOf(item);
      add.disabled = isReadOnly;
      for (const { node } of rows.slice(wanted.length)) node.remove();
      rows = rows.slice(0, wanted.length);
      while (rows.length < wanted.length) {
        const added = row(rows.length);
        rows.push(added);
        list.append(added.node);
      }
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
