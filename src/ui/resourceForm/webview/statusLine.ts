import * as l10n from '@vscode/l10n';
import { button, element } from './dom.ts';

/** One line that says what just happened, announced politely, with a way back where there is one. */
export class StatusLine {
  readonly node = element('div', { class: 'status' });
  readonly #words = element('span', { role: 'status' });

  constructor() {
    this.node.append(this.#words);
  }

  show(message: string, undo?: () => void): void {
    this.#words.textContent = message;
    this.node.replaceChildren(this.#words, ...(undo === undefined ? [] : [button(l10n.t('Undo'), undo)]));
  }
}
