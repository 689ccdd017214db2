import * as l10n from '@vscode/l10n';
import type { Preset } from '../../../core/specPresets.ts';
import { specPresets } from '../../../core/specPresets.ts';
import { element } from './dom.ts';

export interface Sources {
  readonly onPreset: (preset: Preset) => void;
  readonly onDeployment: () => void;
  readonly onFile: () => void;
}

/** Where a spec can start from. Each button says what it sets. */
export function presetsView({ onPreset, onDeployment, onFile }: Sources): HTMLElement {
  return element(
    'section',
    { class: 'presets', 'aria-labelledby': 'presets-title' },
    element('h2', { id: 'presets-title' }, l10n.t('Start from')),
    element(
      'div',
      { class: 'preset-buttons' },
      ...specPresets().map((preset) => presetButton(preset.label, preset.description, () => onPreset(preset))),
      presetButton(l10n.t('Deployment…'), l10n.t('The resources of an existing deployment.'), onDeployment),
      presetButton(l10n.t('File…'), l10n.t('A file that was saved here or written by hand.'), onFile),
    ),
  );
}

function presetButton(label: string, description: string, onClick: () => void): HTMLElement {
  const made = element(
    'button',
    { type: 'button', class: 'vscode-button secondary preset' },
    element('strong', {}, label),
    element('span', {}, description),
  );
  made.addEventListener('click', onClick);
  return made;
}
