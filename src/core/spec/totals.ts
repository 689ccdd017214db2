import { fieldOf, groupIds } from './fields.ts';
import type { GroupId, NumberRole } from './fields.ts';
import { quantityOf, usableNumber } from './numbers.ts';
import { mapsIn, valueAt } from '../yaml/value.ts';
import type { SpecMap } from '../yaml/value.ts';

/**
 * Computes how much init containers and sidecars add to the replica's own request, in cores or bytes.
 * Counts like Kubernetes. An init container runs before the others, so a replica reserves the larger amount. An init
 * container that always restarts keeps running next to the others. Without a request, the limit counts as the request.
 * @returns the amount, and whether all of them have a request or limit; the amount leaves out those without
 */
function containersShare(
  spec: SpecMap,
  resource: 'cpu' | 'memory',
  own: number,
): { readonly amount: number; readonly isComplete: boolean } {
  let isComplete = true;
  const requestOf = (container: SpecMap): number => {
    const [asked, most] = ['requests', 'limits'].map((kind) => valueAt(container, ['resources', kind, resource]));
    const request = quantityOf(asked ?? most);
    isComplete &&= request !== undefined;
    return request ?? 0;
  };
  let beside = 0;
  let peak = 0;
  for (const container of mapsIn(spec['init_containers'])) {
    const request = requestOf(container);
    if (container['restartPolicy'] === 'Always') beside += request;
    else peak = Math.max(peak, beside + request);
  }
  for (const container of mapsIn(spec['sidecars'])) beside += requestOf(container);
  return { amount: Math.max(beside, peak - own), isComplete };
}

/** A request and its limit. Undefined means the service's default. */
export interface Reservation {
  readonly request: number | undefined;
  readonly limit: number | undefined;
}

export interface GroupTotals {
  readonly group: ReservingGroup;
  /** Cores per replica. */
  readonly cpu: Reservation;
  /** MB per replica. */
  readonly memory: Reservation;
  readonly scale: { readonly minimum: number | undefined; readonly maximum: number | undefined };
  /** The replicas to count. One of a group whose scale can't be set; undefined where it can be set, and isn't. */
  readonly replicas: GroupTotals['scale'];
}

/** The requests of all replicas. */
export interface Reserved {
  /** In cores. Undefined if the spec leaves the amount to the service. */
  readonly cpu: number | undefined;
  readonly memoryMb: number | undefined;
  /** Groups with a request and without the number of replicas at this scale, which the sums leave out. */
  readonly unscaled: readonly ReservingGroup[];
}

export interface SpecTotals {
  readonly minimum: Reserved;
  readonly maximum: Reserved;
  /** In Gi. Undefined if the spec leaves it to the service. */
  readonly storageGi: number | undefined;
  readonly groups: readonly GroupTotals[];
  /** The amount that init containers and sidecars add to each replica of the main service. */
  readonly containers: { readonly cpu: number; readonly memoryMb: number };
  /** Parts without a request for CPU or memory, which the sums leave out. */
  readonly uncounted: readonly { readonly part: PartId; readonly cpu: boolean; readonly memory: boolean }[];
}

/** The groups that reserve resources. "Scale" only holds the replica counts of the main service. */
export type ReservingGroup = Exclude<GroupId, 'scale'>;

export const reservingGroups = groupIds.filter((id) => id !== 'scale');

type PartId = ReservingGroup | 'containers';

/** The field is in MB. In a spec, one MB is one Mi in Kubernetes. */
const bytesOfMb = 2 ** 20;

/**
 * Adds up the requests of a spec over all replicas.
 * Missing values aren't guessed: a part without a request or a number of replicas isn't counted, and is listed.
 */
export function specTotals(spec: SpecMap): SpecTotals {
  const main = groupTotals(spec, 'main');
  const groups = reservingGroups.map((id) => groupTotals(spec, id));
  const cpuShare = containersShare(spec, 'cpu', main.cpu.request ?? 0);
  const memoryShare = containersShare(spec, 'memory', (main.memory.request ?? 0) * bytesOfMb);
  const containers = { cpu: exact(cpuShare.amount), memoryMb: exact(memoryShare.amount / bytesOfMb) };
  const reservedAt = (scale: 'minimum' | 'maximum'): Reserved => {
    const total = (resource: 'cpu' | 'memory', ofContainers: number): number | undefined => {
      const amounts = groups.flatMap(({ group, [resource]: { request }, replicas: { [scale]: count } }) => {
        const added = group === 'main' ? ofContainers : 0;
        const isSaid = count !== undefined && (request !== undefined || added > 0);
        return isSaid ? [((request ?? 0) + added) * count] : [];
      });
      return amounts.length === 0 ? undefined : exact(amounts.reduce((sum, amount) => sum + amount));
    };
    const hasRequest = ({ group, cpu, memory }: GroupTotals): boolean =>
      cpu.request !== undefined ||
      memory.request !== undefined ||
      (group === 'main' && containers.cpu + containers.memoryMb > 0);
    const unscaled = groups.filter((group) => group.replicas[scale] === undefined && hasRequest(group));
    return {
      cpu: total('cpu', containers.cpu),
      memoryMb: total('memory', containers.memoryMb),
      unscaled: unscaled.map(({ group }) => group),
    };
  };
  const parts: SpecTotals['uncounted'] = [
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
  const scale = { minimum: numberOf(spec, scaleGroup, 'minScale'), maximum: numberOf(spec, scaleGroup, 'maxScale') };
  return {
    group,
    cpu: { request: numberOf(spec, group, 'cpu'), limit: numberOf(spec, group, 'cpuLimit') },
    memory: { request: numberOf(spec, group, 'memory'), limit: numberOf(spec, group, 'memoryLimit') },
    scale,
    replicas: fieldOf(scaleGroup, 'minScale') === undefined ? { minimum: 1, maximum: 1 } : scale,
  };
}

export function numberOf(spec: SpecMap, group: GroupId, role: NumberRole): number | undefined {
  const field = fieldOf(group, role);
  return field === undefined ? undefined : usableNumber(field, spec[field.key]);
}

/** Rounds a sum of fractions, to avoid values like 0.30000000000000004. */
function exact(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
