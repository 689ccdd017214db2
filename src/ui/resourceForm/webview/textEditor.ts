import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { singleEditor } from './fieldEditor.ts';
import { textField } from './inputs.ts';
import { defaultWords } from './specWords.ts';

/** A line of text: a number or a name. Empty means the service's default. */
export function textEditor({ id, onInput }: FieldSetup, inputMode: 'decimal' | 'numeric' | 'text'): FieldEditor {
  const attributes = { id, inputmode: inputMode, placeholder: defaultWords() };
  const input = textField(attributes, () => onInput({ kind: 'text', text: input.value }));
  return singleEditor('text', input);
}
