import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { statusOf } from '../status/status.ts';

/** Whether a revision has the log of a build: images aren't built here, and a new revision hasn't begun. */
export function hasBuildLog(deployment: Deployment | undefined, revision: Revision | undefined): boolean {
  const isImage =
    deployment?.source === 'external_docker' ||
    deployment?.source === 'internal_docker' ||
    revision?.source_revision_config?.image_uri !== undefined;
  return !isImage && revision !== undefined && statusOf(revision) !== 'CREATING';
}

/** Whether a revision ran, so that its application may have printed something, even if it failed to start. */
export function hasApplicationLog(revision: Revision | undefined): boolean {
  return revision !== undefined && ranStatuses.has(statusOf(revision));
}

const ranStatuses: ReadonlySet<string> = new Set(['DEPLOYING', 'DEPLOYED', 'DEPLOY_FAILED']);
