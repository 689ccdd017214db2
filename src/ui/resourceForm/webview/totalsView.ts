import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/specHelp.ts';
import type { GroupTotals, ReservedAtScale, SpecTotals } from '../../../core/specTotals.ts';
import { element, setText } from './dom.ts';
import { reservationBar } from './reservationBar.ts';
import { coresWords, formatNumber, replicaWords, uncountedWords } from './specWords.ts';

/** What the spec adds up to: figures that screen readers announce when they change, and a bar for each part. */
export class TotalsView {
  readonly node: HTMLElement;
  readonly #minimum = element('dd');
  readonly #maximum = element('dd');
  readonly #storage = element('dd');
  readonly #uncounted = element('p', { class: 'help' });
  readonly #parts = element('ul', { class: 'parts' });
  #shown = '';

  constructor() {
    const figures = element(
      'dl',
      { class: 'figures' },
      element('div', {}, element('dt', {}, l10n.t('At minimum scale')), this.#minimum),
      element('div', {}, element('dt', {}, l10n.t('At maximum scale')), this.#maximum),
      element('div', {}, element('dt', {}, l10n.t('Storage')), this.#storage),
    );
    this.node = element(
      'section',
      { class: 'totals', 'aria-labelledby': 'totals-title' },
      element('h2', { id: 'totals-title' }, l10n.t('What it reserves')),
      element('div', { role: 'status' }, figures),
      this.#uncounted,
      this.#parts,
    );
  }

  render(totals: SpecTotals): void {
    const key = JSON.stringify(totals);
    if (key === this.#shown) return;
    this.#shown = key;
    setText(this.#minimum, reservedWords(totals.minimum));
    setText(this.#maximum, reservedWords(totals.maximum));
    setText(
      this.#storage,
      totals.storageGi === undefined ? l10n.t('service default') : l10n.t('{0} Gi', formatNumber(totals.storageGi)),
    );
    const uncounted = uncountedWords(totals);
    this.#uncounted.hidden = uncounted === undefined;
    setText(this.#uncounted, uncounted ?? '');
    const counted = totals.groups.filter(isSet);
    this.#parts.replaceChildren(...counted.map((group) => partNode(group, counted)));
  }
}

function reservedWords({ cpu, memoryMb }: ReservedAtScale): string {
  return l10n.t('{0}, {1} MB', coresWords(cpu), formatNumber(memoryMb));
}

function isSet({ cpu, memory }: GroupTotals): boolean {
  return [cpu.request, cpu.limit, memory.request, memory.limit].some((value) => value !== undefined);
}

/** All bars of one kind share a scale, so that the parts can be compared. */
function partNode(part: GroupTotals, all: readonly GroupTotals[]): HTMLElement {
  const name = groupLabel(part.group);
  const longest = (kind: 'cpu' | 'memory'): number =>
    Math.max(...all.map((other) => Math.max(other[kind].request ?? 0, other[kind].limit ?? 0)));
  return element(
    'li',
    {},
    element('span', { class: 'part-name' }, name),
    element('span', { class: 'part-replicas' }, replicaWords(part)),
    reservationBar(l10n.t('{0}, cpu of a replica', name), part.cpu, longest('cpu'), l10n.t('cores')),
    reservationBar(l10n.t('{0}, memory of a replica', name), part.memory, longest('memory'), l10n.t('MB')),
  );
}
