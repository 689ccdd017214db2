import * as l10n from '@vscode/l10n';
import { type Preset, specPresets } from '../../../core/spec/presets.ts';
import { button, element } from '../../page/webview/dom.ts';

/** The starting points of a spec: presets, a deployment, or a file. Each button describes its own. */
export function presetsView(
  onPreset: (preset: Preset) => void,
  onLoad: (action: 'loadDeployment' | 'loadFile') => void,
): HTMLElement {
  return element(
    'section',
    { class: 'presets', 'aria-labelledby': 'presets-title' },
    element('h2', { id: 'presets-title' }, l10n.t('Start from')),
    element(
      'div',
      { class: 'preset-buttons' },
      ...specPresets().map((preset) => presetButton(preset.label, preset.description, () => onPreset(preset))),
      presetButton(l10n.t('Deployment…'), l10n.t('The resources of an existing deployment.'), () =>
        onLoad('loadDeployment'),
      ),
      presetButton(l10n.t('File…'), l10n.t('A resource spec file.'), () => onLoad('loadFile')),
    ),
    element(
      'p',
      { class: 'help' },
      l10n.t('Small, medium, and large come from the LangSmith guide "{0}".', 'Configure Agent Server for scale'),
    ),
  );
}

function presetButton(label: string, description: string, onClick: () => void): HTMLElement {
  const made = button(label, onClick, { class: 'vscode-button secondary preset' });
  made.append(element('span', {}, description));
  return made;
}
