import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import type { ListenerUsers } from '../../core/resources/listenerChanges.ts';

/** More deployments than are searched for those of a listener. */
const mostSearched = 1000;

/**
 * Searches the deployments that run on a listener. A failed search is part of the answer.
 * @throws ApiError `cancelled`
 */
export async function deploymentsOn(
  { deployments }: Pick<Client, 'deployments'>,
  listenerId: string,
  signal: AbortSignal,
): Promise<ListenerUsers> {
  const names: string[] = [];
  let count = 0;
  let isWhole = true;
  try {
    for await (const row of deployments.listAll({}, { signal })) {
      // One that can't be read may run on it.
      if (isUnreadable(row)) isWhole = false;
      else if (row.source_config?.listener_id === listenerId) names.push(row.name);
      count += 1;
      if (count === mostSearched) return { names, isWhole: false };
    }
    return { names, isWhole };
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'cancelled') throw error;
    return { names, isWhole: false };
  }
}
