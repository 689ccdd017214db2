/** Attributes by name: true and false set and leave out one, undefined too. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element. Text goes in as text, never as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children);
  return made;
}

/** Sets an attribute, or takes it away with undefined or false; does nothing where that is so already. */
export function setAttribute(node: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) return node.removeAttribute(name);
  const text = value === true ? '' : value;
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Sets a text where it differs, so that screen readers and the browser are not troubled for nothing. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** A button of the form; never submits anything by itself. */
export function button(label: string, onClick: () => void, look = 'vscode-button secondary'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: look }, label);
  made.addEventListener('click', onClick);
  return made;
}

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

/** Puts the focus back when it returns to the page: the browser forgets where it was while another frame has it. */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  });
}
