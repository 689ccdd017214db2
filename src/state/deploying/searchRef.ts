import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { nameForRepository } from '../../core/draft/deploymentName.ts';
import { type BuildSource, deployedFrom, isBuiltFrom } from '../../core/git/workspaceDeployment.ts';
import { type DeploymentSearch, searchDeployments } from './searchDeployments.ts';

/**
 * Finds the deployments of a ref of a repository, whatever their config files: the loaded ones and those with a usual name.
 * @throws ApiError nothing was found, and a request failed
 */
export async function searchRef(
  client: Pick<Client, 'deployments'>,
  { loaded, repositoryUrl, ref }: Pick<DeploymentSearch, 'loaded'> & Pick<BuildSource, 'repositoryUrl' | 'ref'>,
  options: CallOptions,
): Promise<readonly Deployment[]> {
  const isWanted = (deployment: Deployment): boolean => {
    const from = deployedFrom(deployment);
    return from.configPath !== undefined && isBuiltFrom({ repositoryUrl, ref, configPath: from.configPath }, from);
  };
  // The usual name of every application begins with that of the repository.
  const usualNames = [nameForRepository(repositoryUrl, '')];
  return (await searchDeployments(client, { loaded, usualNames, isWanted, pages: 0 }, options)).deployments;
}
