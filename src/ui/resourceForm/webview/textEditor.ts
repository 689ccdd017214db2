import * as l10n from '@vscode/l10n';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { singleEditor } from './fieldEditor.ts';
import { textField } from './inputs.ts';

/** A line of text: a number or a name. Empty means the service's default. */
export function textEditor({ id, onInput }: FieldSetup, inputMode: 'decimal' | 'numeric' | 'text'): FieldEditor {
  const attributes = { id, inputmode: inputMode, placeholder: l10n.t('service default') };
  const input = textField(attributes, () => onInput({ kind: 'text', text: input.value }));
  return singleEditor('text', input);
}
