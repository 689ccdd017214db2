import * as l10n from '@vscode/l10n';
import { revisionStatusView } from './status.ts';

export interface RevisionSnapshot {
  id: string;
  status: string;
}

/** What was known of a deployment at one moment. `revisions` holds those that were looked at, not all there are. */
export interface DeploymentSnapshot {
  id: string;
  name: string;
  /** In milliseconds since 1970; absent when the service does not say. */
  createdAt?: number;
  latestRevisionId?: string;
  activeRevisionId?: string;
  revisions: readonly RevisionSnapshot[];
}

interface EventOfDeployment {
  deploymentId: string;
  deploymentName: string;
}

export type DeploymentEvent =
  | (EventOfDeployment & { kind: 'created' })
  | (EventOfDeployment & { kind: 'newRevision'; revisionId: string })
  | (EventOfDeployment & { kind: 'wentLive'; revisionId: string })
  | (EventOfDeployment & { kind: 'moved' | 'failed' | 'superseded' | 'stopped'; revisionId: string; status: string });

/**
 * What happened between two looks at the service, in the order of the newer one; within a deployment, the new revision
 * first, then how revisions moved, then what went live.
 *
 * Lists come in pages, so a look sees a part: a deployment that is missing from the newer look is no event, and one
 * that is missing from the older look was created in between only when it is newer than all of that look. The present
 * status of a revision that was not looked at before is no news either, except for one that is new itself.
 */
export function diffSnapshots(
  before: readonly DeploymentSnapshot[],
  after: readonly DeploymentSnapshot[],
): DeploymentEvent[] {
  const known = new Map(before.map((deployment) => [deployment.id, deployment]));
  const newest = Math.max(...before.map(({ createdAt }) => createdAt ?? Number.NEGATIVE_INFINITY));
  return after.flatMap((deployment): DeploymentEvent[] => {
    const of = { deploymentId: deployment.id, deploymentName: deployment.name };
    const earlier = known.get(deployment.id);
    if (earlier !== undefined) {
      return deploymentEvents(of, earlier, deployment);
    }
    const isCreated = deployment.createdAt !== undefined && deployment.createdAt > newest;
    return isCreated ? [{ ...of, kind: 'created' }] : [];
  });
}

/** Says an event in one sentence. */
export function describeEvent(event: DeploymentEvent): string {
  switch (event.kind) {
    case 'created':
      return l10n.t('{0} was created.', event.deploymentName);
    case 'newRevision':
      return l10n.t('{0} has a new revision.', event.deploymentName);
    case 'wentLive':
      return l10n.t('{0} went live.', event.deploymentName);
    case 'moved':
    case 'failed':
    case 'superseded':
    case 'stopped':
      return l10n.t('{0}: {1}.', event.deploymentName, revisionStatusView(event.status).label);
  }
}

function deploymentEvents(
  of: EventOfDeployment,
  before: DeploymentSnapshot,
  after: DeploymentSnapshot,
): DeploymentEvent[] {
  const events: DeploymentEvent[] = [];
  const isNew = after.latestRevisionId !== undefined && after.latestRevisionId !== before.latestRevisionId;
  if (isNew && after.latestRevisionId !== undefined) {
    events.push({ ...of, kind: 'newRevision', revisionId: after.latestRevisionId });
  }
  const wentLive = after.activeRevisionId === before.activeRevisionId ? undefined : after.activeRevisionId;
  const statuses = new Map(before.revisions.map((revision) => [revision.id, revision.status]));
  for (const revision of after.revisions) {
    const earlier = statuses.get(revision.id);
    const isNews =
      earlier === undefined ? isNew && revision.id === after.latestRevisionId : earlier !== revision.status;
    // That a revision serves now says more than that it is deployed.
    if (isNews && revision.id !== wentLive) {
      events.push(revisionEvent(of, revision));
    }
  }
  if (wentLive !== undefined) {
    events.push({ ...of, kind: 'wentLive', revisionId: wentLive });
  }
  return events;
}

function revisionEvent(of: EventOfDeployment, revision: RevisionSnapshot): DeploymentEvent {
  const { phase } = revisionStatusView(revision.status);
  const about = { ...of, revisionId: revision.id, status: revision.status };
  return phase === 'failed' || phase === 'superseded' || phase === 'stopped'
    ? { ...about, kind: phase }
    : { ...about, kind: 'moved' };
}
