import { fieldOf, groupIds } from './fields.ts';
import type { GroupId, NumberRole } from './fields.ts';
import { quantityOf, usableNumber } from './numbers.ts';
import { isSpecList, isSpecMap } from './value.ts';
import type { SpecMap, SpecValue } from './value.ts';

/** What init containers and sidecars add to what a replica reserves. */
export interface ContainersShare {
  readonly amount: number;
  /** Whether each of them says how much it needs; the amount leaves out those that do not. */
  readonly isComplete: boolean;
}

/**
 * What the init containers and sidecars of a spec add to a replica whose own part reserves something, in cores or
 * bytes. Counts as Kubernetes does: an init container runs before the others, so that a replica reserves whichever is
 * more, and one that always restarts runs on beside them. A limit is the request too where no request is given.
 */
function containersShare(spec: SpecMap, resource: 'cpu' | 'memory', own: number): ContainersShare {
  let isComplete = true;
  const requestOf = (container: SpecMap): number => {
    const { requests, limits } = mapOf(container['resources']);
    const request = quantityOf(mapOf(requests)[resource] ?? mapOf(limits)[resource]);
    isComplete &&= request !== undefined;
    return request ?? 0;
  };
  let beside = 0;
  let peak = 0;
  for (const container of containersOf(spec['init_containers'])) {
    const request = requestOf(container);
    if (container['restartPolicy'] === 'Always') beside += request;
    else peak = Math.max(peak, beside + request);
  }
  for (const container of containersOf(spec['sidecars'])) beside += requestOf(container);
  return { amount: Math.max(beside, peak - own), isComplete };
}

function containersOf(value: SpecValue | undefined): readonly SpecMap[] {
  return isSpecList(value) ? value.filter(isSpecMap) : [];
}

function mapOf(value: SpecValue | undefined): SpecMap {
  return isSpecMap(value) ? value : {};
}

/** A request and the limit above it; undefined is the service's default. */
export interface Reservation {
  readonly request: number | undefined;
  readonly limit: number | undefined;
}

export interface GroupTotals {
  readonly group: ReservingGroup;
  /** Cores for one replica. */
  readonly cpu: Reservation;
  /** MB for one replica. */
  readonly memory: Reservation;
  readonly replicas: { readonly minimum: number; readonly maximum: number };
}

/** Cores and MB; undefined where nothing is said about it, so that it is left to the service. */
export interface Reserved {
  readonly cpu: number | undefined;
  readonly memoryMb: number | undefined;
}

export interface SpecTotals {
  /** Over all replicas. */
  readonly minimum: Reserved;
  readonly maximum: Reserved;
  /** Gi, or undefined when it is left to the service. */
  readonly storageGi: number | undefined;
  readonly groups: readonly GroupTotals[];
  /** What init containers and sidecars add to each replica of the main service. */
  readonly containers: { readonly cpu: number; readonly memoryMb: number };
  /** Parts that do not say how much they need, so that the sums do not count it. */
  readonly uncounted: readonly UncountedPart[];
}

/** A part, and whether its cpu and its memory are not counted: one of them at least. */
export interface UncountedPart {
  readonly part: PartId;
  readonly cpu: boolean;
  readonly memory: boolean;
}

/** The groups that reserve something; "Scale" is the number of replicas of the main service. */
export type ReservingGroup = Exclude<GroupId, 'scale'>;

export const reservingGroups = groupIds.filter((id) => id !== 'scale');

/** What the sums are made of. */
export type PartId = ReservingGroup | 'containers';

/** The field says MB; a MB is a Mi of Kubernetes. */
const bytesOfMb = 2 ** 20;

/**
 * What the requests of a spec add up to over all replicas. What is left empty is not guessed: it is named as
 * uncounted, and a number of replicas that is left empty counts as one.
 */
export function specTotals(spec: SpecMap): SpecTotals {
  const main = groupTotals(spec, 'main');
  const groups = reservingGroups.map((id) => groupTotals(spec, id));
  const cpuShare = containersShare(spec, 'cpu', main.cpu.request ?? 0);
  const memoryShare = containersShare(spec, 'memory', (main.memory.request ?? 0) * bytesOfMb);
  const containers = { cpu: exact(cpuShare.amount), memoryMb: exact(memoryShare.amount / bytesOfMb) };
  const reservedAt = (scale: 'minimum' | 'maximum'): Reserved => {
    const total = (resource: 'cpu' | 'memory', ofContainers: number): number | undefined => {
      const isSaid = ofContainers > 0 || groups.some((group) => group[resource].request !== undefined);
      if (!isSaid) return undefined;
      return groups.reduce(
        (sum, group) => exact(sum + (group[resource].request ?? 0) * group.replicas[scale]),
        exact(ofContainers * main.replicas[scale]),
      );
    };
    return { cpu: total('cpu', containers.cpu), memoryMb: total('memory', containers.memoryMb) };
  };
  const parts: readonly UncountedPart[] = [
    ...groups.map(({ group: part, cpu, memory }) => {
      return { part, cpu: cpu.request === undefined, memory: memory.request === undefined };
    }),
    { part: 'containers', cpu: !cpuShare.isComplete, memory: !memoryShare.isComplete },
  ];
  return {
    minimum: reservedAt('minimum'),
    maximum: reservedAt('maximum'),
    storageGi: numberOf(spec, 'database', 'storage'),
    groups,
    containers,
    uncounted: parts.filter(({ cpu, memory }) => cpu || memory),
  };
}

function groupTotals(spec: SpecMap, group: ReservingGroup): GroupTotals {
  const scaleGroup = group === 'main' ? 'scale' : group;
  const minimum = numberOf(spec, scaleGroup, 'minScale') ?? 1;
  const maximum = Math.max(numberOf(spec, scaleGroup, 'maxScale') ?? minimum, minimum);
  return {
    group,
    cpu: { request: numberOf(spec, group, 'cpu'), limit: numberOf(spec, group, 'cpuLimit') },
    memory: { request: numberOf(spec, group, 'memory'), limit: numberOf(spec, group, 'memoryLimit') },
    replicas: { minimum, maximum },
  };
}

function numberOf(spec: SpecMap, group: GroupId, role: NumberRole): number | undefined {
  const field = fieldOf(group, role);
  return field === undefined ? undefined : usableNumber(field, spec[field.key]);
}

/** Fractions of cores add up without showing 0.30000000000000004. */
function exact(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
