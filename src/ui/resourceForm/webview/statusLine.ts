import * as l10n from '@vscode/l10n';
import { button, element } from './dom.ts';

export interface StatusLine {
  readonly node: HTMLElement;
  readonly show: (message: string, undo?: () => void) => void;
}

/** One line that says what just happened, announced politely, with a way back where there is one. */
export function statusLine(): StatusLine {
  const words = element('span', { role: 'status' });
  const node = element('div', { class: 'status' }, words);
  return {
    node,
    show: (message, undo) => {
      words.textContent = message;
      node.replaceChildren(words, ...(undo === undefined ? [] : [button(l10n.t('Undo'), undo)]));
    },
  };
}
