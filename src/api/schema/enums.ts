/** The source of a deployment's code ("Deployment", field `source`). */
export const SOURCES = [
  'repohost',
  'external_docker',
  'internal_docker',
  'internal_source',
  'internal_template',
] as const;
export type Source = (typeof SOURCES)[number];

/** Size class of a deployment ("Source config", field `deployment_type`). */
export const DEPLOYMENT_TYPES = ['dev_free', 'dev', 'prod'] as const;

/** The statuses of a deployment ("Deployment status"). */
export const DEPLOYMENT_STATUSES = ['AWAITING_DATABASE', 'READY', 'UNUSED', 'AWAITING_DELETE', 'UNKNOWN'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The statuses of a revision ("Revision status"). */
export const REVISION_STATUSES = [
  'CREATING',
  'QUEUED',
  'AWAITING_BUILD',
  'BUILDING',
  'AWAITING_DEPLOY',
  'DEPLOYING',
  'CREATE_FAILED',
  'BUILD_FAILED',
  'DEPLOY_FAILED',
  'DEPLOYED',
  'SKIPPED',
  'INTERRUPTED',
  'UNKNOWN',
] as const;
export type RevisionStatus = (typeof REVISION_STATUSES)[number];

/** Whether a deployment's status says that it is being deleted: AWAITING_DELETE, or AWAITING_FINAL_DELETE and the like. */
export function isDeletion(status: string | undefined): boolean {
  return /^AWAITING_(?:\w+_)?DELETE$/.test(status ?? '');
}
