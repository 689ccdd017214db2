import { editorOf, isNumberKey, placeOf, unitOf } from '../../../core/spec/fields.ts';
import type { SpecKey } from '../../../core/spec/fields.ts';
import type { FieldContent } from '../../../core/spec/form.ts';
import { fieldHelp, fieldLabel, roleLabel } from '../../../core/spec/help.ts';
import { element, setAttribute, setText } from './dom.ts';
import { rowsEditor, textEditor, yamlEditor } from './fieldEditors.ts';
import type { FieldEditor, FieldSetup } from './fieldEditors.ts';
import { isError } from './formModel.ts';
import type { FieldNote, FormModel } from './formModel.ts';
import { noteWords } from './problems.ts';

export interface FieldNotes {
  readonly node: HTMLElement;
  /** Shows the messages and marks their inputs. */
  readonly show: (notes: readonly FieldNote[], inputs: readonly HTMLElement[], describedBy: string) => void;
}

/** The messages below a field, linked to its inputs for screen readers. */
function fieldNotes(id: string): FieldNotes {
  const node = element('div', { id, class: 'notes' });
  let shown = '';
  return {
    node,
    show: (notes, inputs, describedBy) => {
      const hasError = notes.some(isError);
      for (const input of inputs) {
        const takesText = !(input instanceof HTMLButtonElement);
        if (takesText) setAttribute(input, 'aria-invalid', hasError ? 'true' : undefined);
        setAttribute(input, 'aria-describedby', notes.length > 0 ? `${describedBy} ${id}` : describedBy);
      }
      const words = notes.map((note) => [note.severity, noteWords(note)] as const);
      const key = JSON.stringify(words);
      if (key === shown) return;
      shown = key;
      node.replaceChildren(...words.map(([severity, text]) => element('p', { class: `note ${severity}` }, text)));
    },
  };
}

export interface FieldControl {
  readonly node: HTMLElement;
  /** Shows the model's content, except where the user is typing. */
  readonly render: (model: FormModel, isReadOnly: boolean, isSource: boolean) => void;
  readonly focus: () => void;
}

export type OnFieldInput = (key: SpecKey, ...input: Parameters<FieldSetup['onInput']>) => void;

/** A field of the form: label, help, editor, and messages. The content's kind determines the editor. */
export function fieldControl(key: SpecKey, onInput: OnFieldInput): FieldControl {
  const id = `field-${key}`;
  const helpId = `${id}-help`;
  const setup: FieldSetup = {
    id,
    label: fieldLabel(key),
    labelId: `${id}-label`,
    onInput: (content, isRemoval) => onInput(key, content, isRemoval),
  };
  const lockNote = element('p', { class: 'note advice' });
  const notes = fieldNotes(`${id}-notes`);
  let editor = editorFor(key, editorOf(key), setup);
  const node = element(
    'div',
    { class: isNumberKey(key) ? 'field number' : 'field' },
    labelOf(key, setup),
    element('p', { id: helpId, class: 'help' }, fieldHelp(key)),
    editor.node,
    lockNote,
    notes.node,
  );
  return {
    node,
    render: (model, isReadOnly, isSource) => {
      if (!isSource) {
        const content = model.contentOf(key);
        if (content.kind !== editor.kind) {
          const { node: former } = editor;
          editor = editorFor(key, content.kind, setup);
          former.replaceWith(editor.node);
        }
        editor.show(content);
      }
      const lock = model.lockOf(key);
      editor.setReadOnly(isReadOnly || lock !== undefined);
      setText(lockNote, lock ?? '');
      notes.show(model.notesOf(key), editor.inputs(), helpId);
    },
    focus: () => editor.inputs()[0]?.focus(),
  };
}

function labelOf(key: SpecKey, { id, labelId }: FieldSetup): HTMLElement {
  const attributes = { id: labelId, class: 'vscode-label', for: id, title: fieldHelp(key) };
  if (!isNumberKey(key)) return element('label', attributes, fieldLabel(key));
  const { role } = placeOf(key);
  return element('label', attributes, `${roleLabel(role)} `, element('span', { class: 'unit' }, `(${unitOf(role)})`));
}

function editorFor(key: SpecKey, kind: FieldContent['kind'], setup: FieldSetup): FieldEditor {
  if (kind === 'yaml') return yamlEditor(setup, key);
  if (kind !== 'text') return rowsEditor(setup, kind);
  return textEditor(setup, key);
}
