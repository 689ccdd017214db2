import * as l10n from '@vscode/l10n';
import { button, element } from './dom.ts';

/** An error with a way to its place. */
export interface ProblemLink {
  readonly label: string;
  readonly go: () => void;
}

/** The errors that keep the form from being used, announced at once when a person tries to use it. */
export class ProblemsView {
  readonly node = element('div', { role: 'alert', class: 'problems', hidden: true });

  show(problems: readonly ProblemLink[]): void {
    this.node.hidden = problems.length === 0;
    if (problems.length === 0) return this.node.replaceChildren();
    const title =
      problems.length === 1
        ? l10n.t('Correct this first:')
        : l10n.t('Correct these {0} things first:', problems.length);
    const items = problems.slice(0, 20).map(({ label, go }) => element('li', {}, button(label, go, { class: 'link' })));
    this.node.replaceChildren(element('p', {}, title), element('ul', {}, ...items));
  }

  /** Shows one sentence about something that went wrong. */
  showMessage(message: string): void {
    this.node.hidden = false;
    this.node.replaceChildren(element('p', {}, message));
  }
}
