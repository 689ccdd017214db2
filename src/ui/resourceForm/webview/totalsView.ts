import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/specHelp.ts';
import type { GroupTotals, SpecTotals } from '../../../core/specTotals.ts';
import { reservingGroups } from '../../../core/specTotals.ts';
import { element, setText } from './dom.ts';
import { reservationBar } from './reservationBar.ts';
import {
  coresWords,
  countedWords,
  defaultWords,
  formatNumber,
  memoryWords,
  replicaWords,
  reservedWords,
} from './specWords.ts';

export interface TotalsView {
  readonly node: HTMLElement;
  readonly render: (totals: SpecTotals) => void;
}

/** What the spec adds up to: figures that screen readers announce when they change, and a bar for each part. */
export function totalsView(): TotalsView {
  const [minimum, maximum, storage] = [element('dd'), element('dd'), element('dd')];
  const counted = element('p', { class: 'help' });
  const parts = reservingGroups.map((group) => partView(groupLabel(group)));
  const figure = (label: string, value: Node): Node => element('div', {}, element('dt', {}, label), value);
  const figures = element(
    'dl',
    { class: 'figures' },
    figure(l10n.t('At minimum scale'), minimum),
    figure(l10n.t('At maximum scale'), maximum),
    figure(l10n.t('Storage'), storage),
  );

  return {
    node: element(
      'section',
      { class: 'totals', 'aria-labelledby': 'totals-title' },
      element('h2', { id: 'totals-title' }, l10n.t('What it reserves')),
      element('div', { role: 'status' }, figures),
      counted,
      element('ul', { class: 'parts' }, ...parts.map((part) => part.node)),
    ),
    render: (totals) => {
      const { storageGi, groups } = totals;
      setText(minimum, reservedWords(totals.minimum));
      setText(maximum, reservedWords(totals.maximum));
      setText(storage, storageGi === undefined ? defaultWords() : l10n.t('{0} Gi', formatNumber(storageGi)));
      setText(counted, countedWords(totals));
      for (const [index, group] of groups.entries()) parts[index]?.show(group, groups);
    },
  };
}

interface PartView {
  readonly node: HTMLElement;
  /** Shows a part where it says anything. All bars of one kind share a scale, so that the parts can be compared. */
  readonly show: (part: GroupTotals, all: readonly GroupTotals[]) => void;
}

function partView(name: string): PartView {
  const replicas = element('span', { class: 'part-replicas' });
  const cpu = reservationBar(l10n.t('{0}, cpu of a replica', name), coresWords);
  const memory = reservationBar(l10n.t('{0}, memory of a replica', name), memoryWords);
  const node = element('li', {}, element('span', { class: 'part-name' }, name), replicas, cpu.node, memory.node);
  return {
    node,
    show: (part, all) => {
      node.hidden = [part.cpu, part.memory].every(({ request, limit }) => request === undefined && limit === undefined);
      setText(replicas, replicaWords(part));
      cpu.show(part.cpu, longest(all, 'cpu'));
      memory.show(part.memory, longest(all, 'memory'));
    },
  };
}

function longest(all: readonly GroupTotals[], resource: 'cpu' | 'memory'): number {
  return Math.max(...all.map(({ [resource]: { request = 0, limit = 0 } }) => Math.max(request, limit)));
}
