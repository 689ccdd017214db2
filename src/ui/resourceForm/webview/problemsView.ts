import * as l10n from '@vscode/l10n';
import { button, element } from './dom.ts';

/** An error with a way to its place. */
export interface ProblemLink {
  readonly label: string;
  readonly go: () => void;
}

export interface ProblemsView {
  readonly node: HTMLElement;
  readonly show: (problems: readonly ProblemLink[]) => void;
  /** Shows one sentence about something that went wrong. */
  readonly showMessage: (message: string) => void;
}

/** The errors that keep the form from being used, announced at once when a person tries to use it. */
export function problemsView(): ProblemsView {
  const node = element('div', { role: 'alert', class: 'problems', hidden: true });
  const showMessage = (message: string, ...details: readonly Node[]): void => {
    node.hidden = false;
    node.replaceChildren(element('p', {}, message), ...details);
  };
  return {
    node,
    showMessage,
    show: (problems) => {
      const { length } = problems;
      if (length === 0) {
        node.hidden = true;
        return node.replaceChildren();
      }
      const title = length === 1 ? l10n.t('Correct this first:') : l10n.t('Correct these {0} things first:', length);
      const items = problems.slice(0, 20).map(({ label, go }) => element('li', {}, button(label, go, 'link')));
      showMessage(title, element('ul', {}, ...items));
    },
  };
}
