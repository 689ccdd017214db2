import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { readableRows } from './pagedList.ts';

/**
 * One deployment by its id. The interface has no endpoint for it, its list has a filter; a service that does not know
 * the filter sends another deployment, which is not taken for this one.
 */
export async function findDeployment(
  { deployments }: Pick<Client, 'deployments'>,
  id: string,
  options?: CallOptions,
): Promise<Deployment | undefined> {
  const { resources } = await deployments.list({ deployment_ids: id, limit: 1 }, options);
  return readableRows(resources).find((deployment) => deployment.id === id);
}
