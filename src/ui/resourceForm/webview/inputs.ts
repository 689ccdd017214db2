import type { Attributes } from './dom.ts';
import { element } from './dom.ts';

/** What no input of the form may do: change what was typed, or underline it. */
const asTyped = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' } as const;

/** A line of text. */
export function textField(attributes: Attributes, onInput: () => void): HTMLInputElement {
  const field = element('input', { class: 'vscode-textfield', ...asTyped, ...attributes });
  field.addEventListener('input', onInput);
  return field;
}

/** Lines of YAML. Tab leaves them, as everywhere in the page. */
export function yamlArea(attributes: Attributes, onInput: (event: Event) => void): HTMLTextAreaElement {
  const area = element('textarea', { class: 'vscode-textarea monospace', wrap: 'off', ...asTyped, ...attributes });
  area.addEventListener('input', onInput);
  return area;
}
