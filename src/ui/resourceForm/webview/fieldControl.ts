import type { SpecKey } from '../../../core/specFields.ts';
import { editorOf, isNumberKey, isWhole, placeOf, unitOf } from '../../../core/specFields.ts';
import type { FieldContent } from '../../../core/specForm.ts';
import { fieldHelp, fieldLabel, roleLabel } from '../../../core/specHelp.ts';
import { element, setText } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { FieldNotes } from './fieldNotes.ts';
import type { FormModel } from './formModel.ts';
import { rowsEditor } from './rowsEditor.ts';
import { textEditor } from './textEditor.ts';
import { yamlEditor } from './yamlEditor.ts';

/** A field of the form: label, help, editor and messages. The editor is exchanged when the content asks for it. */
export class FieldControl {
  readonly node: HTMLElement;
  readonly #key: SpecKey;
  readonly #setup: FieldSetup;
  readonly #helpId: string;
  readonly #lock = element('p', { class: 'note advice' });
  readonly #notes: FieldNotes;
  #editor: FieldEditor;

  constructor(key: SpecKey, onInput: (key: SpecKey, content: FieldContent) => void) {
    const id = `field-${key}`;
    this.#key = key;
    this.#helpId = `${id}-help`;
    this.#setup = { id, label: fieldLabel(key), labelId: `${id}-label`, onInput: (content) => onInput(key, content) };
    this.#notes = new FieldNotes(`${id}-notes`);
    this.#editor = editorFor(key, initialKind(key), this.#setup);
    this.node = element(
      'div',
      { class: isNumberKey(key) ? 'field number' : 'field' },
      labelOf(key, this.#setup),
      element('p', { id: this.#helpId, class: isNumberKey(key) ? 'help hidden' : 'help' }, fieldHelp(key)),
      this.#editor.node,
      this.#lock,
      this.#notes.node,
    );
  }

  /** Shows what the model holds; what is being typed here is left alone. */
  render(model: FormModel, isReadOnly: boolean, isSource: boolean): void {
    const content = model.contentOf(this.#key);
    if (content.kind !== this.#editor.kind && !isSource) this.#exchangeEditor(content.kind);
    if (!isSource) this.#editor.show(content);
    const lock = model.lockOf(this.#key);
    this.#editor.setReadOnly(isReadOnly || lock !== undefined);
    this.#lock.hidden = lock === undefined;
    setText(this.#lock, lock ?? '');
    this.#notes.show(model.notesOf(this.#key), this.#editor.inputs(), this.#helpId);
  }

  focus(): void {
    this.#editor.inputs()[0]?.focus();
  }

  #exchangeEditor(kind: FieldContent['kind']): void {
    const editor = editorFor(this.#key, kind, this.#setup);
    this.#editor.node.replaceWith(editor.node);
    this.#editor = editor;
  }
}

function labelOf(key: SpecKey, { id, labelId }: FieldSetup): HTMLElement {
  const attributes = { id: labelId, class: 'vscode-label', for: id, title: fieldHelp(key) };
  if (!isNumberKey(key)) return element('label', attributes, fieldLabel(key));
  const { role } = placeOf(key);
  return element('label', attributes, `${roleLabel(role)} `, element('span', { class: 'unit' }, `(${unitOf(role)})`));
}

function initialKind(key: SpecKey): FieldContent['kind'] {
  return isNumberKey(key) ? 'text' : editorOf(key);
}

function editorFor(key: SpecKey, kind: FieldContent['kind'], setup: FieldSetup): FieldEditor {
  switch (kind) {
    case 'text':
      if (!isNumberKey(key)) return textEditor(setup, 'text');
      return textEditor(setup, isWhole(placeOf(key).role) ? 'numeric' : 'decimal');
    case 'rows':
    case 'names':
      return rowsEditor(setup, kind);
    case 'yaml':
      return yamlEditor(setup, key);
  }
}
