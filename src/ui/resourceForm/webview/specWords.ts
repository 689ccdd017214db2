import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/spec/help.ts';
import type { GroupTotals, Reservation, Reserved, SpecTotals } from '../../../core/spec/totals.ts';

/** Formats a number as typed into a field, in any language, with at most three decimals. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A number of cores in words. */
export function coresWords(cores: number): string {
  return cores === 1 ? l10n.t('1 core') : l10n.t('{0} cores', formatNumber(cores));
}

/** An amount of memory in MB, in words. */
export function memoryWords(megabytes: number): string {
  return l10n.t('{0} MB', formatNumber(megabytes));
}

/** The words for a value that is left to the service. */
export function defaultWords(): string {
  return l10n.t('service default');
}

/** The reserved amounts in a few words. */
export function reservedWords({ cpu, memoryMb }: Reserved): string {
  return amountWords(cpu, memoryMb) || defaultWords();
}

/** The requests of a part of the spec, in a few words. */
export function partWords({ cpu, memory }: GroupTotals): string {
  return reservedWords({ cpu: cpu.request, memoryMb: memory.request });
}

/** The known amounts, separated by commas. */
function amountWords(cores: number | undefined, megabytes: number | undefined): string {
  return [
    ...(cores === undefined ? [] : [coresWords(cores)]),
    ...(megabytes === undefined ? [] : [memoryWords(megabytes)]),
  ].join(', ');
}

/** The number of replicas that a part runs, in words. */
export function replicaWords({ replicas: { minimum, maximum } }: GroupTotals): string {
  if (minimum !== maximum) return l10n.t('{0} to {1} replicas', formatNumber(minimum), formatNumber(maximum));
  return minimum === 1 ? l10n.t('1 replica') : l10n.t('{0} replicas', formatNumber(minimum));
}

/** A request and its limit in words, for users who can't see the bar. */
export function reservationWords({ request, limit }: Reservation, inWords: (amount: number) => string): string {
  if (request === undefined) {
    return limit === undefined ? defaultWords() : l10n.t('request left to the service, limit {0}', inWords(limit));
  }
  if (limit === undefined) return l10n.t('request {0}, limit left to the service', inWords(request));
  return l10n.t('request {0} of limit {1}', inWords(request), inWords(limit));
}

/** The name of the containers outside the groups. */
export function containersLabel(): string {
  return l10n.t('Init containers and sidecars');
}

/** Explains what other containers add to the totals, and which parts aren't counted. */
export function countedWords({ containers, uncounted }: SpecTotals): string {
  const added = l10n.t(
    '{0} add {1} to each replica of the main service.',
    containersLabel(),
    amountWords(containers.cpu || undefined, containers.memoryMb || undefined),
  );
  const left = uncounted.map(({ part, cpu, memory }) => {
    const label = part === 'containers' ? containersLabel() : groupLabel(part);
    if (cpu && memory) return label;
    return cpu ? l10n.t('{0} (cpu)', label) : l10n.t('{0} (memory)', label);
  });
  return [
    containers.cpu + containers.memoryMb === 0 ? '' : added,
    left.length === 0 ? '' : l10n.t('Left to the service and not counted: {0}.', left.join(', ')),
  ]
    .join(' ')
    .trim();
}
