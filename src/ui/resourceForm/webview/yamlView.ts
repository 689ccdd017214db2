import * as l10n from '@vscode/l10n';
import { formViews } from '../protocol.ts';
import type { FormView } from '../protocol.ts';
import { button, element, setAttribute, setText, yamlArea } from './dom.ts';
import { isError } from './formModel.ts';
import type { FormModel, TextNote } from './formModel.ts';
import { noteWords } from './problems.ts';

const mostNotes = 20;

export interface YamlView {
  readonly node: HTMLElement;
  /** Shows the model's text and the reason for a lock, if any. Leaves the user's own typing alone. */
  readonly render: (model: FormModel, lock: string, isSource: boolean) => void;
  /** Moves the cursor to a line and column, counted from 1. */
  readonly goTo: (line: number, column: number) => void;
}

/** The whole spec as YAML, with its messages below, each linked to its place. */
export function yamlView(onInput: (text: string) => void): YamlView {
  const area = yamlArea({ id: 'yaml', 'aria-describedby': 'yaml-help yaml-notes' }, () => onInput(area.value));
  const lockNote = element('p', { class: 'note advice' });
  const help = element('p', { id: 'yaml-help', class: 'help' }, l10n.t('Tab leaves this editor. Indent with spaces.'));
  const notesList = element('ul', { id: 'yaml-notes', class: 'notes' });
  let shown: readonly TextNote[] = [];

  const goTo = (line: number, column: number): void => {
    const lines = area.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
    const offset = Math.min(before + column - 1, area.value.length);
    area.focus();
    area.setSelectionRange(offset, offset);
  };

  function showNotes(notes: readonly TextNote[]): void {
    if (JSON.stringify(notes) === JSON.stringify(shown)) return;
    shown = notes;
    const items = notes.slice(0, mostNotes).map((note) =>
      element(
        'li',
        { class: `note ${note.severity}` },
        button(noteWords(note), () => goTo(note.line, note.column), 'link'),
      ),
    );
    const rest = notes.length - items.length;
    if (rest > 0) items.push(element('li', { class: 'note' }, l10n.t('And {0} more.', rest)));
    notesList.replaceChildren(...items);
  }

  return {
    node: element(
      'section',
      { class: 'yaml', 'aria-labelledby': 'yaml-title' },
      element('h2', {}, element('label', { id: 'yaml-title', for: 'yaml' }, l10n.t('YAML'))),
      lockNote,
      help,
      area,
      notesList,
    ),
    render: ({ text, textNotes }, lock, isSource) => {
      const normal = text.replaceAll('\r\n', '\n');
      if (!isSource && area.value !== normal) area.value = normal;
      setAttribute(area, 'readonly', lock !== '');
      setAttribute(area, 'aria-invalid', textNotes.some(isError) ? 'true' : undefined);
      setText(lockNote, lock);
      help.hidden = lock !== '';
      showNotes(textNotes);
    },
    goTo,
  };
}

export interface ViewSwitch {
  readonly node: HTMLElement;
  readonly show: (view: FormView) => void;
}

/** Switches between the form, the YAML, and both side by side. */
export function viewSwitch(onChange: (view: FormView) => void): ViewSwitch {
  const labels: Record<FormView, string> = {
    form: l10n.t('Form'),
    yaml: l10n.t('YAML'),
    both: l10n.t('Side by side'),
  };
  const node = element('fieldset', { class: 'view-switch' }, element('legend', {}, l10n.t('View')));
  const radios = formViews.map((view) => {
    const radio = element('input', { type: 'radio', name: 'view', value: view });
    radio.addEventListener('change', () => onChange(view));
    node.append(element('label', { class: 'view-option' }, radio, labels[view]));
    return radio;
  });
  return {
    node,
    show: (view) => {
      for (const radio of radios) radio.checked = radio.value === view;
    },
  };
}
