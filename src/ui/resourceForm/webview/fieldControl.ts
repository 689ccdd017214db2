import type { SpecKey } from '../../../core/specFields.ts';
import { editorOf, isNumberKey, placeOf, unitOf } from '../../../core/specFields.ts';
import type { FieldContent } from '../../../core/specForm.ts';
import { fieldHelp, fieldLabel, roleLabel } from '../../../core/specHelp.ts';
import { element, setText } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { fieldNotes } from './fieldNotes.ts';
import type { FormModel } from './formModel.ts';
import { rowsEditor } from './rowsEditor.ts';
import { textEditor } from './textEditor.ts';
import { yamlEditor } from './yamlEditor.ts';

export interface FieldControl {
  readonly node: HTMLElement;
  /** Shows what the model holds; what is being typed here is left alone. */
  readonly render: (model: FormModel, isReadOnly: boolean, isSource: boolean) => void;
  readonly focus: () => void;
}

export type OnFieldInput = (key: SpecKey, ...input: Parameters<FieldSetup['onInput']>) => void;

/** A field of the form: label, help, editor and messages. The editor is exchanged when the content asks for it. */
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
