import * as l10n from '@vscode/l10n';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import type { SpecMap } from '../yaml/value.ts';
import type { GroupId, NumberRole } from './fields.ts';
import { groupLabel } from './help.ts';
import { numberOf } from './totals.ts';
import type { GroupTotals, Reservation, Reserved, SpecTotals } from './totals.ts';

/** Describes a spec in one line, such as "2 replicas, 1.5 cores, 4096 MB, 1 volume, 1 sidecar". */
export function describeSpec(spec: ResourceSpec): string {
  const { min_scale: least, max_scale: most, cpu, memory_mb, ...rest } = spec;
  const { volumes, volume_mounts, init_containers, sidecars, ...others } = rest;
  const words = [
    scaleWords(least ?? undefined, most ?? undefined),
    amountWords(cpu ?? undefined, memory_mb ?? undefined),
    countWords(volumes?.length, l10n.t('1 volume'), (count) => l10n.t('{0} volumes', count)),
    countWords(volume_mounts?.length, l10n.t('1 mount'), (count) => l10n.t('{0} mounts', count)),
    countWords(init_containers?.length, l10n.t('1 init container'), (count) => l10n.t('{0} init containers', count)),
    countWords(sidecars?.length, l10n.t('1 sidecar'), (count) => l10n.t('{0} sidecars', count)),
  ].filter((part) => part !== '');
  const { length } = Object.values(others).filter((value) => value !== undefined && value !== null);
  if (words.length > 0) {
    return `${words.join(', ')} ${moreKeysWords(length)}`.trimEnd();
  }
  const set = countWords(length, l10n.t('1 key set'), (count) => l10n.t('{0} keys set', count));
  return set === '' ? l10n.t('service defaults') : set;
}

function scaleWords(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return l10n.t('at most {0} replicas', most ?? 0);
  if (most === undefined) return l10n.t('at least {0} replicas', least);
  if (least !== most) return l10n.t('{0} to {1} replicas', least, most);
  return least === 1 ? l10n.t('1 replica') : l10n.t('{0} replicas', least);
}

/** Formats a count. Empty for zero or no count. */
export function countWords(count: number | undefined, one: string, many: (count: number) => string): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? one : many(count);
}

/** Counts the keys that other words leave out. Empty if there are none. */
export function moreKeysWords(count: number): string {
  return countWords(count, l10n.t('and 1 more key'), () => l10n.t('and {0} more keys', count));
}

/** Formats a number as typed into a field, in any language, with at most three decimals. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

export function coresWords(cores: number): string {
  return cores === 1 ? l10n.t('1 core') : l10n.t('{0} cores', formatNumber(cores));
}

export function memoryWords(megabytes: number): string {
  return l10n.t('{0} MB', formatNumber(megabytes));
}

/** The words for a value that is left to the service. */
export function defaultWords(): string {
  return l10n.t('service default');
}

export function reservedWords({ cpu, memoryMb }: Pick<Reserved, 'cpu' | 'memoryMb'>): string {
  return amountWords(cpu, memoryMb) || defaultWords();
}

/** Says what a spec sets in a group, such as "2 cores, at most 4096 MB". Empty if it sets nothing. */
export function groupWords(spec: SpecMap, group: GroupId): string {
  const set = (role: NumberRole): number | undefined => numberOf(spec, group, role);
  const amount = (request: NumberRole, limit: NumberRole, inWords: (value: number) => string): string => {
    const [least, most] = [set(request), set(limit)];
    if (least !== undefined) return inWords(least);
    return most === undefined ? '' : l10n.t('at most {0}', inWords(most));
  };
  const [storage, connections] = [set('storage'), set('connections')];
  return [
    scaleWords(set('minScale'), set('maxScale')),
    amount('cpu', 'cpuLimit', coresWords),
    amount('memory', 'memoryLimit', memoryWords),
    storage === undefined ? '' : l10n.t('{0} Gi', formatNumber(storage)),
    connections === undefined ? '' : l10n.t('{0} connections', formatNumber(connections)),
  ]
    .filter((words) => words !== '')
    .join(', ');
}

function amountWords(cores: number | undefined, megabytes: number | undefined): string {
  return [
    ...(cores === undefined ? [] : [coresWords(cores)]),
    ...(megabytes === undefined ? [] : [memoryWords(megabytes)]),
  ].join(', ');
}

/** Says what a spec sets for the replicas of a part. Empty if it sets nothing. */
export function replicaWords({ scale: { minimum, maximum } }: GroupTotals): string {
  return scaleWords(minimum, maximum);
}

/** A request and its limit in words, for users who can't see the bar. */
export function reservationWords({ request, limit }: Reservation, inWords: (amount: number) => string): string {
  if (request === undefined) {
    return limit === undefined ? defaultWords() : l10n.t('default request, limit {0}', inWords(limit));
  }
  if (limit === undefined) return l10n.t('request {0}, default limit', inWords(request));
  return l10n.t('request {0} of limit {1}', inWords(request), inWords(limit));
}

export function containersLabel(): string {
  return l10n.t('Init containers and sidecars');
}

/** Explains what other containers add to the totals, and which parts aren't counted. */
export function countedWords({ containers, uncounted, minimum, maximum }: SpecTotals): string {
  const added = l10n.t(
    '{0} add {1} to each replica of the main service.',
    containersLabel(),
    amountWords(containers.cpu || undefined, containers.memoryMb || undefined),
  );
  const left = uncounted.map(({ part, cpu, memory }) => {
    const label = part === 'containers' ? containersLabel() : groupLabel(part);
    if (cpu && memory) return label;
    return cpu ? l10n.t('{0} (CPU)', label) : l10n.t('{0} (memory)', label);
  });
  const [atMinimum, atMaximum] = [minimum, maximum].map(({ unscaled }) => unscaled.map(groupLabel).join(', '));
  const unscaled =
    atMinimum === atMaximum
      ? [atMinimum && l10n.t('Scale not set, not counted: {0}.', atMinimum)]
      : [
          atMinimum && l10n.t('Minimum scale not set, not counted there: {0}.', atMinimum),
          atMaximum && l10n.t('Maximum scale not set, not counted there: {0}.', atMaximum),
        ];
  return [
    containers.cpu + containers.memoryMb === 0 ? '' : added,
    ...unscaled,
    left.length === 0 ? '' : l10n.t('Service defaults, not counted: {0}.', left.join(', ')),
  ]
    .filter(Boolean)
    .join(' ');
}
