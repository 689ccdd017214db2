import * as l10n from '@vscode/l10n';
import { type Preset, specPresets } from '../../../../core/spec/presets.ts';
import { button, element } from '../dom.ts';

/** A button with what it does. */
export type Start = readonly [label: string, description: string, onClick: () => void];

/** The starting points of a spec: presets, and others. Each button describes its own. */
export function presetsView(id: string, onPreset: (preset: Preset) => void, others: readonly Start[]): HTMLElement {
  const presets = specPresets().map((preset): Start => [preset.label, preset.description, () => onPreset(preset)]);
  return element(
    'section',
    { class: 'presets', 'aria-labelledby': id },
    element('h2', { id }, l10n.t('Start from')),
    element('div', { class: 'preset-buttons' }, ...[...presets, ...others].map((start) => presetButton(...start))),
    element(
      'p',
      { class: 'help' },
      l10n.t('Small, medium, and large come from the LangSmith guide "{0}".', 'Configure Agent Server for scale'),
    ),
  );
}

function presetButton(...[label, description, onClick]: Start): HTMLElement {
  const made = button(label, onClick, { class: 'vscode-button secondary preset' });
  made.append(element('span', {}, description));
  return made;
}
