import * as l10n from '@vscode/l10n';
import { fieldGroups, otherKeys } from '../../../../core/spec/fields.ts';
import type { OtherKey, SpecKey } from '../../../../core/spec/fields.ts';
import { groupLabel } from '../../../../core/spec/help.ts';
import { containersLabel, countWords, groupWords } from '../../../../core/spec/specWords.ts';
import type { SpecPath } from '../../../../core/yaml/value.ts';
import { errorCount } from '../alerts.ts';
import { element, setText } from '../dom.ts';
import { fieldControl } from './field.ts';
import type { FieldInputs } from './field.ts';
import type { FormModel } from './formModel.ts';

/** A collapsible part of the form with a title, a short summary, and the number of its errors. */
function section(prefix: string, onToggle: () => void, id: string, title: string, children: readonly Node[]) {
  const summary = element('span', { class: 'description' });
  const errors = element('span', { class: 'error-count' });
  const heading = element('h2', { class: 'title' }, title);
  const node = element(
    'details',
    { class: 'vscode-collapsible', id: `${prefix}section-${id}` },
    element('summary', {}, element('span', { class: 'icon-arrow' }), heading, summary, errors),
    element('div', { class: 'section-body' }, ...children),
  );
  node.addEventListener('toggle', onToggle);
  return { id, node, summary, errors };
}

interface FilledSection {
  readonly section: ReturnType<typeof section>;
  readonly keys: readonly SpecKey[];
  readonly summary: (model: FormModel) => string;
}

/** All fields of the form in their sections: the groups of numbers, then the others. */
export function sectionList(inputs: FieldInputs, onToggle: () => void) {
  const { prefix } = inputs;
  const controls = new Map<SpecKey, ReturnType<typeof fieldControl>>();
  const control = (key: SpecKey): HTMLElement => {
    const made = fieldControl(key, inputs);
    controls.set(key, made);
    return made.node;
  };
  const groups = fieldGroups.map(({ id, rows }): FilledSection => {
    const lines = rows.map((row) => element('div', { class: 'pair' }, ...row.map(({ key }) => control(key))));
    return {
      section: section(prefix, onToggle, id, groupLabel(id), lines),
      keys: rows.flat().map(({ key }) => key),
      summary: ({ spec }) => groupWords(spec, id),
    };
  });
  const others = otherSections().map(({ id, title, keys }): FilledSection => ({
    section: section(prefix, onToggle, id, title, keys.map(control)),
    keys,
    summary: (model) => entryWords(keys.reduce((sum, key) => sum + entryCount(model, key), 0)),
  }));
  const sections = [...groups, ...others];
  return {
    node: element('div', { class: 'sections' }, ...sections.map((filled) => filled.section.node)),
    ids: sections.map(({ section }) => section.id),
    open: (): readonly string[] => sections.filter(({ section }) => section.node.open).map(({ section }) => section.id),
    setOpen: (ids: readonly string[]): void => {
      for (const { section } of sections) section.node.open = ids.includes(section.id);
    },
    /** Shows the model's content; `source` is the part where the user is typing. */
    render: (model: FormModel, isReadOnly: boolean, source?: string): void => {
      for (const [key, control] of controls) control.render(model, isReadOnly, key === source);
      const broken = new Set(model.keysWithErrors);
      for (const { section, keys, summary } of sections) {
        setText(section.summary, model.unreadable === undefined ? summary(model) : '');
        setText(section.errors, errorCount(keys.filter((key) => broken.has(key)).length));
      }
    },
    focus: (key: SpecKey, path?: SpecPath): void => {
      for (const { section, keys } of sections) if (keys.includes(key)) section.node.open = true;
      controls.get(key)?.focus(path);
    },
  };
}

/** The section of each non-number field. A field without a section could be edited only as YAML. */
const sectionIds = {
  labels: 'metadata',
  annotations: 'metadata',
  service_account_name: 'access',
  image_pull_secrets: 'access',
  volumes: 'volumes',
  volume_mounts: 'volumes',
  init_containers: 'containers',
  sidecars: 'containers',
} as const satisfies Record<OtherKey, string>;

function otherSections() {
  const titles: Record<(typeof sectionIds)[OtherKey], string> = {
    metadata: l10n.t('Labels and annotations'),
    access: l10n.t('Service account and pull secrets'),
    volumes: l10n.t('Volumes'),
    containers: containersLabel(),
  };
  return Object.entries(titles).map(([id, title]) => {
    return { id, title, keys: otherKeys.filter((key) => sectionIds[key] === id) };
  });
}

function entryCount(model: FormModel, key: OtherKey): number {
  const value = model.spec[key];
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return typeof value === 'string' ? 1 : 0;
}

function entryWords(count: number): string {
  return countWords(count, l10n.t('1 entry'), () => l10n.t('{0} entries', count));
}
