import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/spec/help.ts';
import {
  coresWords,
  countedWords,
  defaultWords,
  formatNumber,
  memoryWords,
  replicaWords,
  reservationWords,
  reservedWords,
} from '../../../core/spec/specWords.ts';
import { reservingGroups } from '../../../core/spec/totals.ts';
import type { GroupTotals, Reservation, SpecTotals } from '../../../core/spec/totals.ts';
import { element, setAttribute, setText } from '../../page/webview/dom.ts';

/** A request drawn inside its limit, with the same in words beside it. */
function reservationBar(name: string, inWords: (amount: number) => string) {
  const [limitBar, requestBar] = [element('span', { class: 'bar-limit' }), element('span', { class: 'bar-request' })];
  const picture = element('span', { class: 'bar', role: 'img' }, limitBar, requestBar);
  const words = element('span', { 'aria-hidden': 'true' });
  return {
    node: element('span', { class: 'reservation' }, picture, words),
    /** Draws a reservation to scale, relative to the longest one of its kind. */
    show: (reservation: Reservation, longest: number): void => {
      const { request, limit } = reservation;
      const shown = reservationWords(reservation, inWords);
      setAttribute(picture, 'aria-label', `${name}: ${shown}`);
      limitBar.style.width = share(limit ?? request, longest);
      requestBar.style.width = share(request, longest);
      setText(words, shown);
    },
  };
}

/** The share of the width that a value takes. Any value above zero stays visible. */
function share(value: number | undefined, longest: number): string {
  return value === undefined || value <= 0 ? '0' : `${Math.max((value / longest) * 100, 1)}%`;
}

/** The totals of the spec: figures that screen readers announce on change, and bars for each part. */
export function totalsView() {
  const [minimum, maximum, storage] = [element('dd'), element('dd'), element('dd')];
  const counted = element('p', { class: 'help' });
  const partList = element('ul', { class: 'parts' });
  const parts = reservingGroups.map((group) => partView(groupLabel(group)));
  const figure = (label: string, value: Node): Node => element('div', {}, element('dt', {}, label), value);
  partList.append(...parts.map((part) => part.node));
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
      element('h2', { id: 'totals-title' }, l10n.t('Reserved resources')),
      element('div', { role: 'status' }, figures),
      counted,
      partList,
    ),
    /** Shows the totals of a spec, or that there are none because its text can't be read. */
    render: (totals: SpecTotals | undefined): void => {
      // What is hidden keeps its place, so that nothing jumps while the YAML is being typed.
      for (const node of [counted, partList]) node.style.visibility = totals === undefined ? 'hidden' : '';
      if (totals === undefined) {
        for (const figure of [minimum, maximum, storage]) setText(figure, l10n.t("can't be read"));
        return;
      }
      const { storageGi, groups } = totals;
      setText(minimum, reservedWords(totals.minimum));
      setText(maximum, reservedWords(totals.maximum));
      setText(storage, storageGi === undefined ? defaultWords() : l10n.t('{0} Gi', formatNumber(storageGi)));
      setText(counted, countedWords(totals));
      for (const [index, group] of groups.entries()) parts[index]?.show(group, groups);
    },
  };
}

function partView(name: string) {
  const replicas = element('span', { class: 'part-replicas' });
  const cpu = reservationBar(l10n.t('{0}, CPU per replica', name), coresWords);
  const memory = reservationBar(l10n.t('{0}, memory per replica', name), memoryWords);
  const node = element('li', {}, element('span', { class: 'part-name' }, name), replicas, cpu.node, memory.node);
  return {
    node,
    /** Shows a part if it has any values. Bars of one kind share a scale, so parts can be compared. */
    show: (part: GroupTotals, all: readonly GroupTotals[]): void => {
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
