import { encodeField } from '../../../core/specForm.ts';
import { tidyPastedYaml } from '../../../core/specPaste.ts';
import type { SpecKey } from '../../../core/specFields.ts';
import { setAttribute } from './dom.ts';
import type { FieldEditor, FieldSetup } from './fieldEditor.ts';
import { singleEditor } from './fieldEditor.ts';
import { yamlArea } from './inputs.ts';

/** Lines of YAML for what has no simpler form. */
export function yamlEditor({ id, onInput }: FieldSetup, key: SpecKey): FieldEditor {
  const area = yamlArea({ id, rows: '3', placeholder: placeholders[key] }, (event) => {
    if (event instanceof InputEvent && event.inputType === 'insertFromPaste') tidy(area, key);
    fitRows(area);
    onInput({ kind: 'yaml', text: area.value });
  });
  return singleEditor('yaml', area, () => fitRows(area));
}

/** The shortest thing of its kind, so that nobody has to look it up. */
const placeholders: Partial<Readonly<Record<SpecKey, string>>> = {
  volumes: '- name: config\n  configMap:\n    name: my-config-map',
  volume_mounts: '- name: config\n  mountPath: /etc/my-config',
  init_containers: '- name: migrate\n  image: registry/migrate:1.0',
  sidecars: '- name: proxy\n  image: registry/proxy:1.0',
};

/** Text pasted from a manifest rarely stands on its own; it is tidied only where that makes it readable. */
function tidy(area: HTMLTextAreaElement, key: SpecKey): void {
  if (encodeField(key, { kind: 'yaml', text: area.value }).kind === 'encoded') return;
  const tidied = tidyPastedYaml(area.value);
  if (encodeField(key, { kind: 'yaml', text: tidied }).kind === 'encoded') area.value = tidied;
}

function fitRows(area: HTMLTextAreaElement): void {
  const lines = area.value.split('\n').length;
  setAttribute(area, 'rows', String(Math.min(Math.max(lines + 1, 3), 20)));
}
