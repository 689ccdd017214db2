import * as l10n from '@vscode/l10n';
import { setAttribute } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { textField } from './inputs.ts';

/** A line of text: a number or a name. Empty means the service's default. */
export function textEditor(setup: FieldSetup, inputMode: 'decimal' | 'numeric' | 'text'): FieldEditor {
  const input = textField({ id: setup.id, inputmode: inputMode, placeholder: l10n.t('service default') });
  input.addEventListener('input', () => setup.onInput({ kind: 'text', text: input.value }));
  return {
    kind: 'text',
    node: input,
    inputs: () => [input],
    show: (content) => {
      if (content.kind === 'text' && input.value !== content.text) input.value = content.text;
    },
    setReadOnly: (isReadOnly) => setAttribute(input, 'readonly', isReadOnly),
  };
}
