import * as l10n from '@vscode/l10n';
import { button, element, setAttribute, setText } from './dom.ts';
import type { FormModel, TextNote } from './formModel.ts';
import { yamlArea } from './inputs.ts';

const mostNotes = 20;

/** The whole spec as YAML, and below it what there is to say about it, each with a way to its place. */
export class YamlView {
  readonly node: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #lock = element('p', { class: 'note advice' });
  readonly #help = element(
    'p',
    { id: 'yaml-help', class: 'help' },
    l10n.t('Tab leaves this editor. Indent with spaces.'),
  );
  readonly #notes = element('ul', { id: 'yaml-notes', class: 'notes' });
  #shown = '';

  constructor(onInput: (text: string) => void) {
    this.#area = yamlArea({ id: 'yaml', 'aria-describedby': 'yaml-help yaml-notes' });
    this.#area.addEventListener('input', () => onInput(this.#area.value));
    this.node = element(
      'section',
      { class: 'yaml', 'aria-labelledby': 'yaml-title' },
      element('h2', {}, element('label', { id: 'yaml-title', for: 'yaml' }, l10n.t('YAML'))),
      this.#lock,
      this.#help,
      this.#area,
      this.#notes,
    );
  }

  render(model: FormModel, lock: string | undefined, isSource: boolean): void {
    const text = model.text.replaceAll('\r\n', '\n');
    if (!isSource && this.#area.value !== text) this.#area.value = text;
    setAttribute(this.#area, 'readonly', lock !== undefined);
    setAttribute(
      this.#area,
      'aria-invalid',
      model.textNotes.some(({ severity }) => severity === 'error') ? 'true' : undefined,
    );
    this.#lock.hidden = lock === undefined;
    this.#help.hidden = lock !== undefined;
    setText(this.#lock, lock ?? '');
    this.#showNotes(model.textNotes);
  }

  focus(): void {
    this.#area.focus();
  }

  /** Puts the cursor to a line and column, counted from 1. */
  goTo(line: number, column: number): void {
    const lines = this.#area.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
    const offset = Math.min(before + column - 1, this.#area.value.length);
    this.#area.focus();
    this.#area.setSelectionRange(offset, offset);
  }

  #showNotes(notes: readonly TextNote[]): void {
    const key = JSON.stringify(notes);
    if (key === this.#shown) return;
    this.#shown = key;
    const items = notes
      .slice(0, mostNotes)
      .map((note) => element('li', { class: `note ${note.severity}` }, this.#noteButton(note)));
    const rest = notes.length - items.length;
    if (rest > 0) items.push(element('li', { class: 'note' }, l10n.t('And {0} more.', rest)));
    this.#notes.replaceChildren(...items);
  }

  #noteButton({ severity, line, column, message }: TextNote): HTMLElement {
    const words = l10n.t('Line {0}, column {1}: {2}', line, column, message);
    const label = severity === 'error' ? l10n.t('Error: {0}', words) : l10n.t('Advice: {0}', words);
    return button(label, () => this.goTo(line, column), { class: 'link' });
  }
}
