import * as l10n from '@vscode/l10n';
import type { FieldFinding } from '../../../core/spec/findings.ts';
import { countWords } from '../../../core/spec/specWords.ts';
import { button, element } from './dom.ts';

type ShownFinding = Omit<FieldFinding, 'severity'> & { readonly severity: FieldFinding['severity'] | 'warning' };

/** A finding with its severity and place in words, because color alone isn't accessible. */
export function findingWords({ severity, message, line, column }: ShownFinding): string {
  const placed = line === undefined ? message : l10n.t('Line {0}, column {1}: {2}', line, column ?? 1, message);
  if (severity === 'warning') return l10n.t('Warning: {0}', placed);
  return severity === 'error' ? l10n.t('Error: {0}', placed) : l10n.t('Info: {0}', placed);
}

/** A finding below what it is about. */
export function findingLine(finding: FieldFinding): HTMLElement {
  return element('p', { class: `finding ${finding.severity}` }, findingWords(finding));
}

/** Counts errors. Empty if there are none. */
export function errorCount(count: number): string {
  return countWords(count, l10n.t('1 error'), () => l10n.t('{0} errors', count));
}

export interface ErrorLink {
  readonly label: string;
  readonly go: () => void;
}

/** The errors that block an action, announced as soon as the user tries it. */
export function errorAlert() {
  const node = element('div', { role: 'alert', class: 'errors', hidden: true });
  const showMessage = (message: string, ...details: readonly Node[]): void => {
    node.hidden = false;
    node.replaceChildren(element('p', {}, message), ...details);
  };
  return {
    node,
    showMessage,
    show: (errors: readonly ErrorLink[]): void => {
      const { length } = errors;
      if (length === 0) {
        node.hidden = true;
        return node.replaceChildren();
      }
      const title =
        length === 1 ? l10n.t('Correct this error first:') : l10n.t('Correct these {0} errors first:', length);
      const items = errors.slice(0, 20).map(({ label, go }) => element('li', {}, button(label, go, { class: 'link' })));
      showMessage(title, element('ul', {}, ...items));
    },
  };
}

/** A line that reports the last change, announced politely, with what can be done about it: undo, and other buttons. */
export function statusLine(onUndo: () => void) {
  const words = element('span', { role: 'status' });
  const node = element('div', { class: 'status' }, words);
  const undo = button(l10n.t('Undo'), onUndo);
  const show = (message: string, canUndo = false, ...others: readonly HTMLElement[]): void => {
    words.textContent = message;
    node.replaceChildren(words, ...(canUndo ? [undo] : []), ...others);
  };
  return { node, show, clear: (): void => show('') };
}
