import * as l10n from '@vscode/l10n';
import { element, setAttribute } from './dom.ts';
import type { FieldNote } from './formModel.ts';

/** The messages below a field, tied to its inputs for those who cannot see where they stand. */
export class FieldNotes {
  readonly node: HTMLElement;
  #shown = '';

  constructor(id: string) {
    this.node = element('div', { id, class: 'notes' });
  }

  /** Shows the messages and marks the inputs that they are about. */
  show(notes: readonly FieldNote[], inputs: readonly HTMLElement[], describedBy: string): void {
    const hasError = notes.some(({ severity }) => severity === 'error');
    for (const input of inputs) {
      const takesText = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
      if (takesText) setAttribute(input, 'aria-invalid', hasError ? 'true' : undefined);
      setAttribute(input, 'aria-describedby', notes.length > 0 ? `${describedBy} ${this.node.id}` : describedBy);
    }
    const key = JSON.stringify(notes);
    if (key === this.#shown) return;
    this.#shown = key;
    this.node.replaceChildren(...notes.map((note) => element('p', { class: `note ${note.severity}` }, wordsOf(note))));
  }
}

/** The message with its kind and place in words: colour alone says nothing. */
function wordsOf({ severity, message, line, column }: FieldNote): string {
  const placed = line === undefined ? message : l10n.t('Line {0}, column {1}: {2}', line, column ?? 1, message);
  return severity === 'error' ? l10n.t('Error: {0}', placed) : l10n.t('Advice: {0}', placed);
}
