import { element, setAttribute } from './dom.ts';
import type { FieldNote } from './formModel.ts';
import { isError } from './formModel.ts';
import { noteWords } from './noteWords.ts';

export interface FieldNotes {
  readonly node: HTMLElement;
  /** Shows the messages and marks the inputs that they are about. */
  readonly show: (notes: readonly FieldNote[], inputs: readonly HTMLElement[], describedBy: string) => void;
}

/** The messages below a field, tied to its inputs for those who cannot see where they stand. */
export function fieldNotes(id: string): FieldNotes {
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
