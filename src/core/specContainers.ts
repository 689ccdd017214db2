import { quantityOf } from './specQuantity.ts';
import type { SpecMap, SpecValue } from './specValue.ts';
import { isSpecList, isSpecMap } from './specValue.ts';

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
export function containersShare(spec: SpecMap, resource: 'cpu' | 'memory', own: number): ContainersShare {
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
