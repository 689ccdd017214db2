import type { GroupId, NumberRole } from './specFields.ts';
import { fieldOf, groupIds } from './specFields.ts';
import { usableNumber } from './specNumbers.ts';
import type { SpecMap } from './specValue.ts';

/** A request and the limit above it; undefined is the service's default. */
export interface Reservation {
  readonly request: number | undefined;
  readonly limit: number | undefined;
}

export interface GroupTotals {
  readonly group: PartId;
  /** Cores for one replica. */
  readonly cpu: Reservation;
  /** MB for one replica. */
  readonly memory: Reservation;
  readonly replicas: { readonly minimum: number; readonly maximum: number };
}

/** Cores and MB over all replicas. */
export interface ReservedAtScale {
  readonly cpu: number;
  readonly memoryMb: number;
}

export interface SpecTotals {
  readonly minimum: ReservedAtScale;
  readonly maximum: ReservedAtScale;
  /** Gi, or undefined when it is left to the service. */
  readonly storageGi: number | undefined;
  readonly groups: readonly GroupTotals[];
  /** Groups whose cpu or memory is left to the service, so that the sums do not count it. */
  readonly uncountedCpu: readonly PartId[];
  readonly uncountedMemory: readonly PartId[];
}

/** The groups that reserve something; "Scale" is the number of replicas of the main service. */
export type PartId = Exclude<GroupId, 'scale'>;

/**
 * What the requests of a spec add up to over all replicas. What is left empty is not guessed: it is named as
 * uncounted, and a number of replicas that is left empty counts as one.
 */
export function specTotals(spec: SpecMap): SpecTotals {
  const groups = groupIds.filter((id) => id !== 'scale').map((id) => groupTotals(spec, id));
  const sumAt = (scale: 'minimum' | 'maximum'): ReservedAtScale => ({
    cpu: sum(groups.map(({ cpu, replicas }) => (cpu.request ?? 0) * replicas[scale])),
    memoryMb: sum(groups.map(({ memory, replicas }) => (memory.request ?? 0) * replicas[scale])),
  });
  return {
    minimum: sumAt('minimum'),
    maximum: sumAt('maximum'),
    storageGi: numberOf(spec, 'database', 'storage'),
    groups,
    uncountedCpu: groups.filter(({ cpu }) => cpu.request === undefined).map(({ group }) => group),
    uncountedMemory: groups.filter(({ memory }) => memory.request === undefined).map(({ group }) => group),
  };
}

function groupTotals(spec: SpecMap, group: PartId): GroupTotals {
  const scaleGroup = group === 'main' ? 'scale' : group;
  const minimum = numberOf(spec, scaleGroup, 'minScale');
  const maximum = numberOf(spec, scaleGroup, 'maxScale');
  return {
    group,
    cpu: { request: numberOf(spec, group, 'cpu'), limit: numberOf(spec, group, 'cpuLimit') },
    memory: { request: numberOf(spec, group, 'memory'), limit: numberOf(spec, group, 'memoryLimit') },
    replicas: { minimum: minimum ?? 1, maximum: Math.max(maximum ?? minimum ?? 1, minimum ?? 0) },
  };
}

function numberOf(spec: SpecMap, group: GroupId, role: NumberRole): number | undefined {
  const field = fieldOf(group, role);
  return field === undefined ? undefined : usableNumber(field, spec[field.key]);
}

/** Adds fractions of cores without showing 0.30000000000000004. */
function sum(values: readonly number[]): number {
  const total = values.reduce((left, right) => left + right, 0);
  return Math.round(total * 1e6) / 1e6;
}
