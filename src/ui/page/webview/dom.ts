/** Attributes by name. True sets an empty attribute; false and undefined leave it out. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Creates an element. Strings are added as text, never as markup. */
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

/** Sets an attribute if it changed; undefined or false removes it. */
export function setAttribute(node: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) return node.removeAttribute(name);
  const text = value === true ? '' : value;
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Sets a text only if it changed, to spare screen readers and the browser. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Replaces the children only if they look different, to spare screen readers. */
export function setChildren(node: Element, children: readonly Element[]): void {
  const isSame =
    children.length === node.children.length &&
    children.every((child, index) => child.isEqualNode(node.children[index] ?? null));
  if (!isSame) node.replaceChildren(...children);
}

/** Makes a list of rows as long as wanted: removes rows at its end, or adds them there. */
export function fitRows<Row extends { readonly node: Node }>(
  list: Element,
  rows: Row[],
  length: number,
  create: (index: number) => Row,
): void {
  for (const { node } of rows.splice(length)) list.removeChild(node);
  while (rows.length < length) {
    const row = create(rows.length);
    rows.push(row);
    list.append(row.node);
  }
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'vscode-button secondary', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Keeps the browser from changing or underlining the user's input. */
const asTyped = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' } as const;

export function textField(attributes: Attributes, onInput: () => void): HTMLInputElement {
  const field = element('input', { class: 'vscode-textfield', ...asTyped, ...attributes });
  field.addEventListener('input', onInput);
  return field;
}

/** Whether a control shows a text. A save may remove blanks that somebody is still typing, before the next word. */
export function showsText(control: HTMLInputElement | HTMLTextAreaElement, text: string): boolean {
  const trimmed = (given: string): string =>
    given
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  return control.value === text || (control === document.activeElement && trimmed(control.value) === trimmed(text));
}

/** Creates a text area for YAML. Tab leaves it, as everywhere in the page. */
export function yamlArea(attributes: Attributes, onInput: (event: Event) => void): HTMLTextAreaElement {
  const area = element('textarea', { class: 'vscode-textarea monospace', wrap: 'off', ...asTyped, ...attributes });
  area.addEventListener('input', onInput);
  return area;
}
