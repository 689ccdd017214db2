import type { SpecKey } from '../../../core/specFields.ts';
import { isNumberKey } from '../../../core/specFields.ts';
import { plainNumber } from '../../../core/specForm.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { singleEditor } from './fieldEditor.ts';
import { textField } from './inputs.ts';
import { defaultWords } from './specWords.ts';

/** A line of text: a number or a name. Empty means the service's default. */
export function textEditor({ id, onInput }: FieldSetup, key: SpecKey): FieldEditor {
  const input = textField({ id, placeholder: defaultWords() }, () => onInput({ kind: 'text', text: input.value }));
  // What is being typed is left alone; the plain number is shown when the field is left.
  if (isNumberKey(key)) input.addEventListener('change', () => (input.value = plainNumber(key, input.value)));
  return singleEditor('text', input);
}
