import type { Client } from '../../api/client.ts';
import type { Deployment } from '../../api/deployments.ts';
import { readableRows } from '../../state/pagedList.ts';

/** The deployment with exactly this name; the interface's own filter finds names that contain it. */
export async function findByName(client: Client, name: string): Promise<Deployment | undefined> {
  for await (const row of client.deployments.listAll({ name_contains: name, limit: 100 })) {
    const [deployment] = readableRows([row]);
    if (deployment?.name === name) return deployment;
  }
  return undefined;
}
