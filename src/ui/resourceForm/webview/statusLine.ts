import * as l10n from '@vscode/l10n';
import { button, element } from './dom.ts';

export interface StatusLine {
  readonly node: HTMLElement;
  readonly show: (message: string, undo?: () => void) => void;
  /** Says nothing any more, and leads nowhere back. */
  readonly clear: () => void;
}

/**
 * One line that says what just happened, announced politely, with a way back where there is one. Until it is
 * cleared, the key for undoing goes the same way: the browser, which knows of typing only, would undo that instead, in
 * whichever field it was.
 */
export function statusLine(): StatusLine {
  const words = element('span', { role: 'status' });
  const node = element('div', { class: 'status' }, words);
  let wayBack: (() => void) | undefined;
  document.addEventListener('keydown', (event) => {
    if (wayBack && (event.ctrlKey || event.metaKey) && event.key === 'z') {
      event.preventDefault();
      // VS Code would have the browser undo, too.
      event.stopPropagation();
      wayBack();
    }
  });
  const show = (message: string, undo?: () => void): void => {
    wayBack = undo;
    words.textContent = message;
    node.replaceChildren(words, ...(undo ? [button(l10n.t('Undo'), undo)] : []));
  };
  return { node, show, clear: () => show('') };
}
