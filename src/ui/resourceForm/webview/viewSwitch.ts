import * as l10n from '@vscode/l10n';
import { element } from './dom.ts';
import type { FormView } from './savedState.ts';
import { formViews } from './savedState.ts';

/** Chooses between the form, the YAML, and both side by side. */
export class ViewSwitch {
  readonly node: HTMLElement;
  readonly #radios = new Map<FormView, HTMLInputElement>();

  constructor(onChange: (view: FormView) => void) {
    const options = formViews.map((view) => {
      const radio = element('input', { type: 'radio', name: 'view', value: view });
      radio.addEventListener('change', () => onChange(view));
      this.#radios.set(view, radio);
      return element('label', { class: 'view-option' }, radio, viewLabel(view));
    });
    this.node = element('fieldset', { class: 'view-switch' }, element('legend', {}, l10n.t('View')), ...options);
  }

  show(view: FormView): void {
    const radio = this.#radios.get(view);
    if (radio !== undefined) radio.checked = true;
  }
}

function viewLabel(view: FormView): string {
  switch (view) {
    case 'form':
      return l10n.t('Form');
    case 'yaml':
      return l10n.t('YAML');
    case 'both':
      return l10n.t('Side by side');
  }
}
