import * as l10n from '@vscode/l10n';
import type { OtherKey, SpecKey } from '../../../core/specFields.ts';
import { fieldGroups } from '../../../core/specFields.ts';
import type { FieldContent } from '../../../core/specForm.ts';
import { groupLabel } from '../../../core/specHelp.ts';
import type { SpecTotals } from '../../../core/specTotals.ts';
import { isSpecList, isSpecMap } from '../../../core/specValue.ts';
import { element } from './dom.ts';
import { FieldControl } from './fieldControl.ts';
import type { FormModel } from './formModel.ts';
import type { Section } from './section.ts';
import { section } from './section.ts';
import { formatNumber, partWords, replicaWords } from './specWords.ts';

/** A section with its fields, and how to say in a few words what it holds. */
interface FilledSection {
  readonly section: Section;
  readonly keys: readonly SpecKey[];
  readonly summary: (model: FormModel, totals: SpecTotals) => string;
}

/** All fields of the form in their sections, in the order of the table. */
export class SectionList {
  readonly node: HTMLElement;
  readonly #sections: readonly FilledSection[];
  readonly #controls = new Map<SpecKey, FieldControl>();

  constructor(onInput: (key: SpecKey, content: FieldContent) => void, onToggle: () => void) {
    const control = (key: SpecKey): HTMLElement => {
      const made = new FieldControl(key, onInput);
      this.#controls.set(key, made);
      return made.node;
    };
    const groups = fieldGroups.map(({ id, rows }): FilledSection => {
      const lines = rows.map((row) => element('div', { class: 'pair' }, ...row.map(({ key }) => control(key))));
      return {
        section: section(id, groupLabel(id), onToggle, ...lines),
        keys: rows.flat().map(({ key }) => key),
        summary: (_model, totals) => {
          const part = totals.groups.find(({ group }) => group === (id === 'scale' ? 'main' : id));
          return part === undefined ? '' : id === 'scale' ? replicaWords(part) : partWords(part);
        },
      };
    });
    const others = otherSections().map(({ id, title, keys }): FilledSection => ({
      section: section(id, title, onToggle, ...keys.map(control)),
      keys,
      summary: (model) => countWords(keys.map((key) => entryCount(model, key))),
    }));
    this.#sections = [...groups, ...others];
    this.node = element('div', { class: 'sections' }, ...this.#sections.map((filled) => filled.section.node));
  }

  /** The sections that are unfolded. */
  get open(): string[] {
    return this.#sections.filter(({ section }) => section.node.open).map(({ section }) => section.id);
  }

  setOpen(ids: readonly string[]): void {
    for (const { section } of this.#sections) section.node.open = ids.includes(section.id);
  }

  render(model: FormModel, totals: SpecTotals, isReadOnly: boolean, source: SpecKey | undefined): void {
    for (const [key, control] of this.#controls) control.render(model, isReadOnly, key === source);
    const broken = new Set(model.keysWithErrors);
    for (const { section, keys, summary } of this.#sections) {
      section.setSummary(summary(model, totals));
      const count = keys.filter((key) => broken.has(key)).length;
      section.setErrors(count === 0 ? '' : count === 1 ? l10n.t('1 error') : l10n.t('{0} errors', count));
    }
  }

  /** Unfolds the section of a field and puts the cursor into it. */
  focus(key: SpecKey): void {
    this.#sections.find(({ keys }) => keys.includes(key))?.section.open();
    this.#controls.get(key)?.focus();
  }
}

function otherSections(): readonly { id: string; title: string; keys: readonly OtherKey[] }[] {
  return [
    { id: 'metadata', title: l10n.t('Labels and annotations'), keys: ['labels', 'annotations'] },
    {
      id: 'access',
      title: l10n.t('Service account and pull secrets'),
      keys: ['service_account_name', 'image_pull_secrets'],
    },
    { id: 'volumes', title: l10n.t('Volumes'), keys: ['volumes', 'volume_mounts'] },
    { id: 'containers', title: l10n.t('Init containers and sidecars'), keys: ['init_containers', 'sidecars'] },
  ];
}

function entryCount(model: FormModel, key: OtherKey): number {
  const value = model.spec[key];
  if (isSpecList(value)) return value.length;
  if (isSpecMap(value)) return Object.keys(value).length;
  return typeof value === 'string' ? 1 : 0;
}

function countWords(counts: readonly number[]): string {
  const count = counts.reduce((sum, more) => sum + more, 0);
  if (count === 0) return l10n.t('none');
  return count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', formatNumber(count));
}
