import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/deployments.ts';
import type { CallOptions } from '../../api/http.ts';
import { readableRows } from '../../state/pagedList.ts';

const pageSize = 100;
const mostPages = 3;

/**
 * The deployment with exactly this name; the interface's own filter finds names that contain it. Looks at three pages
 * at most, since a short name may be a part of thousands: past them the service decides, and says so when it refuses.
 */
export async function findByName(
  client: Client,
  name: string,
  options: CallOptions = {},
): Promise<Deployment | undefined> {
  let seen = 0;
  for await (const row of client.deployments.listAll({ name_contains: name, limit: pageSize }, options)) {
    const [deployment] = readableRows([row]);
    if (deployment?.name === name) return deployment;
    seen += 1;
    if (seen === pageSize * mostPages) return undefined;
  }
  return undefined;
}
