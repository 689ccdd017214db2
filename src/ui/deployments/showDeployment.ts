import type { Services } from '../services.ts';
import { documentUri, showDocument } from '../window/documentUri.ts';

interface NamedDeployment {
  readonly connection: string;
  readonly deploymentId: string;
  readonly name: string;
}

/**
 * Selects the row of a deployment of the current connection, or opens its details.
 * The list may lack the row because of a filter or a later page.
 */
export async function showDeployment(
  { deployments, views }: Pick<Services, 'deployments' | 'views'>,
  deployment: NamedDeployment,
): Promise<void> {
  await deployments.load();
  const { deploymentId: id } = deployment;
  if (views.deployments.has(id)) await views.deployments.reveal({ kind: 'deployment', ids: [id] });
  else await showDeploymentDocument(deployment);
}

/** Opens the details of a deployment of any connection. */
export async function showDeploymentDocument({ connection, deploymentId, name }: NamedDeployment): Promise<void> {
  await showDocument(documentUri({ connection, place: { kind: 'deployment', ids: [deploymentId] } }, name));
}
