import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { Observation } from '../../core/status/verdict.ts';
import type { Clock } from '../clock.ts';

/** A deployment with what the service says of its active and its latest revision. */
export interface ObservedDeployment {
  readonly deployment: Deployment;
  readonly active: Observation;
  readonly latest: Observation;
}

/**
 * Asks for the active and the latest revision of deployments.
 * A revision that can't be read stays unknown, which says nothing about the deployment.
 * @param deploymentAt when the deployments were requested, in monotonic time
 */
export async function observeDeployments(
  { revisions }: Pick<Client, 'revisions'>,
  deployments: readonly Deployment[],
  { deploymentAt, clock }: { readonly deploymentAt: number; readonly clock: Clock },
  options: CallOptions,
): Promise<readonly ObservedDeployment[]> {
  const ask = async (deploymentId: string, revisionId: string | undefined): Promise<Revision | undefined> =>
    revisionId === undefined ? undefined : revisions.get(deploymentId, revisionId, options).catch(() => undefined);
  return Promise.all(
    deployments.map(async (deployment): Promise<ObservedDeployment> => {
      const { id, active_revision_id: activeId, latest_revision_id: latestId } = deployment;
      const asked = ask(id, activeId);
      const [active, latest] = await Promise.all([asked, latestId === activeId ? asked : ask(id, latestId)]);
      const revisionAt = clock.monotonic();
      const record = { deployment, deploymentAt, active };
      return {
        deployment,
        active: { revisionId: activeId, revision: active, revisionAt, ...record },
        latest: { revisionId: latestId, revision: latest, revisionAt, ...record },
      };
    }),
  );
}
