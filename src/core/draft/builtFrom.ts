import { sameRepository } from '../git/remote.ts';
import type { DeployedFrom } from '../git/workspaceDeployment.ts';
import { parseDeploymentRef, type DeploymentRef } from './draft.ts';

/** A config file of a repository at a ref, which a deployment may be built from. */
export interface BuildSource {
  readonly repositoryUrl: string;
  readonly configPath: string;
  readonly ref: DeploymentRef;
}

/** Whether a deployment is built from a config file at a ref. Unlike `deploymentsOf`, prefers nothing. */
export function isBuiltFrom({ repositoryUrl, configPath, ref }: BuildSource, deployment: DeployedFrom): boolean {
  if (deployment.repositoryUrl === undefined || deployment.ref === undefined) return false;
  const built = parseDeploymentRef(deployment.ref);
  return (
    deployment.configPath === configPath &&
    built.kind === ref.kind &&
    built.name === ref.name &&
    sameRepository(deployment.repositoryUrl, repositoryUrl)
  );
}
