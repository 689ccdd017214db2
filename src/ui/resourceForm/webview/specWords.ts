import * as l10n from '@vscode/l10n';
import { groupLabel } from '../../../core/specHelp.ts';
import type { GroupTotals, PartId, Reservation, SpecTotals } from '../../../core/specTotals.ts';

/** A number with the separators of the reader's language and at most three digits behind the point. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 }).format(value);
}

/** A number of cores as people say it. */
export function coresWords(cores: number): string {
  return cores === 1 ? l10n.t('1 core') : l10n.t('{0} cores', formatNumber(cores));
}

/** What a part of the spec asks for, in a few words. */
export function partWords({ cpu, memory }: GroupTotals): string {
  const words = [
    cpu.request === undefined ? undefined : coresWords(cpu.request),
    memory.request === undefined ? undefined : l10n.t('{0} MB', formatNumber(memory.request)),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? l10n.t('service default') : words.join(', ');
}

/** How many replicas a part runs. */
export function replicaWords({ replicas: { minimum, maximum } }: GroupTotals): string {
  if (minimum !== maximum) return l10n.t('{0} to {1} replicas', formatNumber(minimum), formatNumber(maximum));
  return minimum === 1 ? l10n.t('1 replica') : l10n.t('{0} replicas', formatNumber(minimum));
}

/** A request and its limit as a sentence, for those who cannot see the bar. */
export function reservationWords(reservation: Reservation, unit: string): string {
  const { request, limit } = reservation;
  if (request === undefined && limit === undefined) return l10n.t('service default');
  if (request === undefined)
    return l10n.t('request left to the service, limit {0} {1}', formatNumber(limit ?? 0), unit);
  if (limit === undefined) return l10n.t('request {0} {1}, limit left to the service', formatNumber(request), unit);
  return l10n.t('request {0} of limit {1} {2}', formatNumber(request), formatNumber(limit), unit);
}

/** What the sums do not hold, because it is left to the service. */
export function uncountedWords({ uncountedCpu, uncountedMemory }: SpecTotals): string | undefined {
  const both = uncountedCpu.filter((part) => uncountedMemory.includes(part));
  const cpuOnly = uncountedCpu.filter((part) => !uncountedMemory.includes(part));
  const memoryOnly = uncountedMemory.filter((part) => !uncountedCpu.includes(part));
  const words = [
    ...both.map(groupLabel),
    ...cpuOnly.map((part: PartId) => l10n.t('{0} (cpu)', groupLabel(part))),
    ...memoryOnly.map((part: PartId) => l10n.t('{0} (memory)', groupLabel(part))),
  ];
  return words.length === 0 ? undefined : l10n.t('Left to the service and not counted: {0}.', words.join(', '));
}
