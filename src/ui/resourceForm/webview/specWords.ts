import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/spec/help.ts';
import type { GroupTotals, Reservation, Reserved, SpecTotals } from '../../../core/spec/totals.ts';

/** A number as it is typed into a field, in every language, with at most three digits behind the point. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A number of cores as people say it. */
export function coresWords(cores: number): string {
  return cores === 1 ? l10n.t('1 core') : l10n.t('{0} cores', formatNumber(cores));
}

/** A number of MB as people say it. */
export function memoryWords(megabytes: number): string {
  return l10n.t('{0} MB', formatNumber(megabytes));
}

/** What stands for a value that is left to the service. */
export function defaultWords(): string {
  return l10n.t('service default');
}

/** What is reserved, in a few words. */
export function reservedWords({ cpu, memoryMb }: Reserved): string {
  return amountWords(cpu, memoryMb) || defaultWords();
}

/** What a part of the spec asks for, in a few words. */
export function partWords({ cpu, memory }: GroupTotals): string {
  return reservedWords({ cpu: cpu.request, memoryMb: memory.request });
}

/** Those of both amounts that are known. */
function amountWords(cores: number | undefined, megabytes: number | undefined): string {
  return [
    ...(cores === undefined ? [] : [coresWords(cores)]),
    ...(megabytes === undefined ? [] : [memoryWords(megabytes)]),
  ].join(', ');
}

/** How many replicas a part runs. */
export function replicaWords({ replicas: { minimum, maximum } }: GroupTotals): string {
  if (minimum !== maximum) return l10n.t('{0} to {1} replicas', formatNumber(minimum), formatNumber(maximum));
  return minimum === 1 ? l10n.t('1 replica') : l10n.t('{0} replicas', formatNumber(minimum));
}

/** A request and its limit as a sentence, for those who cannot see the bar. */
export function reservationWords({ request, limit }: Reservation, inWords: (amount: number) => string): string {
  if (request === undefined) {
    return limit === undefined ? defaultWords() : l10n.t('request left to the service, limit {0}', inWords(limit));
  }
  if (limit === undefined) return l10n.t('request {0}, limit left to the service', inWords(request));
  return l10n.t('request {0} of limit {1}', inWords(request), inWords(limit));
}

/** The name of the containers beside the groups. */
export function containersLabel(): string {
  return l10n.t('Init containers and sidecars');
}

/** What the sums hold of containers beside the groups, and what they do not hold because nothing is said about it. */
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
