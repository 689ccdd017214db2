import * as l10n from '@vscode/l10n';
import type { FormView } from '../protocol.ts';
import { formViews } from '../protocol.ts';
import { element } from './dom.ts';

export interface ViewSwitch {
  readonly node: HTMLElement;
  readonly show: (view: FormView) => void;
}

/** Chooses between the form, the YAML, and both side by side. */
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
