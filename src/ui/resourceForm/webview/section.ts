import { element } from './dom.ts';

/** A folded part of the form with a heading, what it says in a few words, and how many errors it hides. */
export interface Section {
  readonly id: string;
  readonly node: HTMLDetailsElement;
  readonly summary: HTMLElement;
  readonly errors: HTMLElement;
}

/** Makes a section; `onToggle` is told when a person folds or unfolds it. */
export function section(id: string, title: string, onToggle: () => void, ...children: readonly Node[]): Section {
  const summary = element('span', { class: 'description' });
  const errors = element('span', { class: 'error-count' });
  const heading = element('h2', { class: 'title' }, title);
  const node = element(
    'details',
    { class: 'vscode-collapsible', id: `section-${id}` },
    element('summary', {}, element('span', { class: 'icon-arrow' }), heading, summary, errors),
    element('div', { class: 'section-body' }, ...children),
  );
  node.addEventListener('toggle', onToggle);
  return { id, node, summary, errors };
}
