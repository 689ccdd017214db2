import { element, setText, svgElement } from './dom.ts';

/** A folded part of the form with a heading, what it says in a few words, and how many errors it hides. */
export interface Section {
  readonly id: string;
  readonly node: HTMLDetailsElement;
  setSummary(text: string): void;
  setErrors(text: string): void;
  open(): void;
}

/** Makes a section; `onToggle` is told when a person folds or unfolds it. */
export function section(id: string, title: string, onToggle: () => void, ...children: readonly Node[]): Section {
  const description = element('span', { class: 'description' });
  const errors = element('span', { class: 'error-count' });
  const heading = element('h2', { class: 'title' }, title);
  const summary = element('summary', {}, chevron(), heading, description, errors);
  const body = element('div', { class: 'section-body' }, ...children);
  const node = element('details', { class: 'vscode-collapsible', id: `section-${id}` }, summary, body);
  node.addEventListener('toggle', onToggle);
  return {
    id,
    node,
    setSummary: (text) => setText(description, text),
    setErrors: (text) => setText(errors, text),
    open: () => {
      node.open = true;
    },
  };
}

function chevron(): SVGElement {
  const path = svgElement('path', { d: 'M6 4l4 4-4 4', fill: 'none', stroke: 'currentColor', 'stroke-width': '1.3' });
  return svgElement(
    'svg',
    { class: 'icon-arrow', width: '16', height: '16', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    path,
  );
}
