import type { FieldContent } from '../../../core/specForm.ts';
import { setAttribute } from './dom.ts';

/** One way to edit a field. It holds no truth: what is typed is reported, what is to be seen is shown. */
export interface FieldEditor {
  readonly kind: FieldContent['kind'];
  readonly node: HTMLElement;
  /** The native controls, the first of which takes the focus. */
  readonly inputs: () => readonly HTMLElement[];
  /** Shows a content, and leaves alone what shows it already, so that nobody's cursor jumps. */
  show(content: FieldContent): void;
  setReadOnly(isReadOnly: boolean): void;
}

/** What an editor needs to know about its field. */
export interface FieldSetup {
  /** The id of the first input, to which the label points. */
  readonly id: string;
  readonly label: string;
  /** The id of the element that names the field, for groups of inputs. */
  readonly labelId: string;
  /** Told what the field holds, and whether that is because something was removed with a button. */
  readonly onInput: (content: FieldContent, isRemoval?: boolean) => void;
}

/** The editor of a field that is one text; `onShow` is told when another text was put into it. */
export function singleEditor(
  kind: 'text' | 'yaml',
  control: HTMLInputElement | HTMLTextAreaElement,
  onShow?: () => void,
): FieldEditor {
  return {
    kind,
    node: control,
    inputs: () => [control],
    show: (content) => {
      if (content.kind !== kind || control.value === content.text) return;
      control.value = content.text;
      onShow?.();
    },
    setReadOnly: (isReadOnly) => setAttribute(control, 'readonly', isReadOnly),
  };
}
